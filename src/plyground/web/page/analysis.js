// Analysis: what the engine thinks of the position on show. Off until asked for; while it is on, the engine searches on
// until someone stops it, the tab is hidden, or another position is shown.

import { find, findAs } from "../../pages/elements.js";
import { capitalize, quantity, typeset } from "../../pages/text.js";
import { Findings } from "./findings.js";
import { Graph } from "./graph.js";
import { Lines } from "./lines.js";
import { Review } from "./review.js";
import { Scores, percentage, nodeRate } from "./scores.js";

const ANALYSIS_PANEL = `
  <div class="analysis-head">
    <h2>Analysis</h2>
    <button type="button" id="analyse" aria-pressed="false" title="Analysis on or off (l)">Analyse</button>
  </div>
  <div id="analysis-body" hidden>
    <p id="verdict"></p>
    <p id="effort"></p>
    <div class="analysis-tools">
      <button type="button" id="analysis-go">Stop</button>
      <label>Lines <select id="analysis-lines">${[1, 2, 3, 4, 5].map((n) => `<option>${n}</option>`).join("")}</select></label>
      <label><input type="checkbox" id="analysis-values" checked> Value on every move</label>
    </div>
    <p id="exploring" hidden>
      <span>You are trying out moves. The game is kept.</span> <button type="button" id="explored">Back to the game</button>
    </p>
    <ol id="lines" aria-label="Best lines"></ol>
    <div id="graph"></div>
    <div id="review"></div>
  </div>`;

export class Analysis {
  /** @param {AnalysisParts} parts */
  constructor({ facts, rules, match, engine, board, busy, root, bar, list }) {
    this.facts = facts;
    this.match = match;
    this.engine = engine;
    this.board = board;
    this.busy = busy;
    this.root = root;
    this.bar = bar;
    this.list = list;
    this.on = false;
    this.paused = false;
    /** @type {{ row: Row, report: Report | null, found: EngineSearch } | null} */
    this.search = null;
    this.fault = "";
    this.drawing = false; // whether a frame is requested
    this.pointing = false; // whether the arrow on the board was drawn by the analysis
    root.innerHTML = ANALYSIS_PANEL;
    this.scores = new Scores(facts);
    this.findings = new Findings(this.scores, rules);
    this.lines = new Lines(this.part("lines"), facts, rules, this.scores, (line, count) => match.showVariation(line, count));
    const ways = facts.sides.length > 1 ? facts.sides : ["more points"];
    this.graph = new Graph(this.part("graph"), ways, () => match.game.at, (ply) => this.jump(ply));
    this.review = new Review(this.part("review"), this);
    this.count = findAs(HTMLSelectElement, "#analysis-lines", root);
    this.values = findAs(HTMLInputElement, "#analysis-values", root);
    this.count.value = "3";
    this.listen();
    this.show();
  }

  /** @param {string} id */
  part(id) {
    return find(`#${id}`, this.root);
  }

  listen() {
    const { match } = this;
    match.onChange(() => this.follow());
    document.addEventListener("visibilitychange", () => this.follow());
    this.part("analyse").addEventListener("click", () => this.toggle());
    this.part("analysis-go").addEventListener("click", () => this.pause(this.search !== null));
    this.count.addEventListener("change", () => this.begin());
    this.values.addEventListener("change", () => this.begin());
    this.part("explored").addEventListener("click", () => match.back());
  }

  // -- searching ------------------------------------------------------------------------------------------------------

  /** @param {boolean} on */
  toggle(on = !this.on) {
    this.on = on;
    this.paused = false;
    if (!on) this.review.stop();
    document.documentElement.classList.toggle("analysing", on);
    this.list.show(); // it has another height now
    this.begin();
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    this.begin();
  }

  /** Begin anew if another position is displayed now, or if the tab is hidden. */
  follow() {
    const idle = document.hidden || this.busy() || this.search?.row !== this.match.row;
    if (idle) this.begin();
    else this.show();
  }

  /** Stop the running search, and start another if there is anything to search. */
  begin() {
    const { match } = this;
    this.halt();
    const still = !this.on || this.paused || document.hidden || this.review.running || this.busy() || this.over;
    if (!still) this.think(match.row, match.history);
    this.show();
  }

  /** Whether the position on show has nothing to search, or nothing left to search. */
  get over() {
    const { match, findings } = this;
    return Boolean(match.end) || !findings.searchable(match.row) || findings.at(match.row).complete;
  }

  halt() {
    const { search } = this;
    this.search = null;
    search?.found.stop();
  }

  /** @param {Row} row @param {Row[]} history */
  think(row, history) {
    const lines = this.values.checked ? 0 : Number(this.count.value);
    /** @param {Report} report */
    const take = (report) => {
      this.findings.keep(row, report, lines === 0);
      if (this.search !== search) return;
      search.report = report;
      this.show();
    };
    const found = this.engine.think({ row, history, infinite: true, lines }, take);
    /** @type {{ row: Row, report: Report | null, found: EngineSearch }} */
    const search = { row, report: null, found };
    this.search = search;
    this.fault = "";
    /** @param {Report | null} report */
    const ended = (report, fault = "") => {
      if (report) take(report);
      if (report && !report.stopped && !lines) this.findings.at(row).complete = true;
      // It has found everything, or another part of the page needed the engine.
      if (this.search === search) {
        this.search = null;
        this.fault = fault;
      }
      this.show();
    };
    found.done.then(ended, (error) => ended(null, error.message));
  }

