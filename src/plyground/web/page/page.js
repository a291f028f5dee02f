// The page: puts the parts together. The match is what there is to show; after each change of it everything is shown again.

import { startAnalysis } from "./analysis.js";
import { makeInterface } from "./api.js";
import { BoardView } from "./board.js";
import { MoveButtons } from "./buttons.js";
import { Dialogs } from "./dialogs.js";
import { startEngine } from "./engine.js";
import { fillHelp, listenToKeys } from "./keys.js";
import { startLook } from "./look.js";
import { Match, newSeed } from "./match.js";
import { readModule } from "./module.js";
import { MoveList } from "./movelist.js";
import { Opponent, calm } from "./opponent.js";
import { fieldTexts, freshCells, slideWay } from "./positions.js";
import { loadRules } from "./rules.js";
import { Settings } from "./settings.js";
import { Store, gameHash, gameOfHash, gameOfText, storedGame } from "./share.js";
import { Story, sentence, storyOf } from "./story.js";

const FLICKER = 90;
const BEFORE = ":before";
const HASH_PAUSE = 300;
const $ = (id) => document.getElementById(id);

class Page {
  constructor(facts, rules, engine) {
    Object.assign(this, { facts, rules, engine, message: null, touched: false });
    this.match = new Match(facts, rules);
    this.store = new Store(facts);
    this.settings = new Settings(facts, () => this.onSettings());
    this.opponent = new Opponent(this.match, engine, this.settings, () => this.tell(null));
    this.story = new Story($("story"));
    this.list = new MoveList($("moves"), this.match, (ply) => this.match.go(ply));
    this.dialogs = new Dialogs(this);
    this.buttons = new MoveButtons($("buttons"), this.match);
    const touched = (moves) => this.choose(moves);
    this.board = facts.picture ? new BoardView($("board"), facts, this.buttons, touched) : new NoBoard(this.buttons);
    this.match.addEventListener("change", (event) => this.onChange(event.detail.kind));
    this.goOn = () => this.goOnHere();
    this.stop = () => this.opponent.stop();
    this.hint = () => this.opponent.suggest();
  }

  // -- what happens ----------------------------------------------------------------------------------------------

  onChange(kind) {
    this.message = null;
    if (kind === "play") this.speak();
    this.opponent.go();
    this.showPosition(kind === "play" && (!this.touched || this.facts.board.shape === "drop"));
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
    $("bar").classList.toggle("flipped", this.settings.flipped);
  }

  flip() {
    this.settings.flipped = !this.settings.flipped;
    this.turnBoard();
    this.keep();
  }

  // Touches have led to a move, or to several among which one must be chosen.
  async choose(moves) {
    const m = moves.length > 1 ? await this.dialogs.choose(moves) : moves[0];
    if (m === null) {
      this.board.release();
      return;
    }
    this.touched = true;
    this.match.play(m);
  }

  goOnHere() {
    const { match } = this;
    if (match.live) {
      this.opponent.go();
      this.show();
    } else {
      const other = match.copy();
      for (const part of ["moves", "names"]) other[part].length = match.at;
      for (const part of ["rows", "views"]) other[part].length = match.at + 1;
      match.adopt(other, match.trunk);
    }
  }

  // Puts another game in the place of this one, which is kept: here, and among what can be shared.
  replace(other, text) {
    const { match } = this;
    const before = match.game;
    const some = before.moves.length > 0;
    if (some) this.store.write(before, this.settings, BEFORE);
    match.adopt(other);
    this.tell({ text, actions: some ? [["Back to the game before", () => this.bringBack()]] : [] });
  }

  // The game that was replaced last, or null.
  get before() {
    const kept = this.store.read(BEFORE);
    return kept && storedGame(this.facts, this.rules, kept);
  }

  bringBack() {
    const { before } = this;
    if (before) this.replace(before, "This is the game before.");
  }

  newGame() {
    this.replace(new Match(this.facts, this.rules, this.rules.start, newSeed()), "A new game.");
  }

  load(text) {
    this.replace(gameOfText(this.facts, this.rules, text), "The game was loaded.");
  }

  // Shows a message until something happens.
  tell(message) {
    this.message = message;
    this.show();
  }

