// A game in progress: the states and moves so far, the ply on show, and how the game ended and why. It knows nothing of the page.
// Going back keeps the moves that follow; another move from there replaces them. Each change dispatches "change".

import { moveNames } from "./names.js";

export class Match extends EventTarget {
  constructor(facts, rules, start = rules.start, seed = newSeed()) {
    super();
    this.facts = facts;
    this.rules = rules;
    this.begin(start, seed);
  }

  begin(start, seed) {
    this.seed = seed;
    this.rows = [start];
    this.moves = [];
    this.names = [];
    this.views = [];
    this.at = 0;
    this.trunk = null; // the game itself, while moves are tried out
  }

  // -- the position on show --------------------------------------------------------------------------------------

  get row() {
    return this.rows[this.at];
  }

  get view() {
    return this.viewAt(this.at);
  }

  get turn() {
    return this.turnAt(this.at);
  }

  get end() {
    return this.endAt(this.at);
  }

  // Is this the last position of the game?
  get live() {
    return this.at === this.moves.length;
  }

  // The positions before the one on show: what an engine must know of the past.
  get history() {
    return this.rows.slice(0, this.at);
  }

  viewAt(ply) {
    this.views[ply] ||= this.rules.view(this.rows[ply]);
    return this.views[ply];
  }

  // Without `turn` in the rules, sides alternate.
  turnAt(ply) {
    const { sides } = this.facts;
    const told = this.viewAt(ply).turn;
    if (sides.length === 1 || told !== null) return told || 0;
    let plies = 0;
    for (let i = 0; i < ply; i++) plies += this.viewAt(i).chance ? 0 : 1;
    return plies % sides.length;
  }

  // The names of the legal moves, in their order.
  namesAt(ply) {
    return moveNames(this.facts, this.rules, this.rows[ply], this.viewAt(ply), this.turnAt(ply));
  }

  // -- how it ends -----------------------------------------------------------------------------------------------

  repeated(ply) {
    const most = this.facts.repetition;
    if (!most || ply + 1 < most) return false;
    const { key } = this.viewAt(ply);
    let times = 0;
    for (let i = 0; i <= ply; i++) times += this.viewAt(i).key === key ? 1 : 0;
    return times >= most;
  }

  // null while the game goes on, else { value for the side to move, winner (a side or null), text }.
  endAt(ply) {
    const { result, stuck } = this.viewAt(ply);
    if (result === null) return this.repeated(ply) ? { value: 0, winner: null, text: "drawn by repetition" } : null;
    const { sides, margin } = this.facts;
    const turn = this.turnAt(ply);
    const size = margin || Math.abs(result) > 1;
    if (sides.length === 1) {
      const won = result > 0 ? "won" : result < 0 ? "lost" : "drawn";
      const text = size ? `the game is over: ${result.toLocaleString("en")}` : won;
      return { value: result, winner: result > 0 ? 0 : null, text: stuck ? `${text}, no move is left` : text };
    }
    const winner = result > 0 ? turn : result < 0 ? 1 - turn : null;
    const by = size ? ` by ${Math.abs(result)}` : "";
    const text = winner === null ? "drawn" : `${sides[winner]} wins${by}`;
    return { value: result, winner, text: stuck ? `${text}: ${sides[turn]} has no move` : text };
  }

  // -- moving ----------------------------------------------------------------------------------------------------

  // Makes a legal move, given by its number. The moves that followed are kept if it is the one that was made before.
  play(m) {
    const at = this.view.moves.indexOf(m);
    if (this.end || at < 0) throw new Error(`${m} is not a legal move here`);
    if (this.live || this.moves[this.at] !== m) {
      const name = this.namesAt(this.at)[at];
      this.rows.splice(this.at + 1, Infinity, this.rules.play(this.row, m));
      this.moves.splice(this.at, Infinity, m);
      this.names.splice(this.at, Infinity, name);
      this.views.length = Math.min(this.views.length, this.at + 1);
    }
    this.at += 1;
    this.tell("play");
  }

  // The number of the move that a text names. Capitals count only if they tell two moves apart.
  moveNamed(text) {
    const names = this.namesAt(this.at);
    const wanted = text.trim();
    const same = (name) => name.toLowerCase() === wanted.toLowerCase();
    const found = names.includes(wanted) ? [wanted] : names.filter(same);
    if (this.end) throw new Error(`${quoted(wanted)} can't be played: the game is over`);
    if (found.length !== 1) throw new Error(`${quoted(wanted)} is not a legal move; legal: ${some(names)}`);
    return this.view.moves[names.indexOf(found[0])];
  }

  // Makes a random chance move. The same seed gives the same dice, even after a move is taken back.
  roll() {
    const { moves, weights } = this.view;
    let left = fraction(this.seed, this.at) * weights.reduce((sum, w) => sum + w, 0);
    const found = weights.findIndex((w) => (left -= w) < 0);
    this.play(moves[found < 0 ? moves.length - 1 : found]);
  }

  undo() {
    this.go(this.at - 1);
  }

  redo() {
    this.go(this.at + 1);
  }

  go(ply) {
    const at = Math.max(0, Math.min(this.moves.length, ply));
    if (at === this.at) return;
    this.at = at;
    this.tell("go");
  }

  // Takes the whole of another match; it was checked while it was made.
  adopt(other, trunk = null, kind = "load") {
    for (const part of ["seed", "rows", "moves", "names", "views", "at"]) this[part] = other[part];
    this.trunk = trunk;
    this.tell(kind);
  }

  copy() {
    const other = new Match(this.facts, this.rules, this.rows[0], this.seed);
    for (const part of ["rows", "moves", "names", "views"]) other[part] = [...this[part]];
    other.at = this.at;
    return other;
  }

  // -- moves that are tried out ------------------------------------------------------------------------------------

  // Shows the position after the first moves of a line from here. All of the line can be stepped through, and other moves made;
  // the game itself waits in `trunk` until `back`.
  explore(line, count = line.length) {
    const trunk = this.game;
    const [other, from] = [this.copy(), this.at];
    for (const m of line) other.play(m);
    other.at = from + count;
    this.adopt(other, trunk === this ? this.copy() : trunk, "explore");
  }

  back() {
    if (this.trunk) this.adopt(this.trunk, null, "back");
  }

  // The game itself, also while moves are tried out.
  get game() {
    return this.trunk ?? this;
  }

  tell(kind) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind } }));
  }
}

export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

// A number from 0 up to 1, always the same for the same two numbers (the finaliser of MurmurHash3).
export function fraction(seed, n) {
  let x = (seed ^ Math.imul(n + 1, 0x9e3779b1)) >>> 0;
  for (const factor of [0x85ebca6b, 0xc2b2ae35]) {
    x ^= x >>> 16;
    x = Math.imul(x, factor);
    x ^= x >>> 13;
  }
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

export function quoted(text) {
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

function some(names) {
  return names.slice(0, 8).join(", ") + (names.length > 8 ? ", …" : "");
}
