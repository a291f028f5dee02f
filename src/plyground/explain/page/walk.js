// Stepping through the search: the forest after step t, and the panel about the selected node.

import { capitalize, escapeMarkup, typeset } from "../../pages/text.js";
import { showBoard } from "./boards.js";
import { bestAt, returnedValue, movesTo, boundInWords, pathTo, percent, relation, listNames, valueAt, windowAt, windowOf } from "./search.js";
import { CARD, ROW, treeItem } from "./tree.js";

const FLAT = 28;
const FEW = 6;
const LEAVES = { terminal: "game over", heuristic: "estimate", quiet: "quiet" };
const REASONS = {
  terminal: "the game is over",
  heuristic: "an estimate: the depth limit is reached",
  quiet: "an estimate: the state is quiet",
};
const BOUNDS = { exact: "an exact value", lower: "a lower bound", upper: "an upper bound" };
const HINT = "Step with ← and →. Click a node to see it here, and + or − to unfold and fold it. Press ? for all keys.";

export class Walk {
  /** @param {Search} search @param {TreeView} view @param {HTMLElement} panel @param {HTMLElement} status */
  constructor(search, view, panel, status) {
    this.search = search;
    this.view = view;
    this.panel = panel;
    this.status = status;
    this.t = 0;
    this.boards = true;
    /** @type {SearchNode | null} */
    this.chosen = null;
    /** @type {Map<number, boolean>} */
    this.folds = new Map();
    /** @type {Set<SearchNode>} */
    this.path = new Set();
    this.heads = headsOf(search);
  }

  // -- where we are -------------------------------------------------------------------------------------------------------------

  /** Go to step t. @param {number} t */
  go(t) {
    this.t = Math.max(0, Math.min(this.search.last, t));
    this.chosen = null;
    this.show(this.here);
  }

  /** The node where the search is. */
  get here() {
    return this.search.at(this.t);
  }

  /** The node that the panel describes. */
  get focus() {
    return this.chosen ?? this.here;
  }

  nextCut() {
    const { steps, last } = this.search;
    const next = steps.findIndex(({ what }, t) => t > this.t && what === "c");
    this.go(next < 0 ? last : next);
  }

  /** Go to the step that leaves this node or, backwards, to the one that entered it. @param {1 | -1} direction */
  stepOver(direction) {
    const { here } = this;
    if (direction > 0) this.go(here.left > this.t && here.left < Infinity ? here.left : this.t + 1);
    else this.go(here.entered < this.t ? here.entered : this.t - 1);
  }

  /** @param {SearchNode} node */
  choose(node) {
    this.chosen = node;
    this.show(node);
  }

  /** Choose the next or previous visible node; a node comes before everything below it. @param {1 | -1} direction */
  move(direction) {
    const visible = this.view.items.flatMap((item) => item.node ?? []);
    const next = visible[visible.indexOf(this.focus) + direction];
    if (next) this.choose(next);
  }

  /** Fold a node, or unfold it. @param {SearchNode} node */
  fold(node) {
    if (node.children.length) this.folds.set(node.i, !this.unfolded(node));
    this.choose(node);
  }

  /** @param {boolean} open */
  foldAll(open) {
    this.folds.clear();
    if (open) for (const node of this.search.nodes) if (node.children.length) this.folds.set(node.i, true);
    this.show(this.focus);
  }

  /** @param {SearchNode} node */
  unfolded(node) {
    return this.folds.get(node.i) ?? (this.path.has(node) || (this.t === this.search.last && node.best === 1));
  }

  // -- the forest ---------------------------------------------------------------------------------------------------------------

  /** @param {SearchNode} wanted */
  show(wanted) {
    const { t, search, here, focus } = this;
    this.path = new Set(pathTo(here));
    this.status.innerHTML = `<span class="count">${t + 1}</span> <span class="message">${escapeMarkup(search.describe(t))}</span>`;
    const { what } = search.steps[t];
    this.status.className = what === "c" ? "cut" : what === "d" ? "done" : "";
    const forest = search.roots.filter((root) => root.entered <= t).map((root) => this.item(root, true));
    this.view.show(forest, this.heads, `n${wanted.i}`);
    this.panel.innerHTML = this.about(focus);
    this.view.box.setAttribute("aria-activedescendant", `item-n${focus.i}`);
  }

