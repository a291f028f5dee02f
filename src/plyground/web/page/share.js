// Games as text, in the address and in the browser's storage. Text from outside is played move by move; what is damaged throws an
// error of one clear line, before anything is replaced.

import { Match, quoted } from "./match.js";

const FORMAT = "Plyground";
const POSITION = /^[0-9a-f.]+-[0-9a-f]{8}$/i; // words and their checksum

// What there is to say of a game: start only if it is not the usual one, seed only where there are dice.
function parts(match) {
  const { rules, facts } = match;
  const start = rules.text(match.rows[0]);
  const told = {};
  if (start !== rules.text(rules.start)) told.start = start;
  if (match.moves.length) told.moves = match.names;
  if (!match.live) told.at = match.at;
  if (facts.chance) told.seed = match.seed;
  return told;
}

export function gameText(match) {
  const { moves = [], ...rest } = parts(match);
  const lines = [`${FORMAT} ${match.facts.spec}`];
  for (const [name, value] of Object.entries(rest)) lines.push(`${name}: ${value}`);
  lines.push(`moves: ${moves.join(", ")}`);
  return lines.join("\n");
}

export function gameHash(match) {
  const told = parts(match);
  if (told.moves) told.moves = told.moves.map((name) => encodeURIComponent(name.replaceAll(" ", "_")).replaceAll("%3D", "=")).join(",");
  return Object.entries(told)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

// A game from an address (all after #), or null if it holds none.
export function gameOfHash(facts, rules, hash) {
  const told = new Map();
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [, name, value] = part.match(/^([^=]*)=?(.*)$/s);
    told.set(decoded(name), value);
  }
  if (!told.size) return null;
  const words = (told.get("moves") || "").split(",").filter(Boolean);
  told.set("moves", words.map((word) => decoded(word).replaceAll("_", " ")));
  return build(facts, rules, told);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${quoted(text)} is damaged`);
  }
}

// A game from text: what `gameText` writes, an address, a position, or only moves.
export function gameOfText(facts, rules, given) {
  const text = given.trim();
  if (!text) throw new Error("there is no text");
  if (/#\w+=/.test(text)) return gameOfHash(facts, rules, text.slice(text.indexOf("#")));
  if (!text.startsWith(FORMAT)) {
    if (POSITION.test(text)) return new Match(facts, rules, rules.row(text));
    return build(facts, rules, new Map([["moves", wordsOf(text)]]));
  }
  const [head, ...lines] = text.split("\n");
  const name = head.slice(FORMAT.length).trim();
  if (name !== facts.spec) throw new Error(`this is a game of ${quoted(name)}, not of ${quoted(facts.spec)}`);
  const told = new Map();
  let last = null;
  for (const line of lines) {
    const [, key, value] = line.match(/^(?:(\w+):)?(.*)$/);
    last = key || last;
    if (last) told.set(last, `${told.get(last) || ""} ${value}`.trim());
  }
  told.set("moves", wordsOf(told.get("moves") || ""));
  return build(facts, rules, told);
}

// Moves are separated by commas, or else by spaces; move numbers are skipped.
function wordsOf(text) {
  const words = text.includes(",") ? text.split(",") : text.split(/\s+/);
  return words.map((word) => word.trim().replace(/^\d+\.+\s*/, "")).filter(Boolean);
}

function build(facts, rules, told) {
  for (const name of told.keys()) {
    if (!["start", "moves", "at", "seed"].includes(name)) throw new Error(`${quoted(name)} is not part of a game`);
  }
  const start = told.has("start") ? rules.row(told.get("start")) : rules.start;
  const match = new Match(facts, rules, start, ...(told.has("seed") ? [whole(told, "seed", 2 ** 32 - 1)] : []));
  told.get("moves").forEach((word, i) => {
    try {
      match.play(match.moveNamed(word));
    } catch (error) {
      throw new Error(`move ${i + 1}: ${error.message}`);
    }
  });
  if (told.has("at")) match.at = whole(told, "at", match.moves.length);
  return match;
}

function whole(told, name, most) {
  const n = Number(told.get(name));
  if (!Number.isInteger(n) || n < 0 || n > most) {
    throw new Error(`${name} is ${quoted(String(told.get(name)))}, not a whole number from 0 to ${most}`);
  }
  return n;
}

// -- the browser's storage: one game for each set of rules ---------------------------------------------------------

export class Store {
  constructor(facts) {
    this.key = `plyground:${facts.spec}:${facts.version}`;
  }

  // Where nothing can be stored (a strict frame), a game lasts as long as the page.
  read(place = "") {
    try {
      return JSON.parse(localStorage.getItem(this.key + place));
    } catch {
      return null;
    }
  }

  // Keeps what is stored under another name before it is replaced.
  setAside(place) {
    try {
      localStorage.setItem(this.key + place, localStorage.getItem(this.key));
    } catch {
      return;
    }
  }

  write(match, settings, place = "") {
    const { rules, moves, at, seed } = match;
    const kept = { start: rules.text(match.rows[0]), moves: moves.map(String), at, seed, settings, address: location.hash };
    try {
      localStorage.setItem(this.key + place, JSON.stringify(kept));
    } catch {
      return;
    }
  }
}

// The game that was stored, or null if it can't be played any more.
export function storedGame(facts, rules, kept) {
  try {
    const match = new Match(facts, rules, rules.row(kept.start), kept.seed >>> 0);
    for (const text of kept.moves) match.play(match.view.moves.find((m) => String(m) === text));
    match.at = Math.max(0, Math.min(match.moves.length, kept.at | 0));
    return match;
  } catch {
    return null;
  }
}
