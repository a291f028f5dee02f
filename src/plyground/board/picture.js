// Puts a board together from the picture that `board/picture.py` made of it. Everything is drawn there; here it is only placed.

// The board with what lies on its cells, as SVG text. `fresh` says which cells get a frame.
export function drawBoard(picture, cells, options = {}) {
  const { turn = 0, flipped = false, labelled = true, fresh = () => false } = options;
  const view = picture.views[flipped ? 1 : 0];
  const parts = [view.ground];
  cells.forEach((_, cell) => fresh(cell) && parts.push(drawMark(...view.cells[cell])));
  cells.forEach((n, cell) => {
    const [x, y, , , set] = view.cells[cell];
    const drawn = picture.sets[set][n];
    if (drawn) parts.push(`<g data-cell="${cell}" transform="translate(${x} ${y})">${drawn}</g>`);
  });
  if (labelled) parts.push(view.labels[turn]);
  const box = labelled ? view.box : view.bare;
  return `<svg class="board" viewBox="${box.join(" ")}" aria-hidden="true">${parts.join("")}</svg>`;
}

function drawMark(x, y, width, height) {
  return `<rect class="fresh" x="${x}" y="${y}" width="${width}" height="${height}" rx="1"/>`;
}
