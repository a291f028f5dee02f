// What the scripts of the pages exchange: facts and data from Python, Worker messages, and what modules hand to each other.
// Only `make lint` reads this; the names are known in every script.

// -- boards (board/board.py, board/picture.py)
// ------------------------------------------------------------------------------------

/** x, y, width and height of a cell, and the number of its set of pieces. */
type CellPlace = [x: number, y: number, width: number, height: number, set: number];
type Box = [x: number, y: number, width: number, height: number];
/** The side of a piece, its letter, its glyph, and how many they are. */
type Piece = [side: number | null, letter: string, glyph: string, number: number];

interface PictureView {
  box: Box;
  bare: Box;
  ground: string;
  labels: string[];
  cells: CellPlace[];
}

interface Picture {
  views: PictureView[];
  /** What lies on a cell, by the number of its set and what lies there. */
  sets: string[][];
  marks: string[];
}

interface Board {
  shape: "squares" | "points" | "drop" | "tiles" | "pits" | "heaps" | "backgammon" | "free";
  rows: string[];
  cols: string[];
  size: number;
  count: number;
  /** The names of the cells for each side. */
  names: string[][];
  pieces: Piece[];
  /** The names of the moves that touch no cell. */
  buttons: Record<string, string>;
  fields: string[];
  /** For each cell, the cell that touching it means; null if it is the cell itself. */
  target: number[] | null;
  /** Backgammon: the first cells of the bars, of the checkers that are off, and of the dice. */
  bar: number;
  off: number;
  dice: number;
}

// -- the explain page (explain/page/__init__.py)
// ----------------------------------------------------------------------------------

/** A number, or a text for what no number can say. */
type Value = number | string;
type Bound = number | "∞" | "-∞";
type Leaf = "terminal" | "heuristic" | "quiet";
type BoundKind = "exact" | "lower" | "upper";
/** After which move, which moves were skipped, and why. */
type Cutoff = [after: string, pruned: string[], reason: string];
/** l(ook), b(ack), c(ut), u(pdate) or d(one), the number of the node, 1 if its value is its parent's best so far. */
type StepData = [what: "l" | "b" | "c" | "u" | "d", node: number, best?: 1];

/** A node; the names are explained in explain/page/__init__.py. */
interface NodeData {
  p?: number;
  m?: string;
  k: string;
  d?: number;
  a?: Bound;
  b?: Bound;
  v: [step: number, value: Value][];
  up?: Value;
  l?: Leaf;
  h?: [kind: BoundKind, value: Value];
  c?: Cutoff;
  line?: string[];
  w?: number;
  best?: 1;
  board: number;
  j?: [head: string, rows: [adds: string, cells: string, contents: string][]];
}

interface SearchNode extends NodeData {
  i: number;
  children: SearchNode[];
  parent: SearchNode | null;
  ply: number;
  /** How many nodes there are from here on down. */
  size: number;
  /** The steps at which it was entered, left and cut off. */
  entered: number;
  left: number;
  cutAt: number;
  gain: boolean;
}

/** A branch of a question: x is 1 if the search prunes it, n its node if the search came here, v the value of a leaf. */
interface BranchData {
  m: string;
  k: string;
  board: number;
  x: 0 | 1;
  n?: number;
  v?: Value;
  l?: string;
  why?: string;
  children: BranchData[];
}

interface QuizBranch extends BranchData {
  i: number;
  above: QuizBranch | null;
  path: string;
  children: QuizBranch[];
}

interface Question {
  node: number;
  tree: BranchData;
}

interface Boards {
  picture: Picture | null;
  each: { cells?: number[]; turn?: number; text?: string }[];
}

interface SearchData {
  title: string;
  named: string;
  algorithm: string;
  depth: number | null;
  line: string[];
  note: string;
  nodes: NodeData[];
  steps: StepData[];
  /** The numbers of the roots. */
  first: number[];
  evaluations: number;
  cutoffs: number;
  first_move_cutoffs: number;
  table_hits: number;
  value_text: string;
  /** Which side is max, and which is min. */
  sides: Record<string, string>;
  /** How each proven win or loss is written: in short, and in a sentence. */
  words: Record<string, [short: string, sentence: string]>;
  signs: Record<string, string>;
  quiz: Question[];
  boards: Boards;
}

