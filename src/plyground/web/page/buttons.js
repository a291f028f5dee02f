// A button for each move that touches no cell: pass, the directions of 2048, and every move of a game without a board.

import { make, touched } from "../../pages/elements.js";

export class MoveButtons {
  /** @param {HTMLElement} root @param {Match} match */
  constructor(root, match) {
    this.root = root;
    this.match = match;
    const { board } = match.facts;
    // The board's own buttons are always there, so that nothing moves when one of them can be pressed.
    this.fixed = board ? Object.entries(board.buttons) : [];
    root.hidden = board !== null && !this.fixed.length;
    root.addEventListener("click", (event) => {
      const move = match.view.moves.find((m) => String(m) === touched(event, "button")?.dataset.move);
      if (move !== undefined) match.play(move);
    });
  }

  /** @param {boolean} may */
  show(may) {
    const { match } = this;
    const names = match.namesAt(match.at);
    const open = new Map();
    match.view.moves.forEach((m, i) => may && !match.view.touches[i].length && open.set(String(m), names[i]));
    const shown = new Map([...this.fixed, ...open]);
    this.root.replaceChildren(...Array.from(shown, ([m, name]) => this.button(m, name, open.has(m))));
  }

  /** @param {string} m @param {string} name @param {boolean} open */
  button(m, name, open) {
    const button = make("button", { type: "button", textContent: name, disabled: !open });
    button.dataset.move = m;
    return button;
  }

  /** Show values of moves, a Map from move to text. @param {Map<Move, string>} values */
  badges(values) {
    for (const [m, button] of this.each()) {
      const value = m === undefined ? undefined : values.get(m);
      if (value === undefined) delete button.dataset.value;
      else button.dataset.value = value;
    }
  }

  /** Mark the move of a hint. @param {Move | null} hint */
  mark(hint) {
    for (const [m, button] of this.each()) button.classList.toggle("main", hint !== null && m === hint);
  }

  /** @returns {[move: Move | undefined, button: HTMLElement][]} */
  each() {
    const { moves } = this.match.view;
    return Array.from(this.root.querySelectorAll("button"), (button) => [
      moves.find((m) => String(m) === button.dataset.move),
      button,
    ]);
  }
}
