// Chance moves, the engine's moves, and its hints. One search at a time.

import { prefersReducedMotion } from "../../pages/preferences.js";

const SAY_THINKING_MS = 300; // a search that takes longer is announced
/** @type {Record<string, number>} */
const ROLL_MS = { backgammon: 700, tiles: 140 };
const REPLY_MS = 350; // the engine never answers faster

export class Opponent {
  /**
   * `settings` has players (person or engine, for each side), level and time (seconds per move). `onState` is called whenever
   * something begins, takes longer, or ends.
   * @param {Match} match @param {Engine} engine @param {Settings} settings @param {() => void} onState
   */
  constructor(match, engine, settings, onState) {
    this.match = match;
    this.engine = engine;
    this.settings = settings;
    this.onState = onState;
    /** @type {EngineSearch | null} */
    this.search = null;
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    this.rolling = false;
    this.thinking = false; // whether the search is announced
    /** @type {"move" | "hint" | null} */
    this.asked = null; // what the search is for
    /** @type {Move | null} */
    this.hint = null;
    /** @type {string | null} */
    this.fault = null;
  }

  reset() {
    this.rolling = false;
    this.thinking = false;
    this.asked = null;
    this.hint = null;
    this.fault = null;
  }

  get engineMoves() {
    return this.settings.players[this.match.turn] === "engine";
  }

  /** Whether a person is to move in the position on show. */
  get mayMove() {
    const { match } = this;
    return !match.end && !match.view.chance && (!this.engineMoves || match.mainLine !== null);
  }

  /** Whether a roll, a search for a move or one for a hint is running. */
  get busy() {
    return this.rolling || this.asked !== null;
  }

  /**
   * Make the chance move or the engine's move that is due after a change. Nothing happens by itself in an earlier position, and
   * the engine doesn't move in variations.
   */
  go() {
    this.halt();
    const { match } = this;
    if (match.end || !match.live) return;
    if (match.view.chance) this.roll();
    else if (!this.mayMove) this.move();
  }

  halt() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    const { search } = this;
    this.search = null;
    this.reset();
    if (search) search.stop();
  }

  /** Stop the engine; it remains the engine's turn. */
  stop() {
    this.halt();
    this.onState();
  }

  roll() {
    const pause = prefersReducedMotion() ? 0 : (ROLL_MS[this.match.facts.board?.shape ?? ""] ?? REPLY_MS);
    this.rolling = true;
    this.later(pause, () => {
      this.rolling = false;
      this.match.roll();
    });
  }

  /** @param {number} pause @param {() => void} act */
  later(pause, act) {
    this.timers.push(setTimeout(act, pause));
  }

  async move() {
    const { match, settings } = this;
    const began = performance.now();
    const found = await this.ask("move", { level: settings.level });
    if (!found) return;
    const { move } = found;
    const left = prefersReducedMotion() ? 0 : REPLY_MS - (performance.now() - began);
    this.later(Math.max(0, left), () => match.play(move));
  }

  /** Look for the best move; asked again, play it. */
  async suggest() {
    const { match } = this;
    if (this.hint !== null) {
      match.play(this.hint);
    } else if (this.mayMove && !this.asked) {
      const found = await this.ask("hint", {});
      if (found) this.hint = found.move;
      this.onState();
    }
  }

  /**
   * Search the position on show; returns null if it was stopped, or failed.
   * @param {"move" | "hint"} what @param {Partial<SearchRequest>} more @returns {Promise<(Report & { move: Move }) | null>}
   */
  async ask(what, more) {
    const { match, settings } = this;
    /** @type {EngineSearch | null} */
    let search = null;
    this.asked = what;
    this.later(SAY_THINKING_MS, () => {
      this.thinking = true;
      this.onState();
    });
    try {
      await this.engine.ready;
      if (this.asked !== what || this.search) return null;
      search = this.engine.think({ row: match.row, history: match.history, time: settings.time, ...more });
      this.search = search;
      const found = await search.done;
      if (this.search !== search) return null;
      this.halt();
      return found.stopped || found.move === null ? null : { ...found, move: found.move };
    } catch (error) {
      if (search && this.search !== search) return null;
      this.halt();
      this.fault = error.message;
      this.onState();
      return null;
    }
  }
}
