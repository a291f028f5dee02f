// The quiz: a small tree with the value of every leaf; the reader crosses out what the search will skip.

import { escapeMarkup, typeset } from "../../pages/text.js";
import { showBoard } from "./boards.js";
import { returnedValue, movesTo, relation, windowOf } from "./search.js";
import { CARD, ROW, treeItem } from "./tree.js";

const MAX_WITH_BOARDS = 12; // leaves
const NO_QUESTIONS = "No questions: this search pruned nothing in a small enough tree. Try alphabeta, or another depth.";
const HOW_TO = "Click a branch, or select it with ↑ ↓ and press Enter. Crossing out a node crosses out everything below it.";

export class Quiz {
  /** @param {Search} search @param {TreeView} view @param {HTMLElement} panel @param {HTMLElement} status */
  constructor(search, view, panel, status) {
    this.search = search;
    this.view = view;
    this.panel = panel;
    this.status = status;
    this.points = 0;
    this.possible = 0;
    this.right = 0;
    this.number = 0;
    this.focus = 0;
    this.checked = false;
    this.found = 0;
    this.wrong = 0;
    /** @type {Question | undefined} */
    this.question = undefined;
    /** @type {Set<number>} */
    this.crossed = new Set();
    /** @type {QuizBranch[]} */
    this.branches = [];
    /** @type {QuizBranch[]} */
    this.leaves = [];
    this.begin(0);
  }

  /** @param {number} number */
  begin(number) {
    this.number = number;
    this.question = this.search.data.quiz[number];
    this.checked = false;
    this.found = 0;
    this.wrong = 0;
    this.crossed = new Set();
    this.branches = [];
    if (this.question) this.addBranch(this.question.tree, null, "");
    this.leaves = this.branches.filter((branch) => !branch.children.length);
    this.focus = this.branches.length > 1 ? 1 : 0;
  }

  /**
   * Add a branch and everything below it, numbered in that order.
   * @param {BranchData} data @param {QuizBranch | null} above @param {string} path @returns {QuizBranch}
   */
  addBranch(data, above, path) {
    /** @type {QuizBranch} */
    const branch = { ...data, i: this.branches.length, above, path: above ? `${path} ${data.m}`.trim() : path, children: [] };
    this.branches.push(branch);
    branch.children = data.children.map((child) => this.addBranch(child, branch, branch.path));
    return branch;
  }

  // -- answering ----------------------------------------------------------------------------------------------------------------

  /** Return the leaves below a branch. @param {QuizBranch} branch @returns {QuizBranch[]} */
  below(branch) {
    return branch.children.length ? branch.children.flatMap((child) => this.below(child)) : [branch];
  }

  /** @param {QuizBranch} branch */
  isCrossed(branch) {
    return this.below(branch).every((leaf) => this.crossed.has(leaf.i));
  }

  /** Cross a branch out, or undo that. @param {QuizBranch} branch */
  cross(branch) {
    if (this.checked || !branch.above) return;
    const on = !this.isCrossed(branch);
    for (const leaf of this.below(branch)) {
      if (on) this.crossed.add(leaf.i);
      else this.crossed.delete(leaf.i);
    }
    this.focus = branch.i;
    this.show();
  }

  clear() {
    if (!this.checked) this.crossed.clear();
    this.show();
  }

  check() {
    if (this.checked || !this.question) return;
    this.checked = true;
    this.found = this.pruned.filter((leaf) => this.crossed.has(leaf.i)).length;
    this.wrong = this.crossed.size - this.found;
    this.points += Math.max(0, this.found - this.wrong);
    this.possible += this.pruned.length;
    this.right += this.found === this.pruned.length && !this.wrong ? 1 : 0;
    this.show();
  }

  /** The leaves that the search never sees. */
  get pruned() {
    return this.leaves.filter((leaf) => leaf.x);
  }

  next() {
    this.begin((this.number + 1) % this.search.data.quiz.length);
    this.show();
  }

  /** @param {1 | -1} direction */
  move(direction) {
    const next = this.branches[this.focus + direction];
    if (next) this.focus = next.i;
    this.show(`b${this.focus}`);
  }

  // -- showing ------------------------------------------------------------------------------------------------------------------

  /** @param {string | null} wanted */
  show(wanted = null) {
    const { search, status, question } = this;
    if (!question) {
      status.innerHTML = `<span class="message">${NO_QUESTIONS}</span>`;
      status.className = "";
      this.view.show([], [], null);
      this.panel.innerHTML = "";
      return;
    }
    const task = `Cross out every branch that ${escapeMarkup(search.data.algorithm)} will skip. It searches from top to bottom.`;
    status.innerHTML = this.checked ? this.verdict() : `<span class="count">?</span> <span class="message">${task}</span>`;
    status.className = !this.checked ? "" : this.wrong || this.found < this.pruned.length ? "cut" : "done";
    /** @type {string[]} */
    const columns = [];
    const item = this.item(this.branches[0], columns, 0, this.leaves.length <= MAX_WITH_BOARDS);
    const heads = columns.map((kind) => `${search.data.signs[kind]} ${escapeMarkup(search.side(kind))}`);
    this.view.show([item], heads, wanted);
    this.panel.innerHTML = this.about(search.nodes[question.node]);
    this.view.box.setAttribute("aria-activedescendant", `item-b${this.focus}`);
  }

