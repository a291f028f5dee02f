// Stepping through the search: the forest after step t, and the panel about the selected node.

const CARD = 60;
const FLAT = 28;
const ROW = 24;
const FEW = 6;

class Walk {
  constructor(view, panel, story) {
    Object.assign(this, { view, panel, story, t: 0, folds: new Map(), chosen: null, boards: true });
  }

  // -- where we are --------------------------------------------------------------------------------------------------------------

  go(t) {
    this.t = Math.max(0, Math.min(LAST, t));
    this.chosen = null;
    this.show(hereAt(this.t));
  }

  nextCut() {
    const next = steps.findIndex(({ what }, t) => t > this.t && what === "c");
    this.go(next < 0 ? LAST : next);
  }

  // To the step that leaves this node or, backwards, the one that entered it.
  over(direction) {
    const here = hereAt(this.t);
    if (direction > 0) this.go(here.left > this.t && here.left < Infinity ? here.left : this.t + 1);
    else this.go(here.entered < this.t ? here.entered : this.t - 1);
  }

  choose(node) {
    this.chosen = node;
    this.show(node);
  }

  // The next or previous visible node; a node comes before everything below it.
  move(direction) {
    const visible = this.view.items.filter((item) => item.node);
    const at = visible.findIndex((item) => item.node === this.focus);
    const next = visible[at + direction];
    if (next) this.choose(next.node);
  }

  get focus() {
    return this.chosen || hereAt(this.t);
  }

  fold(node) {
    if (node.children.length) this.folds.set(node.i, !this.unfolded(node));
    this.choose(node);
  }

  foldAll(open) {
    this.folds.clear();
    if (open) nodes.forEach((node) => node.children.length && this.folds.set(node.i, true));
    this.show(this.focus);
  }

  unfolded(node) {
    const told = this.folds.get(node.i);
    if (told !== undefined) return told;
    return this.path.has(node) || (this.t === LAST && node.best === 1);
  }

  // -- the forest -----------------------------------------------------------------------------------------------------------------

  show(wanted) {
    const { t } = this;
    this.path = new Set(pathTo(hereAt(t)));
    this.story.innerHTML = `<span class="count">${t + 1}</span> <span class="said">${escaped(tell(t))}</span>`;
    this.story.className = { c: "cut", d: "done" }[steps[t].what] || "";
    const forest = roots.filter((root) => root.entered <= t).map((root) => this.item(root, true));
    this.view.show(forest, heads, wanted ? `n${wanted.i}` : null);
    this.panel.innerHTML = this.about(this.focus);
    this.view.box.setAttribute("aria-activedescendant", `item-n${this.focus.i}`);
  }

  item(node, bestLine) {
    const { t } = this;
    const open = this.unfolded(node);
    const value = valueAt(node, t);
    const here = hereAt(t) === node;
    const best = node.parent ? bestAt(node.parent, t) === node : false;
    const line = bestLine && (best || !node.parent);
    const state = value !== undefined && (node.left <= t || !node.children.length) ? "done" : "open";
    const window = state === "done" ? windowAt(node, -1) : windowAt(node, t);
    const small = !this.boards && !node.children.length;
    const item = {
      key: `n${node.i}`,
      node,
      height: this.boards ? CARD : small ? ROW : FLAT,
      follow: this.path.has(node),
      edge: [line ? "best" : "", this.path.has(node) ? "path" : ""].join(" "),
      label: this.label(node, value, best),
      expanded: node.children.length ? open : undefined,
      children: [],
    };
    item.className = [
      "card",
      node.k,
      state,
      here && "here",
      this.path.has(node) && "path",
      line && "best",
      this.boards || "flat",
      this.focus === node && "chosen",
    ]
      .filter((name) => typeof name === "string")
      .join(" ");
    const soFar = bestAt(node, t);
    const shownValue = value === undefined ? atLeast(node, soFar) : `${relation(node, value)} ${written(value)}`;
    const folded = node.children.length && !open;
    item.stamp = [this.boards, shownValue, best, window, folded, open, node.cutAt <= t].join("|");
    item.fill = (element) => {
      element.title = named(node);
      const chip = node.children.length
        ? `<button type="button" class="fold" tabindex="-1" aria-hidden="true">${open ? "−" : `+${node.size - 1}`}</button>`
        : "";
      element.innerHTML =
        (this.boards ? showBoard(node.board, node.parent ? node.parent.board : undefined) : "") +
        `<span class="name"><i class="sign">${sign(node)}</i><b>${escaped(named(node))}</b>${best ? '<i class="star">★</i>' : ""}</span>` +
        `<span class="value ${value === undefined ? "so-far" : ""}">${escaped(shownValue)}</span>` +
        `<span class="note">${escaped(note(node, window, node.cutAt <= t))}</span>${chip}`;
    };
    if (open) item.children = this.below(node, line);
    return item;
  }

  // The children searched so far, and the other moves: before the cutoff, pruned and pending moves look the same.
  below(node, bestLine) {
    const { t } = this;
    const items = node.children.filter((child) => child.entered <= t).map((child) => this.item(child, bestLine));
    const seen = new Set(node.children.filter((child) => child.entered <= t).map((child) => child.m));
    const coming = node.children.filter((child) => child.entered > t && !seen.has(child.m)).map((child) => child.m);
    const pruned = node.c ? node.c[1] : [];
    if (node.cutAt <= t) return items.concat(this.rows(node, pruned, "pruned"));
    return items.concat(this.rows(node, [...new Set([...coming, ...pruned])], "waiting"));
  }

