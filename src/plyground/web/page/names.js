// Moves, cells and pieces in words. A move is named by the cells it touches (e2-e4, d3, 4), a button by its name. If several
// moves
// touch the same cells, the name also says what is left there: e7-e8=Q, or a=2 for a heap with two stones left. Python writes and
// reads the same names (rules/naming.py).

import { quantity } from "../../pages/text.js";

/** @type {Record<string, string>} */
const PIECE_NAMES = { "♙♟": "pawn", "♗♝": "bishop", "♘♞": "knight", "♖♜": "rook", "♕♛": "queen", "♔♚": "king", "◆◇": "king" };
const BETWEEN = /(?<=[\p{L}\p{N}_])(?:[\s,:/-]+|=(?=[\p{L}_]))(?=[\p{L}\p{N}_])/gu;
const NUMBERS = /(?<=\p{N})[\s,:/-]+(?=\p{N})/gu;
const CAPTURE = /(?<=[\p{L}\p{N}_])\s*x\s*(?=[\p{L}\p{N}_])/giu;
/** @type {WeakMap<View, string[]>} */
const known = new WeakMap();

/**
 * Return the names of all moves of a position, in the order of the moves. They are computed once per view.
 * @param {Facts} facts @param {Rules} rules @param {Row} row @param {View} view
 */
export function moveNames(facts, rules, row, view) {
  let names = known.get(view);
  if (!names) {
    names = view.chance ? chanceNames(facts, rules, row, view) : playerNames(facts, rules, row, view);
    known.set(view, names);
  }
  return names;
}

/**
 * Return the index in `names` of the move that a text names, -1 if it names none or several. Case and spaces count only if they
 * tell two moves apart; a2-a4 may be written a2a4, a2 a4 or a2xa4. A text that is the label of a cell names no other.
 * @param {Facts} facts @param {View} view @param {string[]} names @param {string} text
 */
export function readName(facts, view, names, text) {
  const labels = facts.board ? cellNames(facts.board, view.turn || 0) : [];
  /** @type {((name: string) => string)[]} */
  const ways = [(name) => name, plain];
  if (labels.length && !labels.some((label) => plain(label) === plain(text))) ways.push(joined);
  const without = text.replace(CAPTURE, "-");
  /** @type {[same: (name: string) => string, given: string][]} */
  const each = ways.map((way) => [way, text]);
  if (ways.length > 2) each.push([joined, without]);
  for (const [same, given] of each) {
    const found = names.flatMap((name, i) => (same(name) === same(given) ? [i] : []));
    if (found.length) return found.length === 1 ? found[0] : -1;
  }
  return -1;
}

/** Return the board of a game that has one. @param {Facts} facts */
export function boardOf({ board, title }) {
  if (!board) throw new Error(`${title} has no board`);
  return board;
}

/** @param {string} text */
function plain(text) {
  return text.replace(/\s+/g, "").toLowerCase();
}

/** @param {string} text */
function joined(text) {
  return text.replace(NUMBERS, "+").replace(BETWEEN, "").toLowerCase();
}

/** @param {Facts} facts @param {Rules} rules @param {Row} row @param {View} view */
function playerNames(facts, rules, row, view) {
  const { board } = facts;
  if (!board) return view.moves.map(String);
  const alike = new Map();
  view.moves.forEach((m, i) => {
    const way = view.touches[i].join();
    alike.set(way, [...(alike.get(way) || []), m]);
  });
  const names = view.moves.map((m, i) => {
    const way = view.touches[i];
    if (!way.length) return board.buttons[String(m)] || `#${m}`;
    const group = alike.get(way.join());
    const left = group.length > 1 || board.shape === "heaps" ? choicesOf(facts, rules, row, view, group).get(m) : null;
    return (wayName(board, view.turn || 0, way) || `#${m}`) + (left ? `=${left.text}` : "");
  });
  return disambiguate(names, view.moves);
}

/**
 * Add its number to each move whose name is not unique: cells of a board may share a name.
 * @param {string[]} names @param {Move[]} moves
 */
function disambiguate(names, moves) {
  const times = new Map();
  for (const name of names) times.set(name, (times.get(name) || 0) + 1);
  return names.map((name, i) => (times.get(name) > 1 ? `${name} (${moves[i]})` : name));
}

/**
 * Name a move by its cells. Backgammon has a from and a to for each die: 13-8 6-5, and 13-8-7 if the same checker goes on.
 * @param {Board} board @param {number} turn @param {number[]} way
 */
function wayName(board, turn, way) {
  const names = cellNames(board, turn);
  if (board.shape !== "backgammon") return way.map((cell) => names[cell]).join("-");
  const parts = [];
  for (let i = 0; i + 1 < way.length; i += 2) {
    const goesOn = i > 0 && way[i] === way[i - 1];
    if (goesOn) parts[parts.length - 1] += `-${names[way[i + 1]]}`;
    else parts.push(`${names[way[i]]}-${names[way[i + 1]]}`);
  }
  return parts.join(" ");
}

/** @param {Board} board @param {number} turn */
function cellNames(board, turn) {
  return board.names[turn] || board.names[0];
}

