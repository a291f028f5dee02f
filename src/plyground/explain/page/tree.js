// A tree drawn from left to right, one column per ply. Only visible items are in the document, so large trees stay fast.
//
// An item of the forest: key, height, className, stamp (its content is redrawn only when this changes), fill(element),
// edge (the class of the line to its parent), label (for screen readers), expanded (undefined without children), follow (is it
// on the path?), children.

// Wide enough for the longest move beside a board: a letter takes about 8 pixels, sign and star about 44.
const longest = nodes.reduce((most, node) => Math.max(most, named(node).length), 0);
const COLUMN = Math.min(300, Math.max(164, 52 + 44 + 8 * longest));
const GAP = 44;
const BETWEEN = 6;
const PAD = 14;
const BEYOND = 300;
const NEAR = 130;

class TreeView {
  constructor(box) {
    this.box = box;
    box.style.setProperty("--column", `${COLUMN}px`);
    box.innerHTML = '<div class="heads"></div><div class="sheet"><svg class="edges" aria-hidden="true"></svg></div>';
    [this.heads, this.sheet] = box.children;
    this.edges = this.sheet.firstChild;
    this.elements = new Map();
    this.items = [];
    this.byKey = new Map();
    box.addEventListener("scroll", () => this.paint(), { passive: true });
    new ResizeObserver(() => this.paint()).observe(box);
    box.addEventListener("click", (event) => {
      const card = event.target.closest("[data-key]");
      if (card) this.onPick(card.dataset.key, event);
    });
  }

  show(forest, heads, wanted) {
    this.items = [];
    let top = PAD;
    for (const root of forest) {
      const outline = pack(root);
      const above = Math.min(...outline.map((column) => column.top));
      this.place(root, null, 0, top - above);
      top += Math.max(...outline.map((column) => column.bottom)) - above + BETWEEN * 3;
    }
    this.byKey = new Map(this.items.map((item) => [item.key, item]));
    const columns = Math.max(1, ...this.items.map((item) => item.column + 1));
    this.sheet.style.width = `${columns * (COLUMN + GAP) + PAD}px`;
    this.sheet.style.height = `${top}px`;
    this.heads.style.width = this.sheet.style.width;
    this.heads.innerHTML = heads
      .slice(0, columns)
      .map((text, i) => `<span style="left:${left(i)}px">${text}</span>`)
      .join("");
    if (wanted) this.reveal(wanted);
    this.paint();
  }

  place(item, parent, column, y) {
    Object.assign(item, { parent, column, x: left(column), y });
    this.items.push(item);
    for (const child of item.children) this.place(child, item, column + 1, y + child.offset);
  }

  // Scrolls only as far as needed to show the item and, if there is room, its parent.
  reveal(key) {
    const item = this.byKey.get(key);
    if (!item) return;
    const { box } = this;
    const bottom = Math.min(item.y + item.height + 60, this.sheet.offsetHeight);
    const at = { top: box.scrollTop, left: box.scrollLeft };
    const head = this.heads.offsetHeight;
    if (item.y < at.top + 20) at.top = item.y - 60;
    else if (bottom > at.top + box.clientHeight - head) at.top = bottom - box.clientHeight + head + 60;
    if (item.x < at.left) at.left = item.x - COLUMN;
    else if (item.x + COLUMN + GAP > at.left + box.clientWidth) at.left = item.x + COLUMN + GAP - box.clientWidth;
    if (at.top !== box.scrollTop || at.left !== box.scrollLeft) box.scrollTo({ ...at, behavior: "instant" });
  }

  paint() {
    const [top, bottom] = [this.box.scrollTop - BEYOND, this.box.scrollTop + this.box.clientHeight + BEYOND];
    const inSight = (item) => item.y + item.height > top && item.y < bottom;
    const visible = this.items.filter(inSight);
    const seen = new Set(visible.map((item) => item.key));
    for (const [key, element] of this.elements) {
      if (!seen.has(key)) {
        element.remove();
        this.elements.delete(key);
      }
    }
    let before = this.edges;
    for (const item of visible) before = this.draw(item, before);
    const lines = [];
    for (const item of this.items) {
      const from = item.parent;
      if (from && Math.max(item.y, from.y) > top && Math.min(item.y, from.y) < bottom) lines.push(line(from, item));
    }
    this.edges.innerHTML = lines.join("");
  }

  // Elements are in tree order, for screen-reader users.
  draw(item, before) {
    let element = this.elements.get(item.key);
    if (!element) {
      element = document.createElement("div");
      element.dataset.key = item.key;
      element.id = `item-${item.key}`;
      element.setAttribute("role", "treeitem");
      this.elements.set(item.key, element);
    }
    if (before.nextSibling !== element) before.after(element);
    element.style.transform = `translate(${item.x}px, ${item.y}px)`;
    element.style.height = `${item.height}px`;
    element.className = `item ${item.className}`;
    element.setAttribute("aria-level", item.column + 1);
    element.setAttribute("aria-label", item.label);
    element.setAttribute("aria-selected", item.className.includes("chosen"));
    if (item.expanded === undefined) element.removeAttribute("aria-expanded");
    else element.setAttribute("aria-expanded", item.expanded);
    if (element.dataset.stamp !== item.stamp) {
      element.dataset.stamp = item.stamp;
      item.fill(element);
    }
    return element;
  }
}

// Moves the subtrees of an item as close together as their outlines allow, and centres the item on them, or near the path.
// Sets each child's offset from the item; returns the outline: the top and bottom of each column from the item on.
function pack(item) {
  const outline = [];
  let [first, last, path] = [0, 0, null];
  for (const child of item.children) {
    const below = pack(child);
    let y = 0;
    below.forEach((column, i) => {
      if (outline[i]) y = Math.max(y, outline[i].bottom + BETWEEN - column.top);
    });
    below.forEach(({ top, bottom }, i) => {
      outline[i] = { top: Math.min(outline[i]?.top ?? Infinity, y + top), bottom: y + bottom };
    });
    child.offset = y;
    last = y + child.height / 2;
    if (child === item.children[0]) first = last;
    if (child.follow) path = last;
  }
  let middle = (first + last) / 2;
  if (path !== null) middle = Math.max(path - NEAR, Math.min(path + NEAR, middle));
  const top = middle - item.height / 2;
  for (const child of item.children) child.offset -= top;
  return [
    { top: 0, bottom: item.height },
    ...outline.map((column) => ({ top: column.top - top, bottom: column.bottom - top })),
  ];
}

function left(column) {
  return PAD + column * (COLUMN + GAP);
}

function middle(item) {
  return item.y + item.height / 2;
}

function line(from, to) {
  const [x1, y1, x2, y2] = [from.x + COLUMN, middle(from), to.x, middle(to)];
  const bend = (x1 + x2) / 2;
  const path = `<path class="${to.edge}" d="M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}"/>`;
  return to.edge.includes("pruned") ? `${path}<text class="scissors" x="${x2 - 12}" y="${y2 + 4}">✂</text>` : path;
}