  /** @param {number} ply */
  jump(ply) {
    this.match.back();
    this.match.go(ply);
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  /** Draw in the next frame; reports may come more often than that. */
  show() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  draw() {
    const { match, on } = this;
    this.part("analyse").setAttribute("aria-pressed", String(on));
    this.part("analysis-body").hidden = !on;
    this.drawBar();
    this.drawMoves();
    this.drawSigns();
    if (!on) return;
    this.part("exploring").hidden = !match.mainLine;
    this.part("analysis-go").textContent = this.search ? "Stop" : "Go on";
    findAs(HTMLButtonElement, "#analysis-go", this.root).disabled = !this.search && (this.over || this.review.running);
    this.part("verdict").textContent = capitalize(typeset(this.verdict()));
    this.part("effort").textContent = this.effort();
    this.graph.show(this.points(), match.game.at);
    this.review.show();
  }

  /** The report on show; with a value on every move, one that has them all. */
  get report() {
    const { best, all, complete } = this.findings.at(this.match.row);
    return complete || this.values.checked ? (all ?? best) : best;
  }

  verdict() {
    const { match, facts } = this;
    const side = facts.sides[match.turn];
    if (match.end) return match.end.text;
    if (match.view.chance) return "Chance is to move.";
    if (this.fault) return `The engine failed: ${this.fault}`;
    return this.report ? this.scores.verdict(side, this.report) : `${side} to move`;
  }

  effort() {
    const { search, report } = this;
    if (!report || this.match.end) return "";
    const { depth, partial, nodes, seconds } = search?.report ?? report;
    const state = search ? "" : this.over ? " · complete" : " · stopped";
    return `depth ${depth}${partial ? " (unfinished)" : ""} · ${quantity(nodes, "node")} · ${nodeRate(nodes, seconds)}${state}`;
  }

  drawMoves() {
    const { match, on, report } = this;
    const shown = on && !match.end && !match.view.chance && !this.review.hidesBestMove ? report : null;
    /** @type {Map<Move, string>} */
    const labels = new Map();
    if (shown && this.values.checked) for (const one of shown.moves) labels.set(one.move, this.label(one));
    this.board.badges(labels);
    // Keep an arrow that somebody else drew, such as a hint's.
    if (shown || this.pointing) this.board.arrow(shown ? match.view.touches[match.view.moves.indexOf(shown.moves[0].move)] : []);
    this.pointing = Boolean(shown);
    const most = Number(this.count.value);
    this.part("lines").style.setProperty("--lines", String(match.end ? 0 : most));
    this.lines.show(match, shown ? shown.moves.slice(0, most) : []);
  }

  /** Mark mistakes in the list of moves. */
  drawSigns() {
    const { match, on, list } = this;
    list.mark(match.moves.map((m, ply) => (on ? this.sign(match, ply) : "")));
  }

  /** Return the sign of the move made at a ply. @param {Match} match @param {number} ply */
  sign(match, ply) {
    return this.findings.assess(match.rows[ply], match.moves[ply])?.grade?.sign ?? "";
  }

  /** @param {Pick<Scored, "score" | "exact">} worth */
  label({ score, exact }) {
    return typeset(this.scores.label(score, exact));
  }

  /** Draw the first side's share of the winning chance, from the side of the board where it sits. */
  drawBar() {
    const { bar, facts, match, on } = this;
    const share = on && facts.sides.length > 1 ? this.share(match, match.at) : null;
    bar.hidden = !on || facts.sides.length < 2;
    bar.style.setProperty("--share", String(share ?? 0.5));
    bar.classList.toggle("unknown", share === null);
    const shares = share === null ? [] : [percentage(share), percentage(1 - share)];
    const chances = shares.map((text, i) => `${facts.sides[i]} ${text}`).join(", ") || "not known yet";
    bar.setAttribute("aria-label", `Winning chance: ${chances}`);
    const [first = "", second = ""] = shares.map((text) => text.replace(" ", ""));
    find(".bar-first", bar).textContent = first;
    find(".bar-second", bar).textContent = second;
  }

  /** Return the first side's winning chance at a ply of a match; null if unknown. @param {Match} match @param {number} ply */
  share(match, ply) {
    const chance = this.findings.chance(match.rows[ply], match.endAt(ply)?.value ?? null);
    return chance === null || match.turnAt(ply) === 0 ? chance : 1 - chance;
  }

  /**
   * Return the height of the curve at each ply: the winning chance or, for one who plays alone, the expected result between
   * the lowest and the highest one so far.
   * @param {Match} game
   */
  heights(game) {
    if (this.facts.sides.length > 1) return game.rows.map((row, ply) => this.share(game, ply));
    const found = game.rows.map((row, ply) => game.endAt(ply)?.value ?? this.findings.at(row).best?.score ?? null);
    const known = found.filter((score) => score !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    return found.map((score) => (score === null ? null : high > low ? (score - low) / (high - low) : 0.5));
  }

  points() {
    const { game } = this.match;
    const heights = this.heights(game);
    return game.rows.map((row, ply) => {
      const move = ply ? game.names[ply - 1] : "start";
      const words = this.words(game, ply);
      const sign = ply ? this.sign(game, ply - 1) : "";
      const text = `${ply ? `${ply}. ` : ""}${move}${sign ? ` ${sign}` : ""}: ${words}`;
      return { share: heights[ply], move, words, text, sign };
    });
  }

  /** Return the evaluation at a ply in words. @param {Match} game @param {number} ply */
  words(game, ply) {
    const { best } = this.findings.at(game.rows[ply]);
    const end = game.endAt(ply);
    if (end) return end.text;
    return best ? typeset(this.scores.verdict(this.facts.sides[game.turnAt(ply)], best)) : "not searched";
  }
}