/**
 * Return what each of several moves that touch the same cells leaves there.
 * @param {Facts} facts @param {Rules} rules @param {Row} row @param {View} view @param {Move[]} moves
 * @returns {Map<Move, Choice>}
 */
export function choicesOf(facts, rules, row, view, moves) {
  const board = boardOf(facts);
  const way = view.touches[view.moves.indexOf(moves[0])];
  const after = moves.map((m) => rules.view(rules.play(row, m)).cells);
  const near = [...new Set(way.flatMap((cell) => cellsNear(board, cell)))].reverse();
  const differs = near.filter((cell) => after.some((cells) => cells[cell] !== after[0][cell]));
  const each = differs.length ? differs : near.slice(0, 1);
  const one = each.find((cell) => new Set(after.map((cells) => cells[cell])).size === moves.length);
  const shown = one === undefined ? [...each].reverse() : [one];
  return new Map(
    moves.map((m, i) => [
      m,
      {
        cell: shown[0],
        n: after[i][shown[0]],
        before: view.cells[shown[0]],
        text: shown.map((cell) => contentText(board, after[i][cell])).join("/"),
      },
    ]),
  );
}

/** @param {Board} board @param {number} cell */
function cellsNear(board, cell) {
  if (board.shape !== "drop") return [cell];
  const cols = board.cols.length;
  return Array.from({ length: board.rows.length }, (_, r) => (cell % cols) + r * cols);
}

/**
 * Return a count, or a letter: a capital one if that still tells the side's pieces apart.
 * @param {Board} board @param {number} n
 */
function contentText(board, n) {
  const [side, letter, , number] = board.pieces[n];
  if (board.count) return String(number);
  const own = board.pieces.filter((piece) => piece[0] === side).map((piece) => piece[1].toUpperCase());
  return new Set(own).size === own.length ? letter.toUpperCase() : letter;
}

/**
 * Name a roll by its dice, a new tile by its cell: 6-4, c3=2.
 * @param {Facts} facts @param {Rules} rules @param {Row} row @param {View} view
 */
function chanceNames(facts, rules, row, view) {
  const { board } = facts;
  if (!board) return view.moves.map(String);
  const names = view.moves.map((m) => {
    const { cells } = rules.view(rules.play(row, m));
    if (board.shape === "backgammon") return diceName(facts, view, cells);
    const changed = cells.map((n, cell) => cell).filter((cell) => cells[cell] !== view.cells[cell]);
    return changed.map((cell) => `${board.names[0][cell]}=${contentText(board, cells[cell])}`).join(" ") || String(m);
  });
  return disambiguate(names, view.moves);
}

/** Name a roll; the first one also says who begins. @param {Facts} facts @param {View} view @param {number[]} cells */
function diceName(facts, view, cells) {
  const [board, { sides }] = [boardOf(facts), facts];
  const [side] = board.pieces[cells[board.dice]];
  const rolled = [board.dice, board.dice + 1].map((die) => board.pieces[cells[die]][3]).join("-");
  return side === view.turn || side === null ? rolled : `${rolled} ${sides[side]}`;
}

/** Return a piece as people say it: white pawn, X, 64. @param {Facts} facts @param {number} n */
export function pieceWords(facts, n) {
  const [board, { sides }] = [boardOf(facts), facts];
  const [side, letter, glyph] = board.pieces[n];
  if (side === null || side === undefined) return "empty";
  if (board.shape === "tiles") return letter;
  const own = board.pieces.filter((piece) => piece[0] === side);
  if (own.length === 1) return sides[side];
  const kind = Object.keys(PIECE_NAMES).find((glyphs) => glyphs.includes(glyph));
  return `${sides[side]} ${kind ? PIECE_NAMES[kind] : "●○".includes(glyph) ? "man" : letter}`;
}

/**
 * Return a cell and what lies on it, for screen readers: "e4, white pawn".
 * @param {Facts} facts @param {number} turn @param {number} cell @param {number} n
 */
export function cellWords(facts, turn, cell, n) {
  const [board, { sides }] = [boardOf(facts), facts];
  const name = cellNames(board, turn)[cell];
  const number = board.pieces[n][3];
  if (board.shape === "pits") return `${sides[cell > board.cols.length ? 1 : 0]}, ${name}: ${quantity(number, "seed")}`;
  if (board.shape === "heaps") return `heap ${name}: ${quantity(number, "stone")}`;
  if (board.shape === "backgammon") {
    if (cell >= board.dice) return number ? `die: ${number}` : "die: not rolled";
    const place = cell < board.bar ? `point ${name}` : `${name} of ${sides[(cell - (cell < board.off ? board.bar : board.off)) % 2]}`;
    return `${place}: ${number ? `${number} of ${sides[board.pieces[n][0] ?? 0]}` : "empty"}`;
  }
  if (board.count) return `${name}: ${number}`;
  const row = board.rows.length - Math.floor(cell / board.cols.length);
  return `${board.shape === "drop" ? `column ${name}, row ${row}` : name}, ${pieceWords(facts, n)}`;
}
