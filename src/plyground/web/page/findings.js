// What searches have found about the positions of a game, for as long as the page is open: live analysis and review add to it; the
// bar, the graph and the badges read it. Everything is for the side to move, as searches report it, unless it says otherwise.

const GRADES = [
  { name: "blunder", sign: "??", drop: 0.15 },
  { name: "mistake", sign: "?", drop: 0.1 },
  { name: "inaccuracy", sign: "?!", drop: 0.05 },
];

export class Findings {
  constructor(scores, rules) {
    Object.assign(this, { scores, rules, entries: new Map() });
  }

  // Of a position: its view, the deepest report, and the deepest one with a value for every move.
  at(row) {
    const key = row.join();
    if (!this.entries.has(key)) this.entries.set(key, { view: this.rules.view(row), best: null, all: null });
    return this.entries.get(key);
  }

  keep(row, report) {
    const entry = this.at(row);
    if (!report.moves.length) return;
    if (report.depth >= (entry.best?.depth ?? 0)) entry.best = report;
    if (report.moves.length === entry.view.moves.length && report.depth >= (entry.all?.depth ?? 0)) entry.all = report;
  }

  // Can a search tell anything here? Not at the end, and not where chance moves.
  searchable(row) {
    const { view } = this.at(row);
    return view.result === null && !view.chance && view.moves.length > 0;
  }

  // The chance of the side to move to win; null if nothing is known. `result`: of a game that is over, repetition included.
  chance(row, result = this.at(row).view.result) {
    const { best } = this.at(row);
    if (result !== null) return this.scores.finalChance(result);
    return best && this.scores.winningChance(best.score, best.exact);
  }

  // The value of a move in a position, if every move there has one.
  move(row, m) {
    return this.at(row).all?.moves.find(({ move }) => move === m) ?? null;
  }

  // How good a move is: { best, played, drop, grade }; `grade` is null for a move that is good enough, the whole null if unknown.
  judge(row, m) {
    const { all } = this.at(row);
    const played = this.move(row, m);
    if (!played) return null;
    const best = all.moves[0];
    const drop = this.scores.drop(best, played);
    return { best, played, drop, grade: GRADES.find((grade) => drop >= grade.drop) ?? null };
  }
}
