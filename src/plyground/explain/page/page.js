// The page: its buttons and keys.

import { byId, findAs, touched } from "../../pages/elements.js";
import { switchTheme } from "../../pages/preferences.js";
import { quantity, typeset } from "../../pages/text.js";
import { fitTextBoards } from "./boards.js";
import { Quiz } from "./quiz.js";
import { Search } from "./search.js";
import { TreeView } from "./tree.js";
import { Walk } from "./walk.js";

const STEP_MS = 900; // while it plays by itself
const search = new Search(JSON.parse(byId("data").textContent ?? ""));
const { data, steps } = search;
const letters = search.nodes.reduce((most, node) => Math.max(most, search.named(node).length), 0);
const view = new TreeView(byId("tree"), letters, pick);
const walk = new Walk(search, view, byId("panel"), byId("status"));
const quiz = new Quiz(search, view, byId("panel"), byId("status"));
const slider = findAs(HTMLInputElement, "#slider");
const keys = findAs(HTMLDialogElement, "#keys");
let asking = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

function show() {
  if (asking) quiz.show();
  else walk.show(walk.focus);
  refresh();
}

/** @param {string} id */
function button(id) {
  return findAs(HTMLButtonElement, `#${id}`);
}

function refresh() {
  byId("controls").hidden = asking;
  byId("quiz-controls").hidden = !asking;
  byId("mode-walk").setAttribute("aria-pressed", String(!asking));
  byId("mode-quiz").setAttribute("aria-pressed", String(asking));
  for (const id of ["boards", "fold", "unfold"]) byId(id).hidden = asking;
  byId("modes").hidden = !data.quiz.length;
  byId("next-cut").hidden = !data.cutoffs;
  slider.value = String(walk.t);
  byId("count").textContent = `${walk.t + 1} of ${steps.length}`;
  byId("boards").setAttribute("aria-pressed", String(walk.boards));
  byId("play").textContent = timer ? "Pause" : "Play";
  byId("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  button("quiz-check").disabled = quiz.checked || !quiz.question;
  button("quiz-clear").disabled = quiz.checked || !quiz.question;
  button("quiz-next").disabled = !quiz.question;
  byId("quiz-score").textContent = quiz.possible
    ? `Score ${quiz.points} of ${quiz.possible}, ${quiz.right} without a mistake`
    : "";
}

function pause() {
  clearInterval(timer);
  timer = undefined;
}

/** @param {number} t */
function go(t) {
  pause();
  walk.go(t);
  refresh();
}

function play() {
  if (timer) {
    pause();
  } else {
    if (walk.t === search.last) walk.go(0);
    timer = setInterval(() => {
      walk.go(walk.t + 1);
      if (walk.t === search.last) pause();
      refresh();
    }, STEP_MS);
  }
  refresh();
}

/** Show the quiz, or the walk. @param {boolean} on */
function ask(on) {
  pause();
  asking = on && data.quiz.length > 0;
  show();
}

/** @param {() => void} action */
function after(action) {
  return () => {
    action();
    refresh();
  };
}

/** @param {string} key @param {Event} event */
function pick(key, event) {
  const number = Number(key.slice(1));
  if (asking) {
    quiz.cross(quiz.branches[number]);
  } else if (key[0] === "n") {
    const node = search.nodes[number];
    if (touched(event, ".fold") || node === walk.chosen) walk.fold(node);
    else walk.choose(node);
  }
  refresh();
}

/** @type {Record<string, () => void>} */
const BUTTONS = {
  first: () => go(0),
  previous: () => go(walk.t - 1),
  next: () => go(walk.t + 1),
  last: () => go(search.last),
  play,
  "next-cut": after(() => walk.nextCut()),
  fold: () => walk.foldAll(false),
  unfold: () => walk.foldAll(true),
  boards: () => ((walk.boards = !walk.boards), show()),
  theme: switchTheme,
  help: () => keys.showModal(),
  "mode-walk": () => ask(false),
  "mode-quiz": () => ask(true),
  "quiz-check": after(() => quiz.check()),
  "quiz-clear": after(() => quiz.clear()),
  "quiz-next": after(() => quiz.next()),
};
/** @type {Record<string, (event: KeyboardEvent) => void>} */
const WALK_KEYS = {
  ArrowRight: (event) => (event.shiftKey ? (walk.stepOver(1), refresh()) : go(walk.t + 1)),
  ArrowLeft: (event) => (event.shiftKey ? (walk.stepOver(-1), refresh()) : go(walk.t - 1)),
  ArrowUp: () => walk.move(-1),
  ArrowDown: () => walk.move(1),
  Home: BUTTONS.first,
  End: BUTTONS.last,
  Enter: () => walk.fold(walk.focus),
  c: BUTTONS["next-cut"],
  p: play,
  b: BUTTONS.boards,
  f: BUTTONS.fold,
  u: BUTTONS.unfold,
};
/** @type {Record<string, () => void>} */
const QUIZ_KEYS = {
  ArrowUp: () => quiz.move(-1),
  ArrowDown: () => quiz.move(1),
  Enter: () => quiz.question && quiz.cross(quiz.branches[quiz.focus]),
};
/** @type {Record<string, () => void>} */
const KEYS = { q: () => ask(!asking), t: switchTheme, "?": BUTTONS.help };

document.addEventListener("keydown", (event) => {
  const onButton = touched(event, "button, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open || (onButton && event.key === "Enter")) return;
  const action = (asking ? QUIZ_KEYS : WALK_KEYS)[event.key] || KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
});
for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
slider.addEventListener("input", () => go(Number(slider.value)));
fitTextBoards();

const depth = data.depth === null ? "to the end of the game" : `to depth ${data.depth}`;
const who = Object.entries(data.sides).map(([kind, name]) => `${name} is ${kind}`);
const counts = [quantity(data.nodes.length, "node")];
if (data.cutoffs) counts.push(quantity(data.cutoffs, "cutoff"));
if (data.table_hits) counts.push(quantity(data.table_hits, "table hit"));
byId("title").textContent = `${data.title}: ${data.named} ${depth}`;
byId("summary").textContent = [
  `value ${typeset(data.value_text)}`,
  data.line.length ? `best line ${data.line.join(" ")}` : "",
  ...who,
  counts.join(", "),
  data.note,
]
  .filter(Boolean)
  .join(" · ");
slider.max = String(search.last);
byId("signs").innerHTML = [
  ["max", "max to move: takes the largest value"],
  ["min", "min to move: takes the smallest value"],
  ["chance", "a chance move: the average"],
  ["leaf", "a leaf: game over, or an estimate"],
  ["table", "a table hit"],
  ["cut", "pruned: never searched"],
  ["best", "the best move so far; the thick line is the best line"],
]
  .map(([name, text]) => `<tr><th>${data.signs[name]}</th><td>${text}</td></tr>`)
  .join("");

// The address may name a step, `#step=12`, or the quiz, `#quiz`; anything else shows the first step.
function follow() {
  pause();
  const wanted = new URLSearchParams(location.hash.slice(1));
  const step = Math.trunc(Number(wanted.get("step")));
  walk.t = Math.min(search.last, Math.max(0, (Number.isFinite(step) ? step : 1) - 1));
  walk.chosen = null;
  asking = wanted.has("quiz") && data.quiz.length > 0;
  show();
}

addEventListener("hashchange", follow);
follow();
