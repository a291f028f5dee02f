"use strict";
// The search as data: its nodes, and what is known about each after every step.
// A node has the short names that `_node` in page/__init__.py gives it; everything else is computed here, once.

const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.nodes;
const steps = data.steps.map(([what, node, best]) => ({ what, node: nodes[node], best: best === 1 }));
const roots = data.first.map((i) => nodes[i]);
const LAST = steps.length - 1;

nodes.forEach((node, i) => {
  Object.assign(node, {
    i,
    children: [],
    parent: null,
    ply: 0,
    entered: Infinity,
    left: Infinity,
    cutAt: Infinity,
    gain: false,
  });
  if (node.p !== undefined) {
    node.parent = nodes[node.p];
    node.ply = node.parent.ply + 1;
    node.parent.children.push(node);
  }
});
for (let i = nodes.length - 1; i >= 0; i--) {
  nodes[i].size = nodes[i].children.reduce((sum, child) => sum + child.size, 1);
}
steps.forEach(({ what, node, best }, t) => {
  if (what === "l") node.entered = t;
  else if (what === "c") node.cutAt = t;
  else if (what === "b" || what === "d") node.left = t;
  if (what === "b") node.gain = best;
});

// -- values in words ---------------------------------------------------------------------------------------------------------

function amount(value) {
  return value === "∞" ? Infinity : value === "-∞" ? -Infinity : value;
}

function written(value) {
  if (value === Infinity || value === -Infinity) return value > 0 ? "∞" : "−∞";
  if (typeof value !== "number") return String(value).replace("-∞", "−∞");
  const known = data.words[value];
  if (known) return known[0];
  const rounded = Math.abs(value) < 1000 ? Number(Number(value.toFixed(4)).toPrecision(4)) : Math.round(value);
  return String(rounded).replace("-", "−");
}

function spoken(value) {
  const known = data.words[value];
  return known ? known[1] : written(value);
}

// A reason from the data, with the page's minus signs.
function because(reason) {
  return reason.replace(/-(?=[\d∞])/g, "−");
}

function side(kind) {
  return data.sides[kind] ? `${data.sides[kind]} (${kind})` : kind;
}

function named(node) {
  if (node.m !== undefined) return node.m;
  return roots.length > 1 ? `search ${roots.indexOf(node) + 1}` : "root";
}

function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

function sign(node) {
  if (node.h) return data.signs.table;
  if (node.l && !node.children.length) return data.signs.leaf;
  return data.signs[node.k] || data.signs.side;
}

// Is the value exact or, outside the window, an upper or lower bound?
function relation(node, value) {
  if (node.h) return { exact: "=", lower: "≥", upper: "≤" }[node.h[0]];
  if (node.a === undefined || !node.children.length || typeof value !== "number") return "=";
  return value <= amount(node.a) ? "≤" : value >= amount(node.b) ? "≥" : "=";
}

// -- what is known after step t ----------------------------------------------------------------------------------------------------

function valueAt(node, t) {
  let found;
  for (const [since, value] of node.v) {
    if (since > t) break;
    found = value;
  }
  return found;
}

function handedUp(node) {
  return node.up !== undefined ? node.up : node.v.length ? node.v[node.v.length - 1][1] : undefined;
}

function bestAt(node, t) {
  return node.k === "chance" ? undefined : node.children.findLast((child) => child.left <= t && child.gain);
}

// The current window: alpha rises where max moves, beta falls where min does.
function windowAt(node, t) {
  if (node.a === undefined) return null;
  let [alpha, beta] = [amount(node.a), amount(node.b)];
  for (const child of node.children) {
    const value = handedUp(child);
    if (child.left > t || typeof value !== "number") continue;
    if (node.k === "max") alpha = Math.max(alpha, value);
    if (node.k === "min") beta = Math.min(beta, value);
  }
  return [alpha, beta];
}

function windowText([alpha, beta]) {
  return `(${written(alpha)}, ${written(beta)})`;
}

// Where the search is after step t: when a value goes back, that is already the parent.
function hereAt(t) {
  const { what, node } = steps[t];
  return what === "b" ? node.parent : node;
}

