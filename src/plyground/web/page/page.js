// The page: creates the parts and connects them. After each change of the match, everything is shown again.

import { byId, find, findAs, make } from "../../pages/elements.js";
import { prefersReducedMotion } from "../../pages/preferences.js";
import { capitalize } from "../../pages/text.js";
import { Analysis } from "./analysis.js";
import { makeInterface } from "./api.js";
import { BoardView } from "./board.js";
import { MoveButtons } from "./buttons.js";
import { Dialogs } from "./dialogs.js";
import { Engine } from "./engine.js";
import { fillHelp, listenToKeys } from "./keys.js";
import { SearchViewer } from "./search_viewer.js";
import { Match, newSeed } from "./match.js";
import { readModule } from "./module.js";
import { MoveList } from "./movelist.js";
import { Opponent } from "./opponent.js";
import { fieldTexts, freshCells, slideWay } from "./positions.js";
import { Rules } from "./rules.js";
import { Settings } from "./settings.js";
import { Store, gameHash, parseHash, parseGame, storedGame } from "./share.js";
import { StatusLine, statusOf } from "./status.js";

const FLICKER_MS = 90;
const PREVIOUS_GAME = ":before";
const HASH_DELAY_MS = 300;

export class Page {
  /** @param {Facts} facts @param {Rules} rules @param {Engine} engine */
  constructor(facts, rules, engine) {
    this.facts = facts;
    this.rules = rules;
    this.engine = engine;
    /** @type {Status | null} */
    this.message = null;
    this.touched = false; // whether the last move was made by touching cells
    this.wasBusy = false;
    this.hash = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.hashing = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.flicker = undefined;
    this.match = new Match(facts, rules);
    this.store = new Store(facts);
    this.settings = new Settings(facts, () => this.onSettings());
    this.opponent = new Opponent(this.match, engine, this.settings, () => this.showMessage(null));
    this.status = new StatusLine(byId("status"));
    this.list = new MoveList(byId("moves"), this.match, (ply) => this.match.go(ply));
    this.dialogs = new Dialogs(this);
    this.buttons = new MoveButtons(byId("buttons"), this.match);
    /** @type {BoardLike} */
    this.board = facts.picture
      ? new BoardView(byId("board"), facts, facts.picture, this.buttons, (moves) => this.choose(moves))
      : new NoBoard(this.buttons);
    this.match.onChange((kind) => this.onChange(kind));
    this.goOn = () => this.continueHere();
    this.stop = () => this.opponent.stop();
    this.hint = () => this.opponent.suggest();
    const { match, board, list, opponent } = this;
    const places = { root: byId("analysis"), bar: byId("bar"), list };
    this.analysis = new Analysis({ facts, rules, match, engine, board, busy: () => opponent.busy, ...places });
    this.look = new SearchViewer(facts, rules, match, byId("look"));
  }

  // -- events ----------------------------------------------------------------------------------------------

  /** @param {string} kind */
  onChange(kind) {
    this.message = null;
    if (kind === "play") this.speak();
    this.opponent.go();
    this.showPosition(kind === "play" && (!this.touched || this.facts.board?.shape === "drop"));
    this.touched = false;
    this.show();
    this.keep();
  }

  onSettings() {
    this.turnBoard();
    this.opponent.go();
    this.showPosition();
    this.show();
    this.keep();
  }

  turnBoard() {
    this.board.flip(this.settings.flipped);
    byId("bar").classList.toggle("flipped", this.settings.flipped);
  }

  flip() {
    this.settings.flipped = !this.settings.flipped;
    this.turnBoard();
    this.keep();
  }

  /** Play the move that was touched; if several touch the same cells, ask which one. @param {Move[]} moves */
  async choose(moves) {
    const m = moves.length > 1 ? await this.dialogs.choose(moves) : moves[0];
    if (m === null) {
      this.board.release();
      return;
    }
    this.touched = true;
    this.match.play(m);
  }

  continueHere() {
    const { match } = this;
    if (match.live) {
      this.opponent.go();
      this.show();
    } else {
      const other = match.copy();
      other.moves.length = other.names.length = match.at;
      other.rows.length = other.views.length = match.at + 1;
      match.adopt(other, match.mainLine);
    }
  }

  /**
   * Replace this game with another one. This one is stored, so that the message and the dialog for sharing can bring it back.
   * @param {Match} other @param {string} text
   */
  replace(other, text) {
    const { match } = this;
    const before = match.game;
    const some = before.moves.length > 0;
    if (some) this.store.write(before, this.settings, PREVIOUS_GAME);
    match.adopt(other);
    this.showMessage({ text, actions: some ? [["Restore the previous game", () => this.restorePrevious()]] : [] });
  }

  /** The game that was replaced last; null if there is none. */
  get before() {
    const kept = this.store.read(PREVIOUS_GAME);
    return kept && storedGame(this.facts, this.rules, kept);
  }

  restorePrevious() {
    const { before } = this;
    if (before) this.replace(before, "Restored the previous game.");
  }

