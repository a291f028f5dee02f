// The engine's Worker: deepens, checks the clock, chooses among moves. The search itself is in kernels that the Python
// engine calls
// too (kernels/search/); offsets, tasks, levels and the scale of scores come from there (web/facts.py). No message
// reaches a Worker while a kernel runs: it reads them between two iterations, and the page ends a Worker that is too late.

import { asMove, putNet, readNet, readRow, startModule } from "./module.js";

const WARM_SECONDS = 0.3; // until the browser's second compiler has done its work
const LISTEN_MS = 20;
const FIRST_ROOM = 256;

class WorkerEngine {
  /** @param {EngineOnly} facts @param {WebAssembly.Module} module @param {ArrayBuffer | null} net */
  constructor(facts, module, net) {
    this.facts = facts;
    this.module = module;
    this.net = net;
    this.exact = false; // whether the table was filled by exact searches
    this.limited = false; // whether the search leaves moves out
    this.began = 0;
    this.age = 0;
    this.era = 0;
    /** @type {Set<bigint>} */
    this.drawnIfRepeated = new Set(); // the keys of positions that one more visit would make a draw
    this.place = this.layOut(FIRST_ROOM);
    this.prepare();
  }

  /**
   * Lay out the memory with room for n root moves: state, stop word, searcher, table, root, and the net.
   * @param {number} room
   */
  layOut(room) {
    const { memory, engine, words } = this.facts;
    const stop = round(8 * words), searcher = stop + 64;
    const stack = searcher + memory.searcher.size + 8 * words, stackEnd = stack + 8 * engine.stackWords;
    const table = round(stackEnd), root = table + engine.bucketBytes * engine.buckets;
    const net = round(root + memory.root.size + room * memory.candidate.size);
    const at = startModule(this.module, net + (this.net?.byteLength ?? 0), now), { base } = at;
    if (this.net) putNet(at, this.facts, this.net, base + net);
    const blocks = { state: base, searcher: base + searcher, table: base + table, root: base + root, net: base + net };
    return { room, at, stop: base + stop, stack: base + stack, stackEnd: base + stackEnd, ...blocks };
  }

  /** Tell the kernels where things are. */
  prepare() {
    const { facts, place } = this;
    const { stop, stack, stackEnd, table } = place;
    this.set({ stop, table, last_bucket: facts.engine.buckets - 1 });
    this.set({ state: stack - 8 * facts.words, stack, stack_end: stackEnd - facts.engine.stackGuard });
    place.at.words.set(facts.engine.margins.above.map(BigInt), this.index("searcher", "margins_above"));
    place.at.words.set(facts.engine.margins.below.map(BigInt), this.index("searcher", "margins_below"));
    this.setReal("step", facts.scale.step ?? Infinity);
    this.setReal("window", facts.scale.window ?? Infinity);
    this.setReal("bound", facts.scale.bound ?? Infinity);
    this.age = 0;
    this.era = 0;
    this.drawnIfRepeated = new Set();
  }

  /** Start again with room for n root moves. @param {number} room */
  restart(room) {
    this.place = this.layOut(room);
    this.prepare();
  }

  // -- memory -----------------------------------------------------------------------------------------------------------------

  /** @param {"searcher" | "root"} block @param {string} name */
  index(block, name) {
    return (this.place[block] + this.facts.memory[block][name]) / 8;
  }

  /** @param {Record<string, number | bigint | boolean>} values @param {"searcher" | "root"} block */
  set(values, block = "searcher") {
    for (const [name, value] of Object.entries(values)) this.place.at.words[this.index(block, name)] = BigInt(value);
  }

  /** Clear the searcher's fields from one to another, both included. @param {string} first @param {string} last */
  clear(first, last) {
    this.place.at.words.fill(0n, this.index("searcher", first), this.index("searcher", last) + 1);
  }

  /** @param {string} name @param {number} value */
  setReal(name, value) {
    this.place.at.reals[this.index("root", name)] = value;
  }

  /** @param {string} name @param {"searcher" | "root"} block */
  get(name, block = "searcher") {
    return Number(this.place.at.words[this.index(block, name)]);
  }

