// The search as data: its nodes, what is known about each after every step, and the steps in words.

import { capitalize, typeset } from "../../pages/text.js";

/** Return a search, from the data that page/__init__.py writes; what can be computed from that is computed here, once. */
export class Search {
  /** @param {SearchData} data */
  constructor(data) {
    this.data = data;
    /** @type {SearchNode[]} */
    this.nodes = data.nodes.map((node, i) => ({ ...node, i, ...UNKNOWN, children: [] }));
    for (const node of this.nodes) {
      if (node.p === undefined) continue;
      node.parent = this.nodes[node.p];
      node.ply = node.parent.ply + 1;
      node.parent.children.push(node);
    }
    for (const node of this.nodes.toReversed()) node.size = node.children.reduce((sum, child) => sum + child.size, 1);
    this.steps = data.steps.map(([what, node, best]) => ({ what, node: this.nodes[node], best: best === 1 }));
    this.steps.forEach(({ what, node, best }, t) => {
      if (what === "l") node.entered = t;
      else if (what === "c") node.cutAt = t;
      else if (what === "b" || what === "d") node.left = t;
      if (what === "b") node.gain = best;
    });
    this.roots = data.first.map((i) => this.nodes[i]);
    this.last = this.steps.length - 1;
  }

  /** Return the node where the search is after step t: when a value goes back, that is already the parent. @param {number} t */
  at(t) {
    const { what, node } = this.steps[t];
    return what === "b" && node.parent ? node.parent : node;
  }

  // -- values and nodes in words ----------------------------------------------------------------------------------------------

  /** Return a value as a label. @param {Value | undefined} value */
  valueLabel(value) {
    if (value === Infinity || value === -Infinity) return value > 0 ? "∞" : "−∞";
    if (typeof value !== "number") return String(value).replace("-∞", "−∞");
    const known = this.data.words[value];
    if (known) return known[0];
    const rounded = Math.abs(value) < 1000 ? Number(Number(value.toFixed(4)).toPrecision(4)) : Math.round(value);
    return String(rounded).replace("-", "−");
  }

  /** Return a value in a sentence. @param {Value | undefined} value */
  valueInWords(value) {
    const known = this.data.words[String(value)];
    return known ? known[1] : this.valueLabel(value);
  }

  /** @param {[number, number]} window */
  windowText([alpha, beta]) {
    return `(${this.valueLabel(alpha)}, ${this.valueLabel(beta)})`;
  }

  /** @param {string} kind */
  side(kind) {
    return this.data.sides[kind] ? `${this.data.sides[kind]} (${kind})` : kind;
  }

  /** @param {SearchNode} node */
  named(node) {
    if (node.m !== undefined) return node.m;
    return this.roots.length > 1 ? `search ${this.roots.indexOf(node) + 1}` : "root";
  }

  /** @param {SearchNode} node */
  sign(node) {
    const { signs } = this.data;
    if (node.h) return signs.table;
    if (node.l && !node.children.length) return signs.leaf;
    return signs[node.k] || signs.side;
  }

  /** Return what both sides have elsewhere when a node is entered. @param {SearchNode} node */
  elsewhere(node, has = "has") {
    const [alpha, beta] = windowOf(node);
    const found = [];
    if (alpha > -Infinity) found.push(`max ${has} ${this.valueInWords(alpha)} elsewhere`);
    if (beta < Infinity) found.push(`min ${has} ${this.valueInWords(beta)} elsewhere`);
    return found;
  }

  // -- a step in words ----------------------------------------------------------------------------------------------------------

  /** @param {number} t */
  describe(t) {
    const { what, node } = this.steps[t];
    if (what === "l") return this.describeEntered(node);
    if (what === "b") return this.describeReturn(node, t);
    if (what === "c") return describeCutoff(node);
    if (what === "u")
      return `${node.m ? `After ${node.m}` : "At the root"} the numbers are now ${this.valueLabel(valueAt(node, t))}.`;
    const line = node.line ? `, the best line is ${node.line.join(" ")}` : "";
    return `Done: the value is ${this.valueInWords(valueAt(node, t))}${line}.`;
  }

  /** @param {SearchNode} node */
  describeEntered(node) {
    const { parent } = node;
    if (parent?.k === "chance") return `Chance may bring ${node.m} (${percent(node.w ?? 0)}). ${this.describeSettled(node)}`;
    const several = this.roots.length > 1 ? `${capitalize(this.named(node))} of ${this.roots.length}. ` : "";
    return (parent ? `${capitalize(this.side(parent.k))} tries ${node.m}. ` : several) + this.describeSettled(node);
  }

