// The engine as the page sees it: asks its Worker, and ends it where it does not answer in time; another takes its place.

const STOP_MS = 50; // how long a Worker that was asked to stop may go on
const LATE_MS = 80; // and one whose time is up
const NOTHING = {
  ...{ move: null, score: 0, exact: false, line: [], depth: 0, selective: 0, nodes: 0, seconds: 0, moves: [], value: "unknown" },
};

// Starts the engine's Worker from its source and warms it up. `module` is the page's compiled module.
export function startEngine(facts, module, source) {
  return new Engine(facts, module, source);
}

export class Engine {
  constructor(facts, module, source) {
    const { words, warm, repetition, chance, memory, levels, scale, engine, net } = facts;
    this.facts = { words, warm, repetition, chance, memory, levels, scale, engine, net };
    this.module = module;
    this.source = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.running = this.waiting = null;
    this.count = 0;
    this.ready = new Promise((resolve, reject) => Object.assign(this, { onReady: resolve, onFailed: reject }));
    this.ready.catch(() => {}); // whoever waits for it hears of it
    this._start(true);
  }

  // Searches a position; the one before is stopped. What to ask for:
  //   row, history             the position, and those before it in the game
  //   depth, nodes, time       limits (time in seconds), the first one reached stops it; `infinite` for none; else one second
  //   lines                    how many moves get a score of their own, 0 for all; without it, one of those proven equal is chosen
  //   level                    from 1 to 10 (full strength): less depth, and a random choice among moves near the best
  //   exact                    without the techniques that may change the value of a search to a fixed depth
  //   seed                     begins with an empty table and makes the same random choices each time
  //   shuffle                  false: equal moves are tried in the order of the rules
  // `done` is a promise of { move, score, exact, value, line, depth, selective, nodes, seconds, moves, limited, stopped }, where
  // `moves` are the moves with a score of their own, best first: { move, score, exact, line }. `onReport` gets the same after
  // every iteration. After `stop()`, it is what was found so far; the move is null if that is nothing.
  think(ask, onReport = () => {}) {
    const search = { id: ++this.count, ask, onReport, last: NOTHING, stopping: false };
    search.done = new Promise((resolve, reject) => Object.assign(search, { resolve, reject }));
    search.stop = () => {
      this._stop(search);
      return search.done;
    };
    if (this.waiting) this._stop(this.waiting);
    this.waiting = search;
    if (this.running) this._stop(this.running);
    else this._next();
    return search;
  }

  // Forgets what earlier searches have found.
  forget() {
    this.worker.postMessage({ forget: true });
  }

  _start(warm) {
    this.worker = new Worker(this.source);
    this.worker.onmessage = ({ data }) => this._hear(data);
    this.worker.onerror = (e) => {
      e.preventDefault();
      this._hear({ id: this.running?.id, error: e.message || "the engine could not be started" });
    };
    this.worker.postMessage({ facts: this.facts, module: this.module, warm });
  }

  _next() {
    if (this.running || !this.waiting) return;
    this.running = this.waiting;
    this.waiting = null;
    const { id, ask } = this.running;
    this.worker.postMessage({ id, ask });
  }

  _hear({ id, ready, begun, report, found, error }) {
    const search = this.running;
    if (ready) this.onReady();
    if (error !== undefined && id === undefined) this.onFailed(new Error(error));
    if (!search || search.id !== id) return;
    if (begun && search.ask.time) search.late = setTimeout(() => this._replace(search), 1000 * search.ask.time + LATE_MS);
    if (report && !search.stopping) {
      search.last = report;
      search.onReport(report);
    }
    if (found) this._end(search, () => search.resolve(found));
    if (error !== undefined) this._replace(search, new Error(error));
  }

  _end(search, settle) {
    clearTimeout(search.late);
    clearTimeout(search.killing);
    this.running = null;
    settle();
    this._next();
  }

  _stop(search) {
    if (search === this.waiting) {
      this.waiting = null;
      search.resolve({ ...NOTHING, stopped: true });
    } else if (search === this.running && !search.stopping) {
      search.stopping = true;
      this.worker.postMessage({ stop: true });
      search.killing = setTimeout(() => this._replace(search), STOP_MS);
    }
  }

  // Ends the Worker, and with it its search, and starts another. The module's code is warm already. A search whose time is up was
  // not stopped: what it has found is its answer.
  _replace(search, error = null) {
    this.worker.terminate();
    this._start(false);
    const found = { ...search.last, stopped: search.stopping };
    this._end(search, () => (error ? search.reject(error) : search.resolve(found)));
  }
}
