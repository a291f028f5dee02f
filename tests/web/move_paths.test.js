// What touches of cells mean, for moves along a path and for backgammon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MovePaths, cellsAlong } from "../../src/plyground/web/page/move_paths.js";
import { facts, part } from "./fake_game.js";

const plain = { moves: [1, 2, 3, 4, 5], touches: [[0, 4], [0, 8], [0, 4, 8], [6], []], cells: [] };
const SIZE = 15;
const counts = Array.from({ length: SIZE }, (_, i) => i + 1);
const backgammon = part({
  ...facts.board,
  ...{ shape: "backgammon", count: SIZE, bar: 24, off: 26, dice: 28 },
  pieces: [[null, "", "", 0], ...[0, 1].flatMap((side) => counts.map((n) => [side, "", "", n]))],
});

test("a path leads to the moves that touch its cells", () => {
  const ways = new MovePaths(facts.board, plain, 0);
  assert.deepEqual([...ways.next([])], [0, 6]);
  assert.deepEqual([...ways.next([0])], [4, 8]);
  assert.deepEqual([ways.made([0, 4]), ways.made([6]), ways.made([0])], [[1], [4], []]);
});

test("a touch goes on, ends a way at once, takes another piece, or lets go", () => {
  const ways = new MovePaths(facts.board, plain, 0);
  assert.deepEqual(ways.touched([], 0), [0]);
  assert.deepEqual(ways.touched([0], 8), [0, 8]);
  assert.deepEqual(ways.touched([0], 6), [6]);
  assert.deepEqual(ways.touched([0], 5), []);
});

test("a piece stands where its path has come to", () => {
  assert.deepEqual(cellsAlong(facts.board, [1, 0, 2], [0, 1], 0), [0, 1, 2]);
});

test("the two dice of backgammon may be played in either order, but not from an empty point", () => {
  const cells = Array(30).fill(0);
  cells[12] = 2;
  const all = (way) => new MovePaths(backgammon, { moves: [1], touches: [way], cells }, 0).all.map((found) => found.cells);
  assert.deepEqual(all([12, 8, 12, 9]), [[12, 8, 12, 9], [12, 9, 12, 8]]);
  assert.deepEqual(all([12, 8, 8, 5]), [[12, 8, 8, 5]]);
});

test("a blot that is hit lies on its bar", () => {
  const cells = Array(30).fill(0);
  cells[12] = 1;
  cells[8] = 1 + SIZE;
  const after = cellsAlong(backgammon, cells, [12, 8], 0);
  assert.deepEqual([after[12], after[8], after[25]], [0, 1, 1 + SIZE]);
});
