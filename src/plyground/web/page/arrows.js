// Arrows and frames over the board. A place is x, y, width and height of a cell.

const SVG = "http://www.w3.org/2000/svg";

// A frame around a cell.
export function drawFrame(svg, [x, y, width, height]) {
  const line = 0.08 * Math.min(width, height);
  const box = { x: x + line / 2, y: y + line / 2, width: width - line, height: height - line };
  drawShape(svg, "rect", { ...box, rx: Math.min(width, height) / 2, "stroke-width": line });
}

// An arrow from cell to cell.
export function drawWay(svg, places) {
  const middles = places.map(([x, y, width, height]) => [x + width / 2, y + height / 2]);
  const size = Math.min(places[0][2], places[0][3]);
  const [[x, y], [u, v]] = middles.slice(-2);
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [((u - x) / length) * size, ((v - y) / length) * size];
  const line = [...middles.slice(0, -1), [u - 0.25 * dx, v - 0.25 * dy]];
  drawShape(svg, "path", { d: `M${line.join("L")}`, "stroke-width": 0.14 * size });
  const wing = (way) => [u - 0.32 * dx - way * 0.2 * dy, v - 0.32 * dy + way * 0.2 * dx];
  drawShape(svg, "path", { class: "head", d: `M${[u + 0.05 * dx, v + 0.05 * dy]}L${wing(1)}L${wing(-1)}z` });
}

function drawShape(svg, kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  svg.append(made);
}
