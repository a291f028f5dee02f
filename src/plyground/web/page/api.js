// The page as an interface for other pages and for tests: `window.plyground`, documented in docs/web.md.

export function makeInterface(facts, ready) {
  let page = null;
  ready.then((made) => (page = made));
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
      const asked = match.copy(); // another position may be on show when the answer comes
      const found = await engine.think({ row, history, depth, nodes, time, exact, seed }).done;
      const { score, value, stopped } = found;
      const line = namesAlong(asked, found.line);
      return { move: line[0] ?? null, score, nodes: found.nodes, depth: found.depth, line, value, exact: found.exact, stopped };
    },
  };
}

// The names of the moves of a line, which are played in this match.
function namesAlong(match, line) {
  return line.map((m) => {
    match.play(m);
    return match.names[match.at - 1];
  });
}