  /** Return a node as an item of the tree. @param {SearchNode} node @param {boolean} bestLine @returns {TreeItem} */
  item(node, bestLine) {
    const { t, search, boards } = this;
    const open = this.unfolded(node);
    const value = valueAt(node, t);
    const best = node.parent ? bestAt(node.parent, t) === node : false;
    const line = bestLine && (best || !node.parent);
    const state = value !== undefined && (node.left <= t || !node.children.length) ? "done" : "open";
    const window = state === "done" ? windowAt(node, -1) : windowAt(node, t);
    const follow = this.path.has(node);
    const soFar = bestAt(node, t);
    const shownValue = value === undefined ? this.atLeast(node, soFar) : `${relation(node, value)} ${search.valueLabel(value)}`;
    const folded = node.children.length > 0 && !open;
    const name = search.named(node);
    const classes = { here: this.here === node, path: follow, best: line, flat: !boards, chosen: this.focus === node };
    return treeItem({
      key: `n${node.i}`,
      node,
      height: boards ? CARD : node.children.length ? FLAT : ROW,
      follow,
      className: ["card", node.k, state, ...Object.entries(classes).flatMap(([word, on]) => (on ? word : []))].join(" "),
      edge: [line ? "best" : "", follow ? "path" : ""].join(" "),
      label: this.label(node, value, best),
      expanded: node.children.length ? open : undefined,
      stamp: [boards, shownValue, best, window, folded, open, node.cutAt <= t].join("|"),
      children: open ? this.below(node, line) : [],
      fill: (element) => {
        element.title = name;
        const chip = node.children.length
          ? `<button type="button" class="fold" tabindex="-1" aria-hidden="true">${open ? "−" : `+${node.size - 1}`}</button>`
          : "";
        element.innerHTML =
          (boards ? showBoard(search.data.boards, node.board, node.parent?.board) : "") +
          `<span class="name"><i class="sign">${search.sign(node)}</i><b>${escapeMarkup(name)}</b>${best ? '<i class="star">★</i>' : ""}</span>` +
          `<span class="value ${value === undefined ? "so-far" : ""}">${escapeMarkup(shownValue)}</span>` +
          `<span class="note">${escapeMarkup(this.note(node, window, node.cutAt <= t))}</span>${chip}`;
      },
    });
  }

  /**
   * Return the children searched so far, and the other moves: before the cutoff, pruned and pending moves look the same.
   * @param {SearchNode} node @param {boolean} bestLine
   */
  below(node, bestLine) {
    const { t } = this;
    const items = node.children.filter((child) => child.entered <= t).map((child) => this.item(child, bestLine));
    const seen = new Set(node.children.filter((child) => child.entered <= t).map((child) => child.m));
    const coming = node.children.filter((child) => child.entered > t && !seen.has(child.m)).flatMap((child) => child.m ?? []);
    const pruned = node.c ? node.c[1] : [];
    if (node.cutAt <= t) return items.concat(this.rows(node, pruned, "pruned"));
    return items.concat(this.rows(node, [...new Set([...coming, ...pruned])], "waiting"));
  }

  /**
   * Return rows for moves that have no node of their own.
   * @param {SearchNode} node @param {string[]} moves @param {"pruned" | "waiting"} state
   */
  rows(node, moves, state) {
    /** @param {string} name @param {string | number} key @param {string} label */
    const row = (name, key, label) =>
      treeItem({
        key: `${state[0]}${node.i}-${key}`,
        height: ROW,
        className: `row ${state}`,
        edge: state,
        label,
        stamp: `${state} ${name}`,
        fill: (element) => {
          element.innerHTML = `<span class="name"><b>${escapeMarkup(name)}</b></span>`;
          element.title = state === "pruned" && node.c ? typeset(node.c[2]) : "not searched yet";
        },
        children: [],
      });
    const words = state === "pruned" ? "pruned" : "not searched yet";
    const all = moves.length <= FEW ? moves : moves.slice(0, FEW - 1);
    const items = all.map((move, i) => row(move, i, `${move}, ${words}`));
    const more = moves.length - all.length;
    if (more) items.push(row(`and ${more} more`, "more", `${more} more moves, ${words}`));
    return items;
  }

  /** Return a node for screen readers. @param {SearchNode} node @param {Value | undefined} value @param {boolean} best */
  label(node, value, best) {
    const parts = [`${this.search.named(node)}:`, node.h ? "table hit" : node.l && !node.children.length ? "leaf" : node.k];
    if (value !== undefined) parts.push(`${boundInWords(node, value)}${this.search.valueInWords(value)}`);
    if (best) parts.push("best so far");
    if (node.cutAt <= this.t) parts.push("cut off");
    return parts.join(" ");
  }

  /**
   * Return the line below a node's name.
   * @param {SearchNode} node @param {[number, number] | null} window @param {boolean} cut
   */
  note(node, window, cut) {
    if (node.h) return `table, ${node.h[0]}`;
    if (node.l && !node.children.length) return LEAVES[node.l];
    const plain = node.parent || node.d === undefined ? node.k : `depth ${node.d}`;
    return (cut ? "✂ " : "") + (window ? this.search.windowText(window) : plain);
  }

