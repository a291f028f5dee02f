// Scores in words, exactly as play/words.py writes them (a test compares the two), and as winning chances.
// A score is for the side to move, on the scale of score.py; in games of chance it is the expected result.

import { quantity, groupThousands } from "../../pages/text.js";

const VERBS = { win: "wins", draw: "draws", loss: "loses" };

export class Scores {
  /** @param {Facts} facts */
  constructor(facts) {
    this.chance = facts.chance;
    this.limits = facts.scores;
    this.margins = facts.margin;
    this.sides = facts.sides;
  }

  // -- what a score means ---------------------------------------------------------------------------------------------

  /** @param {number} score */
  proven(score) {
    return !this.chance && Math.abs(score) >= this.limits.proven;
  }

  /** Return the plies to the end, if the score contains them. @param {number} score */
  plies(score) {
    return this.proven(score) && Math.abs(score) <= this.limits.win ? this.limits.win - Math.abs(score) : null;
  }

  /** Return the score of the same result `plies` plies later. @param {number} score @param {number} plies */
  later(score, plies) {
    return this.plies(score) === null ? score : score - Math.sign(score) * plies;
  }

  /** Return the margin of a won or lost game, if the score contains it. @param {number} score */
  margin(score) {
    return !this.chance && Math.abs(score) > this.limits.win ? Math.abs(score) - this.limits.win : null;
  }

  /**
   * Return the score of a finished game, and of a move from that of the position after it; `same`: the same side moves again.
   * @param {number} result
   */
  final(result) {
    if (this.chance || !result) return result;
    return Math.sign(result) * (this.limits.win + (this.margins ? Math.abs(result) : 0));
  }

  /** @param {number} after @param {boolean} same */
  ofMove(after, same) {
    const mine = same ? after : -after;
    return this.plies(after) === null ? mine : mine - Math.sign(mine);
  }

  /**
   * Return the chance to win of the side to move, a draw counting half. What is proven is certain: 1, ½ or 0. An estimate goes
   * through the logistic function, as in ratings of players: at the usual size of an estimate in this game
   * (web/estimates.py measures it) it gives 73 %, at three times that 95 %. In a game of chance an expected result is a
   * chance if all results are plain wins, draws and losses; if they are margins, it says how much is won, not how
   * often, and counts as an estimate.
   * @param {number} score @param {boolean} exact
   */
  winningChance(score, exact = false) {
    if (this.proven(score)) return score > 0 ? 1 : 0;
    if (exact && !score) return 0.5;
    if (this.limits.plain) return Math.min(1, Math.max(0, (1 + score) / 2));
    return 1 / (1 + Math.exp(-score / this.limits.estimate));
  }

  /** Return the winning chance for the side to move when the game has ended with this result. @param {number} result */
  finalChance(result) {
    return (1 + Math.sign(result)) / 2;
  }

  /**
   * Return how much worse a move is than the best one, from 0 to 1: the drop in winning chance. Where one plays alone for
   * points, it is the drop that the same difference would make from an even position.
   * @param {Pick<Scored, "score" | "exact">} best @param {Pick<Scored, "score" | "exact">} move
   */
  drop(best, move) {
    if (this.sides.length > 1)
      return Math.max(0, this.winningChance(best.score, best.exact) - this.winningChance(move.score, move.exact));
    return Math.max(0, 1 / (1 + Math.exp((move.score - best.score) / this.limits.estimate)) - 0.5);
  }

  // -- words ----------------------------------------------------------------------------------------------------------

  /**
   * Return a score as a verb for its side: wins in 5 plies, +35. One that is not exact may come sooner or be larger; one that
   * is not sure comes from a search that left moves out.
   * @param {number} worth @param {boolean} exact @param {boolean} sure
   */
  score(worth, exact = true, sure = true) {
    if (this.chance) return signed(worth) + (Math.abs(worth) < 100 ? decimals(worth, 3) : groupThousands(decimals(worth, 0)));
    if (!this.proven(worth)) return worth ? signed(worth) + Math.abs(worth) : exact && sure ? VERBS.draw : "0";
    const verb = sure ? VERBS[valueName(worth)] : `seems to ${worth > 0 ? "win" : "lose"}`;
    return verb + this.distance(worth, exact || !sure);
  }

