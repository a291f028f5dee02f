// Questions for the quiz, as explain/quiz.py makes them: small trees of a search in which the reader crosses out what it pruned.
// They show every leaf with its value, even those that the search never saw; a search without pruning finds these.

/**
 * Return the questions from a search: no two alike, each with something to prune. `whole(n)` gives the search below node n
 * without pruning, or null if that is too large.
 * @param {TracedSearch} traced @param {UnprunedSearch} whole @returns {Question[]}
 */
export function makeQuestions(traced, whole) {
  const asked = new Map();
  for (const [most, count] of traced.facts.trace.quiz.sizes) askQuestions(traced, whole, most, asked.size + count, asked);
  return [...asked.values()].map((tree) => ({ node: tree.n, tree: asQuestion(traced, tree) }));
}

/**
 * Add questions in the order of the search until there are `count`: trees as large as fit, none inside another.
 * @param {TracedSearch} traced @param {UnprunedSearch} whole @param {number} most @param {number} count
 * @param {Map<string, QuestionBranch>} asked
 */
function askQuestions(traced, whole, most, count, asked) {
  const waiting = [0];
  const limits = traced.facts.trace.quiz;
  for (let tries = 0; tries < limits.tries && waiting.length && asked.size < count; tries++) {
    const n = waiting.pop() ?? 0;
    /** @type {QuestionBranch[]} */
    const leaves = [];
    const tree = seenBranch(traced, whole, n, most, leaves);
    if (!tree) {
      waiting.push(...traced.places[n].below.filter((i) => !traced.nodes[i].l).reverse());
    } else if (leaves.some((leaf) => leaf.n === undefined) && leaves.length >= limits.least) {
      const key = [...leaves.map((leaf) => leaf.v), traced.nodes[n].a, traced.nodes[n].b].join();
      if (!asked.has(key)) asked.set(key, tree);
    }
  }
}

/**
 * Return the complete tree below node n of the search; null if there are more than `most` leaves.
 * @param {TracedSearch} traced @param {UnprunedSearch} whole @param {number} n @param {number} most @param {QuestionBranch[]} leaves
 * @returns {QuestionBranch | null}
 */
function seenBranch(traced, whole, n, most, leaves) {
  const [node, place] = [traced.nodes[n], traced.places[n]];
  const branch = { n, m: node.m ?? "", k: node.k, place, children: [] };
  if (node.l) return asLeaf(branch, Number(node.v[0][1]), node.l, most, leaves);
  const seen = allOf(place.below, (i) => seenBranch(traced, whole, i, most, leaves));
  const full = seen && place.pruned.length ? whole(n) : null;
  const unseen = allOf(place.pruned, (m) => {
    const i = full?.places[0].below.find((j) => full.places[j].move === m);
    return full && i !== undefined ? unseenBranch(traced, full, i, n, most, leaves) : null;
  });
  return seen && unseen && { ...branch, children: [...seen, ...unseen] };
}

/**
 * Return the tree below node i of a search that began at node n of the one asked about: its values count from there, for the
 * side there.
 * @param {TracedSearch} traced @param {TracedSearch} full @param {number} i @param {number} n @param {number} most
 * @param {QuestionBranch[]} leaves @returns {QuestionBranch | null}
 */
function unseenBranch(traced, full, i, n, most, leaves) {
  const [node, place] = [full.nodes[i], full.places[i]];
  const same = traced.nodes[n].k === "max";
  const branch = { m: node.m ?? "", k: (node.k === "max") === same ? "max" : "min", place, children: [] };
  if (node.l) {
    const value = traced.scores.later(Number(node.v[0][1]), traced.places[n].ply);
    return asLeaf(branch, same ? value : -value + 0, node.l, most, leaves);
  }
  const children = allOf(place.below, (j) => unseenBranch(traced, full, j, n, most, leaves));
  return children && { ...branch, children };
}

/**
 * @param {QuestionBranch} branch @param {number} value @param {string} why @param {number} most @param {QuestionBranch[]} leaves
 * @returns {QuestionBranch | null}
 */
function asLeaf(branch, value, why, most, leaves) {
  const leaf = { ...branch, v: value, l: why };
  leaves.push(leaf);
  return leaves.length > most ? null : leaf;
}

/**
 * Return the branches of all of these; null if one of them is null.
 * @template T @param {T[]} each @param {(one: T) => QuestionBranch | null} make @returns {QuestionBranch[] | null}
 */
function allOf(each, make) {
  const found = each.map(make);
  return found.every((one) => one !== null) ? found : null;
}

/** Return the branch for the page. @param {TracedSearch} traced @param {QuestionBranch} branch @returns {BranchData} */
function asQuestion(traced, { n, m, k, v, l, place, children }) {
  const node = n === undefined ? null : traced.nodes[n];
  return {
    ...{ m, k, board: traced.board(place.row, place.view), x: node ? 0 : 1 },
    ...(node ? { n } : {}),
    ...(l ? { v: traced.worth(v ?? 0), l } : node?.c ? { why: node.c[2] } : {}),
    children: children.map((child) => asQuestion(traced, child)),
  };
}