  /** @param {SearchNode} node */
  describeSettled(node) {
    const value = node.v.length ? this.valueInWords(node.v[0][1]) : "";
    if (node.h) {
      const how = { exact: "exactly", lower: "at least", upper: "at most" }[node.h[0]];
      return `Table hit: it is worth ${how} ${value}, which settles it.`;
    }
    if (node.l === "terminal") return `The game is over: ${value}.`;
    if (node.l === "heuristic") return `The depth limit is reached; the estimate is ${value}.`;
    if (node.l === "quiet" && node.children.length) return "Below the depth limit only loud moves are followed.";
    if (node.l === "quiet") return `The state is quiet; the estimate is ${value}.`;
    const player = node.parent ? `Next, ${this.side(node.k)} to move` : `The search begins with ${this.side(node.k)}`;
    const who = node.k === "chance" ? "Next, chance moves" : player;
    if (node.a === undefined) return `${who}.`;
    const has = this.elsewhere(node).join(", ") || "neither side has anything elsewhere yet";
    return `${who}, window ${this.windowText(windowOf(node))}: ${has}.`;
  }

  /** @param {SearchNode} node @param {number} t */
  describeReturn(node, t) {
    const parent = this.at(t);
    const own = valueAt(node, t);
    const edge = node.up !== undefined && node.up !== own ? ` (returned as ${this.valueLabel(node.up)}, the edge of the window)` : "";
    const start = `${node.m} is worth ${boundInWords(node, own)}${this.valueInWords(own)}${edge}`;
    if (parent.k === "chance") return `${start}: one part of the average.`;
    const [before, after] = [windowAt(parent, t - 1), windowAt(parent, t)];
    const best = `${start}, the best for ${parent.k} so far`;
    /** @param {number} bound */
    const boundText = (bound) => (this.valueInWords(bound) === this.valueInWords(own) ? "it" : this.valueInWords(bound));
    if (before && after && after[0] > before[0]) return `${best}: alpha rises to ${boundText(after[0])}.`;
    if (before && after && after[1] < before[1]) return `${best}: beta falls to ${boundText(after[1])}.`;
    return node.gain ? `${best}.` : `${start}: no better for ${parent.k} than what it already has.`;
  }
}

const UNKNOWN = { parent: null, ply: 0, size: 1, entered: Infinity, left: Infinity, cutAt: Infinity, gain: false };

/** @param {SearchNode} node */
function describeCutoff(node) {
  if (!node.c) return "";
  const [, pruned, reason] = node.c;
  const rest = pruned.length ? `skipped: ${listNames(pruned, 12)}` : "this was the last move anyway";
  return `Cutoff: ${typeset(reason)}; ${rest}.`;
}

/** @param {number} share */
export function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** @param {string[]} names @param {number} most */
export function listNames(names, most) {
  return names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ");
}

// -- what is known after step t -------------------------------------------------------------------------------------------------

/** @param {Bound | undefined} bound */
function amount(bound) {
  return bound === "∞" ? Infinity : bound === "-∞" ? -Infinity : Number(bound);
}

/**
 * Return the window with which a node is entered; not numbers without a window.
 * @param {SearchNode} node @returns {[number, number]}
 */
export function windowOf(node) {
  return [amount(node.a), amount(node.b)];
}

/**
 * Return the current window: alpha rises where max moves, beta falls where min does.
 * @param {SearchNode} node @param {number} t @returns {[number, number] | null}
 */
export function windowAt(node, t) {
  if (node.a === undefined) return null;
  let [alpha, beta] = windowOf(node);
  for (const child of node.children) {
    const value = returnedValue(child);
    if (child.left > t || typeof value !== "number") continue;
    if (node.k === "max") alpha = Math.max(alpha, value);
    if (node.k === "min") beta = Math.min(beta, value);
  }
  return [alpha, beta];
}

/**
 * Return whether the value is exact or, outside the window, an upper or lower bound.
 * @param {SearchNode} node @param {Value | undefined} value
 */
export function relation(node, value) {
  if (node.h) return { exact: "=", lower: "≥", upper: "≤" }[node.h[0]];
  if (node.a === undefined || !node.children.length || typeof value !== "number") return "=";
  const [alpha, beta] = windowOf(node);
  return value <= alpha ? "≤" : value >= beta ? "≥" : "=";
}

/** Return the relation in words. @param {SearchNode} node @param {Value | undefined} value */
export function boundInWords(node, value) {
  return { "=": "", "≤": "at most ", "≥": "at least " }[relation(node, value)];
}

/** @param {SearchNode} node @param {number} t */
export function valueAt(node, t) {
  return node.v.findLast(([since]) => since <= t)?.[1];
}

/** Return the value that a node returns. @param {SearchNode} node */
export function returnedValue(node) {
  return node.up ?? node.v.at(-1)?.[1];
}

/** @param {SearchNode} node @param {number} t */
export function bestAt(node, t) {
  return node.k === "chance" ? undefined : node.children.findLast((child) => child.left <= t && child.gain);
}

/** @param {SearchNode} node */
export function pathTo(node) {
  const path = [];
  for (let n = /** @type {SearchNode | null} */ (node); n; n = n.parent) path.unshift(n);
  return path;
}

/** @param {SearchNode} node */
export function movesTo(node) {
  return pathTo(node).flatMap((n) => n.m ?? []);
}
