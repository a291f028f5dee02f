// The review of a game: searches each of its positions for a short time and marks moves by how much winning chance they
// gave away.

import { find, findAs, make } from "../../pages/elements.js";
import { quantity, typeset } from "../../pages/text.js";
import { percentage } from "./scores.js";

const REVIEW_PANEL = `
  <h3>Review of the game</h3>
  <div class="analysis-tools">
    <button type="button" id="review-go">Review</button>
    <label>Time per position <select id="review-time"><option value="0.2">0.2 s</option>
      <option value="1" selected>1 s</option><option value="5">5 s</option></select></label>
  </div>
  <progress id="review-progress" hidden aria-label="Positions reviewed"></progress>
  <p id="review-status" role="status"></p>
  <table id="review-counts" hidden></table>
  <div class="buttons" id="review-steps" hidden>
    <button type="button" id="mistake-previous" title="To the previous mistake (M)">◀ Previous mistake</button>
    <button type="button" id="mistake-next" title="To the next mistake (m)">Next mistake ▶</button>
  </div>
  <div id="mistake" hidden></div>`;
const MISTAKE_CARD = `<p class="mistake-title"></p><dl></dl><p id="retry-status" role="status"></p>
  <div class="buttons">
    <button type="button" id="retry">Retry</button>
    <button type="button" id="show-best">Show the best move</button>
  </div>`;

export class Review {
  /** @param {HTMLElement} root @param {Analysis} analysis */
  constructor(root, analysis) {
    this.root = root;
    this.analysis = analysis;
    /** @type {{ done: number, total: number, search: EngineSearch | null } | null} */
    this.run = null;
    /** @type {Mistake | null} */
    this.current = null; // the selected mistake
    /** @type {{ ply: number, tried: { move: Move, name: string } | null } | null} */
    this.retrying = null;
    root.innerHTML = REVIEW_PANEL;
    this.part("mistake").innerHTML = MISTAKE_CARD;
    this.part("review-go").addEventListener("click", () => (this.running ? this.stop() : this.start()));
    this.part("mistake-previous").addEventListener("click", () => this.step(-1));
    this.part("mistake-next").addEventListener("click", () => this.step(1));
    this.part("retry").addEventListener("click", () => this.retry());
    this.part("show-best").addEventListener("click", () => this.showBest());
    analysis.match.onChange((kind) => this.follow(kind));
  }

  /** @param {string} id */
  part(id) {
    return find(`#${id}`, this.root);
  }

  get running() {
    return this.run !== null;
  }

  /** Whether the board must not show the best move, because somebody is looking for it. */
  get hidesBestMove() {
    return this.retrying !== null && !this.retrying.tried;
  }

  // -- searching ------------------------------------------------------------------------------------------------------

  /** Search the positions from the last to the first, so that the table already knows the later ones. */
  async start() {
    const { findings, engine, match } = this.analysis;
    const { game } = match;
    const rows = [...game.rows];
    const wanted = rows.map((row, ply) => ply).filter((ply) => ply < game.moves.length && this.open(game, ply));
    /** @type {{ done: number, total: number, search: EngineSearch | null }} */
    const run = { done: 0, total: wanted.length, search: null };
    this.run = run;
    this.analysis.begin();
    for (const ply of wanted.reverse()) {
      const row = rows[ply];
      const limit = { time: Number(findAs(HTMLSelectElement, "#review-time", this.root).value), lines: 0 };
      run.search = engine.think({ row, history: rows.slice(0, ply), ...limit }, () => {});
      const report = await run.search.done.catch(() => null);
      if (this.run !== run) return; // stopped here
      if (!report) break;
      findings.keep(row, report, true);
      if (report.stopped) break; // the engine was needed elsewhere
      run.done += 1;
      this.analysis.show();
    }
    this.stop();
  }

  /** @param {Match} game @param {number} ply */
  open(game, ply) {
    return !game.endAt(ply) && this.analysis.findings.searchable(game.rows[ply]);
  }

