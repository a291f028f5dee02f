// A search step by step: the compiled textbook search writes its events into memory, and this makes of them the data of the page
// that walks through a search, as explain/page/__init__.py makes it in Python.

import { startModule } from "./module.js";
import { moveNames } from "./names.js";
import { Scores } from "./scores.js";

const NODE_WORDS = 64; // room for the events of a node, besides its state

export class Tracer {
  constructor(facts, rules, most) {
    const { searcher, events } = facts.memory;
    const row = 8 * facts.words;
    const parts = [searcher.size + row + facts.trace.stack, events.size + most * (8 * NODE_WORDS + row)];
    Object.assign(this, { facts, rules, most, row, past: facts.repetition ? facts.trace.past : 0 });
    this.kernels = startModule(rules.module, parts[0] + parts[1] + row * (this.past + 1), () => 0n);
    this.memory = this.kernels.base;
    this.buffer = this.memory + parts[0];
    this.game = this.buffer + parts[1];
  }

  // Searches the last of these positions: { depth (null: to the end of the game), pruning, order }. Gives how many nodes and
  // estimates there are, or null if they are too many to show.
  search(history, { depth, pruning, order }) {
    const { buffer, game, memory, kernels } = this;
    const { options, whole } = this.facts.trace;
    const rows = history.slice(-this.past - 1);
    rows.forEach((row, i) => kernels.words.set(row, (game + this.row * i) / 8));
    const head = { limit: game, nodes: this.most + 1, pruning: pruning ? 1 : 0, options: options.likely | (order && options.order) };
    for (const [name, value] of Object.entries(head)) this.put(name, value);
    const given = [game, rows.length - 1, depth ?? whole, memory, buffer];
    if (!kernels.call("trace", ...given.map(BigInt))) return null;
    return { nodes: this.count("nodes"), estimates: this.count("evaluations") };
  }

  put(name, value) {
    this.kernels.words[(this.buffer + this.facts.memory.events[name]) / 8] = BigInt(value);
  }

  count(name) {
    return Number(this.kernels.words[(this.memory + this.facts.memory.searcher[name]) / 8]);
  }

  // The events of the last search, one after the other. `more` is where the words begin that follow an event.
  *events() {
    const { words, reals } = this.kernels;
    const { event, events } = this.facts.memory;
    const end = Number(words[(this.buffer + events.next) / 8]);
    const read = (at, name) => Number(words[(at + event[name]) / 8]);
    for (let at = this.buffer + events.size; at < end; ) {
      const [what, node, move, mark, count] = ["what", "node", "move", "mark", "more"].map((name) => read(at, name));
      const more = at + event.size;
      yield { what: this.facts.trace.events[what], node, move, mark, count, more, value: reals[(at + event.value) / 8] };
      at = more + 8 * count;
    }
  }

  // What an event tells of the node that is entered.
  entered({ more, count }) {
    const { words, reals } = this.kernels;
    const { entered } = this.facts.memory;
    const [parent, depth] = ["parent", "depth"].map((name) => Number(words[(more + entered[name]) / 8]));
    const [alpha, beta, share] = ["alpha", "beta", "share"].map((name) => reals[(more + entered[name]) / 8]);
    return { parent, depth, alpha, beta, share, row: words.slice((more + entered.size) / 8, more / 8 + count) };
  }

  moves({ more, count }) {
    return Array.from(this.kernels.words.subarray(more / 8, more / 8 + count), Number);
  }

  // The data for the page: of the last search, for which `wanted` was asked, with this side to move at its root.
  data(wanted, turn) {
    const story = new Story(this, wanted, turn);
    for (const event of this.events()) story[event.what](event);
    return story.data();
  }
}

// The events as the page's nodes and steps; each kind of event has a method.
class Story {
  constructor(tracer, wanted, turn) {
    const { facts, rules } = tracer;
    Object.assign(this, { tracer, facts, rules, wanted, turn, scores: new Scores(facts) });
    Object.assign(this, { nodes: [], steps: [], views: [], boards: [], numbers: new Map(), estimates: 0, cuts: 0, firsts: 0 });
    this.kinds = facts.trace.kinds;
  }

  enter(event) {
    const { parent, depth, alpha, beta, share, row } = this.tracer.entered(event);
    const above = this.nodes[parent];
    const node = { k: this.kinds[event.mark], v: [], board: this.board(row) };
    if (above) Object.assign(node, { p: parent, m: this.names(parent)(event.move) });
    if (above?.k === "chance") node.w = share;
    if (this.wanted.depth !== null) node.d = depth;
    if (this.wanted.pruning) Object.assign(node, { a: this.bound(alpha), b: this.bound(beta) });
    this.nodes.push(node);
    this.views.push({ row, move: event.move, below: [] });
    if (above) this.views[parent].below.push(event.node);
    this.steps.push(["l", event.node]);
  }

  leaf({ node, mark }) {
    this.nodes[node].l = mark ? "heuristic" : "terminal";
    this.estimates += mark;
  }

  child({ mark }) {
    this.steps.push(["b", this.left, ...(mark ? [1] : [])]);
  }

  cutoff(event) {
    const node = this.nodes[event.node];
    const [here, there, bound] = node.k === "max" ? ["max", "min", node.b] : ["min", "max", node.a];
    const [value, other] = [event.value, bound].map((worth) => this.scores.forMax(worth));
    const name = this.names(event.node);
    const reason = `${here} can already force ${value} here, ${there} has ${other} elsewhere`;
    node.c = [name(event.move), this.tracer.moves(event).map(name), reason];
    this.steps.push(["c", event.node]);
    this.cuts += 1;
    this.firsts += event.mark;
  }

  leave(event) {
    const node = this.nodes[event.node];
    const line = this.follow(event.node, this.tracer.moves(event)).map((n) => this.nodes[n].m);
    if (line.length) node.line = line;
    if (!event.node && this.steps.length > 1) this.steps.push(["d", 0]);
    node.v.push([this.steps.length - 1, event.value + 0]);
    this.left = event.node;
  }

  // The nodes that moves lead to, one after the other.
  follow(node, moves) {
    const found = [];
    for (const m of moves) {
      node = this.views[node].below.find((n) => this.views[n].move === m);
      found.push(node);
    }
    return found;
  }

  bound(value) {
    const short = this.scores.short(value);
    return short.endsWith("∞") ? short : value;
  }

  // How the moves of a node are called.
  names(n) {
    const { row } = this.views[n];
    const view = (this.views[n].view ||= this.rules.view(row));
    const turn = this.nodes[n].k === "min" ? 1 - this.turn : this.turn;
    return (m) => moveNames(this.facts, this.rules, row, view, turn)[view.moves.indexOf(m)];
  }
}
