// The quiz: a small tree with the value of every leaf; the reader crosses out what the search will skip.

class Quiz {
  constructor(view, panel, story) {
    Object.assign(this, { view, panel, story, number: 0, focus: 0, points: 0, possible: 0, right: 0 });
    this.begin(0);
  }

  begin(number) {
    this.number = number;
    this.question = data.quiz[number];
    this.checked = false;
    this.crossed = new Set();
    this.branches = [];
    if (this.question) this.enlist(this.question.tree, null, "");
    this.leaves = this.branches.filter((branch) => !branch.children.length);
    this.focus = this.branches.length > 1 ? 1 : 0;
  }

  enlist(branch, above, path) {
    Object.assign(branch, { i: this.branches.length, above, path: `${path}${above ? ` ${branch.m}` : ""}`.trim() });
    this.branches.push(branch);
    branch.children.forEach((child) => this.enlist(child, branch, branch.path));
  }

  // -- answering ----------------------------------------------------------------------------------------------------------------------

  below(branch) {
    return branch.children.length ? branch.children.flatMap((child) => this.below(child)) : [branch];
  }

  isCrossed(branch) {
    return this.below(branch).every((leaf) => this.crossed.has(leaf.i));
  }

  cross(branch) {
    if (this.checked || !branch.above) return;
    const on = !this.isCrossed(branch);
    for (const leaf of this.below(branch)) on ? this.crossed.add(leaf.i) : this.crossed.delete(leaf.i);
    this.focus = branch.i;
    this.show();
  }

  clear() {
    if (!this.checked) this.crossed.clear();
    this.show();
  }

  check() {
    if (this.checked || !this.question) return;
    this.checked = true;
    const pruned = this.leaves.filter((leaf) => leaf.x);
    this.found = pruned.filter((leaf) => this.crossed.has(leaf.i)).length;
    this.wrong = this.crossed.size - this.found;
    this.points += Math.max(0, this.found - this.wrong);
    this.possible += pruned.length;
    this.right += this.found === pruned.length && !this.wrong ? 1 : 0;
    this.show();
  }

  next() {
    this.begin((this.number + 1) % data.quiz.length);
    this.show();
  }

  move(direction) {
    const next = this.branches[this.focus + direction];
    if (next) this.focus = next.i;
    this.show(`b${this.focus}`);
  }

  // -- showing ------------------------------------------------------------------------------------------------------------------------

  show(wanted) {
    if (!this.question) {
      this.story.innerHTML =
        '<span class="said">No questions: this search pruned nothing in a small enough tree. Try alphabeta, or another depth.</span>';
      this.story.className = "";
      this.view.show([], [], null);
      this.panel.innerHTML = "";
      return;
    }
    const node = nodes[this.question.node];
    this.story.innerHTML = this.checked
      ? this.verdict()
      : `<span class="count">?</span> <span class="said">Cross out every branch that ${escaped(data.algorithm)} will skip. It searches from top to bottom.</span>`;
    this.story.className = this.checked
      ? this.wrong || this.found < this.leaves.filter((leaf) => leaf.x).length
        ? "cut"
        : "done"
      : "";
    const columns = [];
    const item = this.item(this.question.tree, columns, 0, this.leaves.length <= 12);
    this.view.show(
      [item],
      columns.map((kind) => `${data.signs[kind]} ${escaped(side(kind))}`),
      wanted,
    );
    this.panel.innerHTML = this.about(node);
    this.view.box.setAttribute("aria-activedescendant", `item-b${this.focus}`);
  }

  verdict() {
    const pruned = this.leaves.filter((leaf) => leaf.x).length;
    const whole = this.found === pruned && !this.wrong;
    const wrong = this.wrong ? `, ${this.wrong} crossed out that the search does visit` : "";
    return `<span class="count">${whole ? "✓" : "✗"}</span> <span class="said">${whole ? "All correct: " : ""}${this.found} of ${pruned} pruned leaves found${wrong}.</span>`;
  }

