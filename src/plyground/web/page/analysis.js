// Analysis: what the engine thinks of the position on show. Off until asked for; while it is on, the engine searches on
// until it is stopped, the tab is hidden, or another position is shown.

import { Findings } from "./findings.js";
import { Graph } from "./graph.js";
import { Lines } from "./lines.js";
import { Review } from "./review.js";
import { Scores, counted, percentage, spokenRate, typeset } from "./scores.js";
import { sentence } from "./story.js";

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

// `root` is the panel's place, `bar` that of the evaluation bar, `list` the moves so far; `busy()`: is the engine
// needed elsewhere?
export function startAnalysis({ facts, rules, match, engine, board, busy, root, bar, list }) {
  return new Analysis(facts, rules, { facts, match, engine, board, busy, root, bar, list });
}

class Analysis {
  constructor(facts, rules, parts) {
    Object.assign(this, parts, { on: false, paused: false, search: null, fault: "", drawing: false, pointing: false });
    const { match, root } = parts;
    root.innerHTML = ANALYSIS_PANEL;
    this.scores = new Scores(facts);
    this.findings = new Findings(this.scores, rules);
    this.lines = new Lines(this.part("lines"), facts, rules, this.scores, (line, count) => match.explore(line, count));
    const ways = facts.sides.length > 1 ? facts.sides : ["more points"];
    this.graph = new Graph(this.part("graph"), ways, () => match.game.at, (ply) => this.jump(ply));
    this.review = new Review(this.part("review"), this);
    this.part("analysis-lines").value = 3;
    this.listen();
    this.show();
  }

  part(id) {
    return this.root.querySelector(`#${id}`);
  }

  listen() {
    const { match } = this;
    match.addEventListener("change", () => this.follow());
    document.addEventListener("visibilitychange", () => this.follow());
    this.part("analyse").addEventListener("click", () => this.toggle());
    this.part("analysis-go").addEventListener("click", () => this.pause(this.search !== null));
    this.part("analysis-lines").addEventListener("change", () => this.begin());
    this.part("analysis-values").addEventListener("change", () => this.begin());
    this.part("explored").addEventListener("click", () => match.back());
  }

  // -- searching ------------------------------------------------------------------------------------------------------

  toggle(on = !this.on) {
    this.on = on;
    this.paused = false;
    if (!on) this.review.stop();
    document.documentElement.classList.toggle("analysing", on);
    this.list.show(); // it has another height now
    this.begin();
  }

  pause(paused) {
    this.paused = paused;
    this.begin();
  }

  // The position on show may be another one now, or the tab is hidden.
  follow() {
    const idle = document.hidden || this.busy() || this.search?.row !== this.match.row;
    if (idle) this.begin();
    else this.show();
  }

  // Ends the search that is going on and, if there is reason to, begins another.
  begin() {
    const { match } = this;
    this.halt();
    const still = !this.on || this.paused || document.hidden || this.review.running || this.busy() || this.over;
    if (!still) this.think(match.row, match.history);
    this.show();
  }

  // Is there nothing to search in the position on show, or nothing more?
  get over() {
    const { match, findings } = this;
    return Boolean(match.end) || !findings.searchable(match.row) || findings.at(match.row).complete;
  }

  halt() {
    const { search } = this;
    this.search = null;
    search?.found.stop();
  }

  think(row, history) {
    const lines = this.part("analysis-values").checked ? 0 : Number(this.part("analysis-lines").value);
    const search = { row, report: null, found: null };
    const take = (report) => {
      this.findings.keep(row, report, lines === 0);
      search.report = report;
      if (this.search === search) this.show();
    };
    Object.assign(this, { search, fault: "" });
    search.found = this.engine.think({ row, history, infinite: true, lines }, take);
    const ended = (report, fault = "") => {
      if (report) take(report);
      if (report && !report.stopped && !lines) this.findings.at(row).complete = true;
      // It has found everything, or somebody else needed the engine.
      if (this.search === search) Object.assign(this, { search: null, fault });
      this.show();
    };
    search.found.done.then(ended, (error) => ended(null, error.message));
  }

