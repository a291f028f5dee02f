// The best lines. Each move is a button that shows the position after it.

import { make, touched } from "../../pages/elements.js";
import { typeset } from "../../pages/text.js";
import { moveNames } from "./names.js";

const LONGEST_LINE = 12;

export class Lines {
  /**
   * `pick(line, count)` is called to show the position after `count` moves of a line.
   * @param {HTMLElement} root @param {Facts} facts @param {Rules} rules @param {Scores} scores
   * @param {(line: Move[], count: number) => void} pick
   */
  constructor(root, facts, rules, scores, pick) {
    this.root = root;
    this.facts = facts;
    this.rules = rules;
    this.scores = scores;
    this.shown = "";
    /** @type {Move[][]} */
    this.lines = [];
    root.addEventListener("click", (event) => {
      const button = touched(event, "button");
      if (button) pick(this.lines[Number(button.dataset.line)], Number(button.dataset.count));
    });
  }

  /** @param {Match} match @param {Scored[]} moves */
  show(match, moves) {
    const shown = [match.row.join(), ...moves.map(({ score, exact, line }) => `${score} ${exact} ${line.join()}`)].join(";");
    if (shown === this.shown) return;
    this.shown = shown;
    const items = moves.map((one) => ({ label: typeset(this.scores.label(one.score, one.exact)), ...this.named(match, one) }));
    this.lines = items.map(({ line }) => line);
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.root.contains(active) ? { ...active.dataset } : null;
    this.root.replaceChildren(...items.map((item, n) => this.item(item, n)));
    if (!focused) return;
    const again = this.root.querySelector(`[data-line="${focused.line}"][data-count="${focused.count}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** Return a line up to the first move of chance, with the names of its moves. @param {Match} match @param {Scored} scored */
  named(match, { line }) {
    const names = [];
    const kept = [];
    let { row } = match;
    for (const m of line.slice(0, LONGEST_LINE)) {
      const view = this.rules.view(row);
      const at = view.moves.indexOf(m);
      if (at < 0 || view.chance || view.result !== null) break;
      names.push(moveNames(this.facts, this.rules, row, view)[at]);
      kept.push(m);
      row = this.rules.play(row, m);
    }
    return { names, line: kept };
  }

  /** @param {{ label: string, names: string[] }} item @param {number} n */
  item({ label, names }, n) {
    const moves = names.flatMap((name, i) => {
      const button = make("button", { type: "button", textContent: name });
      button.dataset.line = String(n);
      button.dataset.count = String(i + 1);
      return [button, " "];
    });
    return make("li", {}, make("b", { textContent: label }), make("span", {}, ...moves));
  }
}