  /** Return the address of a root move's record: `part` is known or fresh. @param {number} i @param {string} part */
  record(i, part) {
    const { root, candidate } = this.facts.memory;
    return this.place.root + root.size + i * candidate.size + candidate[part];
  }

  /** Return what was found about a root move, from its record. @param {number} at @returns {Scored} */
  found(at) {
    const { found } = this.facts.memory, { words, reals } = this.place.at;
    /** @param {string} name */
    const word = (name) => Number(words[(at + found[name]) / 8]);
    const first = (at + found.line) / 8;
    const line = Array.from(words.subarray(first, first + word("length")), asMove);
    const score = reals[(at + found.score) / 8] + 0; // never -0
    return { move: asMove(words[(at + found.move) / 8]), score, exact: word("exact") === 1, line };
  }

  /** Call a kernel with these whole numbers. @param {string} name @param {...(number | bigint)} given */
  call(name, ...given) {
    return this.place.at.call(name, ...given.map(BigInt));
  }

  /** Run a task of kernels/search/plan.py, window by window, and return its answer. @param {string} task @param {number} n */
  ask(task, n = 0) {
    const { tasks } = this.facts.engine;
    let more = this.call("plan", this.place.searcher, this.place.root, tasks[task], n);
    while (more) {
      this.set({ hit: this.call("search", this.place.state, this.place.searcher, this.place.root) }, "root");
      more = this.call("plan", this.place.searcher, this.place.root, tasks.CONTINUE, 0);
    }
    return this.get("answer", "root");
  }

  // -- before a search ----------------------------------------------------------------------------------------------------------

  /** Forget everything, as if the next search were the first. */
  forget() {
    const { killers, lengths } = this.facts.memory.searcher, { bucketBytes, buckets } = this.facts.engine;
    this.place.at.bytes.fill(0, this.place.table, this.place.table + bucketBytes * buckets);
    this.place.at.bytes.fill(0, this.place.searcher + killers, this.place.searcher + lengths);
    this.age = 0;
  }

  /**
   * Keep the keys of the positions before the root. Proofs in the table become invalid when another position would be drawn at
   * its next occurrence.
   * @param {Row[]} history
   */
  remember(history) {
    const { engine, repetition } = this.facts;
    const keys = repetition ? history.map((row) => this.key(row)) : [];
    const times = new Map();
    for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
    const drawnIfRepeated = new Set([...times.keys()].filter((key) => times.get(key) >= repetition - 1));
    if ([...drawnIfRepeated].some((key) => !this.drawnIfRepeated.has(key))) {
      this.era = (this.era + 1) % engine.eras;
      if (this.era === 0) this.forget();
    }
    this.drawnIfRepeated = drawnIfRepeated;
    const past = keys.slice(-engine.maxPast), path = this.index("searcher", "path"), seen = this.index("searcher", "seen");
    this.place.at.words.fill(0n, seen, seen + engine.seenSize);
    past.forEach((key, i) => {
      this.place.at.words[path + i] = BigInt.asIntN(64, key);
      this.place.at.words[seen + Number(key % BigInt(engine.seenSize))] += 1n;
    });
    this.set({ past: past.length });
  }

  /** @param {Row} row */
  put(row) {
    this.place.at.words.set(row, this.place.state / 8);
  }

  /** @param {Row} row */
  key(row) {
    this.put(row);
    return BigInt.asUintN(64, this.call("key", this.place.state));
  }

  /**
   * Set the searcher up. An exact search asks a net only if it was given for the page, and shares no table with others.
   * @param {SearchRequest} ask @param {Limits} limits
   */
  begin({ history = [], exact = false }, { nodes, time }) {
    const { options, firstCheckNodes } = this.facts.engine, at = now(), unlimited = BigInt(this.facts.engine.unlimited);
    if (exact !== this.exact) this.forget();
    this.exact = exact;
    this.remember(history);
    this.set({ net: this.net && (!exact || this.facts.net?.given) ? this.place.net : 0 });
    this.clear("nodes", "aborted");
    this.clear("seldepth", "beyond");
    const deadline = time === undefined ? unlimited : at + BigInt(Math.round(time * 1e9)) || 1n;
    this.set({ options: exact ? options.exact : options.all, age: ++this.age, era: this.era, node_limit: nodes ?? unlimited });
    this.set({ deadline, last_check: at, check_nodes: firstCheckNodes });
  }

