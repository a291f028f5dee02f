// The line above the board: whose move it is, what the engine does, how the game ended, and what went wrong. It may have buttons.

import { find, make } from "../../pages/elements.js";
import { capitalize } from "../../pages/text.js";
import { calm } from "./opponent.js";
import { sideSign } from "./drawings.js";

export class Story {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.whose = find(".whose", root);
    this.said = find(".said", root);
    this.actions = find(".actions", root);
    this.shown = "";
  }

  /**
   * Show a line: { text, sign (SVG), kind ("", "done" or "bad"), actions: [[name, function], …] }. Nothing changes if it is there
   * already.
   * @param {Said} said
   */
  tell({ text, sign = "", kind = "", actions = [] }) {
    const shown = JSON.stringify([text, sign, kind, actions.map(([name]) => name)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.whose.innerHTML = sign;
    this.root.className = kind;
    this.said.textContent = kind === "bad" ? `⚠ ${text}` : text;
    this.actions.replaceChildren(
      ...actions.map(([name, act]) => make("button", { type: "button", textContent: name, onclick: act })),
    );
  }
}

/**
 * Return what to say of the position on show, with the sign of the side that it is about; `page` has what the buttons do.
 * @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Said}
 */
export function storyOf(match, opponent, page) {
  const { facts, end, turn } = match;
  const about = end ? end.winner : match.view.chance ? null : turn;
  return { sign: about === null || opponent.fault ? "" : sideSign(facts, about), ...saidOf(match, opponent, page) };
}

/** @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Said} */
function saidOf(match, opponent, page) {
  const { facts, end } = match;
  const side = facts.sides[match.turn];
  const alone = facts.sides.length === 1;
  if (opponent.fault) return { text: `The engine failed: ${opponent.fault}`, kind: "bad", actions: [["Try again", page.goOn]] };
  if (end) return { text: capitalize(end.text), kind: "done" };
  if (opponent.thinking) return { text: thinkingText(opponent, side, alone), actions: [["Stop", page.stop]] };
  if (match.view.chance) return chanceStory(match, opponent, page);
  if (opponent.hint !== null) return { text: `Hint: ${page.nameOf(opponent.hint)}`, kind: "done", actions: [["Play it", page.hint]] };
  if (opponent.mayMove) return { text: personText(match, opponent, side, alone) };
  if (opponent.busy) return { text: alone ? "The engine’s move" : `The engine’s move: it plays ${side}` };
  return { text: `It is the engine’s move${alone ? "" : ` (${side})`}.`, actions: [["Go on from here", page.goOn]] };
}

/** @param {Opponent} opponent @param {string} side @param {boolean} alone */
function thinkingText(opponent, side, alone) {
  if (opponent.asked === "hint") return "Looking for the best move…";
  return alone ? "The engine is thinking…" : `The engine is thinking for ${side}…`;
}

/** @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Said} */
function chanceStory(match, opponent, page) {
  const { shape } = match.facts.board || {};
  const what = shape === "backgammon" ? "the roll of the dice" : shape === "tiles" ? "the next tile" : "chance";
  if (opponent.rolling && !calm() && shape === "backgammon") return { text: "The dice are rolled…" };
  if (match.live) return { text: capitalize(what) };
  return { text: `Before ${what}`, actions: [["Go on from here", page.goOn]] };
}

/** @param {Match} match @param {Opponent} opponent @param {string} side @param {boolean} alone */
function personText(match, opponent, side, alone) {
  const people = opponent.settings.players.filter((player) => player === "person").length;
  const whose = match.trunk || (people > 1 && !alone) ? `${side} to move` : alone ? "Your move" : `Your move: you play ${side}`;
  return capitalize(match.live ? whose : `${whose}; another move replaces what follows`);
}
