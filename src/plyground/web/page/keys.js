// The keys of the page, in one table that also fills the help.

import { make, touched } from "../../pages/elements.js";

// `listenToKeys` gets a function for each name below.
const KEY_TABLE = [
  { keys: ["ArrowLeft", "k"], name: "previous", text: "a move back" },
  { keys: ["ArrowRight", "j"], name: "next", text: "a move forward" },
  { keys: ["Home", "ArrowUp"], name: "first", text: "to the start" },
  { keys: ["End", "ArrowDown"], name: "last", text: "to the end" },
  { keys: [" "], name: "hint", text: "show the best move; again: play it" },
  { keys: ["u"], name: "undo", text: "take your last move back" },
  { keys: ["r"], name: "redo", text: "redo it" },
  { keys: ["n"], name: "new", text: "new game" },
  { keys: ["f"], name: "flip", text: "turn the board" },
  { keys: ["l"], name: "analysis", text: "analysis on or off" },
  { keys: ["a"], name: "values", text: "values on the moves on or off" },
  { keys: ["i"], name: "look", text: "explain the search" },
  { keys: ["m"], name: "mistake", text: "to the next mistake that the review has found" },
  { keys: ["M"], name: "mistake-before", text: "to the previous one" },
  { keys: ["s"], name: "share", text: "copy or load a game" },
  { keys: ["t"], name: "theme", text: "light or dark" },
  { keys: ["?"], name: "help", text: "these keys" },
  { keys: ["Escape"], name: "release", text: "deselect a piece" },
];
/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };
/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc" };

/**
 * Listen to the keyboard. In games whose moves are directions, the arrow keys make them: `slide(direction)` returns whether it
 * was one.
 * @param {Record<string, () => void>} actions @param {(direction: string) => boolean} slide
 */
export function listenToKeys(actions, slide) {
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (touched(event, "input, select, textarea")) return;
    if (touched(event, "button, a, summary") && (key === " " || key === "Enter")) return;
    const row = KEY_TABLE.find(({ keys }) => keys.includes(key));
    const act = ARROWS[key] && slide(ARROWS[key]) ? () => {} : row && actions[row.name];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** @param {HTMLTableElement} table @param {[keys: string[], text: string][]} more */
export function fillHelp(table, more) {
  /** @type {[keys: string[], text: string][]} */
  const rows = KEY_TABLE.map(({ keys, text }) => [keys.map((key) => SIGNS[key] || key), text]);
  for (const [keys, text] of [...rows, ...more]) {
    const row = table.insertRow();
    row.append(make("th", {}, ...keys.flatMap((key) => [make("kbd", { textContent: key }), " "])));
    row.insertCell().textContent = text;
  }
}
