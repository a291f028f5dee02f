// The engine as the page sees it: sends requests to a Worker, and replaces a Worker that does not answer in time.

const STOP_MS = 50; // until a Worker that was asked to stop is replaced
const LATE_MS = 80; // the same for one whose time limit has passed
/** @type {Report} */
const NOTHING = {
  ...{ move: null, score: 0, exact: false, line: [], value: "unknown", depth: 0, partial: false, seldepth: 0 },
  ...{ nodes: 0, seconds: 0, moves: [] },
};

/** Send a message to a Worker. @param {Worker} worker @param {ToWorker} message */
function post(worker, message) {
  worker.postMessage(message);
}

/** Return a promise with the functions that settle it. @template T @returns {Deferred<T>} */
function deferred() {
  /** @type {Partial<Deferred<T>>} */
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return /** @type {Deferred<T>} */ (made);
}

export class Engine {
  /** @param {Facts} facts @param {WebAssembly.Module} module @param {string} source */
  constructor(facts, module, source) {
    const { words, warm, repetition, chance, memory, levels, scale, engine, net } = facts;
    this.facts = { words, warm, repetition, chance, memory, levels, scale, engine, net };
    this.module = module;
    this.source = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    /** @type {EngineSearch | null} */
    this.running = null;
    /** @type {EngineSearch | null} */
    this.waiting = null;
    this.count = 0;
    /** @type {Deferred<void>} */
    this.start = deferred();
    this.ready = this.start.promise;
    this.ready.catch(() => {}); // those who await it get the error
    this.worker = this._start(true);
  }

  /**
   * Search a position; an earlier search is stopped. What to ask for:
   *   row, history             the position, and those before it in the game
   *   depth, nodes, time       limits (time in seconds); the first one reached stops the search; `infinite` for none; by default 1 s
   *   lines                    how many moves get a score of their own, 0 for all; without it, moves proven equal are chosen at random
   *   level                    from 1 to 10 (full strength): less depth, and a random choice among moves near the best
   *   exact                    plain minimax to a fixed depth, without any technique that may change its value; evaluated by the
   *                            rules, or by the net that the page was made with (--evaluate), never by a net found for the game
   *   seed                     start with an empty table, and make the same random choices each time
   *   shuffle                  false: equal moves are tried in the order of the rules
   * `done` is a promise of { move, score, exact, value, line, depth, partial, seldepth, nodes, seconds, moves, limited, stopped
   * }, where `moves` are the moves with a score of their own, best first: { move, score, exact, line }, and `partial` says that
   * the iteration at `depth` was stopped but had already found a better move. `onReport` gets the same after every iteration.
   * After `stop()`, it is what was found so far; the move is null if that is nothing.
   * @param {SearchRequest} ask @param {(report: Report) => void} onReport
   */
  think(ask, onReport = () => {}) {
    /** @type {Deferred<Report>} */
    const { promise: done, resolve, reject } = deferred();
    const stop = () => {
      this._stop(search);
      return done;
    };
    /** @type {EngineSearch} */
    const search = { id: ++this.count, ask, onReport, last: NOTHING, stopping: false, done, resolve, reject, stop };
    if (this.waiting) this._stop(this.waiting);
    this.waiting = search;
    if (this.running) this._stop(this.running);
    else this._next();
    return search;
  }

  /** Forget what earlier searches have found. */
  forget() {
    post(this.worker, { forget: true });
  }

  /** @param {boolean} warm */
  _start(warm) {
    const worker = new Worker(this.source);
    worker.onmessage = ({ data }) => this._receive(data);
    worker.onerror = (e) => {
      e.preventDefault();
      this._receive({ id: this.running?.id, error: e.message || "the engine could not be started" });
    };
    post(worker, { facts: this.facts, module: this.module, warm });
    return worker;
  }

  _next() {
    if (this.running || !this.waiting) return;
    this.running = this.waiting;
    this.waiting = null;
    const { id, ask } = this.running;
    post(this.worker, { id, ask });
  }

  /** @param {WorkerMessage} message */
  _receive({ id, ready, begun, report, found, error }) {
    const search = this.running;
    if (ready) this.start.resolve();
    if (error !== undefined && id === undefined) this.start.reject(new Error(error));
    if (!search || search.id !== id) return;
    if (begun && search.ask.time) search.late = setTimeout(() => this._replace(search), 1000 * search.ask.time + LATE_MS);
    if (report && !search.stopping) {
      search.last = report;
      search.onReport(report);
    }
    if (found) this._end(search, () => search.resolve(found));
    if (error !== undefined) this._replace(search, new Error(error));
  }

  /** @param {EngineSearch} search @param {() => void} settle */
  _end(search, settle) {
    clearTimeout(search.late);
    clearTimeout(search.terminating);
    this.running = null;
    settle();
    this._next();
  }

  /** @param {EngineSearch} search */
  _stop(search) {
    if (search === this.waiting) {
      this.waiting = null;
      search.resolve({ ...NOTHING, stopped: true });
    } else if (search === this.running && !search.stopping) {
      search.stopping = true;
      post(this.worker, { stop: true });
      search.terminating = setTimeout(() => this._replace(search), STOP_MS);
    }
  }

  /**
   * End the Worker with its search, and start another one, whose code is warm already. If the time was up, the last report is the
   * answer.
   * @param {EngineSearch} search @param {Error | null} error
   */
  _replace(search, error = null) {
    this.worker.terminate();
    this.worker = this._start(false);
    const found = { ...search.last, stopped: search.stopping };
    this._end(search, () => (error ? search.reject(error) : search.resolve(found)));
  }
}