  // The last ply before this one, or the first after it, at which a person was to move.
  personsPly(step) {
    const { match, settings } = this;
    for (let ply = match.at + step; ply >= 0 && ply <= match.moves.length; ply += step) {
      if (!match.viewAt(ply).chance && settings.players[match.turnAt(ply)] === "person" && !match.endAt(ply)) return ply;
    }
    return step > 0 && !match.live ? match.moves.length : null;
  }

  undo() {
    if (this.board.path.length) this.board.release();
    else if (this.personsPly(-1) !== null) this.match.go(this.personsPly(-1));
  }

  redo() {
    if (this.personsPly(1) !== null) this.match.go(this.personsPly(1));
  }

  // Plays a button's move by its name; false if there is none now.
  slide(direction) {
    const { match, facts } = this;
    const buttons = facts.board ? facts.board.buttons : {};
    if (!Object.values(buttons).includes(direction)) return false;
    const m = this.opponent.mayMove ? match.view.moves.find((n) => buttons[n] === direction) : undefined;
    if (m !== undefined) match.play(m);
    return true;
  }

  // -- what is shown ---------------------------------------------------------------------------------------------

  showPosition(slides = false) {
    const { match, opponent } = this;
    clearInterval(this.flicker);
    const rolled = slides && match.viewAt(match.at - 1).chance;
    this.board.show(
      { view: match.view, turn: match.turn, fresh: freshCells(match), may: opponent.mayMove, rolled },
      slides && this.facts.board ? slideWay(match) : null,
    );
    this.showFields();
    if (opponent.rolling && this.facts.board && this.facts.board.shape === "backgammon" && !calm()) this.rollDice();
    this.buttons.show(opponent.mayMove);
  }

  rollDice() {
    const { match, rules, board } = this;
    const { row } = match;
    const { moves } = match.view;
    this.flicker = setInterval(() => {
      const m = moves[Math.floor(Math.random() * moves.length)];
      board.paint(rules.view(rules.play(row, m)).cells);
    }, FLICKER);
  }

  // The fields of the state: all of them if there is no board, else those that the board wants to be shown below it.
  showFields() {
    const { facts, match } = this;
    if (facts.board) {
      const shown = fieldTexts(facts, match.row).filter(([name]) => facts.board.fields.includes(name));
      $("tally").hidden = !shown.length;
      $("tally").textContent = shown.map(([name, text]) => `${name} ${Number(text).toLocaleString("en")}`).join(" · ");
      return;
    }
    const list = document.createElement("dl");
    for (const [name, text] of fieldTexts(facts, match.row)) {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      value.textContent = text;
      list.append(term, value);
    }
    $("board").replaceChildren(list);
  }

  show() {
    const { match, opponent } = this;
    const said = storyOf(match, opponent, this);
    const { message } = this;
    const both = message && message.kind !== "bad" ? { sign: said.sign, text: `${message.text} ${said.text}` } : {};
    this.story.tell({ ...(message || said), ...both });
    const hint = opponent.hint === null ? -1 : match.view.moves.indexOf(opponent.hint);
    if (hint >= 0) this.board.arrow(match.view.touches[hint]);
    this.buttons.mark(opponent.hint);
    this.list.show();
    $("count").textContent = match.trunk ? "trying out moves" : `${match.at} of ${match.moves.length}`;
    for (const id of ["first", "previous"]) $(id).disabled = match.at === 0;
    for (const id of ["next", "last"]) $(id).disabled = match.live;
    $("undo").disabled = this.personsPly(-1) === null && !this.board.path.length;
    $("redo").disabled = this.personsPly(1) === null;
    $("hint").disabled = !opponent.mayMove;
    if (this.analysis && this.wasBusy !== opponent.busy) this.analysis.follow();
    this.wasBusy = opponent.busy;
  }

  nameOf(m) {
    const { match } = this;
    return match.namesAt(match.at)[match.view.moves.indexOf(m)];
  }

  // Says the last move, for screen readers.
  speak() {
    const { match } = this;
    const ply = match.at - 1;
    const who = match.viewAt(ply).chance ? "chance" : match.facts.sides[match.turnAt(ply)];
    $("spoken").textContent = `${sentence(who)}: ${match.names[ply]}.${match.end ? ` ${sentence(match.end.text)}.` : ""}`;
  }

  // -- what is kept ----------------------------------------------------------------------------------------------

