// A button for each move that touches no cell: pass, the directions of 2048, and every move of a game without a board.

export class MoveButtons {
  constructor(root, match) {
    this.root = root;
    this.match = match;
    const { board } = match.facts;
    // The board's own buttons are always there, so that nothing moves when one of them can be pressed.
    this.fixed = board ? Object.entries(board.buttons) : [];
    root.hidden = board !== null && !this.fixed.length;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) match.play(match.view.moves.find((m) => String(m) === button.dataset.move));
    });
  }

  show(may) {
    const { match } = this;
    const names = match.namesAt(match.at);
    const open = new Map();
    match.view.moves.forEach((m, i) => may && !match.view.touches[i].length && open.set(String(m), names[i]));
    const shown = new Map([...this.fixed, ...open]);
    this.root.replaceChildren(...Array.from(shown, ([m, name]) => this.make(m, name, open.has(m))));
  }

  make(m, name, open) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.move = m;
    button.textContent = name;
    button.disabled = !open;
    return button;
  }

  // Values of moves, a Map from move to text.
  badges(values) {
    for (const [m, button] of this.each()) {
      const value = values.get(m);
      if (value === undefined) delete button.dataset.value;
      else button.dataset.value = value;
    }
  }

  // The move of a hint is marked.
  mark(hint) {
    for (const [m, button] of this.each()) button.classList.toggle("main", hint !== null && m === hint);
  }

  each() {
    const move = (button) => this.match.view.moves.find((m) => String(m) === button.dataset.move);
    return Array.from(this.root.children, (button) => [move(button), button]);
  }
}
