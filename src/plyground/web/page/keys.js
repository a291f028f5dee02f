// The keys of the page, in one table that also fills the help.

// `actions` has a function for each name below.
const KEY_TABLE = [
  { keys: ["ArrowLeft", "k"], name: "previous", text: "a move back" },
  { keys: ["ArrowRight", "j"], name: "next", text: "a move forward" },
  { keys: ["Home", "ArrowUp"], name: "first", text: "to the start" },
  { keys: ["End", "ArrowDown"], name: "last", text: "to the end" },
  { keys: [" "], name: "hint", text: "show the best move; again: play it" },
  { keys: ["u"], name: "undo", text: "take your last move back" },
  { keys: ["r"], name: "redo", text: "make it again" },
  { keys: ["n"], name: "new", text: "new game" },
  { keys: ["f"], name: "flip", text: "turn the board" },
  { keys: ["l"], name: "analysis", text: "analysis on or off" },
  { keys: ["a"], name: "values", text: "values on the moves on or off" },
  { keys: ["i"], name: "look", text: "look into the search" },
  { keys: ["m"], name: "mistake", text: "to the next mistake that the review has found" },
  { keys: ["M"], name: "mistake-before", text: "to the previous one" },
  { keys: ["s"], name: "share", text: "copy or load a game" },
  { keys: ["t"], name: "theme", text: "light or dark" },
  { keys: ["?"], name: "help", text: "these keys" },
  { keys: ["Escape"], name: "release", text: "let go of a piece" },
];
const ARROWS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc" };

// In games whose moves are directions, arrow keys make them: `slide(direction)` says whether it did.
export function listenToKeys(actions, slide) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (target.closest("input, select, textarea")) return;
    if (target.closest("button, a, summary") && (key === " " || key === "Enter")) return;
    const row = KEY_TABLE.find(({ keys }) => keys.includes(key));
    const act = ARROWS[key] && slide(ARROWS[key]) ? () => {} : row && actions[row.name];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

export function fillHelp(table, more) {
  const rows = KEY_TABLE.map(({ keys, text }) => [keys.map((key) => SIGNS[key] || key), text]);
  for (const [keys, text] of [...rows, ...more]) {
    const row = table.insertRow();
    const head = document.createElement("th");
    keys.forEach((key) => {
      const made = document.createElement("kbd");
      made.textContent = key;
      head.append(made, " ");
    });
    row.append(head);
    row.insertCell().textContent = text;
  }
}
