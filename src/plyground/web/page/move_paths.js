// Which cells lead to which move. A way is the list of cells that a person touches to make a move, a path the part touched
// so far.

export class MovePaths {
  /** @param {Board} board @param {Pick<View, "moves" | "touches" | "cells">} view @param {number} turn */
  constructor(board, view, turn) {
    this.board = board;
    /** @type {MovePath[]} */
    this.all = [];
    view.moves.forEach((m, i) => {
      const way = view.touches[i];
      if (!way.length) return;
      const orders = board.shape === "backgammon" ? ordersOf(board, view.cells, turn, way) : [way];
      for (const cells of orders) this.all.push({ m, cells });
    });
  }

  /** Return the ways that begin with a path. @param {number[]} path @returns {MovePath[]} */
  from(path) {
    return this.all.filter(({ cells }) => cells.length >= path.length && path.every((cell, i) => cells[i] === cell));
  }

  /** Return the cells that may be touched after a path. @param {number[]} path */
  next(path) {
    return new Set(this.from(path).flatMap(({ cells }) => (cells.length > path.length ? [cells[path.length]] : [])));
  }

  /** Return the moves that a path makes; several if they touch the same cells. @param {number[]} path */
  made(path) {
    return [...new Set(this.from(path).flatMap(({ m, cells }) => (cells.length === path.length ? [m] : [])))];
  }

  /**
   * Return the path after one more touch. The last cell of a way completes it if no other way leads there. A cell that could
   * have been touched earlier replaces the one that was; any other cell clears the path.
   * @param {number[]} path @param {number} cell @returns {number[]}
   */
  touched(path, cell) {
    if (this.next(path).has(cell)) return [...path, cell];
    const ends = path.length ? this.from(path).filter(({ cells }) => cells[cells.length - 1] === cell) : [];
    if (ends.length && new Set(ends.map(({ cells }) => cells.join())).size === 1) return ends[0].cells;
    for (let n = path.length - 1; n >= 0; n--) {
      if (path[n] !== cell && this.next(path.slice(0, n)).has(cell)) return [...path.slice(0, n), cell];
    }
    return this.board.shape === "backgammon" ? path.slice(0, path.length - (path.length % 2 || 2)) : [];
  }
}

/**
 * Return the pairs of from and to of a backgammon move in every order in which they can be made.
 * @param {Board} board @param {number[]} cells @param {number} turn @param {number[]} way
 */
function ordersOf(board, cells, turn, way) {
  const pairs = [];
  for (let i = 0; i + 1 < way.length; i += 2) pairs.push([way[i], way[i + 1]]);
  const own = cells.map((n) => (board.pieces[n][0] === turn ? board.pieces[n][3] : 0));
  const found = new Map([[way.join(), way]]);
  /** @param {number[]} done @param {number[][]} left @param {number[]} held */
  function go(done, left, held) {
    if (!left.length) found.set(done.join(), done);
    left.forEach(([from, to], i) => {
      const waits = held[board.bar + turn] > 0 && from !== board.bar + turn;
      const early = to >= board.off && left.some((pair) => pair[1] < board.off);
      if (!held[from] || waits || early) return;
      const after = [...held];
      after[from] -= 1;
      after[to] += 1;
      go([...done, from, to], left.filter((_, j) => j !== i), after);
    });
  }
  go([], pairs, own);
  return [...found.values()];
}

/**
 * Return what lies on the cells while a path is being touched: the piece stands on the last cell of the path.
 * @param {Board} board @param {number[]} cells @param {number[]} path @param {number} turn
 */
export function cellsAlong(board, cells, path, turn) {
  const shown = [...cells];
  if (board.shape === "backgammon") {
    for (let i = 0; i + 1 < path.length; i += 2) moveChecker(board, shown, path[i], path[i + 1], turn);
  } else if (path.length > 1 && !board.count) {
    const piece = shown[path[0]];
    shown[path[0]] = 0;
    shown[path[path.length - 1]] = piece;
  }
  return shown;
}

/** @param {Board} board @param {number[]} shown @param {number} from @param {number} to @param {number} turn */
function moveChecker(board, shown, from, to, turn) {
  /** @param {number} cell */
  const count = (cell) => board.pieces[shown[cell]][3];
  /** @param {number} cell @param {number} n @param {number} side */
  const put = (cell, n, side) => (shown[cell] = n ? n + side * board.count : 0);
  const hit = shown[to] && board.pieces[shown[to]][0] !== turn;
  put(from, count(from) - 1, turn);
  if (hit) put(board.bar + 1 - turn, count(board.bar + 1 - turn) + 1, 1 - turn);
  put(to, hit ? 1 : count(to) + 1, turn);
}
