// The board on the page: a picture, and over it a button for each cell. Cells are touched by click, drag or keyboard; what the
// touches mean is in move_paths.js.

import { find, make, touched } from "../../pages/elements.js";
import { prefersReducedMotion } from "../../pages/preferences.js";
import { drawFrame, drawArrow, pieceSvg } from "./drawings.js";
import { boardOf, cellWords } from "./names.js";
import { MovePaths, cellsAlong } from "./move_paths.js";
import { drawBoard } from "../../board/picture.js";

const DRAG_DISTANCE = 6; // pixels from which a press is a drag
const SLIDE_MS = 170; // from one cell to the next
const BOARD_PARTS = '<div class="picture"></div><svg class="arrows" aria-hidden="true"></svg><div class="cells"></div>';
const NOTHING_TO_TOUCH = { moves: [], touches: [], cells: [] };
/** @type {Record<string, number[]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MAX_UNIT = 9; // pixels; a cell is ten units wide

export class BoardView {
  /**
   * `onMoves(moves)` is called when touches have made a move, or several that touch the same cells. Moves that touch none have
   * their buttons in `others`.
   * @param {HTMLElement} root @param {Facts} facts @param {Picture} picture
   * @param {MoveButtons} others @param {(moves: Move[]) => void} onMoves
   */
  constructor(root, facts, picture, others, onMoves) {
    this.root = root;
    this.others = others;
    this.facts = facts;
    this.drawing = picture;
    this.board = boardOf(facts);
    this.onMoves = onMoves;
    this.flipped = false;
    this.dropped = false; // whether a drag has just ended
    /** @type {number[]} */
    this.path = [];
    /** @type {Map<Move, string>} */
    this.values = new Map();
    /** @type {Drag | null} */
    this.hand = null;
    /** @type {BoardPosition | null} */
    this.position = null;
    /** @type {{ ghost: HTMLElement, moving: Animation } | null} */
    this.sliding = null;
    this.paths = new MovePaths(this.board, NOTHING_TO_TOUCH, 0);
    root.innerHTML = BOARD_PARTS;
    this.picture = find(".picture", root);
    this.arrows = find(".arrows", root);
    this.grid = find(".cells", root);
    this.buttons = this.board.names[0].map((name, cell) => (name ? this.makeButton(cell) : null));
    /** @type {HTMLElement[]} */
    this.order = [];
    this.place();
    this.listen();
  }

  /** @param {number} cell */
  makeButton(cell) {
    const button = make("button", { type: "button", className: "cell", tabIndex: -1 });
    button.dataset.cell = String(cell);
    this.grid.append(button);
    return button;
  }

  get side() {
    return this.drawing.views[this.flipped ? 1 : 0];
  }

  /** Put each button over its cell; again when the board is turned. */
  place() {
    const { box, cells } = this.side;
    /** @param {number} n @param {number} of */
    const percent = (n, of) => `${(100 * n) / of}%`;
    this.root.style.setProperty("--ratio", String(box[2] / box[3]));
    this.root.style.setProperty("--most", `${MAX_UNIT * box[2]}px`);
    this.arrows.setAttribute("viewBox", box.join(" "));
    this.buttons.forEach((button, cell) => {
      if (!button) return;
      const [x, y, w, h] = cells[cell];
      const style = { left: percent(x - box[0], box[2]), top: percent(y - box[1], box[3]) };
      Object.assign(button.style, style, { width: percent(w, box[2]), height: percent(h, box[3]) });
    });
    // Keyboards and screen readers go from left to right and from top to bottom, as the eye does.
    const order = this.buttons.filter((button) => button !== null);
    order.sort((a, b) => this.middle(a)[1] - this.middle(b)[1] || this.middle(a)[0] - this.middle(b)[0]);
    const focused = document.activeElement;
    this.grid.append(...order);
    if (focused instanceof HTMLElement && this.grid.contains(focused)) focused.focus();
    this.order = order;
  }

  /** @param {HTMLElement} button */
  middle(button) {
    const [x, y, w, h] = this.side.cells[Number(button.dataset.cell)];
    return [x + w / 2, y + h / 2];
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    this.settle();
    this.flipped = flipped;
    this.place();
    this.draw();
  }

  /**
   * Show a position: { view, turn, fresh (cells of the last move), may (is it a person's turn?), rolled (did chance just
   * move?) }. `slide` is the way of a piece that has just moved there, from the cells that were shown before.
   * @param {BoardPosition} position @param {number[] | null} slide
   */
  show(position, slide = null) {
    const before = this.position && this.position.view.cells;
    this.settle();
    this.position = position;
    this.path = [];
    this.values = new Map();
    this.paths = new MovePaths(this.board, position.may ? position.view : NOTHING_TO_TOUCH, position.turn);
    this.arrow(null);
    this.draw();
    if (slide && before) this.slide(before, slide);
    if (position.rolled) this.appear(position.fresh);
  }

  draw() {
    if (!this.position) return;
    const { view, turn, fresh } = this.position;
    this.paint(cellsAlong(this.board, view.cells, this.path, turn), fresh);
    this.mark();
  }

  /** @param {number[]} cells @param {Set<number>} fresh */
  paint(cells, fresh = new Set()) {
    const turn = this.position?.view.turn ?? 0;
    this.picture.innerHTML = drawBoard(this.drawing, cells, { turn, flipped: this.flipped, fresh: (cell) => fresh.has(cell) });
  }

  /** Fade in the result of a chance move. @param {Set<number>} cells */
  appear(cells) {
    for (const cell of cells) this.picture.querySelector(`[data-cell="${cell}"]`)?.classList.add("appears");
  }

  // -- what can be touched ---------------------------------------------------------------------------------------

  mark() {
    if (!this.position) return;
    const { view, turn, may } = this.position;
    const next = this.paths.next(this.path);
    const cells = cellsAlong(this.board, view.cells, this.path, turn);
    const dots = this.dotted(next, cells);
    // Checkers that have already been moved in backgammon are no longer held.
    const held = this.board.shape === "backgammon" ? this.path.slice(this.path.length - (this.path.length % 2)) : this.path;
    this.buttons.forEach((button, cell) => {
      if (!button) return;
      const legal = next.has(this.targetCell(cell));
      const chosen = held.includes(cell);
      button.className = "cell";
      button.classList.toggle("legal", legal);
      button.classList.toggle("chosen", chosen);
      button.classList.toggle("dotted", dots.has(cell));
      button.classList.toggle("full", cells[cell] !== 0 && !this.board.count);
      button.classList.toggle("held", legal && cells[cell] !== 0 && this.drags);
      button.setAttribute("aria-disabled", String(!may || !(legal || chosen)));
      const state = chosen ? ", chosen" : !legal ? "" : this.path.length ? ", target" : ", can move";
      button.setAttribute("aria-label", cellWords(this.facts, view.turn ?? 0, cell, cells[cell]) + state);
    });
    this.setTabStop();
    this.showBadges();
  }

  /**
   * Return the cells with dots: those that may be touched, but not if all empty cells may be, nor pieces that wait to be chosen.
   * @param {Set<number>} next @param {number[]} cells
   */
  dotted(next, cells) {
    if (this.path.length) return next;
    if (this.board.count || this.board.shape === "drop") return new Set();
    const empty = this.buttons.flatMap((button, cell) => (button && !cells[cell] ? [cell] : []));
    return empty.every((cell) => next.has(cell)) ? new Set() : new Set(empty.filter((cell) => next.has(cell)));
  }

  /** Whether pieces can be dragged: only if some move touches more than one cell. */
  get drags() {
    return this.paths.all.some(({ cells }) => cells.length > 1);
  }

  /** Return the cell that a touch means: in a column to drop stones into, its top. @param {number} cell */
  targetCell(cell) {
    return this.board.target ? this.board.target[cell] : cell;
  }

  /** @param {number} cell */
  touch(cell) {
    if (!this.position || !this.position.may) return;
    this.settle();
    this.path = this.paths.touched(this.path, this.targetCell(cell));
    const made = this.paths.made(this.path);
    this.draw();
    if (made.length) this.onMoves(made);
  }

  /** Forget the cells touched so far; return false if there were none. */
  release() {
    const some = this.path.length > 0;
    this.path = [];
    this.draw();
    return some;
  }

  // -- pointer and keyboard --------------------------------------------------------------------------------------

  listen() {
    this.grid.addEventListener("pointerdown", (event) => this.take(event));
    this.grid.addEventListener("pointermove", (event) => this.drag(event));
    this.grid.addEventListener("pointerup", (event) => this.drop(event));
    this.grid.addEventListener("pointercancel", () => this.endDrag());
    // A click must not move the keyboard's focus.
    this.grid.addEventListener("mousedown", (event) => event.preventDefault());
    this.grid.addEventListener("click", (event) => {
      const button = touched(event, ".cell");
      if (button && !this.dropped) this.touch(Number(button.dataset.cell));
      this.dropped = false;
    });
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.grid.addEventListener("pointerover", (event) => this.aim(touched(event, ".cell")));
    this.grid.addEventListener("pointerleave", () => this.aim(null));
    this.grid.addEventListener("focusin", (event) => this.setTabStop(touched(event, ".cell")));
  }

  /** @param {PointerEvent} event */
  take(event) {
    const button = touched(event, ".cell");
    this.dropped = false;
    if (!button || event.button !== 0 || !this.position) return;
    this.hand = { cell: Number(button.dataset.cell), x: event.clientX, y: event.clientY, ghost: null };
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { hand } = this;
    if (!hand) return;
    if (!event.buttons) {
      this.endDrag(); // the button was released outside the page
      return;
    }
    if (!hand.ghost) hand.ghost = this.lift(hand, event);
    if (!hand.ghost) return;
    const { left, top } = this.root.getBoundingClientRect();
    hand.ghost.style.left = `${event.clientX - left - hand.ghost.offsetWidth / 2}px`;
    hand.ghost.style.top = `${event.clientY - top - hand.ghost.offsetHeight / 2}px`;
  }

  /**
   * Return a copy of the dragged piece that follows the pointer; null before the pointer has moved far enough, or if nothing may
   * move.
   * @param {Drag} hand @param {PointerEvent} event
   */
  lift(hand, event) {
    const far = Math.hypot(event.clientX - hand.x, event.clientY - hand.y) > DRAG_DISTANCE;
    if (!far || !this.position?.may || !this.drags) return null;
    const holds = this.path[this.path.length - 1] === hand.cell && !this.paths.next(this.path).has(hand.cell);
    const path = holds ? this.path : this.paths.touched(this.path, hand.cell);
    if (path[path.length - 1] !== hand.cell || this.paths.made(path).length) return null;
    if (!holds) this.touch(hand.cell);
    const { view, turn } = this.position;
    const one = this.board.shape === "backgammon" ? 1 + turn * this.board.count : null;
    const ghost = this.makeGhost(hand.cell, one ?? cellsAlong(this.board, view.cells, this.path, turn)[hand.cell]);
    if (one === null) this.picture.querySelector(`[data-cell="${hand.cell}"]`)?.classList.add("lifted");
    this.grid.setPointerCapture(event.pointerId);
    this.grid.classList.add("dragging");
    return ghost;
  }

  /** @param {PointerEvent} event */
  drop(event) {
    const { hand } = this;
    this.endDrag();
    if (!hand || !hand.ghost) return;
    this.dropped = true;
    const at = this.cellAt(event.clientX, event.clientY);
    if (at === null || at === hand.cell) return;
    const goesOn = this.paths.next(this.path).has(this.targetCell(at)) || this.paths.touched(this.path, at).length > this.path.length;
    if (goesOn) this.touch(at);
    else this.release();
  }

  endDrag() {
    if (this.hand && this.hand.ghost) this.hand.ghost.remove();
    this.hand = null;
    this.grid.classList.remove("dragging");
    this.picture.querySelector(".lifted")?.classList.remove("lifted");
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const found = this.buttons.findIndex((button) => {
      if (!button) return false;
      const box = button.getBoundingClientRect();
      return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    });
    return found < 0 ? null : found;
  }

  /** Highlight the whole column below the pointer. @param {HTMLElement | null} button */
  aim(button) {
    if (!this.board.target) return;
    const targetCell = button ? this.targetCell(Number(button.dataset.cell)) : null;
    this.buttons.forEach((other, cell) => other && other.classList.toggle("aim", targetCell !== null && this.targetCell(cell) === targetCell));
  }

  /** Make exactly one cell reachable with Tab; arrow keys go on from it. @param {HTMLElement | null} to */
  setTabStop(to = null) {
    const old = this.order.find((button) => button.tabIndex === 0);
    const now = to || old || this.order[0];
    if (old && old !== now) old.tabIndex = -1;
    now.tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const way = DIRECTIONS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    const from = touched(event, ".cell");
    if (from) this.nearest(from, way)?.focus();
  }

  /**
   * Return the nearest cell in a direction. Distance across the direction counts more than along it: much more to the left and
   * right, to stay in the row; a little less up and down, to reach every row even where only the dark squares are used.
   * @param {HTMLElement} from @param {number[]} way
   */
  nearest(from, [dx, dy]) {
    const [x, y] = this.middle(from);
    /** @type {HTMLElement | null} */
    let found = null;
    let least = Infinity;
    for (const button of this.order) {
      const [u, v] = this.middle(button).map((z, i) => z - [x, y][i]);
      const along = u * dx + v * dy;
      const far = along + (dx ? 2.5 : 0.9) * Math.abs(u * dy + v * dx);
      if (along <= 0.1 || far >= least) continue;
      found = button;
      least = far;
    }
    return found;
  }

  // -- pieces that move ------------------------------------------------------------------------------------------

  /** Return the place of a cell's button. @param {number} cell */
  placeOf(cell) {
    return (this.buttons[cell] ?? this.grid).style;
  }

  /** @param {number} cell @param {number} n */
  makeGhost(cell, n) {
    const ghost = make("div", { className: "ghost", innerHTML: pieceSvg(this.drawing, this.side.cells[cell], n) });
    const { left, top, width, height } = this.placeOf(cell);
    Object.assign(ghost.style, { left, top, width, height });
    this.root.append(ghost);
    return ghost;
  }

  /**
   * Let a piece slide along its way; the position is already there, and is drawn when it has arrived.
   * @param {number[]} before @param {number[]} way
   */
  slide(before, way) {
    if (!this.position || prefersReducedMotion()) return;
    const still = [...before];
    const n = this.board.shape === "drop" ? this.position.view.cells[way[way.length - 1]] : before[way[0]];
    if (this.board.shape !== "drop") still[way[0]] = 0;
    this.paint(still);
    const ghost = this.makeGhost(way[0], n);
    const frames = way.map((cell) => ({ left: this.placeOf(cell).left, top: this.placeOf(cell).top }));
    const easing = this.board.shape === "drop" ? "ease-in" : "ease-in-out";
    const moving = ghost.animate(frames, { duration: SLIDE_MS * Math.min(4, way.length - 1), easing, fill: "forwards" });
    this.sliding = { ghost, moving };
    moving.onfinish = () => this.settle();
  }

  /** End a slide at once. */
  settle() {
    if (!this.sliding) return;
    const { ghost, moving } = this.sliding;
    this.sliding = null;
    moving.onfinish = null;
    moving.cancel();
    ghost.remove();
    this.draw();
  }

  // -- values and arrows -----------------------------------------------------------------------------------------

  /**
   * Show texts on moves, a Map from move to text, the best first: where several moves share a cell, the first is shown.
   * @param {Map<Move, string>} values
   */
  badges(values) {
    this.values = values;
    this.others.badges(values);
    this.showBadges();
  }

  showBadges() {
    this.grid.querySelectorAll(".badge").forEach((badge) => badge.remove());
    if (!this.values.size || !this.position) return;
    const taken = new Set();
    const { view } = this.position;
    for (const [m, label] of this.values) {
      const way = this.waysOf(m).find((cells) => this.path.every((cell, i) => cells[i] === cell));
      if (!way) continue;
      const cell = this.landing(way.length > this.path.length ? way[this.path.length] : way[way.length - 1], view.cells);
      if (taken.has(cell)) continue;
      taken.add(cell);
      this.buttons[cell]?.append(make("span", { className: "badge", textContent: label }));
    }
  }

  /** @param {Move} m */
  waysOf(m) {
    const way = this.position?.view.touches[this.position.view.moves.indexOf(m)];
    return way?.length ? [way] : [];
  }

  /** Return the cell on which a stone lands that is dropped into a column. @param {number} cell @param {number[]} cells */
  landing(cell, cells) {
    if (this.board.shape !== "drop") return cell;
    const cols = this.board.cols.length;
    let found = cell;
    while (found + cols < this.board.size && !cells[found + cols]) found += cols;
    return found;
  }

  /**
   * Draw an arrow along some cells, or a frame around one; null takes it away. In backgammon each checker has an arrow of its
   * own.
   * @param {number[] | null} cells
   */
  arrow(cells) {
    this.arrows.replaceChildren();
    if (!cells?.length || !this.position) return;
    /** @param {number} cell */
    const place = (cell) => this.side.cells[cell];
    if (cells.length === 1) {
      drawFrame(this.arrows, place(this.landing(cells[0], this.position.view.cells)));
    } else if (this.board.shape === "backgammon") {
      for (let i = 0; i + 1 < cells.length; i += 2) drawArrow(this.arrows, cells.slice(i, i + 2).map(place));
    } else {
      drawArrow(this.arrows, cells.map(place));
    }
  }
}