  rows(node, moves, state) {
    const row = (name, key, label) => ({
      key: `${state[0]}${node.i}-${key}`,
      height: ROW,
      className: `row ${state}`,
      edge: state,
      label,
      stamp: `${state} ${name}`,
      fill: (element) => {
        element.innerHTML = `<span class="name"><b>${escaped(name)}</b></span>`;
        element.title = state === "pruned" ? because(node.c[2]) : "not searched yet";
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

  label(node, value, best) {
    const parts = [`${named(node)}:`, node.h ? "table hit" : node.l && !node.children.length ? "leaf" : node.k];
    if (value !== undefined) parts.push(`${outside(node, value)}${spoken(value)}`);
    if (best) parts.push("best so far");
    if (node.cutAt <= this.t) parts.push("cut off");
    return parts.join(" ");
  }

  // -- the panel --------------------------------------------------------------------------------------------------------------------

  about(node) {
    const { t } = this;
    const value = valueAt(node, t);
    const window = windowAt(node, t);
    const path = movesTo(node);
    const rows = [["To move", node.l === "terminal" ? "game over" : side(node.k)]];
    if (node.w !== undefined) rows.push(["Probability", percent(node.w)]);
    if (node.d !== undefined) rows.push(["Depth left", node.d]);
    if (window) {
      const entry = [amount(node.a), amount(node.b)];
      rows.push(["Window", windowText(entry) + (window.join() === entry.join() ? "" : ` → ${windowText(window)}`)]);
    }
    rows.push(["Value", value === undefined ? "not known yet" : `${relation(node, value)} ${spoken(value)}`]);
    if (value !== undefined && relation(node, value) !== "=") rows.push(["", meaning(node, value)]);
    if (node.l && !node.children.length)
      rows.push([
        "Why",
        {
          terminal: "the game is over",
          heuristic: "an estimate: the depth limit is reached",
          quiet: "an estimate: the state is quiet",
        }[node.l],
      ]);
    if (node.h)
      rows.push([
        "Table",
        { exact: "an exact value", lower: "a lower bound", upper: "an upper bound" }[node.h[0]] +
          " from an earlier search",
      ]);
    const best = node.left <= t && node.line ? node.line.join(" ") : bestAt(node, t) && bestAt(node, t).m;
    if (best) rows.push([node.left <= t ? "Best line" : "Best so far", best]);
    const cut =
      node.cutAt <= t
        ? `<div class="reason"><b>✂ Cut off after ${escaped(node.c[0])}</b>: ${escaped(because(node.c[2]))}.${node.c[1].length ? ` Skipped: ${escaped(some(node.c[1], 30))}.` : ""}</div>`
        : "";
    return (
      `<h2><i class="sign ${node.k}">${sign(node)}</i>${path.length ? `After ${escaped(path.join(" "))}` : capital(named(node))}</h2>` +
      `<div class="large">${showBoard(node.board, node.parent ? node.parent.board : undefined, true)}</div>${cut}` +
      `<dl>${rows.map(([name, text]) => `<dt>${name}</dt><dd>${escaped(text)}</dd>`).join("")}</dl>` +
      learned(node) +
      (t === 0
        ? '<p class="hint">Step with ← and →. Click a node to see it here, and + or − to unfold and fold it. Press ? for all keys.</p>'
        : "")
    );
  }
}

// What a learned evaluation sees here, as the side to move sees it.
function learned({ j, k }) {
  if (!j) return "";
  const row = ([adds, cells, contents]) => `<tr><th>${adds}</th><td>${escaped(cells)}</td><td>${escaped(contents)}</td></tr>`;
  const head = `Learned, for ${escaped(side(k))}: ${escaped(j[0])}`;
  return `<table class="learned"><caption>${head}</caption>${j[1].map(row).join("")}</table>`;
}

function note(node, window, cut) {
  if (node.h) return `table, ${node.h[0]}`;
  if (node.l && !node.children.length) return { terminal: "game over", heuristic: "estimate", quiet: "quiet" }[node.l];
  const shown = window ? windowText(window) : node.parent || node.d === undefined ? node.k : `depth ${node.d}`;
  return (cut ? "✂ " : "") + shown;
}

// What is known about a node before all its moves are searched: max will not take less than it has, min not more.
function atLeast(node, best) {
  return best ? `${{ max: "≥", min: "≤" }[node.k] || "so far"} ${written(handedUp(best))} …` : "…";
}

function meaning(node, value) {
  const [alpha, beta] = [amount(node.a), amount(node.b)];
  if (node.h) return "a bound from the table, enough for this window";
  return value <= alpha
    ? `max has ${spoken(alpha)} elsewhere: how bad this is doesn't matter`
    : `min has ${spoken(beta)} elsewhere: how good this is doesn't matter`;
}

// Above each column, the side to move there if it is the same for all nodes.
const heads = (() => {
  const kinds = [];
  for (const node of nodes) (kinds[node.ply] ||= new Set()).add(node.k);
  return kinds.map((set, ply) =>
    set.size === 1 ? `${data.signs[[...set][0]] || data.signs.side} ${escaped(side([...set][0]))}` : `ply ${ply}`,
  );
})();