  verdict() {
    const pruned = this.pruned.length;
    const whole = this.found === pruned && !this.wrong;
    const wrong = this.wrong ? `, ${this.wrong} crossed out that the search does visit` : "";
    const message = `${whole ? "All correct: " : ""}${this.found} of ${pruned} pruned leaves found${wrong}.`;
    return `<span class="count">${whole ? "✓" : "✗"}</span> <span class="message">${message}</span>`;
  }

  /** Return how a branch is marked: class, sign and word. @param {QuizBranch} branch */
  mark(branch) {
    const crossed = this.isCrossed(branch);
    if (!this.checked) return crossed ? ["crossed", branch.children.length ? "" : "✂", ""] : ["", "", ""];
    if (branch.children.length) return [branch.x ? "pruned-node" : "", "", ""];
    if (branch.x) return crossed ? ["found", "✓", "found"] : ["missed", "✂", "missed"];
    return crossed ? ["wrong", "✗", "searched"] : ["", "", ""];
  }

  /** Return what is written about the value of a branch. @param {QuizBranch} branch */
  worth(branch) {
    const leaf = !branch.children.length;
    if (this.checked && !leaf && branch.x) return "never seen";
    if (leaf) return `= ${this.search.valueLabel(branch.v)}`;
    if (!this.checked || branch.n === undefined) return "?";
    const node = this.search.nodes[branch.n];
    const value = returnedValue(node);
    return value === undefined ? "?" : `${relation(node, value)} ${this.search.valueLabel(value)}`;
  }

  /**
   * Return a branch as an item of the tree.
   * @param {QuizBranch} branch @param {string[]} columns @param {number} column @param {boolean} boards @returns {TreeItem}
   */
  item(branch, columns, column, boards) {
    const { search } = this;
    const { signs } = search.data;
    columns[column] = branch.k;
    const leaf = !branch.children.length;
    const [state, symbol, word] = this.mark(branch);
    const text = this.worth(branch);
    const [flat, last, chosen] = [boards ? "" : "flat", leaf ? "leaf" : "", this.focus === branch.i ? "chosen" : ""];
    return treeItem({
      key: `b${branch.i}`,
      height: boards ? CARD : ROW - 2,
      follow: branch === branch.above?.children[0],
      className: ["card quiz", branch.k, state, flat, last, chosen].join(" "),
      edge: ["crossed", "found", "missed", "pruned-node"].includes(state) ? "pruned" : "",
      label: `${branch.m || "root"}, ${leaf ? search.valueInWords(branch.v) : branch.k}${word ? `, ${word}` : ""}`,
      stamp: [this.number, boards, state, text].join("|"),
      fill: (element) => {
        const sign = symbol || signs[leaf ? "leaf" : branch.k];
        const name = branch.m || (branch.above ? "" : "root");
        element.innerHTML =
          (boards ? showBoard(search.data.boards, branch.board, branch.above?.board) : "") +
          `<span class="name"><i class="sign">${sign}</i><b>${escapeMarkup(name)}</b></span>` +
          `<span class="value">${escapeMarkup(text)}</span><span class="note">${word}</span>`;
      },
      children: branch.children.map((child) => this.item(child, columns, column + 1, boards)),
    });
  }

  /** Return the question, its node's window, and the reasons once it is answered. @param {SearchNode} node */
  about(node) {
    const { search } = this;
    const path = movesTo(node);
    const has = search.elsewhere(node, "already has").join("; ") || "neither side has anything elsewhere yet";
    const window =
      node.a === undefined
        ? ""
        : `<dt>Window</dt><dd>${search.windowText(windowOf(node))}</dd><dt></dt><dd>${escapeMarkup(has)}</dd>`;
    return (
      `<h2>Question ${this.number + 1} of ${search.data.quiz.length}</h2>` +
      `<div class="large">${showBoard(search.data.boards, node.board, undefined, true)}</div>` +
      `<dl><dt>Where</dt><dd>${path.length ? `after ${escapeMarkup(path.join(" "))}` : "the root"}</dd>` +
      `<dt>To move</dt><dd>${escapeMarkup(search.side(node.k))}</dd>${window}</dl>` +
      (this.checked ? this.reasons() : `<p class="hint">${HOW_TO}</p>`)
    );
  }

  reasons() {
    const reasons = this.branches.flatMap(({ path, why }) =>
      why ? `<li><b>${path ? `after ${escapeMarkup(path)}` : "here"}</b>: ${escapeMarkup(typeset(why))}.</li>` : [],
    );
    return `<h3>Why</h3><ul class="reasons">${reasons.join("")}</ul>`;
  }
}
