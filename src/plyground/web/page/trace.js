// A search step by step: the compiled textbook search writes its events into memory, and this module turns them into the data of
// the page that walks through a search, as explain/page/__init__.py does in Python.

import { asMove, putNet, startModule } from "./module.js";
import { moveNames } from "./names.js";
import { fieldTexts } from "./positions.js";
import { makeQuestions } from "./questions.js";
import { Scores } from "./scores.js";

const NODE_WORDS = 64; // room for the events of a node, besides its state
const MOST_UNPRUNED = 500; // nodes

export class Tracer {
  /**
   * `net` comes from `readNet`; searches with more than `most` nodes are refused.
   * @param {Facts} facts @param {Rules} rules @param {ArrayBuffer | null} net @param {number} most
   */
  constructor(facts, rules, net, most) {
    const { searcher, events } = facts.memory;
    const row = 8 * facts.words;
    this.facts = facts;
    this.rules = rules;
    this.most = most;
    this.row = row;
    this.past = facts.repetition ? facts.trace.past : 0;
    const parts = [searcher.size + row + facts.trace.stack, events.size + most * (8 * NODE_WORDS + row)];
    const room = Math.ceil((parts[0] + parts[1] + row * (this.past + 1)) / 64) * 64;
    this.kernels = startModule(rules.module, room + (net?.byteLength ?? 0), () => 0n);
    this.memory = this.kernels.base;
    this.buffer = this.memory + parts[0];
    this.rows = this.buffer + parts[1];
    if (!net) return;
    putNet(this.kernels, facts, net, this.memory + room);
    this.kernels.words[(this.memory + searcher.net) / 8] = BigInt(this.memory + room);
  }

  /**
   * Search the last of these positions. Return the number of nodes and estimates; null if there are too many nodes to show.
   * @param {Row[]} positions @param {TraceOptions} wanted @returns {{ nodes: number, estimates: number } | null}
   */
  search(positions, { depth, pruning, order, most = this.most }) {
    const { buffer, memory, rows, kernels } = this;
    const { options, whole } = this.facts.trace;
    const game = positions.slice(-this.past - 1);
    game.forEach((row, i) => kernels.words.set(row, (rows + this.row * i) / 8));
    const hints = options.likely | (order ? options.order : 0);
    const head = { limit: rows, nodes: most + 1, pruning: pruning ? 1 : 0, options: hints };
    for (const [name, value] of Object.entries(head)) this.put(name, value);
    const given = [rows, game.length - 1, depth ?? whole, memory, buffer];
    if (!kernels.call("trace", ...given.map(BigInt))) return null;
    return { nodes: this.count("nodes"), estimates: this.count("evaluations") };
  }

  /** @param {string} name @param {number} value */
  put(name, value) {
    this.kernels.words[(this.buffer + this.facts.memory.events[name]) / 8] = BigInt(value);
  }

  /** @param {string} name */
  count(name) {
    return Number(this.kernels.words[(this.memory + this.facts.memory.searcher[name]) / 8]);
  }

  /** Yield the events of the last search. */
  *events() {
    const { words, reals } = this.kernels;
    const { event, events } = this.facts.memory;
    const end = Number(words[(this.buffer + events.next) / 8]);
    /** @param {number} at @param {string} name */
    const read = (at, name) => Number(words[(at + event[name]) / 8]);
    for (let at = this.buffer + events.size; at < end; ) {
      const [what, node, mark, count] = ["what", "node", "mark", "more"].map((name) => read(at, name));
      const [move, value] = [asMove(words[(at + event.move) / 8]), reals[(at + event.value) / 8]];
      const more = at + event.size;
      yield { what: this.facts.trace.events[what], node, move, value, mark, count, more };
      at = more + 8 * count;
    }
  }