  jump(ply) {
    this.match.back();
    this.match.go(ply);
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  // Reports may come faster than the screen is drawn.
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
    this.part("exploring").hidden = !match.trunk;
    this.part("analysis-go").textContent = this.search ? "Stop" : "Go on";
    this.part("analysis-go").disabled = !this.search && (this.over || this.review.running);
    this.part("verdict").textContent = sentence(typeset(this.verdict()));
    this.part("effort").textContent = this.effort();
    this.graph.show(this.points(), match.game.at);
    this.review.show();
  }

  // What is shown about the position: with a value on every move, only a report that has them all.
  get report() {
    const { best, all, complete } = this.findings.at(this.match.row);
    return complete || this.part("analysis-values").checked ? (all ?? best) : best;
  }

  verdict() {
    const { match, facts } = this;
    const side = facts.sides[match.turn];
    if (match.end) return match.end.text;
    if (match.view.chance) return "Chance is to move.";
    if (this.fault) return `The engine failed: ${this.fault}`;
    return this.report ? this.scores.opinion(side, this.report) : `${side} to move`;
  }

  effort() {
    const { search, report } = this;
    if (!report || this.match.end) return "";
    const { depth, nodes, seconds } = search?.report ?? report;
    const state = search ? "" : this.over ? " · complete" : " · stopped";
    return `depth ${depth} · ${counted(nodes, "node")} · ${spokenRate(nodes, seconds)}${state}`;
  }

  drawMoves() {
    const { match, on, report } = this;
    const shown = on && !match.end && !match.view.chance && !this.review.quiet && report;
    const values = shown && this.part("analysis-values").checked;
    const told = new Map(values ? report.moves.map((one) => [one.move, this.label(one)]) : []);
    this.board.badges(told);
    // Moves that touch no cell have a button below the board.
    for (const button of document.querySelectorAll("#buttons button")) {
      const value = told.get(match.view.moves.find((m) => String(m) === button.dataset.move));
      if (value) button.dataset.value = value;
      else delete button.dataset.value;
    }
    // An arrow that is not from here, such as a hint's, stays.
    if (shown || this.pointing) this.board.arrow(shown ? match.view.touches[match.view.moves.indexOf(report.moves[0].move)] : []);
    this.pointing = Boolean(shown);
    const most = Number(this.part("analysis-lines").value);
    this.part("lines").style.setProperty("--lines", match.end ? 0 : most);
    this.lines.show(match, shown ? report.moves.slice(0, most) : []);
  }

  // Behind the moves in the list.
  drawSigns() {
    const { match, on, list } = this;
    list.mark(match.moves.map((m, ply) => (on ? this.sign(match, ply) : "")));
  }

  // Of the move made at a ply.
  sign(match, ply) {
    return this.findings.judge(match.rows[ply], match.moves[ply])?.grade?.sign ?? "";
  }

  label({ score, exact }) {
    return typeset(this.scores.label(score, exact));
  }

  // The first side's share of the winning chance, bottom to top as its side of the board.
  drawBar() {
    const { bar, facts, match, on } = this;
    const share = on && facts.sides.length > 1 ? this.share(match, match.at) : null;
    bar.hidden = !on || facts.sides.length < 2;
    bar.style.setProperty("--share", share ?? 0.5);
    bar.classList.toggle("unknown", share === null);
    const each = facts.sides.map((side, i) => `${side} ${percentage(i ? 1 - share : share)}`);
    const told = share === null ? "not known yet" : each.join(", ");
    bar.setAttribute("aria-label", `Winning chance: ${told}`);
    bar.querySelector(".bar-first").textContent = share === null ? "" : percentage(share).replace(" ", "");
    bar.querySelector(".bar-second").textContent = share === null ? "" : percentage(1 - share).replace(" ", "");
  }

  // The first side's winning chance at a ply of a match; null if unknown.
  share(match, ply) {
    const chance = this.findings.chance(match.rows[ply], match.endAt(ply)?.value ?? null);
    return chance === null || match.turnAt(ply) === 0 ? chance : 1 - chance;
  }

  // The height of the curve at each ply: the winning chance or, for one who plays alone, the expected result between
  // the lowest and the highest one so far.
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

  // The evaluation at a ply in words.
  words(game, ply) {
    const { best } = this.findings.at(game.rows[ply]);
    const end = game.endAt(ply);
    if (end) return end.text;
    return best ? typeset(this.scores.opinion(this.facts.sides[game.turnAt(ply)], best)) : "not searched";
  }
}
