// What happens without a person: chance moves, the engine's moves, and its hints. One search at a time.

const PATIENCE = 300;
/** @type {Record<string, number>} */
const PAUSE = { backgammon: 700, tiles: 140 };
const REPLY = 350;

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
    this.thinking = false; // long enough to say so
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

  // Is it for a person to move in the position on show?
  get mayMove() {
    const { match } = this;
    return !match.end && !match.view.chance && (!this.engineMoves || match.trunk !== null);
  }

  // Is something under way that ends with a move or a hint?
  get busy() {
    return this.rolling || this.asked !== null;
  }

  /**
   * Do what is not for a person to do, after each change. In a position of the past nothing happens by itself, and the engine
   * leaves moves that are tried out to the person.
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

  /** Stop the engine; it stays its turn. */
  stop() {
    this.halt();
    this.onState();
  }

  roll() {
    const pause = calm() ? 0 : (PAUSE[this.match.facts.board?.shape ?? ""] ?? REPLY);
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
    const left = calm() ? 0 : REPLY - (performance.now() - began);
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
   * @param {"move" | "hint"} what @param {Partial<Ask>} more @returns {Promise<(Report & { move: Move }) | null>}
   */
  async ask(what, more) {
    const { match, settings } = this;
    /** @type {EngineSearch | null} */
    let search = null;
    this.asked = what;
    this.later(PATIENCE, () => {
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

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
