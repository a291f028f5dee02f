// Moves, cells and pieces in words. A move is named by the cells it touches (e2-e4, d3, 4), a button by its name; of moves that
// touch the same cells, the name says what is left there: e7-e8=Q, or a=2 for a heap of which two stones are left.

import { counted } from "./scores.js";

const KINDS = { "♙♟": "pawn", "♗♝": "bishop", "♘♞": "knight", "♖♜": "rook", "♕♛": "queen", "♔♚": "king", "◆◇": "king" };
const BAR = 24;
const OFF = 26;
const DICE = 28;
const known = new WeakMap();

// The names of all moves of a position, in their order. They are kept with the view.
export function moveNames(facts, rules, row, view, turn) {
  let names = known.get(view);
  if (!names) {
    names = view.chance ? chanceNames(facts, rules, row, view) : playerNames(facts, rules, row, view, turn);
    known.set(view, names);
  }
  return names;
}

function playerNames(facts, rules, row, view, turn) {
  const { board } = facts;
  if (!board) return view.moves.map(String);
  const alike = new Map();
  view.moves.forEach((m, i) => {
    const way = view.touches[i].join();
    alike.set(way, [...(alike.get(way) || []), m]);
  });
  const names = view.moves.map((m, i) => {
    const way = view.touches[i];
    if (!way.length) return board.buttons[m] || String(m);
    const group = alike.get(way.join());
    const left = group.length > 1 || board.shape === "heaps" ? choicesOf(facts, rules, row, view, group).get(m) : null;
    return wayName(board, turn, way) + (left ? `=${left.text}` : "");
  });
  // Cells of a board may share a name; then the move's number tells them apart.
  const twice = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return names.map((name, i) => (twice.has(name) ? `${name} (${view.moves[i]})` : name));
}

// In backgammon a move is a from and a to for each die: 13-8 6-5, and 13-8-7 if the same checker goes on.
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

function cellNames(board, turn) {
  return board.names[turn] || board.names[0];
}

// What each of some moves that touch the same cells leaves there: { cell, n (what lies there then), before, text }.
export function choicesOf(facts, rules, row, view, moves) {
  const { board } = facts;
  const way = view.touches[view.moves.indexOf(moves[0])];
  const after = moves.map((m) => rules.view(rules.play(row, m)).cells);
  const near = [...new Set(way.flatMap((cell) => cellsNear(board, cell)))].reverse();
  const differs = near.filter((cell) => after.some((cells) => cells[cell] !== after[0][cell]));
  const each = differs.length ? differs : near.slice(0, 1);
  const one = each.find((cell) => new Set(after.map((cells) => cells[cell])).size === moves.length);
  const told = one === undefined ? [...each].reverse() : [one];
  return new Map(
    moves.map((m, i) => [
      m,
      {
        cell: told[0],
        n: after[i][told[0]],
        before: view.cells[told[0]],
        text: told.map((cell) => contentText(board, after[i][cell])).join("/"),
      },
    ]),
  );
}

function cellsNear(board, cell) {
  if (board.shape !== "drop") return [cell];
  const cols = board.cols.length;
  return Array.from({ length: board.rows.length }, (_, r) => (cell % cols) + r * cols);
}

// A count, or a letter: a capital one if that still tells the side's pieces apart.
function contentText(board, n) {
  const [side, letter, , number] = board.pieces[n];
  if (board.count) return String(number);
  const own = board.pieces.filter((piece) => piece[0] === side).map((piece) => piece[1].toUpperCase());
  return new Set(own).size === own.length ? letter.toUpperCase() : letter;
}

// A roll is named by its dice, a new tile by its cell: 6-4, c3=2.
function chanceNames(facts, rules, row, view) {
  const { board } = facts;
  if (!board) return view.moves.map(String);
  const names = view.moves.map((m) => {
    const { cells } = rules.view(rules.play(row, m));
    if (board.shape === "backgammon") return diceName(facts, view, cells);
    const changed = cells.map((n, cell) => cell).filter((cell) => cells[cell] !== view.cells[cell]);
    return changed.map((cell) => `${board.names[0][cell]}=${contentText(board, cells[cell])}`).join(" ") || String(m);
  });
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${view.moves[i]})`));
}

// With the first roll it is also known who begins.
function diceName({ board, sides }, view, cells) {
  const [side] = board.pieces[cells[DICE]];
  const rolled = [DICE, DICE + 1].map((die) => board.pieces[cells[die]][3]).join("-");
  return side === view.turn || side === null ? rolled : `${rolled} ${sides[side]}`;
}

// A piece as one says it: white pawn, X, 64.
export function pieceWords(facts, n) {
  const { board, sides } = facts;
  const [side, letter, glyph] = board.pieces[n];
  if (side === null || side === undefined) return "empty";
  if (board.shape === "tiles") return letter;
  const own = board.pieces.filter((piece) => piece[0] === side);
  if (own.length === 1) return sides[side];
  const kind = Object.keys(KINDS).find((glyphs) => glyphs.includes(glyph));
  return `${sides[side]} ${kind ? KINDS[kind] : "●○".includes(glyph) ? "man" : letter}`;
}

// A cell and what lies on it, for screen readers: "e4, white pawn".
export function cellWords(facts, turn, cell, n) {
  const { board, sides } = facts;
  const name = cellNames(board, turn)[cell];
  const number = board.pieces[n][3];
  if (board.shape === "pits") return `${sides[cell > board.cols.length ? 1 : 0]}, ${name}: ${counted(number, "seed")}`;
  if (board.shape === "heaps") return `heap ${name}: ${counted(number, "stone")}`;
  if (board.shape === "backgammon") {
    if (cell >= DICE) return number ? `die: ${number}` : "die: not rolled";
    const place = cell < BAR ? `point ${name}` : `${name} of ${sides[(cell - (cell < OFF ? BAR : OFF)) % 2]}`;
    return `${place}: ${number ? `${number} of ${sides[board.pieces[n][0]]}` : "empty"}`;
  }
  if (board.count) return `${name}: ${number}`;
  const row = board.rows.length - Math.floor(cell / board.cols.length);
  return `${board.shape === "drop" ? `column ${name}, row ${row}` : name}, ${pieceWords(facts, n)}`;
}
