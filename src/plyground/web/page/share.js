// Games as text, in the address and in the browser's storage. Text from outside is played move by move: damaged text throws
// an error
// of one line before anything is replaced.

import { Match, quoted } from "./match.js";

const FORMAT = "Plyground";
const POSITION = /^[0-9a-f.]+-[0-9a-f]{8}$/i; // words and their checksum

/** Return the parts of a game's text: `start` only if it is not the usual one, `seed` only with dice. @param {Match} match */
function partsOf(match) {
  const { rules, facts } = match;
  const start = rules.text(match.rows[0]);
  /** @type {{ start?: string, moves?: string[], at?: number, seed?: number }} */
  const entries = {};
  if (start !== rules.text(rules.start)) entries.start = start;
  if (match.moves.length) entries.moves = match.names;
  if (!match.live) entries.at = match.at;
  if (facts.chance) entries.seed = match.seed;
  return entries;
}

/** @param {Match} match */
export function gameText(match) {
  const { moves = [], ...rest } = partsOf(match);
  const lines = [`${FORMAT} ${match.facts.spec}`];
  for (const [name, value] of Object.entries(rest)) lines.push(`${name}: ${value}`);
  lines.push(`moves: ${moves.join(", ")}`);
  return lines.join("\n");
}

/** @param {Match} match */
export function gameHash(match) {
  /** @param {string} name */
  const encoded = (name) => encodeURIComponent(name.replaceAll(" ", "_")).replaceAll("%3D", "=");
  return Object.entries(partsOf(match))
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(encoded).join(",") : value}`)
    .join("&");
}

/**
 * Return a game from an address (all after #), or null if it holds none.
 * @param {Facts} facts @param {Rules} rules @param {string} hash @returns {Match | null}
 */
export function parseHash(facts, rules, hash) {
  /** @type {Map<string, string>} */
  const entries = new Map();
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [name, ...value] = part.split("=");
    entries.set(decoded(name), value.join("="));
  }
  if (!entries.size) return null;
  const words = (entries.get("moves") ?? "").split(",").filter(Boolean);
  return buildGame(facts, rules, entries, words.map((word) => decoded(word).replaceAll("_", " ")));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${quoted(text)} is damaged`);
  }
}

/**
 * Return a game from text: what `gameText` writes, an address, a position, or only moves.
 * @param {Facts} facts @param {Rules} rules @param {string} given
 */
export function parseGame(facts, rules, given) {
  const text = given.trim();
  if (!text) throw new Error("there is no text");
  if (/#\w+=/.test(text)) return parseHash(facts, rules, text.slice(text.indexOf("#"))) ?? new Match(facts, rules);
  if (!text.startsWith(FORMAT)) {
    if (POSITION.test(text)) return new Match(facts, rules, rules.row(text));
    return buildGame(facts, rules, new Map(), wordsOf(text));
  }
  const [head, ...lines] = text.split("\n");
  const name = head.slice(FORMAT.length).trim();
  if (name !== facts.spec) throw new Error(`this is a game of ${quoted(name)}, not of ${quoted(facts.spec)}`);
  /** @type {Map<string, string>} */
  const entries = new Map();
  let last = "";
  for (const line of lines) {
    const key = /^\w+(?=:)/.exec(line)?.[0];
    const value = key ? line.slice(key.length + 1) : line;
    last = key ?? last;
    if (last) entries.set(last, `${entries.get(last) ?? ""} ${value}`.trim());
  }
  return buildGame(facts, rules, entries, wordsOf(entries.get("moves") ?? ""));
}

/** Split moves at commas, or else at spaces; move numbers are skipped. @param {string} text */
function wordsOf(text) {
  const words = text.includes(",") ? text.split(",") : text.split(/\s+/);
  return words.map((word) => word.trim().replace(/^\d+\.+\s*/, "")).filter(Boolean);
}

/**
 * Build a game of these moves, with what else the text says: start, at and seed.
 * @param {Facts} facts @param {Rules} rules @param {Map<string, string>} entries @param {string[]} moves
 */
function buildGame(facts, rules, entries, moves) {
  for (const name of entries.keys()) {
    if (!["start", "moves", "at", "seed"].includes(name)) throw new Error(`${quoted(name)} is not part of a game`);
  }
  const start = entries.get("start");
  const seed = entries.has("seed") ? wholeNumber(entries, "seed", 2 ** 32 - 1) : undefined;
  const match = new Match(facts, rules, start === undefined ? rules.start : rules.row(start), seed);
  moves.forEach((word, i) => {
    try {
      match.play(match.moveNamed(word));
    } catch (cause) {
      throw new Error(`move ${i + 1}: ${cause.message}`, { cause });
    }
  });
  if (entries.has("at")) match.at = wholeNumber(entries, "at", match.moves.length);
  return match;
}

/** @param {Map<string, string>} entries @param {string} name @param {number} most */
function wholeNumber(entries, name, most) {
  const n = Number(entries.get(name));
  if (!Number.isInteger(n) || n < 0 || n > most) {
    throw new Error(`${name} is ${quoted(String(entries.get(name)))}, not a whole number from 0 to ${most}`);
  }
  return n;
}

// -- the browser's storage: one game for each set of rules ---------------------------------------------------------

export class Store {
  /** @param {Facts} facts */
  constructor(facts) {
    this.key = `plyground:${facts.spec}:${facts.version}`;
  }

  /**
   * Return what is stored. Where nothing can be stored (a strict frame), a game lasts as long as the page.
   * @param {string} place @returns {StoredGame | null}
   */
  read(place = "") {
    try {
      return JSON.parse(localStorage.getItem(this.key + place) ?? "null");
    } catch {
      return null;
    }
  }

  /** Keep what is stored under another name before it is replaced. @param {string} place */
  backUp(place) {
    try {
      localStorage.setItem(this.key + place, localStorage.getItem(this.key) ?? "null");
    } catch {
      return;
    }
  }

  /** @param {Match} match @param {Settings} settings @param {string} place */
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

/**
 * Return the stored game; null if it can't be played any more.
 * @param {Facts} facts @param {Rules} rules @param {StoredGame} kept @returns {Match | null}
 */
export function storedGame(facts, rules, kept) {
  try {
    const match = new Match(facts, rules, rules.row(kept.start), kept.seed >>> 0);
    for (const text of kept.moves) {
      const move = match.view.moves.find((m) => String(m) === text);
      if (move === undefined) return null;
      match.play(move);
    }
    match.at = Math.max(0, Math.min(match.moves.length, kept.at | 0));
    return match;
  } catch {
    return null;
  }
}
