// Assembles a board from the picture that `board/picture.py` drew of its parts.

/**
 * Return the board with its pieces as SVG text; cells for which `fresh` returns true are marked.
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
