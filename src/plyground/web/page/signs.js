// A small picture of a side's piece: names such as X and O do not say whose stones are the dark ones.

const LINE = 2; // room for the strokes, which the box does not count
const signs = new Map();

// The picture for a side, as SVG text; empty where sides have no pieces of their own.
export function sideSign(facts, side) {
  if (!signs.has(side)) signs.set(side, makeSign(facts, side));
  return signs.get(side);
}

function makeSign(facts, side) {
  const { board, picture, sides } = facts;
  if (!board || sides.length === 1 || ["pits", "heaps", "tiles"].includes(board.shape)) return "";
  const n = board.pieces.findIndex((piece) => piece[0] === side);
  if (n < 0) return "";
  const [, , wide, , set] = picture.views[0].cells[0];
  return fitted(picture.sets[set][n], wide);
}

// A drawing without the empty space around it: its box is known only once it is on the page.
// What is drawn as a dot, a line without length, is as wide as the cell.
function fitted(drawing, cell) {
  const place = document.createElement("div");
  place.className = "unseen";
  place.innerHTML = `<svg class="board"><g>${drawing}</g></svg>`;
  document.body.append(place);
  const { x, y, width, height } = place.querySelector("g").getBBox();
  place.remove();
  const large = Math.max(width, height);
  const [wide, middleX, middleY] = [large < cell / 2 ? cell : large + LINE, x + width / 2, y + height / 2];
  const box = [middleX - wide / 2, middleY - wide / 2, wide, wide];
  return `<svg class="board sign" viewBox="${box.join(" ")}" aria-hidden="true">${drawing}</svg>`;
}
