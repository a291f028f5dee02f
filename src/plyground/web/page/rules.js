// The rules of the game, compiled. A position is a row: a BigInt64Array of `facts.words` words.

import { asMove, readRow, startModule } from "./module.js";

const MAX_TEXT = 100000;

export class Rules {
  /** @param {Facts} facts @param {WebAssembly.Module} module */
  constructor(facts, module) {
    this.facts = facts;
    this.module = module;
    this.layout = this._layOut(256);
    this.start = readRow(facts.start);
  }

  /** Lay out the memory: a position, the record of a view, and its four rows of `room` words each. @param {number} room */
  _layOut(room) {
    const { words, memory } = this.facts;
    const row = 8 * Math.max(words, 1);
    const at = startModule(this.module, row + memory.view.size + 4 * 8 * room, () => 0n);
    const head = at.base + row;
    return { room, at, state: at.base, head, rows: head + memory.view.size };
  }

  /** Ask for a view; returns how many words its longest row has. @param {Row} row */
  _look(row) {
    const { room, at, state, head, rows } = this.layout;
    at.words.set(row, state / 8);
    return Number(at.call("view", ...[state, head, rows, room].map(BigInt)));
  }

  /** Return the words of a row of the view. @param {number} n @param {number} count */
  _words(n, count) {
    const { room, at, rows } = this.layout;
    return at.words.subarray(rows / 8 + n * room, rows / 8 + n * room + count);
  }

  /** Return what the page shows of a position. @param {Row} row @returns {View} */
  view(row) {
    const longest = this._look(row);
    if (longest > this.layout.room) {
      this.layout = this._layOut(2 * longest);
      this._look(row);
    }
    const { at, head } = this.layout;
    const { view } = this.facts.memory;
    /** @param {string} name */
    const seen = (name) => Number(at.words[(head + view[name]) / 8]);
    const count = seen("moves"), chance = seen("chance") === 1;
    const key = BigInt.asUintN(64, at.words[(head + view.key) / 8]);
    return {
      result: seen("going") ? null : seen("verdict"),
      turn: this.facts.turn ? seen("turn") : null,
      chance,
      stuck: seen("stuck") === 1,
      moves: Array.from(this._words(0, count), asMove),
      weights: chance ? this._weights(count) : [],
      touches: chance || !this.facts.board ? Array.from({ length: count }, () => []) : this._touches(count),
      cells: this.facts.board ? Array.from(this._words(2, seen("cells")), Number) : [],
      key: key.toString(16),
    };
  }

  /** @param {number} count */
  _weights(count) {
    const { room, at, rows } = this.layout;
    const weights = Array.from(at.reals.subarray(rows / 8 + room, rows / 8 + room + count));
    const sum = weights.reduce((x, y) => x + y, 0);
    return weights.map((x) => x / sum);
  }

  /** @param {number} count */
  _touches(count) {
    const row = this._words(3, this.layout.room), found = [];
    for (let at = 0; found.length < count; ) {
      const n = Number(row[at]);
      found.push(Array.from(row.subarray(at + 1, at + 1 + n), Number));
      at += 1 + n;
    }
    return found;
  }

  /** Return the position after a move. @param {Row} row @param {Move} m */
  play(row, m) {
    const { at, state } = this.layout;
    at.words.set(row, state / 8);
    at.call("advance", BigInt(state), BigInt(m));
    return at.words.slice(state / 8, state / 8 + this.facts.words);
  }

  /** Return a position as text: its words in hexadecimal, and a checksum that also knows the game. @param {Row} row */
  text(row) {
    const words = Array.from(row, (x) => BigInt.asUintN(64, x).toString(16)).join(".");
    return `${words}-${this._checksum(words)}`;
  }

  /** Return the position that a text describes; throws an Error whose message is one line. @param {string} text */
  row(text) {
    const plain = String(text).slice(0, MAX_TEXT).trim().toLowerCase();
    const shown = plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
    const parts = /^([0-9a-f]{1,16}(?:\.[0-9a-f]{1,16})*)-([0-9a-f]{8})$/.exec(plain);
    if (!parts) throw new Error(`“${shown.replace(/[\s\p{C}]+/gu, " ")}” is not a position of ${this.facts.title}`);
    const count = parts[1].split(".").length;
    if (count !== this.facts.words) throw new Error(`the position has ${count} numbers, but ${this.facts.title} needs ${this.facts.words}`);
    if (this._checksum(parts[1]) !== parts[2]) throw new Error(`the position is damaged, or not one of ${this.facts.title}`);
    const row = readRow(parts[1]);
    const pieces = this.facts.board?.pieces ?? [];
    if (this.view(row).cells.some((n) => !(n in pieces))) throw new Error(`${this.facts.title} has no such position`);
    return row;
  }

  /** Return the FNV-1a sum of the game's name and parameters and the words, 32 bits. @param {string} words */
  _checksum(words) {
    let sum = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(`${this.facts.spec} ${words}`)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
    return sum.toString(16).padStart(8, "0");
  }
}
