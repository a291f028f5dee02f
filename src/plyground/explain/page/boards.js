// The boards of the page: pictures, or text if the rules have no BOARD. Cells changed by the last move have a frame.

// With `labelled`, names are shown beside the cells; small boards have no room for them.
function showBoard(i, before, labelled = false) {
  const { turn, cells, text } = data.boards.each[i];
  if (!data.boards.picture) return showText(text);
  const old = before === undefined ? cells : data.boards.each[before].cells;
  return drawBoard(data.boards.picture, cells, { turn, labelled, fresh: (cell) => old[cell] !== cells[cell] });
}

// Text small enough to fit: a letter is about 0.62 times as wide as the font size, a line 1.1 times as high.
function showText(text) {
  const lines = text.split("\n");
  const size = Math.max(...lines.map((line) => 0.62 * line.length), 1.1 * lines.length);
  return `<pre class="board-text" style="--size:${size}">${escaped(text)}</pre>`;
}

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
