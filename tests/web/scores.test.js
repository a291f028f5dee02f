// Scores in words, winning chances, and what searches have found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Findings } from "../../src/plyground/web/page/findings.js";
import { Scores, percentage, nodeRate } from "../../src/plyground/web/page/scores.js";
import { facts, part, rules } from "./fake_game.js";

const scores = new Scores(facts);
const report = (depth, ...moves) => part({
  ...{ move: moves[0].move, score: moves[0].score, exact: false, line: [moves[0].move], depth, partial: false, moves },
});

test("a score is put into words", () => {
  assert.deepEqual([9995, -9990, 35, 0].map((x) => scores.score(x)), ["wins in 5 plies", "loses in 10 plies", "+35", "draws"]);
  assert.deepEqual([9995, 35, 0].map((x) => scores.label(x, true)), ["win in 5", "+35", "draw"]);
  assert.equal(scores.verdict("X", part({ score: 9995, exact: true, value: "win" })), "X wins in 5 plies (proven)");
  assert.equal(scores.verdict("X", part({ score: 0, exact: false, value: "unknown", depth: 4, partial: true })), "even (depth 4, unfinished)");
  assert.deepEqual([percentage(0.5), nodeRate(3e6, 2), nodeRate(500, 2)], ["50 %", "1.5 M nodes/s", "250 nodes/s"]);
});

test("what is proven is certain, and a better estimate is a better chance", () => {
  assert.deepEqual([9995, -9995].map((x) => scores.winningChance(x)), [1, 0]);
  assert.equal(scores.winningChance(0, true), 0.5);
  const rising = [-200, -1, 0, 1, 200].map((x) => scores.winningChance(x));
  assert.deepEqual(rising, rising.toSorted());
  assert.ok(Math.abs(scores.winningChance(100) - 0.731) < 0.001);
});

test("a score moves with its position", () => {
  assert.deepEqual([9995, -9995, 35].map((x) => scores.later(x, 2)), [9993, -9993, 35]);
  assert.deepEqual([scores.ofMove(-9996, false), scores.ofMove(35, true)], [9995, 35]);
  assert.deepEqual([1, -1, 0].map((x) => scores.final(x)), [10000, -10000, 0]);
});

test("the deepest report is kept, and mistakes are graded by what they give away", () => {
  const findings = new Findings(scores, rules);
  const [good, bad] = [{ move: 0, score: 100, exact: false, line: [0] }, { move: 1, score: -100, exact: false, line: [1] }];
  assert.equal(findings.assess(rules.start, 0), null);
  findings.keep(rules.start, report(4, good, bad), true);
  findings.keep(rules.start, report(2, bad, good), true);
  assert.equal(findings.at(rules.start).best.depth, 4);
  assert.equal(findings.assess(rules.start, 0).grade, null);
  assert.equal(findings.assess(rules.start, 1).grade.name, "blunder");
});

test("the value of a move that was left out comes from the position after it", () => {
  const findings = new Findings(scores, rules);
  const before = rules.row("1.2.0");
  assert.deepEqual(findings.move(before, 2), { move: 2, score: 9999, exact: true });
  assert.equal(findings.chance(rules.row("1.2.1")), 0);
  assert.deepEqual([findings.searchable(before), findings.searchable(rules.row("1.2.1"))], [true, false]);
});
