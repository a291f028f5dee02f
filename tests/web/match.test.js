// A game in progress, and games as text, with rules in plain JavaScript.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Match, fraction } from "../../src/plyground/web/page/match.js";
import { readName } from "../../src/plyground/web/page/names.js";
import { gameHash, parseHash, parseGame, gameText, storedGame } from "../../src/plyground/web/page/share.js";
import { facts, part, rules } from "./fake_game.js";

const played = (...moves) => {
  const match = new Match(facts, rules, rules.start, 7);
  for (const m of moves) match.play(m);
  return match;
};

test("moves are made, named and refused", () => {
  const match = played(0, 1);
  assert.deepEqual([match.names, match.turn, match.end], [["a1", "b1"], 0, null]);
  assert.throws(() => match.play(0), { message: "0 is not a legal move here" });
  assert.throws(() => match.moveNamed("a1"), { message: "“a1” is not a legal move; legal: c1" });
  assert.equal(match.moveNamed(" C1 "), 2);
  match.play(2);
  assert.deepEqual(match.end, { value: -1, winner: 0, text: "X wins" });
  assert.throws(() => match.moveNamed("b1"), { message: "“b1” can't be played: the game is over" });
});

test("going back keeps what follows until another move is made", () => {
  const match = played(0, 1, 2);
  const heard = [];
  match.onChange((kind) => heard.push(kind));
  match.go(1);
  match.play(1);
  assert.deepEqual([match.at, match.moves], [2, [0, 1, 2]]);
  match.undo();
  match.play(2);
  assert.deepEqual([match.at, match.moves, match.live], [2, [0, 2], true]);
  assert.deepEqual(heard, ["go", "play", "go", "play"]);
});

test("moves that are tried out leave the game alone", () => {
  const match = played(0);
  match.showVariation([1, 2], 1);
  assert.deepEqual([match.at, match.moves, match.game.moves], [2, [0, 1, 2], [0]]);
  match.back();
  assert.deepEqual([match.moves, match.mainLine], [[0], null]);
});

test("a game is read back from its text and its address", () => {
  for (const match of [played(), played(1), played(0, 1, 2)]) {
    for (const other of [parseGame(facts, rules, gameText(match)), parseHash(facts, rules, `#${gameHash(match)}`)]) {
      assert.deepEqual(other?.moves ?? [], match.moves);
    }
  }
  const match = played(0, 1, 2);
  match.go(1);
  assert.equal(gameHash(match), "moves=a1,b1,c1&at=1");
  assert.equal(parseGame(facts, rules, "1. a1 b1\n2. c1").at, 3);
  assert.equal(parseGame(facts, rules, gameText(match).replaceAll("\n", "\r\n")).at, 1);
});

test("what is damaged is refused in one line", () => {
  for (const [text, message] of [
    ["", "there is no text"],
    ["Plyground chess", "this is a game of “chess”, not of “cells”"],
    ["a1, a1", "move 2: “a1” is not a legal move; legal: b1, c1"],
    ["Plyground cells\nmoves: a1\nat: 2", "at is “2”, not a whole number from 0 to 1"],
    ["x#colour=red", "“colour” is not part of a game"],
    ["x#moves=%", "“%” is damaged"],
  ]) {
    assert.throws(() => parseGame(facts, rules, text), { message });
  }
});

test("a stored game comes back, or nothing does", () => {
  const kept = part({ start: "0.0.0", moves: ["0", "2"], at: 1, seed: 7 });
  assert.deepEqual(storedGame(facts, rules, kept).moves, [0, 2]);
  assert.equal(storedGame(facts, rules, { ...kept, moves: ["0", "0"] }), null);
  assert.equal(storedGame(facts, rules, { ...kept, start: "?" }), null);
});

test("names may differ in case, spaces and what stands between cells", () => {
  const view = part({ turn: 0 });
  const names = ["a1-b1", "a1-c1=Q", "1-12", "11-2"];
  const found = (text) => readName(facts, view, names, text);
  assert.deepEqual(["a1-b1", "A1 B1", "a1xb1", "a1c1q", "112", "a1", "1 12"].map(found), [0, 0, 0, 1, -1, -1, 2]);
});

test("dice are the same for the same seed, and even", () => {
  assert.equal(fraction(7, 3), fraction(7, 3));
  const found = Array.from({ length: 6000 }, (_, n) => Math.floor(6 * fraction(1, n)));
  for (let side = 0; side < 6; side++) assert.ok(Math.abs(found.filter((x) => x === side).length - 1000) < 150);
});
