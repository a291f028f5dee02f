// What the page shows besides the pieces: the cells of the last move, the path of its piece, and the fields of a state
// without a board.

import { boardOf } from "./names.js";

const MOST_ITEMS = 64;
/** The arrays of signed and unsigned numbers, by the bytes of a number. */
const ARRAYS = {
  1: [Int8Array, Uint8Array],
  2: [Int16Array, Uint16Array],
  4: [Int32Array, Uint32Array],
  8: [BigInt64Array, BigUint64Array],
};

/**
 * Return the cells that the last move changed or touched. A roll is shown with the move before it, a new tile by itself.
 * @param {Match} match @returns {Set<number>}
 */
export function freshCells(match) {
  const { facts, at } = match;
  if (!facts.board || !at) return new Set();
  const found = changedCells(match, at);
  const before = at > 1 && match.viewAt(at - 1).chance && facts.board.shape !== "tiles" ? changedCells(match, at - 1) : [];
  return new Set([...found, ...before]);
}

/** @param {Match} match @param {number} ply */
function changedCells(match, ply) {
  const board = boardOf(match.facts);
  const [before, after] = [match.viewAt(ply - 1), match.viewAt(ply)];
  const way = wayOf(match, ply);
  const plain = ["squares", "points", "free"].includes(board.shape) && !board.count;
  if (plain && way.length) return way;
  if (board.shape === "tiles" && !before.chance) return [];
  return after.cells.flatMap((n, cell) => (n !== before.cells[cell] ? [cell] : []));
}

/** @param {Match} match @param {number} ply */
function wayOf(match, ply) {
  const view = match.viewAt(ply - 1);
  return view.touches[view.moves.indexOf(match.moves[ply - 1])] || [];
}

/**
 * Return the path of the piece that moved last, from cell to cell or down a column; null if nothing slides.
 * @param {Match} match @returns {number[] | null}
 */
export function slideWay(match) {
  const board = boardOf(match.facts);
  const { at } = match;
  if (!at || !["squares", "points", "free", "drop"].includes(board.shape) || board.count) return null;
  const way = wayOf(match, at);
  if (board.shape !== "drop") return way.length > 1 ? way : null;
  const [landed] = changedCells(match, at);
  return way.length === 1 && landed !== undefined && landed !== way[0] ? [way[0], landed] : null;
}

/**
 * Return the fields of a state as [name, text], read from its words as rules/layout.py lays them out.
 * @param {Facts} facts @param {Row} row @returns {[name: string, text: string][]}
 */
export function fieldTexts(facts, row) {
  let at = 0;
  return facts.fields.map((field) => {
    const count = field.count ?? 1;
    const bytes = field.array ? Number(field.type.replace(/\D/g, "")) / 8 : 8;
    const words = Math.ceil((count * bytes) / 8);
    const items = itemsOf(row.slice(at, at + words).buffer, field.type, Math.min(count, MOST_ITEMS), bytes);
    at += words;
    return [field.name, items.join(", ") + (count > MOST_ITEMS ? ", …" : "")];
  });
}

/** @param {ArrayBuffer} buffer @param {string} type @param {number} count @param {number} bytes */
function itemsOf(buffer, type, count, bytes) {
  const [Signed, Unsigned] = ARRAYS[/** @type {1 | 2 | 4 | 8} */ (bytes)];
  return Array.from(new (type.startsWith("u") ? Unsigned : Signed)(buffer, 0, count), String);
}
