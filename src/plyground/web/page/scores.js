// Scores in words, exactly as play/words.py puts them (a test compares the two), and as a winning chance.
// A score is for the side to move, on the scale of score.py; in games of chance it is the expected result.

const VERBS = { win: "wins", draw: "draws", loss: "loses" };

export class Scores {
  constructor(facts) {
    Object.assign(this, { chance: facts.chance, limits: facts.scores, margins: facts.margin, sides: facts.sides });
  }

  // -- what a score means ---------------------------------------------------------------------------------------------

  proven(score) {
    return !this.chance && Math.abs(score) >= this.limits.proven;
  }

  // The plies to the end, if the score contains them.
  plies(score) {
    return this.proven(score) && Math.abs(score) <= this.limits.win ? this.limits.win - Math.abs(score) : null;
  }

  // The score of the same result so many plies later.
  later(score, plies) {
    return this.plies(score) === null ? score : score - Math.sign(score) * plies;
  }

  // The margin of a won or lost game, if the score contains it.
  margin(score) {
    return !this.chance && Math.abs(score) > this.limits.win ? Math.abs(score) - this.limits.win : null;
  }

  // The score of a finished game, and of a move from that of the position after it; `same`: the same side moves again.
  final(result) {
    if (this.chance || !result) return result;
    return Math.sign(result) * (this.limits.win + (this.margins ? Math.abs(result) : 0));
  }

  ofMove(after, same) {
    const mine = same ? after : -after;
    return this.plies(after) === null ? mine : mine - Math.sign(mine);
  }

  // The chance to win of the side to move, a draw counting half. What is proven is certain: 1, ½ or 0. An estimate goes
  // through the logistic function, as in ratings of players: at the usual size of an estimate in this game
  // (web/estimates.py measures it) it gives 73 %, at three times that 95 %. In a game of chance an expected result is a
  // chance if all results are plain wins, draws and losses; if they are margins, it says how much is won, not how
  // often, and counts as an estimate.
  winningChance(score, exact = false) {
    if (this.proven(score)) return score > 0 ? 1 : 0;
    if (exact && !score) return 0.5;
    if (this.limits.plain) return Math.min(1, Math.max(0, (1 + score) / 2));
    return 1 / (1 + Math.exp(-score / this.limits.estimate));
  }

  // The winning chance for the side to move when the game has ended with this result.
  finalChance(result) {
    return (1 + Math.sign(result)) / 2;
  }

  // How much worse a move is than the best one, from 0 to 1: the drop in winning chance. Where one plays alone for
  // points, it is the drop that the same difference would make from an even position.
  drop(best, move) {
    if (this.sides.length > 1)
      return Math.max(0, this.winningChance(best.score, best.exact) - this.winningChance(move.score, move.exact));
    return Math.max(0, 1 / (1 + Math.exp((move.score - best.score) / this.limits.estimate)) - 0.5);
  }

  // -- words ----------------------------------------------------------------------------------------------------------

  // As a verb for its side: wins in 5 plies, +35. One that is not exact may come sooner or be larger; one that is not
  // sure comes from a search that left moves out.
  score(worth, exact = true, sure = true) {
    if (this.chance) return signed(worth) + (Math.abs(worth) < 100 ? decimals(worth, 3) : grouped(decimals(worth, 0)));
    if (!this.proven(worth)) return worth ? signed(worth) + Math.abs(worth) : exact && sure ? VERBS.draw : "0";
    const verb = sure ? VERBS[valueOf(worth)] : `seems to ${worth > 0 ? "win" : "lose"}`;
    return verb + this.how(worth, exact || !sure);
  }

  // As a label: win in 5, -3.
  short(worth) {
    if (Math.abs(worth) >= (this.chance ? Infinity : this.limits.infinite)) return worth > 0 ? "∞" : "-∞";
    return this.proven(worth) ? valueOf(worth) + this.how(worth, true, false) : shortNumber(worth);
  }

  // In a sentence, for max: 3, a win for min in 4 plies.
  forMax(worth) {
    if (!this.proven(worth) || Math.abs(worth) >= this.limits.infinite) return this.short(worth);
    return `a win for ${worth > 0 ? "max" : "min"}${this.how(worth, true)}`;
  }

  // As a label on a move, with its sign: +3, win in 5, draw.
  label(worth, exact) {
    if (exact && !worth && !this.chance) return valueOf(0);
    return (worth > 0 && !this.proven(worth) ? "+" : "") + this.short(worth);
  }

  // The verdict of a search on a position.
  opinion(side, found) {
    const unknown = found.value === "unknown";
    let told = this.score(found.score, found.exact, !found.limited);
    if (/^[a-z]/.test(told)) told = `${side} ${told}`;
    else told = found.score ? `${told} for ${side}` : "even";
    return `${told} (${unknown ? `depth ${found.depth}` : "proven"})`;
  }

  how(worth, exact, unit = true) {
    const [by, away] = [this.margin(worth), this.plies(worth)];
    if (by !== null) return ` by ${exact ? "" : "at least "}${by}`;
    if (!away || away === this.limits.win - this.limits.proven) return "";
    return ` in ${exact ? "" : "at most "}${unit ? counted(away, "ply", "plies") : away}`;
  }
}

export function valueOf(sign) {
  return sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
}

// -- numbers ----------------------------------------------------------------------------------------------------------

// With four digits and at most four decimal places.
export function shortNumber(value) {
  if (Math.abs(value) >= 1000) return (value < 0 ? "-" : "") + decimals(value, 0);
  const size = Number(decimals(value, 4));
  const short = String(Number(decimals(size, size < 1 ? 4 : Math.max(0, 4 - String(Math.trunc(size)).length))));
  return (value < 0 && size ? "-" : "") + short;
}

export function counted(n, one, many = `${one}s`) {
  return `${grouped(String(n))} ${n === 1 ? one : many}`;
}

export function spokenSeconds(time) {
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.max(time, 0.1))));
  return `${grouped(decimals(time, places))} s`;
}

export function spokenRate(n, time) {
  const each = n / Math.max(time, 1e-9);
  return each >= 1e5 ? `${decimals(each / 1e6, 1)} M nodes/s` : `${grouped(decimals(each, 0))} nodes/s`;
}

export function percentage(share) {
  return `${Math.round(100 * share)} %`;
}

// With the page's minus sign.
export function typeset(text) {
  return text.replace(/-(?=[\d∞])/g, "−");
}

function signed(value) {
  return value < 0 || Object.is(value, -0) ? "-" : "+";
}

function grouped(digits) {
  const [whole, ...rest] = digits.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

// The size of a number with so many decimal places. Python rounds a tie to the even digit; `toFixed` rounds it up.
function decimals(value, places) {
  const size = Math.abs(value);
  const [whole, part] = size.toFixed(100).split(".");
  const cut = places ? `${whole}.${part.slice(0, places)}` : whole;
  return /^50*$/.test(part.slice(places)) && /[02468]$/.test(cut) ? cut : size.toFixed(places);
}