  stop() {
    const { run } = this;
    if (!run) return;
    this.run = null;
    run.search?.stop();
    this.analysis.begin();
  }

  // -- mistakes -------------------------------------------------------------------------------------------------------

  /** Return every move of the game that has been assessed. */
  assessedMoves() {
    const { findings, match } = this.analysis;
    const { game } = match;
    return game.moves.flatMap((move, ply) => {
      const found = findings.assess(game.rows[ply], move);
      return found ? [{ ply, move, name: game.names[ply], side: game.turnAt(ply), ...found }] : [];
    });
  }

  mistakes() {
    return mistakesIn(this.assessedMoves());
  }

  /** Go to the position before the next or previous mistake. @param {1 | -1} direction */
  step(direction) {
    const { game } = this.analysis.match;
    const from = this.current?.ply ?? game.at - (direction > 0 ? 1 : 0);
    const all = this.mistakes();
    const next = direction > 0 ? all.find(({ ply }) => ply > from) : all.findLast(({ ply }) => ply < from);
    const to = next ?? all.at(direction > 0 ? 0 : -1); // from the last to the first
    if (!to) return;
    this.retrying = null;
    this.current = to;
    this.analysis.jump(to.ply);
    this.analysis.show();
  }

  retry() {
    const { match } = this.analysis;
    const mistake = this.card();
    if (!mistake) return;
    this.analysis.jump(mistake.ply);
    this.current = mistake;
    this.retrying = { ply: mistake.ply, tried: null };
    match.showVariation([], 0);
  }

  showBest() {
    const mistake = this.card();
    if (!mistake) return;
    this.retrying = null;
    this.current = mistake;
    this.analysis.jump(mistake.ply);
    this.analysis.match.showVariation([mistake.best.move], 1);
  }

  /** Follow a change of the position: another move was tried, or the game has gone on. @param {string} kind */
  follow(kind) {
    const { match } = this.analysis;
    if (!match.mainLine && ["play", "load"].includes(kind)) this.stop();
    if (!match.mainLine) this.retrying = null;
    if (this.current && ![this.current.ply, this.current.ply + 1].includes(match.game.at)) this.current = null;
    if (!this.retrying) return;
    const tried = match.at > this.retrying.ply ? match.moves[this.retrying.ply] : null;
    this.retrying.tried = tried === null ? null : { move: tried, name: match.names[this.retrying.ply] };
  }