  keep() {
    this.store.write(this.match.game, this.settings);
    clearTimeout(this.hashing);
    this.hashing = setTimeout(() => this.writeHash(), HASH_PAUSE);
  }

  writeHash() {
    clearTimeout(this.hashing);
    const hash = gameHash(this.match.game);
    this.hash = hash;
    try {
      history.replaceState(null, "", `#${hash}`);
    } catch {
      return; // a frame without an address of its own
    }
    this.store.write(this.match.game, this.settings);
  }

  // Begins with the game in the address, else with the one that was stored, else with a new one.
  resume() {
    const kept = this.store.read();
    const stored = kept ? storedGame(this.facts, this.rules, kept) : null;
    if (kept && kept.settings) this.settings.take(kept.settings);
    if (stored) this.match.adopt(stored);
    else this.match.tell("load");
    this.onSettings();
    // The address lags behind the game: if it is the one that was there when the game was stored, it says nothing new.
    const same = stored && kept.address === location.hash;
    if (!same && !this.follow() && kept && !stored) {
      this.store.setAside(BEFORE);
      this.tell({ text: "The game that was stored here does not fit these rules; this is a new one.", kind: "bad" });
    }
  }

  // Takes the game in the address; true if there is one, or a damaged one.
  follow(address = location.href) {
    const hash = address.includes("#") ? address.slice(address.indexOf("#") + 1) : "";
    if (!hash || hash === this.hash) return false;
    try {
      const rest = this.settings.fromHash(hash);
      if (rest !== hash) this.onSettings();
      if (rest === gameHash(this.match)) return false;
      const other = gameOfHash(this.facts, this.rules, rest);
      if (other) this.replace(other, "The game in the address was loaded.");
    } catch (error) {
      this.tell({ text: `The address holds no game: ${error.message}`, kind: "bad" });
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
      theme: () => (this.settings.turnLights(), this.keep()),
      help: () => $("keys").showModal(),
    };
    for (const [id, action] of Object.entries(act)) $(id).addEventListener("click", action);
    const more = {
      analysis: () => this.analysis.toggle(),
      values: () => $("analysis-values").click(),
      look: () => this.look.open(),
      mistake: () => this.analysis.review.step(1),
      "mistake-before": () => this.analysis.review.step(-1),
      release: () => this.board.release(),
    };
    listenToKeys({ ...act, ...more }, (direction) => this.slide(direction));
    const arrows = this.facts.board ? [[["Tab", "←", "↑", "→", "↓"], "from cell to cell"], [["Enter"], "touch a cell"]] : [];
    fillHelp($("key-table"), arrows);
    addEventListener("hashchange", (event) => this.follow(event.newURL));
  }
}

// Where the rules have no board there is nothing to touch.
class NoBoard {
  path = [];
  constructor(buttons) {
    this.badges = (values) => buttons.badges(values);
  }
  show() {}
  flip() {}
  arrow() {}
  release() {}
}

// What the game is about, without its name, which stands above.
function summaryOf({ title, summary }) {
  const rest = summary.toLowerCase().startsWith(`${title.toLowerCase()}: `) ? summary.slice(title.length + 2) : summary;
  return rest ? sentence(rest.replaceAll("`", "")) : "";
}

async function open(facts) {
  try {
    const module = await readModule(facts.module);
    const rules = await loadRules(facts, module);
    const engine = startEngine(facts, module, $("worker").textContent);
    const page = new Page(facts, rules, engine);
    const { match, board, opponent } = page;
    const busy = () => opponent.busy;
    const places = { root: $("analysis"), bar: $("bar"), list: page.list };
    page.analysis = startAnalysis({ facts, rules, match, engine, board, busy, ...places });
    page.look = startLook({ facts, rules, match, root: $("look") });
    page.listen();
    page.resume();
    await engine.ready.catch(() => {}); // two people can play without it; who asks it hears why
    return page;
  } catch (error) {
    $("story").className = "bad";
    $("story").querySelector(".said").textContent = `⚠ The page can't start: ${error.message}`;
    throw error;
  }
}

const facts = JSON.parse($("data").textContent);
$("summary").textContent = summaryOf(facts);
const { ready, ...others } = makeInterface(facts, open(facts));
Object.assign(window.plyground, others).begin(ready);
