// What is shown of a position besides its pieces: the cells of the last move, its way, and the fields of a state without a board.

const MOST_ITEMS = 64;

// The cells that the last move changed or touched. A roll is shown together with the move before it, but a new tile alone.
export function freshCells(match) {
  const { facts, at } = match;
  if (!facts.board || !at) return new Set();
  const found = changedCells(match, at);
  const before = at > 1 && match.viewAt(at - 1).chance && facts.board.shape !== "tiles" ? changedCells(match, at - 1) : [];
  return new Set([...found, ...before]);
}

function changedCells(match, ply) {
  const { board } = match.facts;
  const [before, after] = [match.viewAt(ply - 1), match.viewAt(ply)];
  const way = wayOf(match, ply);
  const plain = ["squares", "points", "free"].includes(board.shape) && !board.count;
  if (plain && way.length) return way;
  if (board.shape === "tiles" && !before.chance) return [];
  return after.cells.flatMap((n, cell) => (n !== before.cells[cell] ? [cell] : []));
}

function wayOf(match, ply) {
  const view = match.viewAt(ply - 1);
  return view.touches[view.moves.indexOf(match.moves[ply - 1])] || [];
}

// The way of the piece that came with the last move: from cell to cell, or down a column; null if nothing slides.
export function slideWay(match) {
  const { board } = match.facts;
  const { at } = match;
  if (!at || !["squares", "points", "free", "drop"].includes(board.shape) || board.count) return null;
  const way = wayOf(match, at);
  if (board.shape !== "drop") return way.length > 1 ? way : null;
  const [landed] = changedCells(match, at);
  return way.length === 1 && landed !== undefined && landed !== way[0] ? [way[0], landed] : null;
}

// The fields of a state as [name, text], read from its words as rules/layout.py lays them out.
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

function itemsOf(buffer, type, count, bytes) {
  const data = new DataView(buffer);
  const read = `get${bytes === 8 ? "Big" : ""}${type.startsWith("u") ? "Uint" : "Int"}${8 * bytes}`;
  return Array.from({ length: count }, (_, i) => String(data[read](i * bytes, true)));
}
