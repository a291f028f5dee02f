// The evaluation over the game, as a curve and as a table. A click or an arrow key on the curve jumps to a ply.

import { find, findAs, make } from "../../pages/elements.js";

const PAD = 9;

export class Graph {
  /**
   * `sides`: the names of the two sides, the first one's chance upwards. `here()` is the ply on show, which may be newer
   * than the drawing; `pick(ply)` is called to jump.
   * @param {HTMLElement} root @param {string[]} sides @param {() => number} here @param {(ply: number) => void} pick
   */
  constructor(root, sides, here, pick) {
    root.innerHTML =
      '<div class="graph" role="slider" tabindex="0" aria-label="The evaluation over the game" aria-valuemin="0">' +
      '<svg aria-hidden="true"></svg><span class="graph-side first"></span><span class="graph-side second"></span></div>' +
      "<details><summary>The graph as a table</summary><table>" +
      "<thead><tr><th>Ply</th><th>Move</th><th>Evaluation</th></tr></thead><tbody></tbody></table></details>";
    this.here = here;
    this.pick = pick;
    /** @type {GraphPoint[]} */
    this.points = [];
    this.at = 0;
    this.box = find(".graph", root);
    this.svg = findAs(SVGSVGElement, "svg", root);
    this.table = findAs(HTMLDetailsElement, "details", root);
    find(".first", root).textContent = sides[0] ?? "";
    find(".second", root).textContent = sides[1] ?? "";
    this.listen();
  }

  listen() {
    const { box } = this;
    box.addEventListener("pointerdown", (event) => {
      this.pick(this.plyAt(event.clientX));
      box.setPointerCapture(event.pointerId);
    });
    box.addEventListener("pointermove", (event) => {
      const ply = this.plyAt(event.clientX);
      box.title = this.points[ply]?.text ?? "";
      if (event.buttons & 1 && ply !== this.here()) this.pick(ply);
    });
    box.addEventListener("keydown", (event) => {
      const [at, last] = [this.here(), this.points.length - 1];
      const arrows = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 };
      const ply = new Map(Object.entries({ ...arrows, Home: 0, End: last, PageUp: at + 10, PageDown: at - 10 })).get(event.key);
      if (ply === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation(); // or the page's own arrow keys would make a second step
      this.pick(Math.min(last, Math.max(0, ply)));
    });
    this.table.addEventListener("toggle", () => this.showTable());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /**
   * Show one point per ply.
   * @param {GraphPoint[]} points @param {number} at
   */
  show(points, at) {
    this.points = points;
    this.at = at;
    this.box.setAttribute("aria-valuemax", String(points.length - 1));
    this.box.setAttribute("aria-valuenow", String(at));
    this.box.setAttribute("aria-valuetext", points[at]?.text ?? "");
    this.draw();
    this.showTable();
  }

  /** @param {number} clientX */
  plyAt(clientX) {
    const { left, width } = this.box.getBoundingClientRect();
    const share = (clientX - left - PAD) / Math.max(1, width - 2 * PAD);
    return Math.min(this.points.length - 1, Math.max(0, Math.round(share * (this.points.length - 1))));
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width) return; // not shown
    const { points } = this;
    const step = points.length > 1 ? (width - 2 * PAD) / (points.length - 1) : 0;
    /** @param {number} ply */
    const x = (ply) => (PAD + ply * step).toFixed(1);
    /** @param {number} share */
    const y = (share) => (PAD + (1 - share) * (height - 2 * PAD)).toFixed(1);
    const known = points.flatMap(({ share }, ply) => (share === null ? [] : { share, ply }));
    const parts = [`<path class="middle" d="M${x(0)} ${y(0.5)}H${x(points.length - 1)}"/>`];
    if (known.length > 1) {
      const curve = known.map(({ share, ply }) => `${x(ply)} ${y(share)}`).join("L");
      const area = `M${x(known[0].ply)} ${y(0.5)}L${curve}L${x(known[known.length - 1].ply)} ${y(0.5)}Z`;
      const above = `<clipPath id="above"><rect width="${width}" height="${y(0.5)}"/></clipPath>`;
      const below = `<clipPath id="below"><rect y="${y(0.5)}" width="${width}" height="${height}"/></clipPath>`;
      parts.push(above, below, `<path class="area first" clip-path="url(#above)" d="${area}"/>`);
      parts.push(`<path class="area second" clip-path="url(#below)" d="${area}"/><path class="curve" d="M${curve}"/>`);
    }
    const roomy = step > 7;
    for (const { share, ply } of known) {
      const { sign } = points[ply];
      const how = sign ? `class="bad" r="3.6"` : `r="2.2"`;
      if (roomy || sign) parts.push(`<circle ${how} cx="${x(ply)}" cy="${y(share)}"/>`);
      if (sign) parts.push(`<text x="${x(ply)}" y="${y(share)}" dy="${share > 0.5 ? 14 : -7}">${sign}</text>`);
    }
    parts.push(`<path class="here" d="M${x(this.at)} 0V${height}"/>`);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.innerHTML = parts.join("");
  }

  showTable() {
    if (!this.table.open) return;
    const rows = this.points.map(({ move, words, sign }, ply) => {
      const texts = [String(ply), `${move}${sign ? ` ${sign}` : ""}`, words];
      return make("tr", {}, ...texts.map((text) => make("td", { textContent: text })));
    });
    find("tbody", this.table).replaceChildren(...rows);
  }
}
