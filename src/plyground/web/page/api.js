// The page as an interface for other pages and for tests: `window.plyground`, documented in docs/web.md.

/** @param {Facts} facts @param {Promise<Page>} ready */
export function makeInterface(facts, ready) {
  /** @type {Page} */
  let page;
  ready.then((made) => (page = made));
  return {
    game: facts.name,
    ready: ready.then(() => undefined),
    state: () => page.rules.text(page.match.row),
    moves: () => (page.match.end ? [] : [...page.match.namesAt(page.match.at)]),
    /** @param {string} text */
    play: (text) => page.match.play(page.match.moveNamed(String(text))),
    undo: () => page.undo(),
    /** @param {string} text */
    load: (text) => page.load(String(text)),
    /** @param {Partial<SearchRequest>} ask */
    async think({ depth, nodes, time, exact = false, seed } = {}) {
      if (!page) await ready; // else the position on show now is meant, whatever the caller does next
      const { match, opponent, engine } = page;
      if (match.end || match.view.chance) throw new Error("there is no move to think about");
      opponent.stop();
      const { row, history } = match;
      const asked = match.copy(); // the page may show another position when the answer comes
      const found = await engine.think({ row, history, depth, nodes, time, exact: Boolean(exact), seed }).done;
      const { score, value, depth: reached, partial, stopped } = found;
      const line = namesAlong(asked, found.line);
      const { nodes: searched, exact: proven } = found;
      return { move: line[0] ?? null, score, nodes: searched, depth: reached, partial, line, value, exact: proven, stopped };
    },
  };
}

/** Return the names of the moves of a line, which are played in this match. @param {Match} match @param {Move[]} line */
function namesAlong(match, line) {
  return line.map((m) => {
    match.play(m);
    return match.names[match.at - 1];
  });
}