  // How a leaf is marked: class, sign and word.
  mark(leaf) {
    if (!this.checked) return this.crossed.has(leaf.i) ? ["crossed", "✂", ""] : ["", "", ""];
    if (leaf.x) return this.crossed.has(leaf.i) ? ["found", "✓", "found"] : ["missed", "✂", "missed"];
    return this.crossed.has(leaf.i) ? ["wrong", "✗", "searched"] : ["", "", ""];
  }

  item(branch, columns, column, boards) {
    columns[column] = branch.k;
    const leaf = !branch.children.length;
    const gone = this.isCrossed(branch);
    const [state, symbol, word] = leaf
      ? this.mark(branch)
      : [gone && !this.checked ? "crossed" : this.checked && branch.x ? "pruned-node" : "", "", ""];
    const known = leaf ? branch.v : this.checked && branch.n !== undefined ? handedUp(nodes[branch.n]) : undefined;
    const value =
      known === undefined
        ? "?"
        : `${leaf || branch.n === undefined ? "=" : relation(nodes[branch.n], known)} ${written(known)}`;
    const text = this.checked && !leaf && branch.x ? "never seen" : value;
    return {
      key: `b${branch.i}`,
      branch,
      height: boards ? CARD : ROW - 2,
      follow: branch.above && branch === branch.above.children[0],
      className: [
        "card quiz",
        branch.k,
        state,
        boards ? "" : "flat",
        leaf ? "leaf" : "",
        this.focus === branch.i ? "chosen" : "",
      ].join(" "),
      edge: state === "crossed" || state === "found" || state === "missed" || state === "pruned-node" ? "pruned" : "",
      label: `${branch.m || "root"}, ${leaf ? spoken(branch.v) : branch.k}${word ? `, ${word}` : ""}`,
      stamp: [this.number, boards, state, text].join("|"),
      fill: (element) => {
        element.innerHTML =
          (boards ? showBoard(branch.board, branch.above ? branch.above.board : undefined) : "") +
          `<span class="name"><i class="sign">${symbol || (leaf ? data.signs.leaf : data.signs[branch.k])}</i><b>${escaped(branch.above ? branch.m : branch.m || "root")}</b></span>` +
          `<span class="value">${escaped(text)}</span><span class="note">${word}</span>`;
      },
      children: branch.children.map((child) => this.item(child, columns, column + 1, boards)),
    };
  }

  about(node) {
    const path = movesTo(node);
    const has = [];
    if (node.a !== undefined && amount(node.a) > -Infinity) has.push(`max already has ${spoken(node.a)} elsewhere`);
    if (node.b !== undefined && amount(node.b) < Infinity) has.push(`min already has ${spoken(node.b)} elsewhere`);
    const window =
      node.a === undefined
        ? ""
        : `<dt>Window</dt><dd>${windowText([amount(node.a), amount(node.b)])}</dd><dt></dt><dd>${escaped(has.join("; ") || "neither side has anything elsewhere yet")}</dd>`;
    return (
      `<h2>Question ${this.number + 1} of ${data.quiz.length}</h2>` +
      `<div class="large">${showBoard(node.board, undefined, true)}</div>` +
      `<dl><dt>Where</dt><dd>${path.length ? `after ${escaped(path.join(" "))}` : "the root"}</dd><dt>To move</dt><dd>${escaped(side(node.k))}</dd>${window}</dl>` +
      (this.checked
        ? this.reasons()
        : '<p class="hint">Click a branch, or select it with ↑ ↓ and press Enter. Crossing out a node crosses out everything below it.</p>')
    );
  }

  reasons() {
    const cuts = this.branches.filter((branch) => branch.why);
    return `<h3>Why</h3><ul class="reasons">${cuts
      .map(
        (branch) =>
          `<li><b>${branch.path ? `after ${escaped(branch.path)}` : "here"}</b>: ${escaped(because(branch.why))}.</li>`,
      )
      .join("")}</ul>`;
  }
}
