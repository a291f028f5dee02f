// The dialogs: a choice among moves that touch the same cells, and games as text to copy and load.

import { pieceSvg } from "./board.js";
import { choicesOf, pieceWords } from "./names.js";
import { gameHash, gameText } from "./share.js";

export class Dialogs {
  constructor(page) {
    this.page = page;
    this.choice = document.getElementById("choice");
    this.sharing = document.getElementById("sharing");
    this.text = document.getElementById("game-text");
    const act = {
      "copy-text": () => this.copy(gameText(page.match), "The game was copied."),
      "copy-state": () => this.copy(page.rules.text(page.match.row), "The position was copied."),
      "copy-address": () => this.copy(this.address(), "The address was copied."),
      "load-text": () => this.load(),
      "bring-back": () => (this.sharing.close(), page.bringBack()),
    };
    for (const [id, action] of Object.entries(act)) document.getElementById(id).addEventListener("click", action);
  }

  // -- a choice --------------------------------------------------------------------------------------------------

  // The move that a person chooses; null if none.
  choose(moves) {
    const { match, rules, facts } = this.page;
    const found = choicesOf(facts, rules, match.row, match.view, moves);
    const buttons = moves.map((m) => this.option(m, found.get(m)));
    this.choice.querySelector(".choices").replaceChildren(...buttons);
    this.choice.returnValue = "";
    this.choice.showModal();
    buttons[0].focus();
    return new Promise((done) => {
      const end = () => done(moves.find((m) => String(m) === this.choice.returnValue) ?? null);
      this.choice.addEventListener("close", end, { once: true });
    });
  }

  option(m, { cell, n, before }) {
    const { facts } = this.page;
    const { board, picture } = facts;
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.move = m;
    const [, , w, h, set] = picture.views[0].cells[cell];
    const [now, then] = [board.pieces[before][3], board.pieces[n][3]];
    const text = !board.count ? pieceWords(facts, n) : then < now ? `take ${now - then}, leave ${then}` : `${then}`;
    button.innerHTML = pieceSvg(picture, set, n, w, h);
    button.append(text);
    button.addEventListener("click", () => this.choice.close(String(m)));
    return button;
  }

  // -- sharing ---------------------------------------------------------------------------------------------------

  share() {
    this.text.value = gameText(this.page.match);
    this.tell("");
    document.getElementById("bring-back").hidden = !this.page.before;
    this.sharing.showModal();
    this.text.select();
  }

  address() {
    return `${location.href.split("#")[0]}#${gameHash(this.page.match)}`;
  }

  async copy(text, told) {
    try {
      await navigator.clipboard.writeText(text);
      this.tell(told);
    } catch {
      this.text.value = text;
      this.text.select();
      this.tell("Nothing may be copied from here: take the text above.");
    }
  }

  load() {
    try {
      this.page.load(this.text.value);
      this.sharing.close();
    } catch (error) {
      this.tell(`⚠ This can’t be loaded: ${error.message}`, "bad");
    }
  }

  tell(text, kind = "") {
    const line = document.getElementById("sharing-story");
    line.textContent = text;
    line.className = kind;
  }
}
