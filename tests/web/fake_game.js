// A game of three cells in plain JavaScript: X and O fill them in turn, and whoever holds both ends wins.

const NAMES = ["a1", "b1", "c1"];

/** @type {Facts} */
export const facts = /** @type {any} */ ({
  ...{ spec: "cells", title: "Cells", version: "1", sides: ["X", "O"], margin: 0, repetition: 0, chance: false },
  board: {
    ...{ shape: "squares", rows: ["1"], cols: ["a", "b", "c"], size: 3, count: 0, names: [NAMES, NAMES], buttons: {}, fields: [] },
    ...{ target: null, pieces: [[null, "", "", 0], [0, "X", "X", 1], [1, "O", "O", 1]] },
  },
  scores: {
    ...{ win: 10000, proven: 9000, infinite: 30000, estimate: 100, plain: false },
    grades: [{ drop: 0.15, sign: "??", name: "blunder" }, { drop: 0.05, sign: "?!", name: "inaccuracy" }],
  },
});

/** Return a part of some data, for functions that read no more of it. @returns {any} */
export const part = (data) => data;

const plies = (row) => Array.from(row).filter(Boolean).length;

/** @type {Rules} */
export const rules = /** @type {any} */ ({
  start: BigInt64Array.of(0n, 0n, 0n),
  text: (row) => row.join("."),
  row(text) {
    if (!/^[012]\.[012]\.[012]$/.test(text)) throw new Error("this is no position");
    return BigInt64Array.from(text.split("."), BigInt);
  },
  view(row) {
    const turn = plies(row) % 2;
    const ends = row[0] && row[0] === row[2];
    const result = ends ? (row[0] === BigInt(turn + 1) ? 1 : -1) : plies(row) === 3 ? 0 : null;
    const moves = result === null ? [0, 1, 2].filter((cell) => !row[cell]) : [];
    const touches = moves.map((m) => [m]);
    return { result, turn, chance: false, stuck: false, moves, weights: [], touches, cells: Array.from(row, Number), key: row.join() };
  },
  play(row, m) {
    const after = row.slice();
    after[m] = BigInt((plies(row) % 2) + 1);
    return after;
  },
});
