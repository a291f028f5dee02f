// Draws a board. Pieces differ in shape or tone, not only in colour; cells changed by the last move have a frame.

const CELL = 10;
const EMPTY = new Set([".", " ", "", "_", "0"]);
const CHESS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const CHECKERED = new Set(["chess", "draughts", "checkers"]);

const STONES = Object.values(data.sides).includes("black");

function boardAt(i) {
  return { ...data.boards.same, ...data.boards.each[i] };
}

// With `labelled`, coordinates are shown beside the cells; small boards have no room for them.
function drawBoard(i, before, labelled = false) {
  const board = boardAt(i);
  if (board.kind === "mancala") return drawMancala(board, labelled);
  if (board.kind === "backgammon") return drawBackgammon(board, labelled);
  if (!board.cells) return drawText(board.text || "");
  const rows = board.cells.map((row) => [...row]);
  const old = before === undefined ? null : boardAt(before).cells;
  const width = Math.max(...rows.map((row) => row.length)) * CELL;
  const height = rows.length * CELL;
  const parts = [ground(board.kind, rows, width, height)];
  rows.forEach((row, r) => {
    row.forEach((cell, c) => {
      const [x, y] = [c * CELL, r * CELL];
      parts.push(piece(board.kind, String(cell), x, y));
      if (old && old[r] && [...old[r]][c] !== cell) {
        parts.push(
          `<rect class="fresh" x="${x + 0.6}" y="${y + 0.6}" width="${CELL - 1.2}" height="${CELL - 1.2}" rx="1.5"/>`,
        );
      }
    });
  });
  const size = Math.max(4.4, 0.042 * width);
  if (labelled) parts.push(coordinates(board, rows, height, size));
  const [left, below] = [labelled && board.ranks ? 1.6 * size : 1, labelled && board.files ? 1.6 * size : 1];
  const box = `${-left} -1 ${width + left + 1} ${height + 1 + below}`;
  return `<svg class="board" viewBox="${box}" aria-hidden="true">${parts.join("")}</svg>`;
}

function coordinate(name, x, y, size) {
  return `<text class="coordinate" style="font-size:${size}px" x="${x}" y="${y}">${escaped(name)}</text>`;
}

// Column names below, row names on the left; or the number of each square in its corner.
function coordinates({ files = [], ranks = [], numbers }, rows, height, size) {
  const parts = files.map((name, c) => coordinate(name, (c + 0.5) * CELL, height + 0.85 * size, size));
  ranks.forEach((name, r) => parts.push(coordinate(name, -0.85 * size, (r + 0.5) * CELL, size)));
  if (numbers) {
    rows.forEach((row, r) =>
      row.forEach((_, c) => {
        const n = numbers[r][c];
        if (n) parts.push(`<text class="square-number" x="${c * CELL + 0.3}" y="${r * CELL + 1.5}">${n}</text>`);
      }),
    );
  }
  return parts.join("");
}

// Text small enough to fit: a letter is about 0.62 times as wide as the font size, a line 1.1 times as high.
function drawText(text) {
  const lines = text.split("\n");
  const size = Math.max(...lines.map((line) => 0.62 * line.length), 1.1 * lines.length);
  return `<pre class="board-text" style="--size:${size}">${escaped(text)}</pre>`;
}

function frame(width, height, parts, beside = 1) {
  const ground = `<rect class="ground" x="0" y="0" width="${width}" height="${height}" rx="2"/>`;
  const box = `-1 ${-beside} ${width + 2} ${height + 2 * beside}`;
  return `<svg class="board" viewBox="${box}" aria-hidden="true">${ground}${parts.join("")}</svg>`;
}

// The second side's pits from right to left above, the first side's from left to right below; its store is on the right.
function drawMancala({ pits, stores }, labelled) {
  const count = pits[0].length;
  const seeds = (n, x, y) =>
    disc("pit", x, y, 4.3) + `<text class="letter" x="${x + CELL / 2}" y="${y + CELL / 2}">${n}</text>`;
  const parts = [seeds(stores[1], 0, CELL / 2), seeds(stores[0], (count + 1) * CELL, CELL / 2)];
  for (let i = 0; i < count; i++) {
    parts.push(seeds(pits[1][count - 1 - i], (i + 1) * CELL, 0), seeds(pits[0][i], (i + 1) * CELL, CELL));
    const x = (i + 1.5) * CELL;
    if (labelled) parts.push(coordinate(count - i, x, -3, 4), coordinate(i + 1, x, 2 * CELL + 3, 4));
  }
  return frame((count + 2) * CELL, 2 * CELL, parts, labelled ? 6 : 1);
}