  /**
   * List the moves to search, best hints first, equal ones in random order. Return how many there are; null if there was no
   * room: then room was made, and the call must be repeated.
   * @param {SearchRequest} ask @param {() => number} random @returns {number | null}
   */
  list({ row, shuffle = true }, random) {
    this.put(row);
    const count = Number(this.call("list", this.place.state, this.place.searcher, this.place.root, this.place.room));
    if (count < 0) throw new Error("there are too many moves here for the engine");
    if (count === 0) throw new Error("there is nothing to choose here");
    if (count > this.place.room) {
      this.restart(2 * count);
      return null;
    }
    const { words } = this.place.at;
    /** @param {number} i @param {string} part */
    const place = (i, part) => this.record(i, part) / 8;
    const moves = Array.from({ length: count }, (_, i) => ({ m: words[place(i, "move")], hint: words[place(i, "rest")] }));
    for (let i = shuffle ? count - 1 : 0; i > 0; i--) {
      const other = Math.floor(random() * (i + 1));
      [moves[i], moves[other]] = [moves[other], moves[i]];
    }
    moves.sort((a, b) => (a.hint < b.hint ? 1 : a.hint > b.hint ? -1 : 0));
    moves.forEach(({ m }, i) => (words[place(i, "move")] = m));
    return count;
  }

  // -- a search -----------------------------------------------------------------------------------------------------------------

  /**
   * Search as asked, report after every iteration, and return the answer. `listen` reads messages and returns whether to go on.
   * @param {SearchRequest} ask @param {(report: Report) => void} report @param {() => Promise<boolean> | boolean} listen
   * @returns {Promise<Report>}
   */
  async think(ask, report, listen) {
    const { engine, levels, chance } = this.facts, random = randomFrom(ask.seed);
    const level = levels[(ask.level ?? engine.full) - 1] ?? null, vary = !level && ask.lines === undefined;
    const limits = limitsOf(ask, level);
    this.began = performance.now();
    this.limited = engine.limited && !ask.exact;
    let count = null;
    while (count === null) {
      if (ask.seed !== undefined) this.forget();
      this.begin(ask, limits);
      count = this.list(ask, random);
    }
    const lines = level ? count : Math.min(ask.lines ?? 1, count) || count;
    this.set({ lines, fixed: Boolean(limits.depth), chance, limited: this.limited }, "root");
    this.ask("BEGIN");

    const only = vary && count === 1 && !limits.infinite && !limits.depth && !limits.nodes;
    let seldepth = 0; // as reported with the depth
    /** @param {Report} found */
    const keepReport = (found) => ((seldepth = found.seldepth), report(found));
    const stopped = await this.deepen(only ? 1 : Math.min(limits.depth || engine.maxDepth, engine.maxDepth), keepReport, listen);
    if (!vary && !level && !stopped) this.ask("CHECK_DISTANCE");
    if (this.get("partial", "root")) keepReport(this.answer());
    const found = { ...this.answer(), seldepth, stopped };
    const chosen = stopped ? this.record(0, "known") : this.choose(vary, level, random);
    this.call("extend_pv", this.place.state, this.place.searcher, chosen, Math.max(found.depth, 1));
    const beyond = this.get("beyond");
    if (beyond) throw new Error(`a result of ${beyond} is beyond what the rules declare as MARGIN`);
    return this.valued({ ...found, ...this.found(chosen), nodes: this.get("nodes"), seconds: this.seconds() });
  }

  /**
   * Run one iteration after the other; return whether the search was stopped.
   * @param {number} deepest @param {(report: Report) => void} report @param {() => Promise<boolean> | boolean} listen
   */
  async deepen(deepest, report, listen) {
    let listened = this.began;
    for (let depth = 1; depth <= deepest && this.ask("ITERATE", depth); depth++) {
      report(this.answer());
      if (this.get("settled", "root")) break;
      if (performance.now() - listened < LISTEN_MS) continue;
      if (!(await listen())) return true;
      listened = performance.now();
    }
    return false;
  }

