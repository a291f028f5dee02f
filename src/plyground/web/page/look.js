// "Look into the search": the textbook's search of the position on the board, in the page that walks through it step by step.

import { readNet } from "./module.js";
import { counted } from "./scores.js";
import { Tracer } from "./trace.js";

const MOST_LOOKED = 5000; // nodes
const GOOD_LOOKED = 1000;
const LOOK_ALGORITHMS = [
  ["alphabeta", "Alpha-beta"],
  ["minimax", "Minimax"],
];

const LOOK_PARTS = `
  <form method="dialog" class="look-head">
    <h2 id="look-title">Look into the search</h2>
    <label class="look-algorithm">Search <select name="algorithm" aria-label="Search"></select></label>
    <label>Depth <select name="depth" aria-label="Depth"></select></label>
    <label class="look-order"><input type="checkbox" name="order"> Best guesses first</label>
    <button class="main" value="close">Close</button>
  </form>
  <p class="look-note" role="status"></p>`;

// Puts the button into `root`.
export function startLook({ facts, rules, match, root }) {
  const look = new Look(facts, rules, match);
  const button = document.createElement("button");
  Object.assign(button, { type: "button", id: "look-open", textContent: "Look into the search" });
  button.title = "Step through a search of this position (i)";
  button.addEventListener("click", () => look.open());
  const refresh = () => (button.disabled = Boolean(match.end));
  match.addEventListener("change", refresh);
  refresh();
  root.append(button);
  return look;
}

class Look {
  constructor(facts, rules, match) {
    Object.assign(this, { facts, rules, match, tracer: null });
    this.dialog = document.createElement("dialog");
    Object.assign(this.dialog, { id: "look-dialog", innerHTML: LOOK_PARTS });
    this.dialog.setAttribute("aria-labelledby", "look-title");
    document.body.append(this.dialog);
    this.frame = document.createElement("iframe");
    this.frame.title = "The search, step by step";
    this.dialog.append(this.frame);
    this.form = this.dialog.querySelector("form");
    const { algorithm, depth, order } = this.form.elements;
    algorithm.append(...LOOK_ALGORITHMS.map(([value, text]) => new Option(text, value)));
    this.dialog.querySelector(".look-algorithm").hidden = facts.chance;
    this.dialog.querySelector(".look-order").hidden = !facts.trace.options.order;
    for (const choice of [algorithm, order]) choice.addEventListener("change", () => this.begin());
    depth.addEventListener("change", () => this.show());
    this.dialog.addEventListener("close", () => this.frame.removeAttribute("srcdoc"));
    this.frame.addEventListener("load", () => this.enter());
  }

  get wanted() {
    const { algorithm, depth, order } = this.form.elements;
    return {
      pruning: !this.facts.chance && algorithm.value === "alphabeta",
      order: order.checked,
      depth: depth.value === "all" ? null : Number(depth.value),
    };
  }

  // The game may go on behind the dialog; what it looks at stays.
  async open() {
    const { match, facts } = this;
    if (match.end) return;
    Object.assign(this, { game: [...match.history, match.row], turn: match.turn });
    this.tracer ||= new Tracer(facts, this.rules, await readNet(facts), MOST_LOOKED);
    if (this.dialog.open) return; // opened twice meanwhile
    this.dialog.showModal();
    this.frame.focus();
    this.begin();
  }

  // Lists the depths whose search can be shown, and shows the deepest that is not too long to step through.
  begin() {
    const { depth } = this.form.elements;
    const found = this.depths();
    const option = ({ depth, nodes }) => new Option(`${depth ?? "to the end"}: ${counted(nodes, "node")}`, depth ?? "all");
    depth.replaceChildren(...found.map(option));
    depth.selectedIndex = Math.max(0, found.findLastIndex(({ nodes }) => nodes <= GOOD_LOOKED));
    this.show();
  }

  depths() {
    const found = [];
    for (let depth = 1; ; depth++) {
      const counted = this.tracer.search(this.game, { ...this.wanted, depth });
      if (!counted) return found;
      if (!counted.estimates) return [...found, { depth: null, nodes: counted.nodes }];
      found.push({ depth, nodes: counted.nodes });
    }
  }

  show() {
    const { facts, wanted, tracer } = this;
    const shown = this.form.elements.depth.length > 0;
    this.dialog.querySelector(".look-note").textContent = shown ? "" : "There are too many moves here to show a search.";
    this.frame.hidden = !shown;
    if (!shown) return;
    tracer.search(this.game, wanted);
    const parts = { title: escapedText(facts.title), data: inScript(tracer.data(wanted, this.turn)) };
    this.frame.srcdoc = facts.trace.page.replace(/\{\{(title|data)\}\}/g, (_, name) => parts[name]);
  }

  // The walk has its own keys; it looks as this page does, and Escape closes it as it does any dialog.
  enter() {
    if (!this.dialog.open) return;
    const inside = this.frame.contentDocument;
    const { theme } = document.documentElement.dataset;
    if (theme) inside.documentElement.dataset.theme = theme;
    inside.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !inside.querySelector("dialog[open]")) this.dialog.close();
    });
    if (document.activeElement === this.frame) this.frame.contentWindow.focus();
  }
}

function escapedText(text) {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// A value as JSON that is safe inside a script element, whatever it contains.
function inScript(value) {
  return JSON.stringify(value).replace(/[&<>]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