// Points 13 to 24 above, 12 to 1 below, as the first side counts them; labelled as the side to move counts them.
// A stack of more than five shows its size.
function drawBackgammon({ points, bar, turn }, labelled) {
  const [wide, high] = [6, 44];
  const parts = [];
  const stack = (n, x, up) => {
    const name = n > 0 ? "white-stone" : "black-stone";
    for (let i = 0; i < Math.min(5, Math.abs(n)); i++) {
      parts.push(`<circle class="${name}" cx="${x + wide / 2}" cy="${up ? 3 + 4 * i : high - 3 - 4 * i}" r="2"/>`);
    }
    const y = up ? 3 : high - 3;
    if (Math.abs(n) > 5) parts.push(`<text class="tally ${name}" x="${x + wide / 2}" y="${y}">${Math.abs(n)}</text>`);
  };
  points.forEach((n, i) => {
    const up = i >= 12;
    const column = up ? i - 12 : 11 - i;
    const x = (column + (column >= 6 ? 1 : 0)) * wide;
    const [from, to] = up ? [0, 20] : [high, high - 20];
    parts.push(
      `<path class="${column % 2 ? "point odd" : "point"}" d="M${x + 0.4} ${from}h${wide - 0.8}L${x + wide / 2} ${to}z"/>`,
    );
    stack(n, x, up);
    if (labelled) parts.push(coordinate(turn === "O" ? 24 - i : i + 1, x + wide / 2, up ? -2.4 : high + 2.4, 3));
  });
  stack(bar[0], 6 * wide, true);
  stack(-bar[1], 6 * wide, false);
  return frame(13 * wide, high, parts, labelled ? 5 : 1);
}

function ground(kind, rows, width, height) {
  const look = kind === "drop" ? "drop" : CHECKERED.has(kind) ? "checkered" : STONES ? "stones" : "";
  const parts = [
    `<rect class="ground ${look}" x="-0.5" y="-0.5" width="${width + 1}" height="${height + 1}" rx="2"/>`,
  ];
  if (kind === "drop") {
    rows.forEach((row, r) => row.forEach((_, c) => parts.push(disc("hole", c * CELL, r * CELL, 3.9))));
  } else if (CHECKERED.has(kind)) {
    rows.forEach((row, r) =>
      row.forEach((_, c) => {
        if ((r + c) % 2)
          parts.push(`<rect class="dark-square" x="${c * CELL}" y="${r * CELL}" width="${CELL}" height="${CELL}"/>`);
      }),
    );
  } else {
    for (let x = CELL; x < width; x += CELL) parts.push(`<path class="rule" d="M${x} 0V${height}"/>`);
    for (let y = CELL; y < height; y += CELL) parts.push(`<path class="rule" d="M0 ${y}H${width}"/>`);
  }
  return parts.join("");
}

function disc(name, x, y, radius) {
  return `<circle class="${name}" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="${radius}"/>`;
}

function piece(kind, cell, x, y) {
  if (EMPTY.has(cell)) return "";
  const middle = `x="${x + CELL / 2}" y="${y + CELL / 2}"`;
  if (kind === "chess" && CHESS[cell.toLowerCase()]) {
    const name = cell === cell.toLowerCase() ? "black-piece" : "white-piece";
    return `<text class="${name}" ${middle}>${CHESS[cell.toLowerCase()]}</text>`;
  }
  if (kind === "drop" && "XO".includes(cell)) {
    return cell === "X" ? disc("first-stone", x, y, 3.9) : disc("second-stone", x, y, 3.9) + disc("ring", x, y, 1.9);
  }
  if ("bwBW".includes(cell)) {
    const king = cell === cell.toUpperCase() ? `<text class="king ${cell}" ${middle}>♛</text>` : "";
    return disc(cell.toLowerCase() === "b" ? "black-stone" : "white-stone", x, y, 3.8) + king;
  }
  if (STONES && "XO".includes(cell)) return disc(cell === "X" ? "black-stone" : "white-stone", x, y, 3.8);
  if (cell === "X") return `<path class="cross" d="M${x + 2.4} ${y + 2.4}l5.2 5.2m0 -5.2l-5.2 5.2"/>`;
  if (cell === "O") return disc("nought", x, y, 2.9);
  return `<text class="letter ${cell.length > 2 ? "small" : ""}" ${middle}>${escaped(cell)}</text>`;
}

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
