// Questions for the quiz, as explain/quiz.py makes them: small trees of a search in which the reader crosses out what it pruned.
// They show every leaf with its value, even those that the search never saw; a search without pruning finds these.

const QUESTION_SIZES = [
  [12, 4],
  [50, 8],
]; // a few small questions first, then larger ones: the maximum number of leaves, and how many questions
const LEAST_LEAVES = 4;
const MOST_TRIES = 400;

// The questions from a search: no two alike, each with something to prune. `whole(n)` gives the search below node n without
// pruning, or null if that is too large.
export function makeQuestions(told, whole) {
  const asked = new Map();
  for (const [most, count] of QUESTION_SIZES) askQuestions(told, whole, most, asked.size + count, asked);
  return [...asked.values()].map((tree) => ({ node: tree.n, tree: asQuestion(told, tree) }));
}

// Adds questions in the order of the search until there are `count`: trees as large as fit, none inside another.
function askQuestions(told, whole, most, count, asked) {
  const waiting = [0];
  for (let tries = 0; tries < MOST_TRIES && waiting.length && asked.size < count; tries++) {
    const n = waiting.pop();
    const leaves = [];
    const tree = seenBranch(told, whole, n, most, leaves);
    if (!tree) {
      waiting.push(...told.places[n].below.filter((i) => !told.nodes[i].l).reverse());
    } else if (leaves.some((leaf) => leaf.n === undefined) && leaves.length >= LEAST_LEAVES) {
      const key = [...leaves.map((leaf) => leaf.v), told.nodes[n].a, told.nodes[n].b].join();
      if (!asked.has(key)) asked.set(key, tree);
    }
  }
}

// The complete tree below node n of the search; null if there are more than `most` leaves.
function seenBranch(told, whole, n, most, leaves) {
  const [node, place] = [told.nodes[n], told.places[n]];
  const branch = { n, m: node.m ?? "", k: node.k, place, children: [] };
  if (node.l) return asLeaf(branch, node.v[0][1], node.l, most, leaves);
  for (const i of place.below) branch.children.push(seenBranch(told, whole, i, most, leaves));
  const full = place.pruned.length && !branch.children.includes(null) ? whole(n) : null;
  for (const m of place.pruned) {
    const i = full && full.places[0].below.find((j) => full.places[j].move === m);
    branch.children.push(full && unseenBranch(told, full, i, n, most, leaves));
  }
  return branch.children.includes(null) ? null : branch;
}

// The tree below node i of a search that began at node n of the one asked about: its values count from there, for the side there.
function unseenBranch(told, full, i, n, most, leaves) {
  const [node, place] = [full.nodes[i], full.places[i]];
  const same = told.nodes[n].k === "max";
  const branch = { m: node.m, k: same ? node.k : { max: "min", min: "max" }[node.k], place, children: [] };
  if (node.l) {
    const value = told.scores.later(node.v[0][1], told.places[n].ply);
    return asLeaf(branch, same ? value : -value + 0, node.l, most, leaves);
  }
  for (const j of place.below) branch.children.push(unseenBranch(told, full, j, n, most, leaves));
  return branch.children.includes(null) ? null : branch;
}

function asLeaf(branch, value, why, most, leaves) {
  const leaf = { ...branch, v: value, l: why };
  leaves.push(leaf);
  return leaves.length > most ? null : leaf;
}

// The branch for the page: letters as in its nodes, n is its index there, x is 1 if it was pruned.
function asQuestion(told, { n, m, k, v, l, place, children }) {
  const row = { m, k, board: told.board(place.row, place.view), x: n === undefined ? 1 : 0 };
  if (n !== undefined) row.n = n;
  if (l) Object.assign(row, { v: told.worth(v), l });
  else if (n !== undefined && told.nodes[n].c) row.why = told.nodes[n].c[2];
  return { ...row, children: children.map((child) => asQuestion(told, child)) };
}