  /** Return a score as a label: win in 5, -3. @param {number} worth */
  short(worth) {
    if (Math.abs(worth) >= (this.chance ? Infinity : this.limits.infinite)) return worth > 0 ? "∞" : "-∞";
    return this.proven(worth) ? valueName(worth) + this.distance(worth, true, false) : shortNumber(worth);
  }

  /** Return a score in a sentence, for max: 3, a win for min in 4 plies. @param {number} worth */
  forMax(worth) {
    if (!this.proven(worth) || Math.abs(worth) >= this.limits.infinite) return this.short(worth);
    return `a win for ${worth > 0 ? "max" : "min"}${this.distance(worth, true)}`;
  }

  /** Return the label of a move, with its sign: +3, win in 5, draw. @param {number} worth @param {boolean} exact */
  label(worth, exact) {
    if (exact && !worth && !this.chance) return valueName(0);
    return (worth > 0 && !this.proven(worth) ? "+" : "") + this.short(worth);
  }

  /** Return the verdict of a search on a position. @param {string} side @param {Report} found */
  verdict(side, found) {
    const unknown = found.value === "unknown";
    let verdict = this.score(found.score, found.exact, !found.limited);
    if (/^[a-z]/.test(verdict)) verdict = `${side} ${verdict}`;
    else verdict = found.score ? `${verdict} for ${side}` : "even";
    return `${verdict} (${unknown ? `depth ${found.depth}${found.partial ? ", unfinished" : ""}` : "proven"})`;
  }

  /** @param {number} worth @param {boolean} exact @param {boolean} unit */
  distance(worth, exact, unit = true) {
    const [by, away] = [this.margin(worth), this.plies(worth)];
    if (by !== null) return ` by ${exact ? "" : "at least "}${by}`;
    if (!away || away === this.limits.win - this.limits.proven) return "";
    return ` in ${exact ? "" : "at most "}${unit ? quantity(away, "ply", "plies") : away}`;
  }
}

/** @param {number} sign */
export function valueName(sign) {
  return sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
}

// -- numbers ----------------------------------------------------------------------------------------------------------

/** Return a number with four digits and at most four decimal places. @param {number} value */
export function shortNumber(value) {
  if (Math.abs(value) >= 1000) return (value < 0 ? "-" : "") + decimals(value, 0);
  const size = Number(decimals(value, 4));
  const short = String(Number(decimals(size, size < 1 ? 4 : Math.max(0, 4 - String(Math.trunc(size)).length))));
  return (value < 0 && size ? "-" : "") + short;
}

/** @param {number} n @param {number} time */
export function nodeRate(n, time) {
  const each = n / Math.max(time, 1e-9);
  return each >= 1e5 ? `${decimals(each / 1e6, 1)} M nodes/s` : `${groupThousands(decimals(each, 0))} nodes/s`;
}

/** @param {number} share */
export function percentage(share) {
  return `${Math.round(100 * share)} %`;
}

/** @param {number} value */
function signed(value) {
  return value < 0 || Object.is(value, -0) ? "-" : "+";
}

/**
 * Return the size of a number with n decimal places. Python rounds a tie to the even digit; `toFixed` rounds it up.
 * @param {number} value @param {number} places
 */
function decimals(value, places) {
  const size = Math.abs(value);
  const [whole, part] = size.toFixed(100).split(".");
  const cut = places ? `${whole}.${part.slice(0, places)}` : whole;
  return /^50*$/.test(part.slice(places)) && /[02468]$/.test(cut) ? cut : size.toFixed(places);
}
