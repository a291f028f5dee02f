// Draws a board from how the rules say it looks and from what is on its cells. Pieces differ in shape or tone, not only in colour;
// cells changed by the last move have a frame.

const CELL = 10;
const LOOK = data.boards.look;
const BLACK = "●◆♚♛♜♝♞♟";
const OUTLINED = "♔♕♖♗♘♙";
const SHAPES = { pits: drawPits, backgammon: drawBackgammon, heaps: drawHeaps, free: drawFree };

// With `labelled`, names are shown beside the cells; small boards have no room for them.
function drawBoard(i, before, labelled = false) {
  const board = data.boards.each[i];
  if (!LOOK) return drawText(board.text);
  const old = before === undefined ? null : data.boards.each[before].cells;
  const names = LOOK.names[board.turn] || LOOK.names[0];
  const fresh = (cell) => old !== null && old[cell] !== board.cells[cell];
  return (SHAPES[LOOK.shape] || drawGrid)(board.cells, fresh, labelled, names);
}

function drawGrid(cells, fresh, labelled, names) {
  const [width, height] = [LOOK.cols.length * CELL, LOOK.rows.length * CELL];
  const place = (cell) => [(cell % LOOK.cols.length) * CELL, Math.floor(cell / LOOK.cols.length) * CELL];
  const parts = [ground(width, height, place)];
  cells.forEach((n, cell) => parts.push(piece(n, ...place(cell)), fresh(cell) ? mark(...place(cell)) : ""));
  const size = Math.max(4.4, 0.042 * width);
  const [files, ranks] = [labelled && !LOOK.numbered, labelled && !LOOK.numbered && LOOK.rows[0] !== ""];
  if (files) LOOK.cols.forEach((name, c) => parts.push(coordinate(name, (c + 0.5) * CELL, height + 0.85 * size, size)));
  if (ranks) LOOK.rows.forEach((name, r) => parts.push(coordinate(name, -0.85 * size, (r + 0.5) * CELL, size)));
  if (labelled && LOOK.numbered) {
    names.forEach((name, cell) => {
      const [x, y] = place(cell);
      if (name) parts.push(`<text class="square-number" x="${x + 0.3}" y="${y + 1.5}">${escaped(name)}</text>`);
    });
  }
  const [left, below] = [ranks ? 1.6 * size : 1, files ? 1.6 * size : 1];
  return drawing(`${-left} -1 ${width + left + 1} ${height + 1 + below}`, parts);
}

function ground(width, height, place) {
  const stones = LOOK.pieces.some(([, , glyph]) => glyph === "●");
  const look = LOOK.shape === "drop" ? "drop" : LOOK.checkered ? "checkered" : stones ? "stones" : "";
  const parts = [
    `<rect class="ground ${look}" x="-0.5" y="-0.5" width="${width + 1}" height="${height + 1}" rx="2"/>`,
  ];
  if (LOOK.shape === "drop") {
    for (let cell = 0; cell < LOOK.size; cell++) parts.push(disc("hole", ...place(cell), 3.9));
  } else if (LOOK.checkered) {
    for (let cell = 0; cell < LOOK.size; cell++) {
      const [x, y] = place(cell);
      if ((x + y) % (2 * CELL))
        parts.push(`<rect class="dark-square" x="${x}" y="${y}" width="${CELL}" height="${CELL}"/>`);
    }
  } else {
    // Lines between squares, or from point to point.
    const [first, end] = LOOK.shape === "points" ? [CELL / 2, CELL / 2] : [CELL, 0];
    for (let x = first; x < width; x += CELL) parts.push(`<path class="rule" d="M${x} ${end}V${height - end}"/>`);
    for (let y = first; y < height; y += CELL) parts.push(`<path class="rule" d="M${end} ${y}H${width - end}"/>`);
  }
  return parts.join("");
}

