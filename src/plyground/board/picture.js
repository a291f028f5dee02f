// Puts a board together from the picture that `board/picture.py` made of it. Everything is drawn there; here it is only placed.

/**
 * Return the board with what lies on its cells, as SVG text. `fresh` says which cells are marked.
 * @param {Picture} picture @param {number[]} cells
 * @param {{ turn?: number, flipped?: boolean, labelled?: boolean, fresh?: (cell: number) => boolean }} options
 */
export function drawBoard(picture, cells, options = {}) {
  const { turn = 0, flipped = false, labelled = true, fresh = () => false } = options;
  const view = picture.views[flipped ? 1 : 0];
  const places = view.cells.map(([x, y, , , set]) => ({ place: `translate(${x} ${y})`, set }));
  const parts = [view.ground];
  places.forEach(({ place, set }, cell) => {
    if (fresh(cell)) parts.push(`<g class="fresh" transform="${place}">${picture.marks[set]}</g>`);
  });
  places.forEach(({ place, set }, cell) => {
    const drawn = picture.sets[set][cells[cell]];
    if (drawn) parts.push(`<g data-cell="${cell}" transform="${place}">${drawn}</g>`);
  });
  if (labelled) parts.push(view.labels[turn]);
  const box = labelled ? view.box : view.bare;
  return `<svg class="board" viewBox="${box.join(" ")}" aria-hidden="true">${parts.join("")}</svg>`;
}