/** An item of the tree on the page, before it has a place. */
interface ItemParts {
  key: string;
  height: number;
  className: string;
  /** The class of the line to its parent. */
  edge: string;
  /** For screen readers. */
  label: string;
  /** Its content is redrawn only when this changes. */
  stamp: string;
  fill(element: HTMLElement): void;
  children: TreeItem[];
  node?: SearchNode;
  /** Missing if it has no children. */
  expanded?: boolean;
  /** Whether it is on the path to the node where the search is. */
  follow?: boolean;
}

interface TreeItem extends ItemParts {
  parent: TreeItem | null;
  column: number;
  /** Its top from its parent's. */
  offset: number;
  x: number;
  y: number;
}

type Search = import("../explain/page/search.js").Search;
type TreeView = import("../explain/page/tree.js").TreeView;

// -- the facts of a game's page (web/facts.py) -------------------------------------------------------------------------------

/** A position: its words. */
type Row = BigInt64Array;
/** A BigInt where numbers are no longer exact. */
type Move = number | bigint;
/** For each field of a block of memory its offset, and the size of all. */
type Offsets = Record<string, number>;

interface NetFacts {
  data: string;
  size: number;
  addresses: Offsets;
  /** Whether it was asked for when the page was made; then it also evaluates exact searches. */
  given: boolean;
}

interface LevelFacts {
  depth: number;
  near: number;
  careful: boolean;
}

interface ScoreFacts {
  /**
   * The borders of score.py, the usual size of an estimate, and whether every result is a win, a draw or a loss, without a
   * margin.
   */
  win: number;
  proven: number;
  infinite: number;
  estimate: number;
  plain: boolean;
  grades: Grade[];
}

interface EngineFacts {
  tasks: Record<string, number>;
  options: { all: number; exact: number };
  /** Whether the search leaves moves out. */
  limited: boolean;
  /** Of futility pruning, by depth. */
  margins: { above: number[]; below: number[] };
  full: number;
  maxDepth: number;
  maxPast: number;
  seenSize: number;
  stackWords: number;
  stackGuard: number;
  /** More nodes than any search visits, and a deadline later than any, as a decimal number. */
  unlimited: string;
  firstCheckNodes: number;
  eras: number;
  bucketBytes: number;
  buckets: number;
}

interface TraceFacts {
  events: ("enter" | "leaf" | "child" | "cutoff" | "leave")[];
  kinds: string[];
  whole: number;
  stack: number;
  past: number;
  options: { likely: number; order: number };
  quiz: QuizLimits;
  signs: Record<string, string>;
  page: string;
}

/** How large questions are (explain/quiz.py): pairs of the maximum number of leaves and how many questions. */
interface QuizLimits {
  sizes: [most: number, count: number][];
  least: number;
  tries: number;
}

interface Field {
  name: string;
  type: string;
  /** null for a plain number. */
  count: number | null;
  array: boolean;
}

interface Facts {
  name: string;
  spec: string;
  title: string;
  summary: string;
  sides: string[];
  /** Whether the rules say whose turn it is. */
  turn: boolean;
  version: string;
  margin: number;
  repetition: number;
  chance: boolean;
  scores: ScoreFacts;
  start: string;
  words: number;
  fields: Field[];
  board: Board | null;
  picture: Picture | null;
  memory: Record<string, Offsets>;
  net: NetFacts | null;
  warm: string;
  levels: LevelFacts[];
  scale: { step: number | null; window: number | null; bound: number | null; proven: number };
  engine: EngineFacts;
  trace: TraceFacts;
  /** The compiled kernels, deflated, in base64. */
  module: string;
}

/** What the engine's Worker needs of them. */
type EngineOnly = Pick<
  Facts,
  "words" | "warm" | "repetition" | "chance" | "memory" | "levels" | "scale" | "engine" | "net"
>;

// -- positions
// --------------------------------------------------------------------------------------------------------------------

