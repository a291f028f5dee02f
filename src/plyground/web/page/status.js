// The status line above the board: whose move it is, what the engine does, how the game ended, what went wrong. It may have
// buttons.

import { find, make } from "../../pages/elements.js";
import { prefersReducedMotion } from "../../pages/preferences.js";
import { capitalize } from "../../pages/text.js";
import { sideSign } from "./drawings.js";

export class StatusLine {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.sign = find(".sign-of-side", root);
    this.message = find(".message", root);
    this.actions = find(".actions", root);
    this.shown = "";
  }

  /**
   * Show a status; nothing changes if it is on show already.
   * @param {Status} said
   */
  show({ text, sign = "", kind = "", actions = [] }) {
    const shown = JSON.stringify([text, sign, kind, actions.map(([name]) => name)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.sign.innerHTML = sign;
    this.root.className = kind;
    this.message.textContent = kind === "bad" ? `⚠ ${text}` : text;
    this.actions.replaceChildren(
      ...actions.map(([name, act]) => make("button", { type: "button", textContent: name, onclick: act })),
    );
  }
}

/**
 * Return the status of the position on show, with the sign of the side concerned; `page` has the actions of the buttons.
 * @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Status}
 */
export function statusOf(match, opponent, page) {
  const { facts, end, turn } = match;
  const about = end ? end.winner : match.view.chance ? null : turn;
  return { sign: about === null || opponent.fault ? "" : sideSign(facts, about), ...statusOfMatch(match, opponent, page) };
}

/** @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Status} */
function statusOfMatch(match, opponent, page) {
  const { facts, end } = match;
  const side = facts.sides[match.turn];
  const alone = facts.sides.length === 1;
  if (opponent.fault) return { text: `The engine failed: ${opponent.fault}`, kind: "bad", actions: [["Try again", page.goOn]] };
  if (end) return { text: capitalize(end.text), kind: "done" };
  if (opponent.thinking) return { text: thinkingText(opponent, side, alone), actions: [["Stop", page.stop]] };
  if (match.view.chance) return chanceStatus(match, opponent, page);
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

/** @param {Match} match @param {Opponent} opponent @param {Page} page @returns {Status} */
function chanceStatus(match, opponent, page) {
  const { shape } = match.facts.board || {};
  const what = shape === "backgammon" ? "the roll of the dice" : shape === "tiles" ? "the next tile" : "chance";
  if (opponent.rolling && !prefersReducedMotion() && shape === "backgammon") return { text: "The dice are rolled…" };
  if (match.live) return { text: capitalize(what) };
  return { text: `Before ${what}`, actions: [["Go on from here", page.goOn]] };
}

/** @param {Match} match @param {Opponent} opponent @param {string} side @param {boolean} alone */
function personText(match, opponent, side, alone) {
  const people = opponent.settings.players.filter((player) => player === "person").length;
  const whose = match.mainLine || (people > 1 && !alone) ? `${side} to move` : alone ? "Your move" : `Your move: you play ${side}`;
  return capitalize(match.live ? whose : `${whose}; another move replaces what follows`);
}
