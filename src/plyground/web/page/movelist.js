// The list of moves, rolls included: one line per round, the first side's moves on the left. A click jumps to a move.

import { find, make, touched } from "../../pages/elements.js";
import { sideSign } from "./drawings.js";

export class MoveList {
  /** @param {HTMLElement} root @param {Match} match @param {(ply: number) => void} onPick */
  constructor(root, match, onPick) {
    this.root = root;
    this.match = match;
    this.facts = match.facts;
    /** @type {Row[]} */
    this.shown = [];
    /** @type {HTMLElement[]} */
    this.buttons = [];
    /** @type {Row | null} */
    this.start = null;
    this.rounds = 0;
    /** @type {{ side: number, played: boolean } | null} */
    this.last = null;
    this.alone = match.facts.sides.length === 1;
    root.classList.toggle("alone", this.alone);
    new ResizeObserver(() => this.scrollTo(this.buttons[match.at - 1])).observe(root);
    root.addEventListener("click", (event) => {
      const button = touched(event, "button");
      if (button) onPick(Number(button.dataset.ply));
    });
  }

  show() {
    const { match } = this;
    const same = this.start === match.rows[0] && this.shown.every((row, i) => row === match.rows[i + 1]);
    if (!same) this.clear();
    for (let ply = this.shown.length; ply < match.moves.length; ply++) this.add(ply);
    const old = this.root.querySelector("[aria-current]");
    if (old) old.removeAttribute("aria-current");
    const now = this.buttons[match.at - 1];
    if (now) now.setAttribute("aria-current", "step");
    this.scrollTo(now);
  }

  /** Show a sign after each move, such as ?? after a blunder: one per move, empty for none. @param {string[]} signs */
  mark(signs) {
    this.buttons.forEach((button, i) => {
      const name = this.match.names[i] + (signs[i] ? ` ${signs[i]}` : "");
      if (button.textContent !== name) button.textContent = name;
      button.classList.toggle("marked", Boolean(signs[i]));
    });
  }

  clear() {
    this.start = this.match.rows[0];
    this.shown = [];
    this.buttons = [];
    this.last = null;
    this.rounds = 0;
    this.root.replaceChildren();
    if (!this.alone) this.root.append(this.heads());
  }

  /** Return the sides, each above its moves. */
  heads() {
    const { facts } = this.match;
    const heads = facts.sides.map((name, side) => {
      const head = make("span", { innerHTML: sideSign(facts, side) });
      head.append(name);
      return head;
    });
    return make("div", { className: "round heads" }, make("span"), ...heads);
  }

  /** @param {number} ply */
  add(ply) {
    const { match } = this;
    const chance = match.viewAt(ply).chance;
    // A roll belongs to the side that then plays it.
    const side = match.turnAt(chance ? ply + 1 : ply);
    const button = make("button", { type: "button", textContent: match.names[ply], className: chance ? "roll" : "" });
    button.dataset.ply = String(ply + 1);
    this.slot(side, chance).append(button);
    this.buttons.push(button);
    this.shown.push(match.rows[ply + 1]);
  }

  /**
   * Return the place for the next move: successive moves of one side share a place.
   * @param {number} side @param {boolean} chance
   */
  slot(side, chance) {
    const fresh = !this.last || (this.alone ? this.last.played : side === 0 && this.last.side === 1);
    if (fresh) {
      const slots = this.facts.sides.map(() => make("span", { className: "slot" }));
      const number = make("span", { className: "number", textContent: `${++this.rounds}.` });
      this.root.append(make("div", { className: "round" }, number, ...slots));
    }
    this.last = { side, played: !chance };
    return this.root.querySelectorAll(".round:last-child .slot")[side];
  }

  /** Scroll the list only, never the page. @param {HTMLElement | undefined} button */
  scrollTo(button) {
    const { root } = this;
    if (!button) {
      root.scrollTop = 0;
      return;
    }
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    const heads = this.alone ? 0 : find(".heads", root).offsetHeight;
    if (top < root.scrollTop + heads) root.scrollTop = top - heads - 4;
    if (bottom > root.scrollTop + root.clientHeight) root.scrollTop = bottom - root.clientHeight + 4;
  }
}