  newGame() {
    this.replace(new Match(this.facts, this.rules, this.rules.start, newSeed()), "New game.");
  }

  /** @param {string} text */
  load(text) {
    this.replace(parseGame(this.facts, this.rules, text), "The game was loaded.");
  }

  /** Show a message until something happens. @param {Status | null} message */
  showMessage(message) {
    this.message = message;
    this.show();
  }

  /** Return the last ply before this one, or the first after it, at which a person was to move. @param {1 | -1} step */
  personsPly(step) {
    const { match, settings } = this;
    for (let ply = match.at + step; ply >= 0 && ply <= match.moves.length; ply += step) {
      if (!match.viewAt(ply).chance && settings.players[match.turnAt(ply)] === "person" && !match.endAt(ply)) return ply;
    }
    return step > 0 && !match.live ? match.moves.length : null;
  }

  undo() {
    const ply = this.personsPly(-1);
    if (this.board.path.length) this.board.release();
    else if (ply !== null) this.match.go(ply);
  }

  redo() {
    const ply = this.personsPly(1);
    if (ply !== null) this.match.go(ply);
  }

  /** Play the move of the button with this name; return false if the board has no such button. @param {string} direction */
  slide(direction) {
    const { match, facts } = this;
    const buttons = facts.board ? facts.board.buttons : {};
    if (!Object.values(buttons).includes(direction)) return false;
    const m = this.opponent.mayMove ? match.view.moves.find((n) => buttons[String(n)] === direction) : undefined;
    if (m !== undefined) match.play(m);
    return true;
  }

  // -- showing ---------------------------------------------------------------------------------------------

  /** @param {boolean} slides */
  showPosition(slides = false) {
    const { match, opponent } = this;
    clearInterval(this.flicker);
    const rolled = slides && match.viewAt(match.at - 1).chance;
    this.board.show(
      { view: match.view, turn: match.turn, fresh: freshCells(match), may: opponent.mayMove, rolled },
      slides && this.facts.board ? slideWay(match) : null,
    );
    this.showFields();
    if (opponent.rolling && this.facts.board && this.facts.board.shape === "backgammon" && !prefersReducedMotion()) this.rollDice();
    this.buttons.show(opponent.mayMove);
  }

  rollDice() {
    const { match, rules, board } = this;
    const { row } = match;
    const { moves } = match.view;
    this.flicker = setInterval(() => {
      const m = moves[Math.floor(Math.random() * moves.length)];
      board.paint(rules.view(rules.play(row, m)).cells);
    }, FLICKER_MS);
  }

  /** Show the fields of the state: all of them if there is no board, else those that the board lists. */
  showFields() {
    const { facts, match } = this;
    if (facts.board) {
      const { fields } = facts.board;
      const shown = fieldTexts(facts, match.row).filter(([name]) => fields.includes(name));
      byId("tally").hidden = !shown.length;
      byId("tally").textContent = shown.map(([name, text]) => `${name} ${Number(text).toLocaleString("en")}`).join(" · ");
      return;
    }
    const parts = fieldTexts(facts, match.row).flatMap(([name, text]) => [
      make("dt", { textContent: name }),
      make("dd", { textContent: text }),
    ]);
    byId("board").replaceChildren(make("dl", {}, ...parts));
  }

  show() {
    const { match, opponent } = this;
    const said = statusOf(match, opponent, this);
    const { message } = this;
    const both = message && message.kind !== "bad" ? { sign: said.sign, text: `${message.text} ${said.text}` } : {};
    this.status.show({ ...(message || said), ...both });
    const hint = opponent.hint === null ? -1 : match.view.moves.indexOf(opponent.hint);
    if (hint >= 0) this.board.arrow(match.view.touches[hint]);
    this.buttons.mark(opponent.hint);
    this.list.show();
    byId("count").textContent = match.mainLine ? "trying out moves" : `${match.at} of ${match.moves.length}`;
    const disabled = {
      ...{ first: match.at === 0, previous: match.at === 0, next: match.live, last: match.live },
      undo: this.personsPly(-1) === null && !this.board.path.length,
      redo: this.personsPly(1) === null,
      hint: !opponent.mayMove,
    };
    for (const [id, off] of Object.entries(disabled)) findAs(HTMLButtonElement, `#${id}`).disabled = off;
    if (this.wasBusy !== opponent.busy) this.analysis.follow();
    this.wasBusy = opponent.busy;
  }

  /** @param {Move} m */
  nameOf(m) {
    const { match } = this;
    return match.namesAt(match.at)[match.view.moves.indexOf(m)];
  }

  /** Say the last move, for screen readers. */
  speak() {
    const { match } = this;
    const ply = match.at - 1;
    const who = match.viewAt(ply).chance ? "chance" : match.facts.sides[match.turnAt(ply)];
    byId("spoken").textContent = `${capitalize(who)}: ${match.names[ply]}.${match.end ? ` ${capitalize(match.end.text)}.` : ""}`;
  }