  /**
   * Return the record of the best move, or of a random one: of those proven equal, or near enough for a level.
   * @param {boolean} vary @param {LevelFacts | null} level @param {() => number} random
   */
  choose(vary, level, random) {
    if (level) {
      this.setReal("near", level.near);
      this.set({ careful: level.careful }, "root");
    }
    const count = vary ? this.ask("FIND_EQUAL") : level ? this.ask("COUNT_NEAR_BEST") : 0;
    return this.record(count && Math.floor(random() * count), count && vary ? "fresh" : "known");
  }

  /** Return what was found so far. */
  answer() {
    const moves = Array.from({ length: this.get("found", "root") }, (_, i) => this.found(this.record(i, "known")));
    const partial = this.get("partial", "root"), depth = partial || this.get("depth", "root");
    const counts = { depth, partial: partial > 0, seldepth: this.get("seldepth"), nodes: this.get("nodes") };
    const best = this.found(this.record(0, "known"));
    const limited = this.limited || (partial > 0 && best.score < 0); // moves that were not searched might not lose
    return this.valued({ ...best, ...counts, seconds: this.seconds(), moves, limited });
  }

  seconds() {
    return (performance.now() - this.began) / 1000;
  }

  /** Add the value that is proven: win, draw or loss. @param {Omit<Report, "value">} found @returns {Report} */
  valued(found) {
    const { score, exact, limited } = found;
    const proven = !this.facts.chance && !limited && (exact || Math.abs(score) >= this.facts.scale.proven);
    return { ...found, value: !proven ? "unknown" : score > 0 ? "win" : score < 0 ? "loss" : "draw" };
  }
}

/**
 * Return the limits of a search: a level has its own depth, and without any limit a search gets a second.
 * @param {SearchRequest} ask @param {LevelFacts | null} level @returns {Limits}
 */
function limitsOf({ depth, nodes, time, infinite }, level) {
  const given = depth || nodes || time;
  if (level) return { depth: level.depth, nodes, time: given ? time : 2 };
  return given ? { depth, nodes, time } : infinite ? { infinite } : { time: 1 };
}

/** @param {number} bytes */
function round(bytes) {
  return Math.ceil(bytes / 64) * 64;
}

function now() {
  return BigInt(Math.round(performance.now() * 1e6));
}

/** Return a generator of random numbers from 0 to 1, reproducible with a seed (mulberry32). @param {number | undefined} seed */
function randomFrom(seed) {
  if (seed === undefined) return Math.random;
  let state = Number(BigInt.asUintN(32, BigInt(Math.trunc(seed))));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** @type {Promise<WorkerEngine> | null} */
let starting = null; // requests may arrive while the net is unpacked
let stopped = false;

/** @param {WorkerMessage} message */
function post(message) {
  postMessage(message);
}

async function readMessages() {
  await new Promise((go) => setTimeout(go, 0));
  return !stopped;
}

/** @param {EngineOnly} facts @param {WebAssembly.Module} module @param {boolean} warm */
async function start(facts, module, warm) {
  const thinker = new WorkerEngine(facts, module, await readNet(facts));
  if (warm) await warmUp(thinker);
  return thinker;
}

/** Search the first position for a moment. @param {WorkerEngine} thinker */
async function warmUp(thinker) {
  const row = readRow(thinker.facts.warm);
  const search = thinker.think({ row, time: WARM_SECONDS, lines: 1 }, () => {}, () => true);
  await search.catch(() => {}); // the next search reports the error
  thinker.restart(FIRST_ROOM);
}

/** @param {ToWorker} message */
async function receive({ facts, module, warm = false, stop, forget, ask, id }) {
  if (facts && module) {
    starting = start(facts, module, warm);
    await starting;
    post({ ready: true });
  } else if (stop) {
    stopped = true;
  } else if (forget) {
    (await starting)?.forget();
  } else if (ask) {
    stopped = false;
    const thinker = await starting;
    post({ id, begun: true });
    const found = await thinker?.think(ask, (report) => post({ id, report }), readMessages);
    post({ id, found });
  }
}

self.onmessage = ({ data }) => receive(data).catch((e) => post({ id: data.id, error: e.message }));
