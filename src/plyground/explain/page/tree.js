// A tree drawn from left to right, one column per ply. Only visible items are in the document, so large trees stay fast.

import { find, touched } from "../../pages/elements.js";

export const CARD = 60; // the height of an item with a board
export const ROW = 24; // and of a line of text
const GAP = 44;
const BETWEEN = 6;
const PAD = 14;
const BEYOND = 300;
const NEAR = 130;
const TREE_PARTS = '<div class="heads"></div><div class="sheet"><svg class="edges" aria-hidden="true"></svg></div>';

export class TreeView {
  /**
   * Columns are wide enough for the longest move beside a board: a letter takes about 8 pixels, sign and star about 44.
   * @param {HTMLElement} box @param {number} letters @param {(key: string, event: Event) => void} onPick
   */
  constructor(box, letters, onPick) {
    this.box = box;
    this.column = Math.min(300, Math.max(164, 52 + 44 + 8 * letters));
    box.style.setProperty("--column", `${this.column}px`);
    box.innerHTML = TREE_PARTS;
    this.heads = find(".heads", box);
    this.sheet = find(".sheet", box);
    this.edges = /** @type {Element} */ (this.sheet.firstElementChild);
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    /** @type {TreeItem[]} */
    this.items = [];
    /** @type {Map<string, TreeItem>} */
    this.byKey = new Map();
    box.addEventListener("scroll", () => this.paint(), { passive: true });
    new ResizeObserver(() => this.paint()).observe(box);
    box.addEventListener("click", (event) => {
      const card = touched(event, "[data-key]");
      if (card) onPick(card.dataset.key ?? "", event);
    });
  }

  /**
   * Show these trees with a head above each column.
   * @param {TreeItem[]} forest @param {string[]} heads @param {string | null} wanted
   */
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
    this.sheet.style.width = `${columns * (this.column + GAP) + PAD}px`;
    this.sheet.style.height = `${top}px`;
    this.heads.style.width = this.sheet.style.width;
    this.heads.innerHTML = heads
      .slice(0, columns)
      .map((text) => `<span>${text}</span>`)
      .join("");
    this.heads.querySelectorAll("span").forEach((head, i) => (head.style.left = `${this.left(i)}px`));
    if (wanted) this.reveal(wanted);
    this.paint();
  }

  /** @param {number} column */
  left(column) {
    return PAD + column * (this.column + GAP);
  }

  /**
   * Place an item and all below it.
   * @param {TreeItem} item @param {TreeItem | null} parent @param {number} column @param {number} y
   */
  place(item, parent, column, y) {
    item.parent = parent;
    item.column = column;
    item.x = this.left(column);
    item.y = y;
    this.items.push(item);
    for (const child of item.children) this.place(child, item, column + 1, y + child.offset);
  }

  /** Scroll only as far as needed to show the item and, if there is room, its parent. @param {string} key */
  reveal(key) {
    const item = this.byKey.get(key);
    if (!item) return;
    const { box } = this;
    const bottom = Math.min(item.y + item.height + 60, this.sheet.offsetHeight);
    const at = { top: box.scrollTop, left: box.scrollLeft };
    const head = this.heads.offsetHeight;
    if (item.y < at.top + 20) at.top = item.y - 60;
    else if (bottom > at.top + box.clientHeight - head) at.top = bottom - box.clientHeight + head + 60;
    if (item.x < at.left) at.left = item.x - this.column;
    else if (item.x + this.column + GAP > at.left + box.clientWidth) at.left = item.x + this.column + GAP - box.clientWidth;
    if (at.top !== box.scrollTop || at.left !== box.scrollLeft) box.scrollTo({ ...at, behavior: "instant" });
  }

  paint() {
    const [top, bottom] = [this.box.scrollTop - BEYOND, this.box.scrollTop + this.box.clientHeight + BEYOND];
    /** @param {TreeItem} item */
    const inSight = (item) => item.y + item.height > top && item.y < bottom;
    const visible = this.items.filter(inSight);
    const seen = new Set(visible.map((item) => item.key));
    for (const [key, element] of this.elements) {
      if (!seen.has(key)) {
        element.remove();
        this.elements.delete(key);
      }
    }
    let before = /** @type {Element} */ (this.edges);
    for (const item of visible) before = this.draw(item, before);
    const lines = [];
    for (const item of this.items) {
      const from = item.parent;
      if (from && Math.max(item.y, from.y) > top && Math.min(item.y, from.y) < bottom) lines.push(this.line(from, item));
    }
    this.edges.innerHTML = lines.join("");
  }

  /**
   * Show an item after an element: they are in tree order, for screen-reader users.
   * @param {TreeItem} item @param {Element} before
   */
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
    element.setAttribute("aria-level", String(item.column + 1));
    element.setAttribute("aria-label", item.label);
    element.setAttribute("aria-selected", String(item.className.includes("chosen")));
    if (item.expanded === undefined) element.removeAttribute("aria-expanded");
    else element.setAttribute("aria-expanded", String(item.expanded));
    if (element.dataset.stamp !== item.stamp) {
      element.dataset.stamp = item.stamp;
      item.fill(element);
    }
    return element;
  }

  /** Return the edge between two items, as SVG text. @param {TreeItem} from @param {TreeItem} to */
  line(from, to) {
    const [x1, y1, x2, y2] = [from.x + this.column, middle(from), to.x, middle(to)];
    const bend = (x1 + x2) / 2;
    const path = `<path class="${to.edge}" d="M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}"/>`;
    return to.edge.includes("pruned") ? `${path}<text class="scissors" x="${x2 - 12}" y="${y2 + 4}">✂</text>` : path;
  }
}

/** Return an item of the forest, before it has a place. @param {ItemParts} parts @returns {TreeItem} */
export function treeItem(parts) {
  return { follow: false, parent: null, column: 0, offset: 0, x: 0, y: 0, ...parts };
}

/**
 * Move the subtrees of an item as close together as their outlines allow, and centre the item on them, or near the path.
 * Sets each child's offset from the item; returns the outline: the top and bottom of each column from the item on.
 * @param {TreeItem} item @returns {{ top: number, bottom: number }[]}
 */
export function pack(item) {
  /** @type {{ top: number, bottom: number }[]} */
  const outline = [];
  let [first, last] = [0, 0];
  /** @type {number | null} */
  let path = null;
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

/** @param {TreeItem} item */
function middle(item) {
  return item.y + item.height / 2;
}
