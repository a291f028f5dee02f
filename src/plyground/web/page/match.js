// A game in progress: the states and moves so far, the ply on show, and how the game ended. It is independent of the page.
// Going back keeps the moves that follow; another move from there replaces them. Each change dispatches "change".

import { moveNames, readName } from "./names.js";

export class Match extends EventTarget {
  /** @param {Facts} facts @param {Rules} rules @param {Row} start @param {number} seed */
  constructor(facts, rules, start = rules.start, seed = newSeed()) {
    super();
    this.facts = facts;
    this.rules = rules;
    this.seed = seed;
    this.rows = [start];
    /** @type {Move[]} */
    this.moves = [];
    /** @type {string[]} */
    this.names = [];
    /** @type {View[]} */
    this.views = [];
    this.at = 0;
    /** @type {Match | null} */
    this.mainLine = null; // the game itself, while variations are explored
  }

  /**
   * Call a function after each change with its kind: play, go, load, explore or back.
   * @param {(kind: string) => void} listener
   */
  onChange(listener) {
    this.addEventListener("change", (event) => event instanceof CustomEvent && listener(event.detail.kind));
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

  /** Whether this is the last position of the game. */
  get live() {
    return this.at === this.moves.length;
  }

  /** The positions before the one on show; an engine needs them to detect repetitions. */
  get history() {
    return this.rows.slice(0, this.at);
  }

  /** @param {number} ply @returns {View} */
  viewAt(ply) {
    this.views[ply] ||= this.rules.view(this.rows[ply]);
    return this.views[ply];
  }

  /** Return the side to move; without `turn` in the rules, sides alternate. @param {number} ply */
  turnAt(ply) {
    const { sides } = this.facts;
    const known = this.viewAt(ply).turn;
    if (sides.length === 1 || known !== null) return known || 0;
    let plies = 0;
    for (let i = 0; i < ply; i++) plies += this.viewAt(i).chance ? 0 : 1;
    return plies % sides.length;
  }

  /** Return the names of the legal moves, in their order. @param {number} ply */
  namesAt(ply) {
    return moveNames(this.facts, this.rules, this.rows[ply], this.viewAt(ply));
  }

  // -- how it ends -----------------------------------------------------------------------------------------------

  /** @param {number} ply */
  repeated(ply) {
    const most = this.facts.repetition;
    if (!most || ply + 1 < most) return false;
    const { key } = this.viewAt(ply);
    let times = 0;
    for (let i = 0; i <= ply; i++) times += this.viewAt(i).key === key ? 1 : 0;
    return times >= most;
  }

  /**
   * Return how the game ended; null while it goes on.
   * @param {number} ply @returns {End | null}
   */
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

  /**
   * Make a legal move, given by its number. The moves that followed are kept if it is the one that was made before.
   * @param {Move} m
   */
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
    this.notify("play");
  }

  /** Return the number of the move that a text names; `#5` is the move with the number 5. @param {string} text */
  moveNamed(text) {
    const names = this.namesAt(this.at);
    const { moves } = this.view;
    const wanted = text.trim();
    if (this.end) throw new Error(`${quoted(wanted)} can't be played: the game is over`);
    const named = readName(this.facts, this.view, names, wanted);
    const at = named < 0 && wanted.startsWith("#") ? moves.findIndex((m) => `#${m}` === wanted) : named;
    if (at < 0) throw new Error(`${quoted(wanted)} is not a legal move; legal: ${firstNames(names)}`);
    return moves[at];
  }

  /** Make a random chance move. The same seed gives the same dice, even after a move is taken back. */
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

  /** @param {number} ply */
  go(ply) {
    const at = Math.max(0, Math.min(this.moves.length, ply));
    if (at === this.at) return;
    this.at = at;
    this.notify("go");
  }

  /**
   * Take over another match's moves and positions.
   * @param {Match} other @param {Match | null} mainLine @param {string} kind
   */
  adopt(other, mainLine = null, kind = "load") {
    this.seed = other.seed;
    this.rows = other.rows;
    this.moves = other.moves;
    this.names = other.names;
    this.views = other.views;
    this.at = other.at;
    this.mainLine = mainLine;
    this.notify(kind);
  }

  copy() {
    const other = new Match(this.facts, this.rules, this.rows[0], this.seed);
    other.rows = [...this.rows];
    other.moves = [...this.moves];
    other.names = [...this.names];
    other.views = [...this.views];
    other.at = this.at;
    return other;
  }

  // -- variations --------------------------------------------------------------------------------------------------

  /**
   * Show the position after the first `count` moves of a line from here. The reader can step through the whole line and make
   * other moves; the game itself is kept in `mainLine` until `back`.
   * @param {Move[]} line @param {number} count
   */
  showVariation(line, count = line.length) {
    const mainLine = this.game;
    const [other, from] = [this.copy(), this.at];
    for (const m of line) other.play(m);
    other.at = from + count;
    this.adopt(other, mainLine === this ? this.copy() : mainLine, "explore");
  }

  back() {
    if (this.mainLine) this.adopt(this.mainLine, null, "back");
  }

  /** The game itself, even while variations are explored. @returns {Match} */
  get game() {
    return this.mainLine ?? this;
  }

  /** @param {string} kind */
  notify(kind) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind } }));
  }
}

export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/**
 * Return a number from 0 up to 1, always the same for the same two numbers (the finaliser of MurmurHash3).
 * @param {number} seed @param {number} n
 */
export function fraction(seed, n) {
  let x = (seed ^ Math.imul(n + 1, 0x9e3779b1)) >>> 0;
  for (const factor of [0x85ebca6b, 0xc2b2ae35]) {
    x ^= x >>> 16;
    x = Math.imul(x, factor);
    x ^= x >>> 13;
  }
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

/** @param {string} text */
export function quoted(text) {
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

/** @param {string[]} names */
function firstNames(names) {
  return names.slice(0, 8).join(", ") + (names.length > 8 ? ", …" : "");
}