  /** Return what an event says about the node that is entered. @param {TraceEvent} event */
  entered({ more, count }) {
    const { words, reals } = this.kernels;
    const { entered } = this.facts.memory;
    const [parent, depth] = ["parent", "depth"].map((name) => Number(words[(more + entered[name]) / 8]));
    const [alpha, beta, share] = ["alpha", "beta", "share"].map((name) => reals[(more + entered[name]) / 8]);
    return { parent, depth, alpha, beta, share, row: words.slice((more + entered.size) / 8, more / 8 + count) };
  }

  /** @param {TraceEvent} event */
  moves({ more, count }) {
    return Array.from(this.kernels.words.subarray(more / 8, more / 8 + count), asMove);
  }

  /**
   * Return the last search, read from its events: `wanted` was asked for, and side `turn` is to move at the root.
   * @param {TraceOptions} wanted @param {number} turn
   */
  read(wanted, turn) {
    const traced = new TracedSearch(this, wanted, turn);
    for (const event of this.events()) traced[event.what](event);
    return traced;
  }

  /** Return the data for the page, of the last search. @param {TraceOptions} wanted @param {number} turn */
  data(wanted, turn) {
    const traced = this.read(wanted, turn);
    const asks = traced.counts.cutoffs > 0 && this.facts.sides.length === 2;
    const quiz = asks ? makeQuestions(traced, (n) => this.whole(traced, n)) : [];
    return { ...traced.data(), quiz };
  }

  /**
   * Return the search below a node without pruning; null if it is too large.
   * @param {TracedSearch} traced @param {number} n @returns {TracedSearch | null}
   */
  whole(traced, n) {
    const { k, d = null } = traced.nodes[n];
    const wanted = { depth: d, pruning: false, order: false, most: MOST_UNPRUNED };
    return this.search([traced.places[n].row], wanted) && this.read(wanted, k === "max" ? traced.turn : 1 - traced.turn);
  }
}

// A search as the page's nodes and steps; each kind of event has a method that adds it.
export class TracedSearch {
  /** @param {Tracer} tracer @param {TraceOptions} wanted @param {number} turn */
  constructor(tracer, wanted, turn) {
    const { facts, rules } = tracer;
    this.tracer = tracer;
    this.facts = facts;
    this.rules = rules;
    this.wanted = wanted;
    this.turn = turn;
    this.scores = new Scores(facts);
    /** @type {NodeData[]} */
    this.nodes = [];
    /** @type {StepData[]} */
    this.steps = [];
    /** @type {TracedPlace[]} */
    this.places = [];
    /** @type {Boards["each"]} */
    this.boards = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    /** @type {SearchData["words"]} */
    this.words = {};
    /** @type {number[]} */
    this.line = []; // the nodes of the best line below the node that was left last
    this.left = 0; // and that node
    this.counts = { evaluations: 0, cutoffs: 0, first_move_cutoffs: 0, table_hits: 0 };
  }

  /** @param {TraceEvent} event */
  enter(event) {
    const { parent, depth, alpha, beta, share, row } = this.tracer.entered(event);
    const view = this.rules.view(row);
    /** @type {NodeData} */
    const node = { k: this.facts.trace.kinds[event.mark], v: [], board: this.board(row, view) };
    const above = this.nodes[parent];
    if (above) Object.assign(node, { p: parent, m: this.named(parent, event.move) });
    if (above?.k === "chance") node.w = share;
    if (this.wanted.depth !== null) node.d = depth;
    if (this.wanted.pruning) Object.assign(node, { a: this.worth(alpha), b: this.worth(beta) });
    this.nodes.push(node);
    const ply = above ? this.places[parent].ply + 1 : 0;
    this.places.push({ row, view, alpha, beta, ply, move: event.move, below: [], pruned: [] });
    if (above) this.places[parent].below.push(event.node);
    this.steps.push(["l", event.node]);
  }

  /** @param {TraceEvent} event */
  leaf({ node, mark }) {
    this.nodes[node].l = mark ? "heuristic" : "terminal";
    this.counts.evaluations += mark;
  }