// The second side's pits from right to left above, the first side's from left to right below; its store is on the right.
function drawPits(cells, fresh, labelled, names) {
  const count = LOOK.cols.length;
  const parts = [];
  const seeds = (cell, x, y) => parts.push(held(cells[cell], x, y), fresh(cell) ? mark(x, y) : "");
  seeds(2 * count + 1, 0, CELL / 2);
  seeds(count, (count + 1) * CELL, CELL / 2);
  for (let i = 0; i < count; i++) {
    const [above, x] = [2 * count - i, (i + 1) * CELL];
    seeds(above, x, 0);
    seeds(i, x, CELL);
    const middle = x + CELL / 2;
    if (labelled) parts.push(coordinate(names[above], middle, -3, 4), coordinate(names[i], middle, 2 * CELL + 3, 4));
  }
  return frame((count + 2) * CELL, 2 * CELL, parts, labelled ? 6 : 1);
}

// Stones one above the other; a heap of more than ten shows its size.
function drawHeaps(cells, fresh, labelled, names) {
  const [most, step] = [10, 3.6];
  const height = most * step + 2;
  const parts = [];
  cells.forEach((n, cell) => {
    const middle = (cell + 0.5) * CELL;
    const y = (i) => height - 2.6 - step * i;
    for (let i = 0; i < Math.min(n, most); i++) {
      parts.push(`<circle class="black-stone" cx="${middle}" cy="${y(i)}" r="1.6"/>`);
    }
    if (n > most) parts.push(`<text class="tally black-stone" x="${middle}" y="${y(0)}">${n}</text>`);
    if (fresh(cell)) {
      const [x, high] = [cell * CELL + 0.6, height - 1.2];
      parts.push(`<rect class="fresh" x="${x}" y="0.6" width="${CELL - 1.2}" height="${high}" rx="1.5"/>`);
    }
    if (labelled) parts.push(coordinate(names[cell], middle, height + 3, 4));
  });
  return frame(cells.length * CELL, height, parts, labelled ? 6 : 1);
}

// Points 13 to 24 above, 12 to 1 below, as the first side counts them; labelled as the side to move counts them.
// A stack of more than five shows its size. The bars are in the middle, checkers that are off on the right.
function drawBackgammon(cells, fresh, labelled, names) {
  const [wide, high] = [6, 44];
  const parts = [];
  const stack = (n, x, up) => {
    const [, , glyph, count] = LOOK.pieces[n];
    const name = tone(glyph);
    const y = (i) => (up ? 3 + 4 * i : high - 3 - 4 * i);
    for (let i = 0; i < Math.min(5, count); i++) {
      parts.push(`<circle class="${name}" cx="${x + wide / 2}" cy="${y(i)}" r="2"/>`);
    }
    if (count > 5) parts.push(`<text class="tally ${name}" x="${x + wide / 2}" y="${y(0)}">${count}</text>`);
  };
  for (let cell = 0; cell < 24; cell++) {
    const up = cell >= 12;
    const column = up ? cell - 12 : 11 - cell;
    const x = (column + (column >= 6 ? 1 : 0)) * wide;
    const [from, to] = up ? [0, 20] : [high, high - 20];
    parts.push(
      `<path class="${column % 2 ? "point odd" : "point"}" d="M${x + 0.4} ${from}h${wide - 0.8}L${x + wide / 2} ${to}z"/>`,
    );
    stack(cells[cell], x, up);
    if (labelled) parts.push(coordinate(names[cell], x + wide / 2, up ? -2.4 : high + 2.4, 3));
  }
  stack(cells[24], 6 * wide, true);
  stack(cells[25], 6 * wide, false);
  stack(cells[26], 13 * wide, false);
  stack(cells[27], 13 * wide, true);
  [28, 29].forEach((die, i) => {
    const [x, y] = [(8.5 + 2 * i) * wide, high / 2];
    const [, , glyph, count] = LOOK.pieces[cells[die]];
    if (count) {
      parts.push(`<rect class="${tone(glyph)}" x="${x - 2.2}" y="${y - 2.2}" width="4.4" height="4.4" rx="0.8"/>`);
      parts.push(`<text class="tally ${tone(glyph)}" x="${x}" y="${y}">${count}</text>`);
    }
  });
  return frame(14 * wide, high, parts, labelled ? 5 : 1);
}

