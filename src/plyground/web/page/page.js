// The page: shows the position, and plays the moves that are clicked.

import { readModule } from "./module.js";
import { loadRules } from "./rules.js";

const facts = JSON.parse(document.getElementById("data").textContent);
const rules = await loadRules(facts, await readModule(facts.module));
const rows = [rules.start];

function playMove(m) {
  rows.push(rules.play(rows.at(-1), m));
  show();
}

function button(text, onclick) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.disabled = !onclick;
  made.onclick = onclick;
  return made;
}

function show() {
  const view = rules.view(rows.at(-1));
  const words = view.result === null ? (view.chance ? "chance moves" : "to move") : `over: ${view.result} for`;
  document.getElementById("status").textContent = `${words} ${facts.sides[view.turn ?? (rows.length - 1) % facts.sides.length]}`;
  showCells(view);
  document.getElementById("moves").replaceChildren(...view.moves.map((m) => button(String(m), () => playMove(m))));
}

function showCells(view) {
  const board = document.getElementById("board");
  if (!facts.board) {
    board.textContent = rules.text(rows.at(-1));
    return;
  }
  const table = document.createElement("table"), wide = facts.board.cols.length;
  let line = null;
  view.cells.forEach((n, cell) => {
    if (cell % wide === 0) line = table.insertRow();
    const found = view.touches.findIndex((touched) => touched.length === 1 && touched[0] === cell);
    line.insertCell().append(button(facts.board.pieces[n][1] || String(n), found < 0 ? null : () => playMove(view.moves[found])));
  });
  board.replaceChildren(table);
}

document.getElementById("undo").onclick = () => {
  if (rows.length > 1) rows.pop();
  show();
};
document.getElementById("new").onclick = () => {
  rows.length = 1;
  show();
};
show();
