// What searches have found about the positions of a game, as long as the page is open: analysis and review add to it; the bar,
// the graph and the badges read it. Scores are for the side to move, unless stated otherwise.

export class Findings {
  /** @param {Scores} scores @param {Rules} rules */
  constructor(scores, rules) {
    this.scores = scores;
    this.rules = rules;
    /** @type {Map<string, Finding>} */
    this.entries = new Map();
  }

  /**
   * Return what is known about a position.
   * @param {Row} row @returns {Finding}
   */
  at(row) {
    const key = row.join();
    const entry = this.entries.get(key) ?? { view: this.rules.view(row), best: null, all: null, complete: false };
    this.entries.set(key, entry);
    return entry;
  }

  /**
   * Keep a report; with `all`, each move was searched for its own value.
   * @param {Row} row @param {Report} report @param {boolean} all
   */
  keep(row, report, all) {
    const entry = this.at(row);
    const [first] = report.moves;
    if (!first) return;
    if (first.move === report.move) first.line = report.line; // the answer's line is longer than a report's
    if (isDeeper(report, entry.best)) entry.best = report;
    if (all && isDeeper(report, entry.all)) entry.all = report;
  }

  /** Return whether a search makes sense here: not at the end of a game, and not where chance moves. @param {Row} row */
  searchable(row) {
    const { view } = this.at(row);
    return view.result === null && !view.chance && view.moves.length > 0;
  }

  /**
   * Return the winning chance of the side to move; null if unknown. A game that is over has a `result`, by repetition too.
   * @param {Row} row @param {number | null} result @returns {number | null}
   */
  chance(row, result = this.at(row).view.result) {
    const { best } = this.at(row);
    if (result !== null) return this.scores.finalChance(result);
    return best && this.scores.winningChance(best.score, best.exact);
  }

  /**
   * Return the value of a move, null if unknown. The search of a game with `likely` moves leaves
   * others out; their value comes from the position after them.
   * @param {Row} row @param {Move} m @returns {MoveScore | null}
   */
  move(row, m) {
    const found = this.at(row).all?.moves.find(({ move }) => move === m);
    if (found) return found;
    const after = this.rules.play(row, m);
    const { view, best } = this.at(after);
    const same = view.turn !== null && view.turn === this.at(row).view.turn;
    const known = view.result === null ? best : { score: this.scores.final(view.result), exact: true };
    return known && { move: m, score: this.scores.ofMove(known.score, same), exact: known.exact };
  }

  /**
   * Return how good a move is, null if unknown.
   * @param {Row} row @param {Move} m @returns {Assessment | null}
   */
  assess(row, m) {
    const best = this.at(row).all?.moves[0];
    const played = best && this.move(row, m);
    if (!played) return null;
    const drop = this.scores.drop(best, played);
    return { best, played, drop, grade: this.scores.limits.grades.find((grade) => drop >= grade.drop) ?? null };
  }
}

/**
 * Return whether a report is at least as deep as the one before. At equal depth, a finished iteration outranks an unfinished one.
 * @param {Report} report @param {Report | null} before
 */
function isDeeper(report, before) {
  if (!before || report.depth !== before.depth) return report.depth >= (before?.depth ?? 0);
  return !report.partial || Boolean(before.partial);
}
