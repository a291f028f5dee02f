// What searches have found about the positions of a game, for as long as the page is open: live analysis and review add
// to it; the bar, the graph and the badges read it. Everything is for the side to move, as searches report it, unless
// it says otherwise.

const GRADES = [
  { name: "blunder", sign: "??", drop: 0.15 },
  { name: "mistake", sign: "?", drop: 0.1 },
  { name: "inaccuracy", sign: "?!", drop: 0.05 },
];

export class Findings {
  constructor(scores, rules) {
    Object.assign(this, { scores, rules, entries: new Map() });
  }

  // Of a position: its view, the deepest report, the deepest one with the values of all moves, and: can no search find
  // more?
  at(row) {
    const key = row.join();
    const fresh = () => ({ view: this.rules.view(row), best: null, all: null, complete: false });
    if (!this.entries.has(key)) this.entries.set(key, fresh());
    return this.entries.get(key);
  }

  // Keeps a report; with `all`, each move was searched for its own value.
  keep(row, report, all) {
    const entry = this.at(row);
    const [first] = report.moves;
    if (!first) return;
    if (first.move === report.move) first.line = report.line; // the answer's line is longer than a report's
    if (report.depth >= (entry.best?.depth ?? 0)) entry.best = report;
    if (all && report.depth >= (entry.all?.depth ?? 0)) entry.all = report;
  }

  // Can a search tell anything here? Not at the end, and not where chance moves.
  searchable(row) {
    const { view } = this.at(row);
    return view.result === null && !view.chance && view.moves.length > 0;
  }

  // The chance of the side to move to win; null if nothing is known. `result`: of a game that is over, repetition
  // included.
  chance(row, result = this.at(row).view.result) {
    const { best } = this.at(row);
    if (result !== null) return this.scores.finalChance(result);
    return best && this.scores.winningChance(best.score, best.exact);
  }

  // The value of a move: { move, score, exact }, null if unknown. The search of a game with `likely` moves leaves
  // others out; their value comes from the position after them.
  move(row, m) {
    const found = this.at(row).all?.moves.find(({ move }) => move === m);
    if (found) return found;
    const after = this.rules.play(row, m);
    const { view, best } = this.at(after);
    const same = view.turn !== null && view.turn === this.at(row).view.turn;
    const known = view.result === null ? best : { score: this.scores.final(view.result), exact: true };
    return known && { move: m, score: this.scores.ofMove(known.score, same), exact: known.exact };
  }

  // How good a move is: { best, played, drop, grade }; `grade` is null for a move that is good enough, the whole null
  // if unknown.
  judge(row, m) {
    const best = this.at(row).all?.moves[0];
    const played = best && this.move(row, m);
    if (!played) return null;
    const drop = this.scores.drop(best, played);
    return { best, played, drop, grade: GRADES.find((grade) => drop >= grade.drop) ?? null };
  }
}