function pathTo(node) {
  const path = [];
  for (let n = node; n; n = n.parent) path.unshift(n);
  return path;
}

function movesTo(node) {
  return pathTo(node)
    .filter((n) => n.m !== undefined)
    .map((n) => n.m);
}

// -- a step in words ---------------------------------------------------------------------------------------------------------------

function tell(t) {
  const { what, node } = steps[t];
  if (what === "l") return tellLook(node);
  if (what === "b") return tellBack(node, t);
  if (what === "c") return tellCut(node);
  if (what === "u")
    return `${node.m ? `After ${node.m}` : "At the root"} the numbers are now ${written(valueAt(node, t))}.`;
  return `Done: the value is ${spoken(valueAt(node, t))}${node.line ? `, the best line is ${node.line.join(" ")}` : ""}.`;
}

function tellLook(node) {
  const made = node.parent
    ? `${capital(side(node.parent.k))} tries ${node.m}. `
    : roots.length > 1
      ? `${capital(named(node))} of ${roots.length}. `
      : "";
  if (node.parent && node.parent.k === "chance")
    return `Chance may bring ${node.m} (${percent(node.w)}). ${tellSettled(node)}`;
  return made + tellSettled(node);
}

function tellSettled(node) {
  const value = node.v.length ? spoken(node.v[0][1]) : "";
  if (node.h) {
    const how = { exact: "it is worth exactly", lower: "it is worth at least", upper: "it is worth at most" }[node.h[0]];
    return `Table hit: ${how} ${value}, which settles it.`;
  }
  if (node.l === "terminal") return `The game is over: ${value}.`;
  if (node.l === "heuristic") return `The depth limit is reached; the estimate is ${value}.`;
  if (node.l === "quiet")
    return node.children.length
      ? "Below the depth limit only loud moves are followed."
      : `The state is quiet; the estimate is ${value}.`;
  const who =
    node.k === "chance"
      ? "Next, chance moves"
      : `${node.parent ? "Next," : "The search begins with"} ${side(node.k)}${node.parent ? " to move" : ""}`;
  if (node.a === undefined) return `${who}.`;
  const [alpha, beta] = [amount(node.a), amount(node.b)];
  const has = [];
  if (alpha > -Infinity) has.push(`max has ${spoken(alpha)} elsewhere`);
  if (beta < Infinity) has.push(`min has ${spoken(beta)} elsewhere`);
  return `${who}, window ${windowText([alpha, beta])}: ${has.join(", ") || "neither side has anything elsewhere yet"}.`;
}

function tellBack(node, t) {
  const { parent } = node;
  const up = handedUp(node);
  const own = valueAt(node, t);
  const edge = node.up !== undefined && node.up !== own ? ` (returned as ${written(up)}, the edge of the window)` : "";
  const start = `${node.m} is worth ${outside(node, own)}${spoken(own)}${edge}`;
  if (parent.k === "chance") return `${start}: one part of the average.`;
  const before = windowAt(parent, t - 1);
  const after = windowAt(parent, t);
  if (before && after && after[0] > before[0])
    return `${start}, the best for ${parent.k} so far: alpha rises to ${spoken(after[0]) === spoken(own) ? "it" : spoken(after[0])}.`;
  if (before && after && after[1] < before[1])
    return `${start}, the best for ${parent.k} so far: beta falls to ${spoken(after[1]) === spoken(own) ? "it" : spoken(after[1])}.`;
  if (node.gain) return `${start}, the best for ${parent.k} so far.`;
  return `${start}: no better for ${parent.k} than what it already has.`;
}

function outside(node, value) {
  return { "=": "", "≤": "at most ", "≥": "at least " }[relation(node, value)];
}

function tellCut(node) {
  const [, pruned, reason] = node.c;
  const rest = pruned.length ? `skipped: ${some(pruned, 12)}` : "this was the last move anyway";
  return `Cutoff: ${because(reason)}; ${rest}.`;
}

function some(names, most) {
  return names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
