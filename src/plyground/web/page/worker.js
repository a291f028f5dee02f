// The engine's Worker: deepens, looks at the clock, chooses among moves. The search itself is in kernels that the Python engine calls
// too (search/root.py, search/window.py); offsets, tasks, levels and the scale of scores come from there (web/engine.py). A Worker in
// a kernel hears nothing, so it listens between two iterations, and whoever can't wait for that ends it.

import { asMove, putNet, readNet, startModule } from "./module.js";

const WARM_SECONDS = 0.3; // until the browser's second compiler has done its work
const LISTEN_MS = 20;
const FIRST_ROOM = 256;
const NEVER = 1n << 62n;

class Thinker {
  constructor(facts, module, net) {
    this.facts = facts;
    this.module = module;
    this.net = net;
    this.start(FIRST_ROOM);
  }

  // Lays out the memory, with room for this many root moves: state, stop word, searcher, table, root, and the net that judges.
  start(room) {
    const { memory, engine, words } = this.facts;
    this.room = room;
    const round = (n) => Math.ceil(n / 64) * 64;
    const stop = round(8 * words), searcher = stop + 64;
    const stack = searcher + memory.searcher.size + 8 * words, stackEnd = stack + 8 * engine.stackWords;
    const table = round(stackEnd), root = table + engine.bucketBytes * engine.buckets;
    const net = round(root + memory.root.size + room * memory.candidate.size);
    this.at = startModule(this.module, net + (this.net?.byteLength ?? 0), now);
    const base = this.at.base;
    if (this.net) putNet(this.at, this.facts, this.net, base + net);
    Object.assign(this, { state: base, searcher: base + searcher, table: base + table, root: base + root });
    this.set({ stop: base + stop, table: this.table, last_bucket: engine.buckets - 1, net: this.net ? base + net : 0 });
    this.set({ state: stack - 8 * words + base, stack: stack + base, stack_end: stackEnd + base - 32 });
    for (const name of ["step", "window", "bound"]) this.setReal(name, this.facts.scale[name] ?? Infinity);
    this.age = this.era = 0;
    this.doubled = new Set();
  }

  // -- memory -----------------------------------------------------------------------------------------------------------------

  index(block, name) {
    return (this[block] + this.facts.memory[block][name]) / 8;
  }

  set(values, block = "searcher") {
    for (const [name, value] of Object.entries(values)) this.at.words[this.index(block, name)] = BigInt(value);
  }

  setReal(name, value) {
    this.at.reals[this.index("root", name)] = value;
  }

  get(name, block = "searcher") {
    return Number(this.at.words[this.index(block, name)]);
  }

  // The address of a root move's record: `part` is known or fresh.
  record(i, part) {
    const { root, candidate } = this.facts.memory;
    return this.root + root.size + i * candidate.size + candidate[part];
  }

  // What was found about a root move, from its record.
  found(at) {
    const { found } = this.facts.memory, word = (name) => Number(this.at.words[(at + found[name]) / 8]);
    const first = (at + found.line) / 8;
    const line = Array.from(this.at.words.subarray(first, first + word("length")), asMove);
    const score = this.at.reals[(at + found.score) / 8] + 0; // never -0
    return { move: asMove(this.at.words[(at + found.move) / 8]), score, exact: word("exact") === 1, line };
  }

  // Calls a kernel with these whole numbers.
  call(name, ...given) {
    return this.at.call(name, ...given.map(BigInt));
  }

  // Runs a task of search/root.py, window by window, and returns its answer.
  ask(task, n = 0) {
    const { tasks } = this.facts.engine;
    let more = this.call("plan", this.searcher, this.root, tasks[task], n);
    while (more) {
      this.set({ hit: this.call("search", this.state, this.searcher, this.root) }, "root");
      more = this.call("plan", this.searcher, this.root, tasks.GO_ON, 0);
    }
    return this.get("answer", "root");
  }

  // -- before a search ----------------------------------------------------------------------------------------------------------

  // Forgets everything, as if the next search were the first.
  forget() {
    const { killers, lengths } = this.facts.memory.searcher, { bucketBytes, buckets } = this.facts.engine;
    this.at.bytes.fill(0, this.table, this.table + bucketBytes * buckets);
    this.at.bytes.fill(0, this.searcher + killers, this.searcher + lengths);
    this.age = 0;
  }

  // The keys of the positions before the root. Proofs in the table become invalid when new positions would be drawn if they
  // occurred once more.
  remember(history) {
    const { engine, repetition } = this.facts;
    const keys = repetition ? history.map((row) => this.key(row)) : [];
    const times = new Map();
    for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
    const doubled = new Set([...times.keys()].filter((key) => times.get(key) >= repetition - 1));
    if ([...doubled].some((key) => !this.doubled.has(key))) {
      this.era = (this.era + 1) % engine.eras;
      if (this.era === 0) this.forget();
    }
    this.doubled = doubled;
    const past = keys.slice(-engine.maxPast), path = this.index("searcher", "path"), seen = this.index("searcher", "seen");
    this.at.words.fill(0n, seen, seen + engine.seenSize);
    past.forEach((key, i) => {
      this.at.words[path + i] = BigInt.asIntN(64, key);
      this.at.words[seen + Number(key % BigInt(engine.seenSize))] += 1n;
    });
    this.set({ past: past.length });
  }

  put(row) {
    this.at.words.set(row, this.state / 8);
  }