/** What the page shows of a position. */
interface View {
  /** null while the game goes on, else its value for the side to move. */
  result: number | null;
  /** The number of the side to move; null where the rules do not say it: sides then alternate. */
  turn: number | null;
  chance: boolean;
  /** Whether the side to move has no legal move. */
  stuck: boolean;
  moves: Move[];
  /** If chance is to move, the share of each of its outcomes in all; else empty. */
  weights: number[];
  /** For each move of a player, the cells that it touches, in order; none for a button. */
  touches: number[][];
  /** What lies on each cell; empty if the game has no board. */
  cells: number[];
  key: string;
}

/** How a game ended. */
interface End {
  /** For the side to move. */
  value: number;
  winner: number | null;
  text: string;
}

/** What a board shows: `may` says whether it is a person's turn, `rolled` whether chance has just moved. */
interface BoardPosition {
  view: View;
  turn: number;
  fresh: Set<number>;
  may: boolean;
  rolled: boolean;
}

/** What one of several moves that touch the same cells leaves there. */
interface Choice {
  cell: number;
  n: number;
  before: number;
  text: string;
}

/** A board that can be touched, or its stand-in for a game without one. */
interface BoardLike {
  path: number[];
  show(shown: BoardPosition, way: number[] | null): void;
  flip(flipped: boolean): void;
  arrow(cells: number[] | null): void;
  release(): boolean;
  badges(values: Map<Move, string>): void;
  paint(cells: number[]): void;
}

/** A cell that a pointer holds, where it began, and what follows the pointer once it moves. */
interface Drag {
  cell: number;
  x: number;
  y: number;
  ghost: HTMLElement | null;
}

/** A move with the cells that a person touches for it. */
interface MovePath {
  m: Move;
  cells: number[];
}

// -- searches, and the messages of the Worker -----------------------------------------------------------------------------------

/** Limits of a search: the first one reached stops it. Time is in seconds. */
interface Limits {
  depth?: number;
  nodes?: number;
  time?: number;
  /** No limit; without any, a search takes a second. */
  infinite?: boolean;
}

/** What to search for. */
interface SearchRequest extends Limits {
  row: Row;
  /** The positions before it in the game. */
  history?: Row[];
  /** How many moves get a score of their own, 0 for all; without it, one of those proven equal is chosen. */
  lines?: number;
  /** From 1 to 10 (full strength): less depth, and a random choice among moves near the best. */
  level?: number;
  /** Plain minimax to a fixed depth, evaluated by the rules, or by the net that the page was made with. */
  exact?: boolean;
  /** Begin with an empty table, and make the same random choices each time. */
  seed?: number;
  /** false: equal moves are tried in the order of the rules. */
  shuffle?: boolean;
}

/** A move with a score of its own, for the side to move. */
interface Scored {
  move: Move;
  score: number;
  exact: boolean;
  line: Move[];
}

type MoveScore = Pick<Scored, "move" | "score" | "exact">;

interface Report {
  /** null if nothing was found. */
  move: Move | null;
  score: number;
  exact: boolean;
  line: Move[];
  value: "win" | "draw" | "loss" | "unknown";
  depth: number;
  /** Whether the iteration at `depth` was stopped after it had found a better move. */
  partial: boolean;
  seldepth: number;
  nodes: number;
  seconds: number;
  /** The moves with a score of their own, the best first. */
  moves: Scored[];
  limited?: boolean;
  stopped?: boolean;
}

/** A message to the Worker, one of: start, stop, forget what earlier searches have found, search. */
interface ToWorker {
  facts?: EngineOnly;
  module?: WebAssembly.Module;
  warm?: boolean;
  stop?: true;
  forget?: true;
  id?: number;
  ask?: SearchRequest;
}

/** A message from the Worker, about the search with this number. */
interface WorkerMessage {
  id?: number;
  ready?: true;
  begun?: true;
  report?: Report;
  found?: Report;
  error?: string;
}

/** A promise with the functions that settle it. */
interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

/** A search as the page sees it. */
interface EngineSearch {
  id: number;
  ask: SearchRequest;
  onReport(report: Report): void;
  last: Report;
  stopping: boolean;
  done: Promise<Report>;
  resolve(report: Report): void;
  reject(error: Error): void;
  stop(): Promise<Report>;
  late?: ReturnType<typeof setTimeout>;
  terminating?: ReturnType<typeof setTimeout>;
}

// -- analysis and review --------------------------------------------------------------------------------------------------------