  /** Return the mistake on show: the selected one, else the move that led to this position. */
  card() {
    const { game } = this.analysis.match;
    const wanted = this.current ? this.current.ply : game.at - 1;
    return this.mistakes().find(({ ply }) => ply === wanted) ?? null;
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  show() {
    const { game } = this.analysis.match;
    const { run } = this;
    const assessed = this.assessedMoves();
    const mistakes = mistakesIn(assessed);
    const go = findAs(HTMLButtonElement, "#review-go", this.root);
    go.textContent = run ? "Stop the review" : "Review";
    go.disabled = !run && !game.moves.some((_, ply) => this.open(game, ply));
    const bar = findAs(HTMLProgressElement, "#review-progress", this.root);
    bar.hidden = !run;
    if (run) Object.assign(bar, { value: run.done, max: run.total });
    const progress = run && `${run.done} of ${quantity(run.total, "position")}`;
    this.part("review-status").textContent = progress ?? this.summary(assessed, mistakes);
    this.part("review-steps").hidden = !mistakes.length;
    this.showCounts(mistakes);
    this.showCard();
  }

  /** @param {AssessedMove[]} assessed @param {Mistake[]} mistakes */
  summary(assessed, mistakes) {
    const { game } = this.analysis.match;
    const all = game.moves.filter((_, ply) => this.open(game, ply)).length;
    const what = this.analysis.facts.sides.length > 1 ? "winning chance" : "points";
    if (!assessed.length) return all ? `Marks every move that gave ${what} away.` : "There is no move to review yet.";
    const found = mistakes.length ? "" : " No mistakes found.";
    return `${assessed.length} of ${quantity(all, "move")} searched.${found}`;
  }

  /** @param {Mistake[]} mistakes */
  showCounts(mistakes) {
    const { sides } = this.analysis.facts;
    this.part("review-counts").hidden = !mistakes.length;
    const grades = this.analysis.facts.scores.grades.toReversed();
    const head = ["", ...grades.map(({ name, sign }) => `${name} ${sign}`)].map((text) => cellOf("th", text));
    const rows = sides.map((name, side) => {
      const own = mistakes.filter((one) => one.side === side);
      const counts = grades.map(({ name }) => own.filter(({ grade }) => grade.name === name).length);
      return rowOf([cellOf("th", name), ...counts.map((n) => cellOf("td", n))]);
    });
    this.part("review-counts").replaceChildren(rowOf(head), ...rows);
  }

  showCard() {
    const mistake = this.card();
    this.part("mistake").hidden = !mistake;
    if (!mistake) return;
    const { facts } = this.analysis;
    const { grade, name, ply, side } = mistake;
    const title = `${grade.sign} ${ply + 1}. ${name}: ${grade.name} by ${facts.sides[side]}`;
    find(".mistake-title", this.root).textContent = title;
    find("#mistake dl", this.root).replaceChildren(...(this.hidesBestMove ? [] : this.about(mistake)));
    this.part("retry-status").textContent = this.verdict(mistake);
    this.part("retry").textContent = this.retrying ? "Try again" : "Retry";
    findAs(HTMLButtonElement, "#retry", this.root).disabled = this.hidesBestMove;
  }

  /** @param {Mistake} mistake */
  about({ best, played, name, ply }) {
    const { analysis } = this;
    const { scores } = analysis;
    /** @param {MoveScore} one */
    const chance = (one) => percentage(scores.winningChance(one.score, one.exact));
    const rows = [
      ["Played", `${name}, ${analysis.label(played)}`],
      ["Best", `${this.nameAt(ply, best.move)}, ${analysis.label(best)}`],
    ];
    if (analysis.facts.sides.length > 1) rows.push(["Winning chance", `${chance(best)} → ${chance(played)}`]);
    return rows.flatMap((row) => row.map((text, i) => cellOf(i ? "dd" : "dt", text)));
  }

  /** @param {number} ply @param {Move} move */
  nameAt(ply, move) {
    const { game } = this.analysis.match;
    return game.namesAt(ply)[game.viewAt(ply).moves.indexOf(move)];
  }

  /** @param {Mistake} mistake */
  verdict(mistake) {
    const { facts, findings, match } = this.analysis;
    if (!this.retrying) return "";
    const { tried } = this.retrying;
    if (!tried) return `${facts.sides[mistake.side]} to move: find a better move than ${mistake.name}.`;
    const found = findings.assess(match.game.rows[mistake.ply], tried.move);
    if (!found) return `${tried.name} is not searched yet.`;
    const { played, drop, grade, best } = found;
    const worth = `${tried.name}, ${this.analysis.label(played)}`;
    if (tried.move === mistake.move) return `✗ That is the move of the game: ${worth}.`;
    if (grade) return `✗ ${worth}: still ${grade.name === "inaccuracy" ? "an" : "a"} ${grade.name}.`;
    return tried.move === best.move || drop === 0 ? `✓ ${worth}: nothing is better.` : `✓ ${worth}: good.`;
  }
}

/** @param {"th" | "td" | "dt" | "dd"} tag @param {string | number} text */
function cellOf(tag, text) {
  return make(tag, { textContent: typeset(String(text)) });
}

/** @param {HTMLElement[]} cells */
function rowOf(cells) {
  return make("tr", {}, ...cells);
}

/** @param {AssessedMove[]} assessed @returns {Mistake[]} */
function mistakesIn(assessed) {
  return assessed.flatMap((one) => (one.grade ? { ...one, grade: one.grade } : []));
}
