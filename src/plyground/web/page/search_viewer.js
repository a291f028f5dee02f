// "Look into the search": the textbook's search of the position on the board, in the page that walks through it step by step.

import { find, findAs, make } from "../../pages/elements.js";
import { quantity, escapeMarkup } from "../../pages/text.js";
import { readNet } from "./module.js";
import { Tracer } from "./trace.js";

const MAX_NODES = 5000; // more can't be stepped through
const PREFERRED_NODES = 1000; // the first search shown has at most this many
const LOOK_ALGORITHMS = [
  ["alphabeta", "Alpha-beta"],
  ["minimax", "Minimax"],
];

const LOOK_PARTS = `
  <form method="dialog" class="look-head">
    <h2 id="look-title">Look into the search</h2>
    <label class="look-algorithm">Search <select name="algorithm" aria-label="Search"></select></label>
    <label>Depth <select name="depth" aria-label="Depth"></select></label>
    <label class="look-order"><input type="checkbox" name="order"> Use move ordering</label>
    <button class="main" value="close">Close</button>
  </form>
  <p class="look-note" role="status"></p>`;

export class SearchViewer {
  /**
   * Put a button into `root`, and the dialog that it opens on the page.
   * @param {Facts} facts @param {Rules} rules @param {Match} match @param {HTMLElement} root
   */
  constructor(facts, rules, match, root) {
    this.facts = facts;
    this.rules = rules;
    this.match = match;
    /** @type {Tracer | null} */
    this.tracer = null;
    /** @type {Row[]} */
    this.game = [];
    this.turn = 0;
    this.dialog = make("dialog", { id: "look-dialog", innerHTML: LOOK_PARTS });
    this.dialog.setAttribute("aria-labelledby", "look-title");
    document.body.append(this.dialog);
    this.frame = make("iframe", { title: "The search, step by step" });
    this.dialog.append(this.frame);
    this.algorithm = findAs(HTMLSelectElement, "[name=algorithm]", this.dialog);
    this.depth = findAs(HTMLSelectElement, "[name=depth]", this.dialog);
    this.order = findAs(HTMLInputElement, "[name=order]", this.dialog);
    this.algorithm.append(...LOOK_ALGORITHMS.map(([value, text]) => new Option(text, value)));
    find(".look-algorithm", this.dialog).hidden = facts.chance;
    find(".look-order", this.dialog).hidden = !facts.trace.options.order;
    for (const choice of [this.algorithm, this.order]) choice.addEventListener("change", () => this.begin());
    this.depth.addEventListener("change", () => this.show());
    this.dialog.addEventListener("close", () => this.frame.removeAttribute("srcdoc"));
    this.frame.addEventListener("load", () => this.enter());
    root.append(this.button());
  }

  button() {
    const button = make("button", { type: "button", id: "look-open", textContent: "Look into the search" });
    button.title = "Step through a search of this position (i)";
    button.addEventListener("click", () => this.open());
    const refresh = () => (button.disabled = Boolean(this.match.end));
    this.match.onChange(refresh);
    refresh();
    return button;
  }

  get wanted() {
    return {
      pruning: !this.facts.chance && this.algorithm.value === "alphabeta",
      order: this.order.checked,
      depth: this.depth.value === "all" ? null : Number(this.depth.value),
    };
  }

  /** Look at the position on show; it stays even if the game goes on behind the dialog. */
  async open() {
    const { match, facts } = this;
    if (match.end) return;
    this.game = [...match.history, match.row];
    this.turn = match.turn;
    this.tracer ??= new Tracer(facts, this.rules, await readNet(facts), MAX_NODES);
    if (this.dialog.open) return; // it was opened again while the net was read
    this.dialog.showModal();
    this.frame.focus();
    this.begin();
  }

  /** List the depths whose search can be shown, and show the deepest that is not too long to step through. */
  begin() {
    const found = this.depths();
    const options = found.map(
      ({ depth, nodes }) => new Option(`${depth ?? "to the end"}: ${quantity(nodes, "node")}`, String(depth ?? "all")),
    );
    this.depth.replaceChildren(...options);
    this.depth.selectedIndex = Math.max(0, found.findLastIndex(({ nodes }) => nodes <= PREFERRED_NODES));
    this.show();
  }

  depths() {
    /** @type {{ depth: number | null, nodes: number }[]} */
    const found = [];
    for (let depth = 1; ; depth++) {
      const answer = this.tracer?.search(this.game, { ...this.wanted, depth });
      if (!answer) return found;
      if (!answer.estimates) return [...found, { depth: null, nodes: answer.nodes }];
      found.push({ depth, nodes: answer.nodes });
    }
  }

  show() {
    const { facts, wanted, tracer } = this;
    const shown = this.depth.length > 0;
    find(".look-note", this.dialog).textContent = shown ? "" : "There are too many moves here to show a search.";
    this.frame.hidden = !shown;
    if (!shown || !tracer) return;
    tracer.search(this.game, wanted);
    /** @type {Record<string, string>} */
    const parts = { title: escapeMarkup(facts.title), data: inScript(tracer.data(wanted, this.turn)) };
    this.frame.srcdoc = facts.trace.page.replace(/\{\{(title|data)\}\}/g, (_, name) => parts[name]);
  }

  /** Give the walk the theme of this page, and let Escape close it as it does any dialog. */
  enter() {
    const inside = this.frame.contentDocument;
    if (!this.dialog.open || !inside) return;
    const { theme } = document.documentElement.dataset;
    if (theme) inside.documentElement.dataset.theme = theme;
    inside.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !inside.querySelector("dialog[open]")) this.dialog.close();
    });
    if (document.activeElement === this.frame) this.frame.contentWindow?.focus();
  }
}

/** Return a value as JSON that is safe inside a script element, whatever it contains. @param {unknown} value */
function inScript(value) {
  return JSON.stringify(value).replace(/[&<>]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
