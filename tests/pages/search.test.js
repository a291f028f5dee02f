// The search that the explain page walks through, from data alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Search, bestAt, movesTo, boundInWords, percent, relation, listNames, valueAt, windowAt } from "../../src/plyground/explain/page/search.js";
import { pack, treeItem } from "../../src/plyground/explain/page/tree.js";

const LEAF = { k: "max", d: 0, l: "heuristic", board: 0 };

/** Max moves to B or C; min answers with 3 in B, and in C with 2, after which the rest is pruned. @returns {any} */
function data() {
  return {
    words: { 9999: ["win in 1", "a win for max in 1 ply"] },
    signs: { max: "▲", min: "▼", leaf: "■", table: "▦", side: "◆" },
    sides: { max: "X", min: "O" },
    first: [0],
    nodes: [
      { k: "max", d: 2, a: "-∞", b: "∞", v: [[7, 3]], line: ["B", "b1"], best: 1, board: 0 },
      { p: 0, m: "B", k: "min", d: 1, a: "-∞", b: "∞", v: [[3, 3]], best: 1, board: 0 },
      { p: 1, m: "b1", ...LEAF, v: [[2, 3]] },
      { p: 0, m: "C", k: "min", d: 1, a: 3, b: "∞", v: [[6, 2]], c: ["c1", ["c2", "c3"], "min can already force -2"], board: 0 },
      { p: 3, m: "c1", ...LEAF, v: [[5, 2]] },
    ],
    steps: [["l", 0], ["l", 1], ["l", 2], ["b", 2, 1], ["b", 1, 1], ["l", 3], ["l", 4], ["b", 4, 1], ["c", 3], ["b", 3], ["d", 0]],
  };
}

test("nodes know their place in the tree and in the search", () => {
  const { nodes, roots, last } = new Search(data());
  assert.deepEqual(nodes.map(({ ply, size }) => [ply, size]), [[0, 5], [1, 2], [2, 1], [1, 2], [2, 1]]);
  assert.deepEqual(nodes.map(({ entered, left, cutAt }) => [entered, left, cutAt]), [
    ...[[0, 10, Infinity], [1, 4, Infinity], [2, 3, Infinity]],
    ...[[5, 9, 8], [6, 7, Infinity]],
  ]);
  assert.deepEqual([roots, last], [[nodes[0]], 10]);
  assert.deepEqual(movesTo(nodes[2]), ["B", "b1"]);
});

test("every step is put into words", () => {
  const search = new Search(data());
  const told = search.steps.map((_, t) => search.describe(t));
  assert.equal(told[0], "The search begins with X (max), window (−∞, ∞): neither side has anything elsewhere yet.");
  assert.equal(told[2], "O (min) tries b1. The depth limit is reached; the estimate is 3.");
  assert.equal(told[3], "b1 is worth 3, the best for min so far: beta falls to it.");
  assert.equal(told[4], "B is worth 3, the best for max so far: alpha rises to it.");
  assert.equal(told[8], "Cutoff: min can already force −2; skipped: c2, c3.");
  assert.equal(told[9], "C is worth at most 2: no better for max than what it already has.");
  assert.equal(told[10], "Done: the value is 3, the best line is B b1.");
});

test("a value is exact inside the window, else a bound", () => {
  const { nodes } = new Search(data());
  assert.deepEqual([relation(nodes[3], 2), relation(nodes[3], 4), relation(nodes[2], 2)], ["≤", "=", "="]);
  assert.equal(boundInWords(nodes[3], 3), "at most ");
  assert.equal(relation({ ...nodes[0], h: ["lower", 3] }, 3), "≥");
});

test("what is known grows with the steps", () => {
  const { nodes } = new Search(data());
  const [root, b] = nodes;
  assert.deepEqual([valueAt(b, 2), valueAt(b, 3)], [undefined, 3]);
  assert.deepEqual([bestAt(root, 3), bestAt(root, 4)], [undefined, b]);
  assert.deepEqual([windowAt(root, 3), windowAt(root, 4)], [[-Infinity, Infinity], [3, Infinity]]);
  assert.equal(windowAt({ ...root, a: undefined }, 4), null);
});

test("values are written for the reader", () => {
  const search = new Search(data());
  assert.deepEqual([3, -2.5, 1234.6, 0.123456, 9999, -Infinity, "1/2"].map((x) => search.valueLabel(x)), [
    ...["3", "−2.5", "1235", "0.1235", "win in 1", "−∞", "1/2"],
  ]);
  assert.equal(search.valueInWords(9999), "a win for max in 1 ply");
  assert.deepEqual([search.side("max"), search.side("chance"), search.named(search.nodes[0])], ["X (max)", "chance", "root"]);
  assert.deepEqual([percent(1 / 6), listNames(["a", "b", "c"], 2)], ["17 %", "a, b and 1 more"]);
});

test("items of a tree do not overlap, and stand in the middle of what is below them", () => {
  /** @param {TreeItem[]} children */
  const item = (children, height = 20) => treeItem({ key: "", height, className: "", edge: "", label: "", stamp: "", fill() {}, children });
  const leaves = [item([]), item([], 40), item([])];
  const root = item([item(leaves), item([item([])])]);
  const outline = pack(root);
  assert.deepEqual(leaves.map(({ offset, height }, i) => offset + height < (leaves[i + 1]?.offset ?? Infinity)), [true, true, true]);
  assert.equal(leaves[0].offset + leaves[2].offset + 20, 20);
  assert.deepEqual(outline[0], { top: 0, bottom: 20 });
  assert.equal(outline.length, 3);
});