  /** @param {TraceEvent} event */
  child({ mark }) {
    this.steps.push(mark ? ["b", this.left, 1] : ["b", this.left]);
  }

  /** @param {TraceEvent} event */
  cutoff(event) {
    const node = this.nodes[event.node];
    const { alpha, beta } = this.places[event.node];
    const [here, there, bound] = node.k === "max" ? ["max", "min", beta] : ["min", "max", alpha];
    const [value, other] = [event.value, bound].map((worth) => this.scores.forMax(worth));
    const reason = `${here} can already force ${value} here, ${there} has ${other} elsewhere`;
    const pruned = this.tracer.moves(event);
    node.c = [this.named(event.node, event.move), pruned.map((m) => this.named(event.node, m)), reason];
    this.places[event.node].pruned = pruned;
    this.steps.push(["c", event.node]);
    this.counts.cutoffs += 1;
    this.counts.first_move_cutoffs += event.mark;
  }

  /** @param {TraceEvent} event */
  leave(event) {
    const node = this.nodes[event.node];
    this.line = this.follow(event.node, this.tracer.moves(event));
    if (this.line.length) node.line = this.line.flatMap((n) => this.nodes[n].m ?? []);
    if (!event.node && this.steps.length > 1) this.steps.push(["d", 0]);
    node.v.push([this.steps.length - 1, this.worth(event.value)]);
    this.left = event.node;
  }

  /** Return the nodes to which moves lead, one after the other. @param {number} node @param {Move[]} moves */
  follow(node, moves) {
    const found = [];
    for (const m of moves) {
      node = this.places[node].below.find((n) => this.places[n].move === m) ?? -1;
      found.push(node);
    }
    return found;
  }

  /** Return a value as the page compares it, and keep how a proven one is written. @param {number} value @returns {Bound} */
  worth(value) {
    const short = this.scores.short(value);
    if (short === "∞" || short === "-∞") return short;
    if (this.scores.proven(value)) this.words[value] = [short, this.scores.forMax(value)];
    return value;
  }

  /** @param {number} n @param {Move} m */
  named(n, m) {
    const { row, view } = this.places[n];
    return moveNames(this.facts, this.rules, row, view)[view.moves.indexOf(m)];
  }

  /** @param {Row} row @param {View} view */
  board(row, view) {
    const key = row.join();
    if (!this.numbers.has(key)) {
      this.numbers.set(key, this.boards.length);
      this.boards.push(this.facts.board ? { cells: view.cells, turn: view.turn ?? 0 } : { text: this.fields(row) });
    }
    return this.numbers.get(key) ?? 0;
  }

  /** Return the fields of a state as text, one per line. @param {Row} row */
  fields(row) {
    return fieldTexts(this.facts, row)
      .map((field) => field.join(": "))
      .join("\n");
  }

  data() {
    const { facts, nodes, turn, wanted } = this;
    const [root] = nodes;
    const value = /** @type {number} */ (root.v[0][1]);
    const algorithm = facts.chance ? "expectiminimax" : wanted.pruning ? "alphabeta" : "minimax";
    for (const n of [0, ...this.line]) nodes[n].best = 1;
    return {
      game: facts.name,
      algorithm,
      depth: wanted.depth,
      value,
      move: root.line ? root.line[0] : null,
      line: root.line || [],
      note: "",
      ...this.counts,
      title: facts.title,
      named: wanted.order ? `${algorithm}, order=game` : algorithm,
      value_text: this.scores.forMax(value),
      sides: facts.sides.length > 1 ? { max: facts.sides[turn], min: facts.sides[1 - turn] } : { max: facts.sides[0] },
      first: [0],
      nodes,
      steps: this.steps,
      words: this.words,
      signs: facts.trace.signs,
      boards: { picture: facts.picture, each: this.boards },
    };
  }
}