  key(row) {
    this.put(row);
    return BigInt.asUintN(64, this.call("key", this.state));
  }

  begin({ history = [], exact }, { nodes, time }) {
    const { options, firstStep } = this.facts.engine, at = now();
    this.remember(history);
    this.at.words.fill(0n, this.index("searcher", "nodes"), this.index("searcher", "beyond") + 1);
    const deadline = time === undefined ? NEVER : at + BigInt(Math.round(time * 1e9)) || 1n;
    this.set({ options: exact ? options.exact : options.all, age: ++this.age, era: this.era, node_limit: nodes ?? NEVER });
    this.set({ deadline, last_look: at, look_step: firstStep });
  }

  // Lists the moves to search, by the game's hints and equal ones in random order. Returns how many there are; null if there was no
  // room, which there is now.
  list({ row, shuffle = true }, random) {
    this.put(row);
    const count = Number(this.call("list", this.state, this.searcher, this.root, this.room));
    if (count < 0) throw new Error("there are too many moves here for the engine");
    if (count === 0) throw new Error("there is nothing to choose here");
    if (count > this.room) {
      this.start(2 * count);
      return null;
    }
    const { words } = this.at, place = (i, part) => this.record(i, part) / 8;
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

  // Searches as asked, reports after every iteration, and returns the answer. `listen` waits for messages; is it to go on?
  async think(ask, report, listen) {
    const { engine, levels, chance } = this.facts, random = randomFrom(ask.seed);
    const level = ask.level < engine.full ? levels[ask.level - 1] : null, vary = !level && ask.lines === undefined;
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
    const stopped = await this.deepen(only ? 1 : Math.min(limits.depth || engine.maxDepth, engine.maxDepth), report, listen);
    if (!vary && !level && !stopped) this.ask("SHARPEN");
    const found = { ...this.answer(), stopped };
    const chosen = stopped ? this.record(0, "known") : this.choose(vary, level, random);
    this.call("prolong", this.state, this.searcher, chosen, Math.max(found.depth, 1));
    const beyond = this.get("beyond");
    if (beyond) throw new Error(`a result of ${beyond} is beyond what the rules declare as MARGIN`);
    return this.valued({ ...found, ...this.found(chosen), nodes: this.get("nodes"), seconds: this.seconds() });
  }

  // One iteration after the other; was it stopped?
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

  // The record of the best move, or of a random one: of those proven equal, or near enough for a level.
  choose(vary, level, random) {
    if (level) {
      this.setReal("near", level.near);
      this.set({ careful: level.careful }, "root");
    }
    const count = vary ? this.ask("EQUALS") : level ? this.ask("NEAR") : 0;
    return this.record(count && Math.floor(random() * count), count && vary ? "fresh" : "known");
  }

  // What was found so far.
  answer() {
    const moves = Array.from({ length: this.get("found", "root") }, (_, i) => this.found(this.record(i, "known")));
    const counts = { depth: this.get("depth", "root"), selective: this.get("selective"), nodes: this.get("nodes") };
    const best = this.found(this.record(0, "known"));
    return this.valued({ ...best, ...counts, seconds: this.seconds(), moves, limited: this.limited });
  }

  seconds() {
    return (performance.now() - this.began) / 1000;
  }

  // With the value that is proven: win, draw or loss.
  valued(found) {
    const { score, exact, limited } = found;
    const proven = !this.facts.chance && !limited && (exact || Math.abs(score) >= this.facts.scale.proven);
    return { ...found, value: !proven ? "unknown" : score > 0 ? "win" : score < 0 ? "loss" : "draw" };
  }
}

// The limits of a search: a level has its own depth, and without any limit a search gets a second.
function limitsOf({ depth, nodes, time, infinite }, level) {
  const given = depth || nodes || time;
  if (level) return { depth: level.depth, nodes, time: given ? time : 2 };
  return given ? { depth, nodes, time } : infinite ? { infinite } : { time: 1 };
}

function now() {
  return BigInt(Math.round(performance.now() * 1e6));
}

// Numbers from 0 to 1, the same ones for the same seed (mulberry32).
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

let starting = null, stopped = false; // a promise of the Thinker: questions may come while its net is unpacked

async function listening() {
  await new Promise((go) => setTimeout(go, 0));
  return !stopped;
}

async function start({ facts, module, warm }) {
  const thinker = new Thinker(facts, module, await readNet(facts));
  if (warm) await warmUp(thinker);
  return thinker;
}

// Searches the first position for a moment.
async function warmUp(thinker) {
  const row = BigInt64Array.from(thinker.facts.warm.split("."), (word) => BigInt.asIntN(64, BigInt(`0x${word}`)));
  await thinker.think({ row, time: WARM_SECONDS, lines: 1 }, () => {}, () => true).catch(() => {}); // whoever plays hears of it
  thinker.start(FIRST_ROOM);
}

async function hear({ facts, module, warm, stop, forget, ask, id }) {
  if (facts) {
    starting = start({ facts, module, warm });
    await starting;
    postMessage({ ready: true });
  } else if (stop) stopped = true;
  else if (forget) (await starting).forget();
  else {
    stopped = false;
    const thinker = await starting;
    postMessage({ id, begun: true });
    const found = await thinker.think(ask, (report) => postMessage({ id, report }), listening);
    postMessage({ id, found });
  }
}

self.onmessage = ({ data }) => hear(data).catch((e) => postMessage({ id: data.id, error: e.message }));