function drawFree(cells, fresh, labelled, names) {
  const left = Math.min(...LOOK.at.map(([x]) => x));
  const top = Math.min(...LOOK.at.map(([, y]) => y));
  const place = (cell) => [(LOOK.at[cell][0] - left) * CELL, (LOOK.at[cell][1] - top) * CELL];
  const middle = (cell) => place(cell).map((z) => z + CELL / 2);
  const parts = LOOK.lines.map(([a, b]) => `<path class="rule" d="M${middle(a)}L${middle(b)}"/>`);
  cells.forEach((n, cell) => {
    const [x, y] = place(cell);
    parts.push(LOOK.count ? held(n, x, y) : disc("pit", x, y, 2) + piece(n, x, y), fresh(cell) ? mark(x, y) : "");
    if (labelled) parts.push(coordinate(names[cell], x + 1, y + 1.5, 2.5));
  });
  const places = cells.map((_, cell) => place(cell));
  const end = (axis) => Math.max(...places.map((z) => z[axis])) + CELL;
  return frame(end(0), end(1), parts);
}

// Text small enough to fit: a letter is about 0.62 times as wide as the font size, a line 1.1 times as high.
function drawText(text) {
  const lines = text.split("\n");
  const size = Math.max(...lines.map((line) => 0.62 * line.length), 1.1 * lines.length);
  return `<pre class="board-text" style="--size:${size}">${escaped(text)}</pre>`;
}

function drawing(box, parts) {
  return `<svg class="board" viewBox="${box}" aria-hidden="true">${parts.join("")}</svg>`;
}

function frame(width, height, parts, beside = 1) {
  const ground = `<rect class="ground" x="0" y="0" width="${width}" height="${height}" rx="2"/>`;
  return drawing(`-1 ${-beside} ${width + 2} ${height + 2 * beside}`, [ground, ...parts]);
}

function coordinate(name, x, y, size) {
  return `<text class="coordinate" style="font-size:${size}px" x="${x}" y="${y}">${escaped(name)}</text>`;
}

function mark(x, y) {
  const side = CELL - 1.2;
  return `<rect class="fresh" x="${x + 0.6}" y="${y + 0.6}" width="${side}" height="${side}" rx="1.5"/>`;
}

function disc(name, x, y, radius) {
  return `<circle class="${name}" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="${radius}"/>`;
}

function held(n, x, y) {
  return disc("pit", x, y, 4.3) + `<text class="letter" x="${x + CELL / 2}" y="${y + CELL / 2}">${n}</text>`;
}

function tone(glyph) {
  return BLACK.includes(glyph) ? "black-stone" : "white-stone";
}

function piece(n, x, y) {
  if (n === 0) return "";
  const [side, , glyph] = LOOK.pieces[n];
  const middle = `x="${x + CELL / 2}" y="${y + CELL / 2}"`;
  if (OUTLINED.includes(glyph)) {
    // The filled sign, which comes six later in Unicode, in white.
    return `<text class="white-piece" ${middle}>${String.fromCodePoint(glyph.codePointAt(0) + 6)}</text>`;
  }
  if ("♚♛♜♝♞♟".includes(glyph)) return `<text class="black-piece" ${middle}>${glyph}</text>`;
  if (LOOK.shape === "drop" && "●○XO".includes(glyph)) {
    return side === 0 ? disc("first-stone", x, y, 3.9) : disc("second-stone", x, y, 3.9) + disc("ring", x, y, 1.9);
  }
  if ("●○".includes(glyph)) return disc(tone(glyph), x, y, 3.8);
  if ("◆◇".includes(glyph)) return disc(tone(glyph), x, y, 3.8) + `<text class="king" ${middle}>♛</text>`;
  if (glyph === "X") return `<path class="cross" d="M${x + 2.4} ${y + 2.4}l5.2 5.2m0 -5.2l-5.2 5.2"/>`;
  if (glyph === "O") return disc("nought", x, y, 2.9);
  return `<text class="letter ${glyph.length > 2 ? "small" : ""}" ${middle}>${escaped(glyph)}</text>`;
}

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
