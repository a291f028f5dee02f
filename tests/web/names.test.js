// Moves, cells and positions in words, with rules in plain JavaScript.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Match } from "../../src/plyground/web/page/match.js";
import { asMove, readRow } from "../../src/plyground/web/page/module.js";
import { boardOf, cellWords, choicesOf, moveNames, pieceWords } from "../../src/plyground/web/page/names.js";
import { fieldTexts, freshCells, slideWay } from "../../src/plyground/web/page/positions.js";
import { facts, part, rules } from "./fake_game.js";

const chess = part({
  ...facts,
  sides: ["white", "black"],
  board: { ...facts.board, pieces: [[null, "", "", 0], [0, "P", "♙", 1], [0, "Q", "♕", 2], [1, "p", "♟", 3]] },
});

/** Rules in which every move leads to a position with these cells. */
const leadingTo = (cells) => part({ play: (row, m) => m, view: (m) => ({ cells: cells[m] }) });
const view = (more) => ({ result: null, turn: 0, chance: false, moves: [1, 2], touches: [[0, 1], [0, 1]], weights: [], cells: [1, 0, 0], ...more });

test("a move is named by its cells, and once per view", () => {
  const first = rules.view(rules.start);
  const names = moveNames(facts, rules, rules.start, first);
  assert.deepEqual(names, ["a1", "b1", "c1"]);
  assert.equal(moveNames(facts, null, rules.start, first), names);
  assert.deepEqual(moveNames({ ...facts, board: null }, rules, null, view({})), ["1", "2"]);
});

test("moves that touch the same cells are distinguished by what they leave there, else by their numbers", () => {
  const promotions = leadingTo({ 1: [0, 1, 0], 2: [0, 2, 0] });
  assert.deepEqual(moveNames(chess, promotions, null, view({})), ["a1-b1=P", "a1-b1=Q"]);
  assert.equal(choicesOf(chess, promotions, null, view({}), [1, 2]).get(2).n, 2);
  const alike = { ...facts, board: { ...facts.board, names: [["a", "a", "b"], ["a", "a", "b"]] } };
  assert.deepEqual(moveNames(alike, rules, null, view({ touches: [[0], [1]] })), ["a (1)", "a (2)"]);
});

test("a button has its own name, and a move without a cell or a name its number", () => {
  const passing = { ...facts, board: { ...facts.board, buttons: { 1: "pass" } } };
  assert.deepEqual(moveNames(passing, rules, null, view({ touches: [[], []] })), ["pass", "#2"]);
});

test("chance is named by what it changes", () => {
  const tiles = leadingTo({ 1: [1, 0, 1], 2: [1, 2, 0] });
  assert.deepEqual(moveNames(facts, tiles, null, view({ chance: true })), ["c1=X", "b1=O"]);
});

test("pieces and cells are said as people say them", () => {
  assert.deepEqual([0, 1, 2, 3].map((n) => pieceWords(chess, n)), ["empty", "white pawn", "white queen", "black"]);
  assert.equal(cellWords(chess, 0, 1, 2), "b1, white queen");
  const pits = part({ ...facts, board: { ...facts.board, shape: "pits" } });
  assert.equal(cellWords(pits, 0, 0, 1), "X, a1: 1 seed");
  assert.throws(() => boardOf(part({ board: null, title: "Nim" })), { message: "Nim has no board" });
});

test("the cells of the last move are fresh, and a piece slides along its way", () => {
  const match = new Match(facts, rules);
  assert.deepEqual([[...freshCells(match)], slideWay(match)], [[], null]);
  match.play(1);
  assert.deepEqual([[...freshCells(match)], slideWay(match)], [[1], null]);
});

test("the fields of a state are read from its words", () => {
  const fields = [
    { name: "turn", type: "int64", count: null, array: false },
    { name: "bits", type: "uint64", count: null, array: false },
    { name: "pits", type: "int8", count: 3, array: true },
  ];
  const row = BigInt64Array.of(-1n, -1n, 0x03_fe_01n);
  assert.deepEqual(fieldTexts(part({ fields }), row), [["turn", "-1"], ["bits", "18446744073709551615"], ["pits", "1, -2, 3"]]);
});

test("words are read as hexadecimal, and moves beyond exact numbers stay BigInts", () => {
  assert.deepEqual(readRow("1.ffffffffffffffff"), BigInt64Array.of(1n, -1n));
  assert.deepEqual([asMove(7n), asMove(-1n), asMove(1n << 60n)], [7, -1, 1n << 60n]);
});
