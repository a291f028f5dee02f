// The best lines, each move a button that shows the position after it.

import { moveNames } from "./names.js";
import { typeset } from "./scores.js";

const LONGEST_LINE = 12;

export class Lines {
  // `pick(line, count)` is called to show the position after so many moves of a line.
  constructor(root, facts, rules, scores, pick) {
    Object.assign(this, { root, facts, rules, scores, pick, shown: "" });
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) pick(this.lines[button.dataset.line], Number(button.dataset.count));
    });
  }

  show(match, moves) {
    const shown = [match.row.join(), ...moves.map(({ score, exact, line }) => `${score} ${exact} ${line.join()}`)].join(";");
    if (shown === this.shown) return;
    this.shown = shown;
    const items = moves.map((one) => ({ label: typeset(this.scores.label(one.score, one.exact)), ...this.named(match, one) }));
    this.lines = items.map(({ line }) => line);
    const focused = this.root.contains(document.activeElement) ? { ...document.activeElement.dataset } : null;
    this.root.replaceChildren(...items.map((item, n) => this.item(item, n)));
    if (focused) this.root.querySelector(`[data-line="${focused.line}"][data-count="${focused.count}"]`)?.focus();
  }

  // A line up to the first move of chance, with the names of its moves.
  named(match, { line }) {
    const names = [];
    const kept = [];
    let row = match.row;
    let turn = match.turn;
    for (const m of line.slice(0, LONGEST_LINE)) {
      const view = this.rules.view(row);
      const at = view.moves.indexOf(m);
      if (at < 0 || view.chance || view.result !== null) break;
      turn = this.facts.turn ? view.turn : turn;
      names.push(moveNames(this.facts, this.rules, row, view, turn)[at]);
      kept.push(m);
      row = this.rules.play(row, m);
      turn = this.facts.sides.length - 1 - turn; // where the rules don't say it, sides alternate
    }
    return { names, line: kept };
  }

  item({ label, names }, n) {
    const item = document.createElement("li");
    const moves = document.createElement("span");
    item.append(Object.assign(document.createElement("b"), { textContent: label }), moves);
    names.forEach((name, i) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      button.dataset.line = n;
      button.dataset.count = i + 1;
      moves.append(button, " ");
    });
    return item;
  }
}
