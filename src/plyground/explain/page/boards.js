// The boards of the page: pictures, or text if the rules have no BOARD. Cells changed by the last move have a frame.

import { drawBoard } from "../../board/picture.js";
import { escapeMarkup } from "../../pages/text.js";

/**
 * Return a board as markup; `before` is the one before the last move. With `labelled`, names are shown beside the cells; small
 * boards have no room for them.
 * @param {Boards} boards @param {number} i @param {number} [before]
 */
export function showBoard(boards, i, before = i, labelled = false) {
  const { turn, cells, text = "" } = boards.each[i];
  if (!boards.picture || !cells) return showText(text);
  const old = boards.each[before].cells ?? cells;
  return drawBoard(boards.picture, cells, { turn, labelled, fresh: (cell) => old[cell] !== cells[cell] });
}

/**
 * Return a text board that fits: a letter is about 0.62 times as wide as the font size, a line 1.1 times as high.
 * @param {string} text
 */
function showText(text) {
  const lines = text.split("\n");
  const size = Math.max(...lines.map((line) => 0.62 * line.length), 1.1 * lines.length);
  return `<pre class="board-text" data-size="${size}">${escapeMarkup(text)}</pre>`;
}

/** Set the size of each text board when it appears; the page's policy forbids styles in the markup. */
export function fitTextBoards() {
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof Element)) continue;
      for (const pre of target.querySelectorAll("pre")) pre.style.setProperty("--size", pre.dataset.size ?? "");
    }
  }).observe(document.body, { childList: true, subtree: true });
}
