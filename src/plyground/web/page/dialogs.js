// The dialogs: a choice among moves that touch the same cells, and games as text to copy and load.

import { byId, find, findAs, make } from "../../pages/elements.js";
import { pieceSvg } from "./drawings.js";
import { boardOf, choicesOf, pieceWords } from "./names.js";
import { gameHash, gameText } from "./share.js";

export class Dialogs {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.choice = findAs(HTMLDialogElement, "#choice");
    this.sharing = findAs(HTMLDialogElement, "#sharing");
    this.text = findAs(HTMLTextAreaElement, "#game-text");
    const act = {
      "copy-text": () => this.copy(gameText(page.match), "The game was copied."),
      "copy-state": () => this.copy(page.rules.text(page.match.row), "The position was copied."),
      "copy-address": () => this.copy(this.address(), "The address was copied."),
      "load-text": () => this.load(),
      "bring-back": () => (this.sharing.close(), page.restorePrevious()),
    };
    for (const [id, action] of Object.entries(act)) byId(id).addEventListener("click", action);
  }

  // -- a choice --------------------------------------------------------------------------------------------------

  /** Let a person choose one of these moves; resolve to null if they cancel. @param {Move[]} moves */
  choose(moves) {
    const { match, rules, facts } = this.page;
    const found = choicesOf(facts, rules, match.row, match.view, moves);
    const buttons = Array.from(found, ([m, choice]) => this.option(m, choice));
    find(".choices", this.choice).replaceChildren(...buttons);
    this.choice.returnValue = "";
    this.choice.showModal();
    buttons[0].focus();
    return new Promise((done) => {
      const end = () => done(moves.find((m) => String(m) === this.choice.returnValue) ?? null);
      this.choice.addEventListener("close", end, { once: true });
    });
  }

  /** @param {Move} m @param {Choice} choice */
  option(m, { cell, n, before }) {
    const { facts } = this.page;
    const board = boardOf(facts);
    const button = make("button", { type: "button", onclick: () => this.choice.close(String(m)) });
    button.dataset.move = String(m);
    const [now, then] = [board.pieces[before][3], board.pieces[n][3]];
    const text = !board.count ? pieceWords(facts, n) : then < now ? `take ${now - then}, leave ${then}` : `${then}`;
    button.innerHTML = facts.picture ? pieceSvg(facts.picture, facts.picture.views[0].cells[cell], n) : "";
    button.append(text);
    return button;
  }

  // -- sharing ---------------------------------------------------------------------------------------------------

  share() {
    this.text.value = gameText(this.page.match);
    this.showStatus("");
    byId("bring-back").hidden = !this.page.before;
    this.sharing.showModal();
    this.text.select();
  }

  address() {
    return `${location.href.split("#")[0]}#${gameHash(this.page.match)}`;
  }

  /** @param {string} text @param {string} message */
  async copy(text, message) {
    try {
      await navigator.clipboard.writeText(text);
      this.showStatus(message);
    } catch {
      this.text.value = text;
      this.text.select();
      this.showStatus("The browser refused to copy: select the text above and copy it.");
    }
  }

  load() {
    try {
      this.page.load(this.text.value);
      this.sharing.close();
    } catch (error) {
      this.showStatus(`⚠ This can’t be loaded: ${error.message}`, "bad");
    }
  }

  /** @param {string} text @param {string} kind */
  showStatus(text, kind = "") {
    const line = byId("sharing-status");
    line.textContent = text;
    line.className = kind;
  }
}
