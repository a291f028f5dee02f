// The moves so far as a list that one clicks: a line for each round, the first side's moves on the left. Rolls are among them.

import { sideSign } from "./signs.js";

export class MoveList {
  constructor(root, match, onPick) {
    this.root = root;
    this.match = match;
    this.shown = [];
    this.sides = [];
    this.buttons = [];
    this.alone = match.facts.sides.length === 1;
    root.classList.toggle("alone", this.alone);
    new ResizeObserver(() => this.scrollTo(this.buttons[match.at - 1])).observe(root);
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
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

  // Puts a sign behind each move, such as ?? behind a blunder: one per move, empty for none.
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

  // The sides, each above its moves.
  heads() {
    const { facts } = this.match;
    const row = document.createElement("div");
    row.className = "round heads";
    row.append(document.createElement("span"));
    facts.sides.forEach((name, side) => {
      const head = document.createElement("span");
      head.innerHTML = sideSign(facts, side);
      head.append(name);
      row.append(head);
    });
    return row;
  }

  add(ply) {
    const { match } = this;
    const chance = match.viewAt(ply).chance;
    // A roll belongs to the side that then plays it.
    const side = match.turnAt(chance ? ply + 1 : ply);
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.ply = ply + 1;
    button.textContent = match.names[ply];
    if (chance) button.className = "roll";
    this.slot(side, chance).append(button);
    this.buttons.push(button);
    this.shown.push(match.rows[ply + 1]);
  }

  // The place for the next move: what a side plays in a row stays together.
  slot(side, chance) {
    const fresh = !this.last || (this.alone ? this.last.played : side === 0 && this.last.side === 1);
    if (fresh) {
      const round = document.createElement("div");
      round.className = "round";
      round.innerHTML = `<span class="number">${++this.rounds}.</span><span class="slot"></span>${this.alone ? "" : `<span class="slot"></span>`}`;
      this.root.append(round);
    }
    this.last = { side, played: !chance };
    return this.root.lastElementChild.querySelectorAll(".slot")[side];
  }

  // Scrolls the list only, never the page.
  scrollTo(button) {
    const { root } = this;
    if (!button) {
      root.scrollTop = 0;
      return;
    }
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    const heads = this.alone ? 0 : root.firstElementChild.offsetHeight;
    if (top < root.scrollTop + heads) root.scrollTop = top - heads - 4;
    if (bottom > root.scrollTop + root.clientHeight) root.scrollTop = bottom - root.clientHeight + 4;
  }
}
