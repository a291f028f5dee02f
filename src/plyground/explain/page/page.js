// The page: the buttons and keys.

const $ = (id) => document.getElementById(id);
const view = new TreeView($("tree"));
const walk = new Walk(view, $("panel"), $("story"));
const quiz = new Quiz(view, $("panel"), $("story"));
const PACE = 900;
let asking = false;
let timer = null;

function show() {
  if (asking) quiz.show();
  else walk.show(walk.focus);
  refresh();
}

function refresh() {
  $("controls").hidden = asking;
  $("quiz-controls").hidden = !asking;
  $("mode-walk").setAttribute("aria-pressed", String(!asking));
  $("mode-quiz").setAttribute("aria-pressed", String(asking));
  for (const id of ["boards", "fold", "unfold"]) $(id).hidden = asking;
  $("modes").hidden = !data.quiz.length;
  $("next-cut").hidden = !data.cutoffs;
  $("slider").value = walk.t;
  $("count").textContent = `${walk.t + 1} of ${steps.length}`;
  $("boards").setAttribute("aria-pressed", String(walk.boards));
  $("play").textContent = timer ? "Pause" : "Play";
  $("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  $("quiz-check").disabled = quiz.checked || !quiz.question;
  $("quiz-clear").disabled = quiz.checked || !quiz.question;
  $("quiz-next").disabled = !quiz.question;
  $("quiz-score").textContent = quiz.possible
    ? `Score ${quiz.points} of ${quiz.possible}, ${quiz.right} without a mistake`
    : "";
}

function pause() {
  clearInterval(timer);
  timer = null;
}

function go(t) {
  pause();
  walk.go(t);
  refresh();
}

function play() {
  if (timer) {
    pause();
  } else {
    if (walk.t === LAST) walk.go(0);
    timer = setInterval(() => {
      walk.go(walk.t + 1);
      if (walk.t === LAST) pause();
      refresh();
    }, PACE);
  }
  refresh();
}

function ask(on) {
  pause();
  asking = on && data.quiz.length > 0;
  show();
}

function after(action) {
  return () => {
    action();
    refresh();
  };
}

function pick(key, event) {
  if (asking) {
    quiz.cross(quiz.branches[Number(key.slice(1))]);
  } else if (key[0] === "n") {
    const node = nodes[Number(key.slice(1))];
    if (event.target.closest(".fold") || node === walk.chosen) walk.fold(node);
    else walk.choose(node);
  }
  refresh();
}

function turnLights() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
}

const BUTTONS = {
  first: () => go(0),
  previous: () => go(walk.t - 1),
  next: () => go(walk.t + 1),
  last: () => go(LAST),
  play,
  "next-cut": after(() => walk.nextCut()),
  fold: () => walk.foldAll(false),
  unfold: () => walk.foldAll(true),
  boards: () => ((walk.boards = !walk.boards), show()),
  theme: turnLights,
  help: () => $("keys").showModal(),
  "mode-walk": () => ask(false),
  "mode-quiz": () => ask(true),
  "quiz-check": after(() => quiz.check()),
  "quiz-clear": after(() => quiz.clear()),
  "quiz-next": after(() => quiz.next()),
};
const WALK_KEYS = {
  ArrowRight: (event) => (event.shiftKey ? (walk.over(1), refresh()) : go(walk.t + 1)),
  ArrowLeft: (event) => (event.shiftKey ? (walk.over(-1), refresh()) : go(walk.t - 1)),
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
const QUIZ_KEYS = {
  ArrowUp: () => quiz.move(-1),
  ArrowDown: () => quiz.move(1),
  Enter: () => quiz.question && quiz.cross(quiz.branches[quiz.focus]),
};
const KEYS = { q: () => ask(!asking), t: turnLights, "?": BUTTONS.help };

document.addEventListener("keydown", (event) => {
  const onButton = event.target.closest("button, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || (onButton && event.key === "Enter")) return;
  const action = (asking ? QUIZ_KEYS : WALK_KEYS)[event.key] || KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
});
for (const [id, action] of Object.entries(BUTTONS)) $(id).addEventListener("click", action);
$("slider").addEventListener("input", () => go(Number($("slider").value)));
view.onPick = pick;

const depth = data.depth === null ? "to the end of the game" : `to depth ${data.depth}`;
const who = Object.entries(data.sides).map(([kind, name]) => `${name} is ${kind}`);
const many = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
const counts = [many(data.nodes.length, "node")];
if (data.cutoffs) counts.push(many(data.cutoffs, "cutoff"));
if (data.table_hits) counts.push(many(data.table_hits, "table hit"));
$("title").textContent = `${data.title}: ${data.named} ${depth}`;
$("summary").textContent = [
  `value ${because(data.value_text)}`,
  data.line.length ? `best line ${data.line.join(" ")}` : "",
  ...who,
  counts.join(", "),
  data.note,
]
  .filter(Boolean)
  .join(" · ");
$("slider").max = LAST;
$("signs").innerHTML = [
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
  walk.t = Math.min(LAST, Math.max(0, (Number.isFinite(step) ? step : 1) - 1));
  walk.chosen = null;
  asking = wanted.has("quiz") && data.quiz.length > 0;
  show();
}

addEventListener("hashchange", follow);
follow();
