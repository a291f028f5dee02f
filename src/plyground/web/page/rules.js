// The rules of the game without Python. A position is a row: a BigInt64Array of `facts.words` words.

import { asMove, startModule } from "./module.js";

const MOST_TEXT = 100000;

export async function loadRules(facts, module) {
  return new Rules(facts, module);
}

export class Rules {
  constructor(facts, module) {
    this.facts = facts;
    this.module = module;
    this._start(256);
    this.start = this._read(facts.start);
  }

  // Lays out the memory: a position, the record of a view, and its four rows with room for so many words each.
  _start(room) {
    const { words, memory } = this.facts;
    this.room = room;
    const row = 8 * Math.max(words, 1);
    this.at = startModule(this.module, row + memory.view.size + 4 * 8 * room, () => 0n);
    this.state = this.at.base;
    this.head = this.state + row;
    this.rows = this.head + memory.view.size;
  }

  _put(row) {
    this.at.words.set(row, this.state / 8);
  }

  _row(n, count) {
    const first = this.rows / 8 + n * this.room;
    return this.at.words.subarray(first, first + count);
  }

  // What the page shows of a position: { result, turn, chance, stuck, moves, weights, touches, cells, key }.
  //   result   null while the game goes on, else its value for the side to move
  //   turn     the number of the side to move; null where the rules do not say it (sides then alternate, see `facts.turn`)
  //   stuck    has the side to move no legal move?
  //   weights  if chance is to move, the share of each of its outcomes in all; else empty
  //   touches  for each move of a player, the cells that it touches, in order; none for a button
  //   cells    what lies on each cell; null if the game has no board
  view(row) {
    this._put(row);
    const call = () => Number(this.at.call("view", BigInt(this.state), BigInt(this.head), BigInt(this.rows), BigInt(this.room)));
    let longest = call();
    if (longest > this.room) {
      this._start(2 * longest);
      this._put(row);
      longest = call();
    }
    const seen = (name) => Number(this.at.words[(this.head + this.facts.memory.view[name]) / 8]);
    const count = seen("moves"), chance = seen("chance") === 1;
    const key = BigInt.asUintN(64, this.at.words[(this.head + this.facts.memory.view.key) / 8]);
    return {
      result: seen("going") ? null : seen("verdict"),
      turn: this.facts.turn ? seen("turn") : null,
      chance,
      stuck: seen("stuck") === 1,
      moves: Array.from(this._row(0, count), asMove),
      weights: chance ? this._weights(count) : [],
      touches: chance || !this.facts.board ? Array.from({ length: count }, () => []) : this._touches(count),
      cells: this.facts.board ? Array.from(this._row(2, seen("cells")), Number) : null,
      key: key.toString(16),
    };
  }

  _weights(count) {
    const first = this.rows / 8 + this.room;
    const weights = Array.from(this.at.reals.subarray(first, first + count));
    const sum = weights.reduce((x, y) => x + y, 0);
    return weights.map((x) => x / sum);
  }

  _touches(count) {
    const row = this._row(3, this.room), found = [];
    for (let at = 0; found.length < count; ) {
      const n = Number(row[at]);
      found.push(Array.from(row.subarray(at + 1, at + 1 + n), Number));
      at += 1 + n;
    }
    return found;
  }

  // The position after a move.
  play(row, m) {
    this._put(row);
    this.at.call("advance", BigInt(this.state), BigInt(m));
    return this.at.words.slice(this.state / 8, this.state / 8 + this.facts.words);
  }

  // A position as text: its words in hexadecimal, and a checksum that also knows the game.
  text(row) {
    const words = Array.from(row, (x) => BigInt.asUintN(64, x).toString(16)).join(".");
    return `${words}-${this._checksum(words)}`;
  }

  // The position that a text describes; throws an Error whose message is one line.
  row(text) {
    const plain = String(text).slice(0, MOST_TEXT).trim().toLowerCase();
    const shown = plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
    const parts = /^([0-9a-f]{1,16}(?:\.[0-9a-f]{1,16})*)-([0-9a-f]{8})$/.exec(plain);
    if (!parts) throw new Error(`“${shown.replace(/[\s\p{C}]+/gu, " ")}” is not a position of ${this.facts.title}`);
    const count = parts[1].split(".").length;
    if (count !== this.facts.words) throw new Error(`the position has ${count} numbers, but ${this.facts.title} needs ${this.facts.words}`);
    if (this._checksum(parts[1]) !== parts[2]) throw new Error(`the position is damaged, or not one of ${this.facts.title}`);
    const row = this._read(parts[1]);
    const { cells } = this.view(row);
    if (cells && cells.some((n) => !(n in this.facts.board.pieces))) throw new Error(`${this.facts.title} has no such position`);
    return row;
  }

  _read(words) {
    return BigInt64Array.from(words.split("."), (word) => BigInt.asIntN(64, BigInt(`0x${word}`)));
  }

  // FNV-1a of the game's name and parameters and the words, 32 bits.
  _checksum(words) {
    let sum = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(`${this.facts.spec} ${words}`)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
    return sum.toString(16).padStart(8, "0");
  }
}