  // -- storing ----------------------------------------------------------------------------------------------

  keep() {
    this.store.write(this.match.game, this.settings);
    clearTimeout(this.hashing);
    this.hashing = setTimeout(() => this.writeHash(), HASH_DELAY_MS);
  }

  writeHash() {
    clearTimeout(this.hashing);
    const hash = gameHash(this.match.game);
    this.hash = hash;
    try {
      history.replaceState(null, "", `#${hash}`);
    } catch {
      return; // a frame that has no address of its own
    }
    this.store.write(this.match.game, this.settings);
  }

  /** Start with the game in the address, else with the stored one, else with a new one. */
  resume() {
    const kept = this.store.read();
    const stored = kept ? storedGame(this.facts, this.rules, kept) : null;
    if (kept && kept.settings) this.settings.take(kept.settings);
    if (stored) this.match.adopt(stored);
    else this.match.notify("load");
    this.onSettings();
    // The address is written after the game: an unchanged one holds nothing newer than the stored game.
    const same = stored && kept?.address === location.hash;
    if (!same && !this.follow() && kept && !stored) {
      this.store.backUp(PREVIOUS_GAME);
      this.showMessage({ text: "The stored game does not fit these rules; this is a new one.", kind: "bad" });
    }
  }

  /** Load the game in the address; return whether there is one, even a damaged one. @param {string} address */
  follow(address = location.href) {
    const hash = address.includes("#") ? address.slice(address.indexOf("#") + 1) : "";
    if (!hash || hash === this.hash) return false;
    try {
      const rest = this.settings.fromHash(hash);
      if (rest !== hash) this.onSettings();
      if (rest === gameHash(this.match)) return false;
      const other = parseHash(this.facts, this.rules, rest);
      if (other) this.replace(other, "The game in the address was loaded.");
    } catch (error) {
      this.showMessage({ text: `There is no game in the address: ${error.message}`, kind: "bad" });
    }
    return true;
  }

  listen() {
    const { match } = this;
    const act = {
      first: () => match.go(0),
      previous: () => match.undo(),
      next: () => match.redo(),
      last: () => match.go(match.moves.length),
      undo: () => this.undo(),
      redo: () => this.redo(),
      hint: this.hint,
      new: () => this.newGame(),
      flip: () => this.flip(),
      share: () => this.dialogs.share(),
      theme: () => (this.settings.toggleTheme(), this.keep()),
      help: () => findAs(HTMLDialogElement, "#keys").showModal(),
    };
    for (const [id, action] of Object.entries(act)) byId(id).addEventListener("click", action);
    const more = {
      analysis: () => this.analysis.toggle(),
      values: () => byId("analysis-values").click(),
      look: () => this.look.open(),
      mistake: () => this.analysis.review.step(1),
      "mistake-before": () => this.analysis.review.step(-1),
      release: () => this.board.release(),
    };
    listenToKeys({ ...act, ...more }, (direction) => this.slide(direction));
    /** @type {[keys: string[], text: string][]} */
    const arrows = this.facts.board ? [[["Tab", "←", "↑", "→", "↓"], "from cell to cell"], [["Enter"], "touch a cell"]] : [];
    fillHelp(findAs(HTMLTableElement, "#key-table"), arrows);
    addEventListener("hashchange", (event) => this.follow(event.newURL));
  }
}

// Stands in for the board where the rules have none.
class NoBoard {
  /** @param {MoveButtons} buttons */
  constructor(buttons) {
    this.buttons = buttons;
    /** @type {number[]} */
    this.path = [];
  }
  /** @param {Map<Move, string>} values */
  badges(values) {
    this.buttons.badges(values);
  }
  show() {}
  flip() {}
  arrow() {}
  paint() {}
  release() {
    return false;
  }
}

/** Return the summary of the game without its title, which the page shows above it. @param {Facts} facts */
function summaryOf({ title, summary }) {
  const rest = summary.toLowerCase().startsWith(`${title.toLowerCase()}: `) ? summary.slice(title.length + 2) : summary;
  return rest ? capitalize(rest.replaceAll("`", "")) : "";
}

/** @param {Facts} facts */
async function open(facts) {
  try {
    const module = await readModule(facts.module);
    const rules = new Rules(facts, module);
    const engine = new Engine(facts, module, byId("worker").textContent ?? "");
    const page = new Page(facts, rules, engine);
    page.listen();
    page.resume();
    await engine.ready.catch(() => {}); // two people can play without the engine; a search reports why it failed
    return page;
  } catch (error) {
    byId("status").className = "bad";
    find(".message", byId("status")).textContent = `⚠ The page can't start: ${error.message}`;
    throw error;
  }
}

/** @type {Facts} */
const facts = JSON.parse(byId("data").textContent ?? "");
byId("summary").textContent = summaryOf(facts);
const { ready, ...others } = makeInterface(facts, open(facts));
Object.assign(window.plyground, others).begin(ready);
