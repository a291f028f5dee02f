// The page as an interface for other pages and for tests: `window.plyground`, documented in docs/web.md.

export function makeInterface(facts, ready) {
  let page = null;
  ready.then((made) => (page = made));
  const names = (row, line) => namesAlong(page, row, line);
  return {
    game: facts.name,
    ready: ready.then(() => undefined),
    state: () => page.rules.text(page.match.row),
    moves: () => (page.match.end ? [] : [...page.match.namesAt(page.match.at)]),
    play: (text) => page.match.play(page.match.moveNamed(String(text))),
    undo: () => page.undo(),
    load: (text) => page.load(String(text)),
    async think({ depth, nodes, time, exact, seed } = {}) {
      await ready;
      const { match, opponent, engine } = page;
      if (match.end || match.view.chance) throw new Error("there is no move to think about");
      opponent.stop();
      const { row, history } = match;
      const found = await engine.think({ row, history, depth, nodes, time, exact, seed }).done;
      const { score, value, stopped } = found;
      const line = names(row, found.line);
      return { move: names(row, [found.move])[0], score, nodes: found.nodes, depth: found.depth, line, value, exact: found.exact, stopped };
    },
  };
}

// The names of the moves of a line from the position on show.
function namesAlong(page, row, line) {
  const other = page.match.copy();
  other.at = page.match.rows.indexOf(row);
  return line.map((m) => {
    other.play(m);
    return other.names[other.at - 1];
  });
}