  /**
   * Return what is known about a node before all its moves are searched: max will not take less than it has, min not more.
   * @param {SearchNode} node @param {SearchNode | undefined} best
   */
  atLeast(node, best) {
    if (!best) return "…";
    const sign = node.k === "max" ? "≥" : node.k === "min" ? "≤" : "so far";
    return `${sign} ${this.search.valueLabel(returnedValue(best))} …`;
  }

  // -- the panel ----------------------------------------------------------------------------------------------------------------

  /** Return what is known about a node, as markup. @param {SearchNode} node */
  about(node) {
    const { t, search } = this;
    const path = movesTo(node);
    const best = node.left <= t && node.line ? node.line.join(" ") : bestAt(node, t)?.m;
    const rows = [...this.facts(node), ...(best ? [[node.left <= t ? "Best line" : "Best so far", best]] : [])];
    const title = path.length ? `After ${escapeMarkup(path.join(" "))}` : capitalize(search.named(node));
    return (
      `<h2><i class="sign ${node.k}">${search.sign(node)}</i>${title}</h2>` +
      `<div class="large">${showBoard(search.data.boards, node.board, node.parent?.board, true)}</div>` +
      (node.cutAt <= t && node.c ? cutoff(node.c) : "") +
      `<dl>${rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeMarkup(text)}</dd>`).join("")}</dl>` +
      this.learned(node) +
      (t === 0 ? `<p class="hint">${HINT}</p>` : "")
    );
  }

  /** @param {SearchNode} node @returns {string[][]} */
  facts(node) {
    const { t, search } = this;
    const value = valueAt(node, t);
    const window = windowAt(node, t);
    const rows = [["To move", node.l === "terminal" ? "game over" : search.side(node.k)]];
    if (node.w !== undefined) rows.push(["Probability", percent(node.w)]);
    if (node.d !== undefined) rows.push(["Depth left", String(node.d)]);
    if (window) {
      const [before, now] = [search.windowText(windowOf(node)), search.windowText(window)];
      rows.push(["Window", before + (window.join() === windowOf(node).join() ? "" : ` → ${now}`)]);
    }
    rows.push(["Value", value === undefined ? "not known yet" : `${relation(node, value)} ${search.valueInWords(value)}`]);
    if (value !== undefined && relation(node, value) !== "=") rows.push(["", this.meaning(node, value)]);
    if (node.l && !node.children.length) rows.push(["Why", REASONS[node.l]]);
    if (node.h) rows.push(["Table", `${BOUNDS[node.h[0]]} from an earlier search`]);
    return rows;
  }

  /** Return what a bound means for the search. @param {SearchNode} node @param {Value} value */
  meaning(node, value) {
    if (node.h) return "a bound from the table, enough for this window";
    const [alpha, beta] = windowOf(node);
    return Number(value) <= alpha
      ? `max has ${this.search.valueInWords(alpha)} elsewhere: its exact value doesn't matter`
      : `min has ${this.search.valueInWords(beta)} elsewhere: how good this is doesn't matter`;
  }

  /** Return what a learned evaluation sees here, as the side to move sees it. @param {SearchNode} node */
  learned({ j, k }) {
    if (!j) return "";
    /** @param {string[]} row */
    const row = ([adds, cells, contents]) => `<tr><th>${adds}</th><td>${escapeMarkup(cells)}</td><td>${escapeMarkup(contents)}</td></tr>`;
    const head = `Learned, for ${escapeMarkup(this.search.side(k))}: ${escapeMarkup(j[0])}`;
    return `<table class="learned"><caption>${head}</caption>${j[1].map(row).join("")}</table>`;
  }
}

/** @param {Cutoff} cut */
function cutoff([after, pruned, reason]) {
  const skipped = pruned.length ? ` Skipped: ${escapeMarkup(listNames(pruned, 30))}.` : "";
  return `<div class="reason"><b>✂ Cut off after ${escapeMarkup(after)}</b>: ${escapeMarkup(typeset(reason))}.${skipped}</div>`;
}

/** Return the head of each column: the side to move, if it is the same in all nodes there. @param {Search} search */
function headsOf(search) {
  /** @type {Set<string>[]} */
  const kinds = [];
  for (const node of search.nodes) (kinds[node.ply] ||= new Set()).add(node.k);
  return kinds.map((set, ply) => {
    const [kind] = set;
    const { signs } = search.data;
    return set.size === 1 ? `${signs[kind] || signs.side} ${escapeMarkup(search.side(kind))}` : `ply ${ply}`;
  });
}
