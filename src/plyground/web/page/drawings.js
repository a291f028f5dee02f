// Drawings besides the board: arrows and frames over it, a single piece, and a small picture of each side's piece, because names
// such as X and O don't say whose stones are dark. A place is x, y, width and height of a cell.

import { findAs } from "../../pages/elements.js";

const SVG = "http://www.w3.org/2000/svg";
const STROKE_ROOM = 2; // a bounding box leaves strokes out
const signs = new Map();

/** Draw a frame around a cell. @param {Element} svg @param {CellPlace} place */
export function drawFrame(svg, [x, y, width, height]) {
  const line = 0.08 * Math.min(width, height);
  const box = { x: x + line / 2, y: y + line / 2, width: width - line, height: height - line };
  drawShape(svg, "rect", { ...box, rx: Math.min(width, height) / 2, "stroke-width": line });
}

/** Draw an arrow from cell to cell. @param {Element} svg @param {CellPlace[]} places */
export function drawArrow(svg, places) {
  const middles = places.map(([x, y, width, height]) => [x + width / 2, y + height / 2]);
  const size = Math.min(places[0][2], places[0][3]);
  const [[x, y], [u, v]] = middles.slice(-2);
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [((u - x) / length) * size, ((v - y) / length) * size];
  const line = [...middles.slice(0, -1), [u - 0.25 * dx, v - 0.25 * dy]];
  drawShape(svg, "path", { d: `M${line.join("L")}`, "stroke-width": 0.14 * size });
  /** @param {1 | -1} way */
  const wing = (way) => [u - 0.32 * dx - way * 0.2 * dy, v - 0.32 * dy + way * 0.2 * dx];
  drawShape(svg, "path", { class: "head", d: `M${[u + 0.05 * dx, v + 0.05 * dy]}L${wing(1)}L${wing(-1)}z` });
}

/** @param {Element} svg @param {string} kind @param {Record<string, string | number>} attributes */
function drawShape(svg, kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  svg.append(made);
}

/**
 * Return a piece as SVG text.
 * @param {Picture} picture @param {CellPlace} place @param {number} n
 */
export function pieceSvg(picture, [, , w, h, set], n) {
  return `<svg class="board" viewBox="0 0 ${w} ${h}" aria-hidden="true">${picture.sets[set][n]}</svg>`;
}

/**
 * Return the picture of a side's piece as SVG text; empty if sides have no pieces of their own.
 * @param {Facts} facts @param {number} side
 */
export function sideSign(facts, side) {
  if (!signs.has(side)) signs.set(side, drawSideSign(facts, side));
  return signs.get(side);
}

/** @param {Facts} facts @param {number} side */
function drawSideSign(facts, side) {
  const { board, picture, sides } = facts;
  if (!board || !picture || sides.length === 1 || ["pits", "heaps", "tiles"].includes(board.shape)) return "";
  const n = board.pieces.findIndex((piece) => piece[0] === side);
  if (n < 0) return "";
  const [, , wide, , set] = picture.views[0].cells[0];
  return cropped(picture.sets[set][n], wide);
}

/**
 * Return a drawing without the empty space around it: its box is known only once it is on the page.
 * What is drawn as a dot, a line without length, is as wide as the cell.
 * @param {string} drawing @param {number} cell
 */
function cropped(drawing, cell) {
  const place = document.createElement("div");
  place.className = "unseen";
  place.innerHTML = `<svg class="board"><g>${drawing}</g></svg>`;
  document.body.append(place);
  const { x, y, width, height } = findAs(SVGGElement, "g", place).getBBox();
  place.remove();
  const large = Math.max(width, height);
  const [wide, middleX, middleY] = [large < cell / 2 ? cell : large + STROKE_ROOM, x + width / 2, y + height / 2];
  const box = [middleX - wide / 2, middleY - wide / 2, wide, wide];
  return `<svg class="board sign" viewBox="${box.join(" ")}" aria-hidden="true">${drawing}</svg>`;
}