interface Grade {
  name: string;
  sign: string;
  drop: number;
}

/**
 * What is known about a position: the deepest report, the deepest one with the values of all moves, and whether there is no
 * more to find.
 */
interface Finding {
  view: View;
  best: Report | null;
  all: Report | null;
  complete: boolean;
}

interface Assessment {
  best: Scored;
  played: MoveScore;
  drop: number;
  /** null for a move that is good enough. */
  grade: Grade | null;
}

interface AssessedMove extends Assessment {
  ply: number;
  move: Move;
  name: string;
  side: number;
}

type Mistake = AssessedMove & { grade: Grade };

/** A point of the graph; `share` is from 0 to 1. */
interface GraphPoint {
  share: number | null;
  text: string;
  move: string;
  words: string;
  sign: string;
}

/** What all parts of the analysis share. `busy()` returns whether the engine is needed elsewhere. */
interface AnalysisParts {
  facts: Facts;
  rules: Rules;
  match: Match;
  engine: Engine;
  board: BoardLike;
  root: HTMLElement;
  bar: HTMLElement;
  list: MoveList;
  busy(): boolean;
}

// -- the page -------------------------------------------------------------------------------------------------------------------

type StatusAction = [name: string, act: () => void];

/** The status line above the board; `sign` is SVG text. */
interface Status {
  text: string;
  sign?: string;
  kind?: "" | "done" | "bad";
  actions?: StatusAction[];
}

/** The choices of a person, as they are stored. */
interface StoredSettings {
  who: string;
  level: number;
  time: number;
  flipped: boolean;
  theme: string;
}

interface StoredGame {
  start: string;
  moves: string[];
  at: number;
  seed: number;
  settings: StoredSettings;
  address: string;
}

// -- looking into a search ------------------------------------------------------------------------------------------------------

/** The search to look at; depth null goes to the end of the game. */
interface TraceOptions {
  depth: number | null;
  pruning: boolean;
  order: boolean;
  most?: number;
}

/** An event of the traced search; `more` is the address of the words that follow it, `count` how many they are. */
interface TraceEvent {
  what: TraceFacts["events"][number];
  node: number;
  move: Move;
  value: number;
  mark: number;
  count: number;
  more: number;
}

/** What the page does not show of a traced node. */
interface TracedPlace {
  row: Row;
  view: View;
  alpha: number;
  beta: number;
  ply: number;
  move: Move;
  below: number[];
  pruned: Move[];
}

/** A node of a question; `n` is missing if the search never came here. */
interface QuestionBranch {
  n?: number;
  m: string;
  k: string;
  v?: number;
  l?: string;
  place: TracedPlace;
  children: QuestionBranch[];
}

/** The search below node n without pruning; null if that is too large. */
type UnprunedSearch = (n: number) => TracedSearch | null;

// -- compiled kernels -----------------------------------------------------------------------------------------------------------

/** A started module: memory as words, reals and bytes, and the address from which its user's bytes begin. */
interface Kernels {
  call(name: string, ...given: bigint[]): bigint;
  words: BigInt64Array;
  reals: Float64Array;
  bytes: Uint8Array;
  base: number;
  out: number;
}

type KernelExports = { data_end: WebAssembly.Global } & Record<string, (...given: (number | bigint)[]) => number>;

type Analysis = import("../web/page/analysis.js").Analysis;
type BoardView = import("../web/page/board.js").BoardView;
type Engine = import("../web/page/engine.js").Engine;
type Match = import("../web/page/match.js").Match;
type MoveButtons = import("../web/page/buttons.js").MoveButtons;
type MoveList = import("../web/page/movelist.js").MoveList;
type Opponent = import("../web/page/opponent.js").Opponent;
type Page = import("../web/page/page.js").Page;
type Rules = import("../web/page/rules.js").Rules;
type Scores = import("../web/page/scores.js").Scores;
type Settings = import("../web/page/settings.js").Settings;
type Tracer = import("../web/page/trace.js").Tracer;
type TracedSearch = import("../web/page/trace.js").TracedSearch;

interface Window {
  /** The page as an interface (web/page/api.js); `begin` settles `ready`. */
  plyground: { ready: Promise<void>; begin(ready: Promise<void>): void };
}
