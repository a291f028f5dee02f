# ruff: noqa: E501 (a planted line is as long as the line it stands for)
"""Bugs planted in sound games, one at a time: the game, the text that is replaced, what by, and who names it in what words.

`load` in place of a rule says that the game is refused, or a hint given, when it is loaded. A rule that begins with `?` is a warning.
"""

from typing import NamedTuple


class Plant(NamedTuple):
    game: str
    old: str
    new: str
    rule: str
    words: str


PLANTS = {
    # -- names and constants, noticed when a game is loaded ---------------------------------------------------------------------
    "eval": Plant("tictactoe", "def evaluate(s)", "def eval(s)", "load", "did you mean `evaluate`"),
    "SIDE": Plant("chess", "SIDES = ", "SIDE = ", "load", "did you mean `SIDES`"),
    "Title": Plant("nim", "TITLE = ", "Title = ", "load", "did you mean `TITLE`"),
    "Margin": Plant("kalah", "MARGIN = TOTAL", "Margin = TOTAL", "load", "did you mean `MARGIN`"),
    "cannonical": Plant("nim", "def canonical(s)", "def cannonical(s)", "load", "did you mean `canonical`"),
    "parsemove": Plant("nim", "def parse_move(s", "def parsemove(s", "load", "did you mean `parse_move`"),
    "SIDES is text": Plant("tictactoe", 'SIDES = ("X", "O")', 'SIDES = ("white")', "load", "must be a tuple of names"),
    "three sides without turn": Plant("nim", 'TITLE = "Nim"', 'SIDES = ("A", "B", "C")', "load", "needs `turn"),
    "REPETITION = 1": Plant("checkers", "REPETITION = 3", "REPETITION = 1", "load", "REPETITION must be at least 2"),
    "MARGIN below 0": Plant("kalah", "MARGIN = TOTAL", "MARGIN = -1", "load", "must be an int from 0 up"),
    "moves returns nothing": Plant(
        "nim", "            yield heap * 100 + stones", "            pass", "load", "`moves` gives None"
    ),
    "moves without end": Plant(
        "nim",
        "    for heap in range(HEAPS):\n",
        "    while True:\n        yield 1\n    for heap in range(HEAPS):\n",
        "load",
        "ever end",
    ),
    "play gives nothing": Plant(
        "tictactoe", "    return State(s.mine ^ s.both, s.both | bit(m))", "    s.both", "load", "`return` missing"
    ),
    "a result of 10": Plant("nim", "return 1 if MISERE else -1", "return 1 if MISERE else -10", "result", "larger than 1"),
    # -- moves and play -------------------------------------------------------------------------------------------------------
    "a move twice": Plant(
        "tictactoe",
        "            yield m\n\n\ndef play",
        "            yield m\n            if m == 5 and s.both & 1:\n                yield m\n\n\ndef play",
        "moves",
        "gives 5 twice",
    ),
    "a move below 0": Plant(
        "nim", "yield heap * 100 + stones", "yield heap * 100 + stones if s.heaps[0] else -1", "moves", "from 0 up"
    ),
    "no move and no result": Plant(
        "tictactoe", "    if s.both == FULL:\n        return 0\n    return None", "    return None", "?moves", "counts as a draw"
    ),
    "a full column is open": Plant(
        "connect4",
        "if not s.both >> (col * H + ROWS - 1) & 1",
        "if not s.both >> (col * H + ROWS) & 1",
        "turn",
        "the same side is to move",
    ),
    "a draw is overlooked": Plant("connect4", "    if s.both == FULL:\n        return 0\n", "", "?moves", "counts as a draw"),
    "turn stands still": Plant(
        "tictactoe", "return popcount(s.both) & 1", "return popcount(s.both) >> 1 & 1", "turn", "ALTERNATE says"
    ),
    "turn of a third side": Plant(
        "kalah", "def turn(s):\n    return s.turn", "def turn(s):\n    return 2 * s.turn", "turn", "numbered 0 to 1"
    ),
    "play changes the wrong heap": Plant(
        "nim", "s.heaps[m // 100] - m % 100)", "(s.heaps[m // 100] - m % 100) << 62 >> 62)", "compiled play", "interpreted `play`"
    ),
    # -- key: too little ------------------------------------------------------------------------------------------------------
    "key without kings": Plant("checkers", "mix(s.kings << 1 | s.side)", "mix(s.side)", "?key", "does not change with `kings`"),
    "key without the other side": Plant(
        "checkers", "mix(s.theirs ^ mix(s.kings", "mix(mix(s.kings", "?key", "does not change with `theirs`"
    ),
    "key without the turn": Plant(
        "checkers", "mix(s.kings << 1 | s.side)", "mix(s.kings)", "?key", "does not change with `side`"
    ),
    "key without one's discs": Plant(
        "othello", "return mix(mix(s.mine) ^ s.theirs)", "return mix(s.theirs)", "?key", "does not change with `mine`"
    ),
    "key without castling": Plant(
        "chess", "s.rights ^ s.rights >> 29 ^ (s.ply & 1) << 1", "(s.ply & 1) << 1", "?key", "does not change with `rights`"
    ),
    "key without whose stone": Plant(
        "connect4", "return s.mine + s.both + BOTTOM", "return s.both + BOTTOM", "?key", "does not change with `mine`"
    ),
    "key without the stores": Plant(
        "kalah",
        "return mix(mix(s.mine) ^ s.theirs)",
        "return mix(mix(s.mine & ROW) ^ s.theirs & ROW)",
        "key",
        "but results differ",
    ),
    "a win is called a loss": Plant(
        "tictactoe",
        "        return -1\n    if s.both == FULL",
        "        return 1\n    if s.both == FULL",
        "solve",
        "one of these hooks is wrong",
    ),
    "key of 8 bits": Plant(
        "othello",
        "return mix(mix(s.mine) ^ s.theirs)",
        "return mix(mix(s.mine) ^ s.theirs) & 255",
        "key",
        "is the same for this state",
    ),
    # -- key: too much ----------------------------------------------------------------------------------------------------------
    "key with the counter": Plant(
        "checkers", "mix(s.kings << 1 | s.side)", "mix(s.kings << 8 | s.quiet << 1 | s.side)", "?key", "never repeats"
    ),
    "key with the ply": Plant("chess", "(s.ply & 1) << 1", "s.ply << 1", "?key", "never repeats"),
    "key with the clock": Plant(
        "draughts", "mix(s.kings << 1 | s.side)", "mix(s.kings << 8 | s.quiet << 1 | s.side)", "?key", "never repeats"
    ),
    # -- evaluate -----------------------------------------------------------------------------------------------------------------
    "evaluate, wrong sign, 1": Plant(
        "tictactoe",
        "return open_rows(s.mine, theirs) - open_rows(theirs, s.mine)",
        "return open_rows(theirs, s.mine) - open_rows(s.mine, theirs)",
        "?evaluate",
        "wrong sign",
    ),
    "evaluate, one side's view, 1": Plant(
        "tictactoe",
        "    return open_rows(s.mine, theirs) - open_rows(theirs, s.mine)",
        "    e = open_rows(s.mine, theirs) - open_rows(theirs, s.mine)\n    return -e if turn(s) else e",
        "?evaluate",
        "one side's view",
    ),
    "evaluate, wrong sign, 2": Plant(
        "connect4",
        "return score + 2 * (popcount(s.mine & MIDDLE)",
        "return -score - 2 * (popcount(s.mine & MIDDLE)",
        "?evaluate",
        "wrong sign",
    ),
    "evaluate, one side's view, 2": Plant(
        "connect4",
        "    return score + 2 * (popcount(s.mine & MIDDLE) - popcount(theirs & MIDDLE))",
        "    return -score if popcount(s.both) & 1 else score",
        "?evaluate",
        "one side's view",
    ),
    "evaluate, wrong sign, 3": Plant(
        "kalah", "return clip(score * SEED_VALUE // 100)", "return clip(-score * SEED_VALUE // 100)", "?evaluate", "wrong sign"
    ),
    "evaluate, one side's view, 3": Plant(
        "kalah",
        "return clip(score * SEED_VALUE // 100)",
        "return clip(score * SEED_VALUE // 100 * (1 - 2 * s.turn))",
        "?evaluate",
        "one side's view",
    ),
    "evaluate, wrong sign, 4": Plant(
        "othello", "return max(-6400, min(6400, score))", "return max(-6400, min(6400, -score))", "?evaluate", "wrong sign"
    ),
    "evaluate, one side's view, 4": Plant(
        "checkers",
        "    return score + (lead if mine > theirs else -lead) + 3",
        "    return -score if s.side else score",
        "?evaluate",
        "one side's view",
    ),
    "evaluate out of range": Plant(
        "tictactoe",
        "    return open_rows(s.mine, theirs) - open_rows(theirs, s.mine)",
        "    return 2000 * open_rows(s.mine, theirs)",
        "evaluate",
        "from -8999 to 8999",
    ),
    "evaluate rarely out of range": Plant(
        "kalah", "return clip(score * SEED_VALUE // 100)", "return score * 3", "evaluate", "from -8999 to 8999"
    ),
    "evaluate compiled otherwise": Plant(
        "kalah",
        "return clip(score * SEED_VALUE // 100)",
        "return clip(score * SEED_VALUE // 100) + (s.turn + 2 << 62 >> 62)",
        "compiled evaluate",
        "interpreted `evaluate`",
    ),
    # -- results and margins ------------------------------------------------------------------------------------------------------
    "MARGIN too small": Plant("othello", "MARGIN = 64", "MARGIN = 40", "result", "larger than MARGIN = 40"),
    "MARGIN too small, 2": Plant("kalah", "MARGIN = TOTAL", "MARGIN = TOTAL // 2", "result", "larger than MARGIN = 24"),
    "a win counts as a draw by rule": Plant(
        "othello",
        "def stuck(s):\n    return margin(s)",
        "def stuck(s):\n    return 65 * margin(s)",
        "result",
        "larger than MARGIN",
    ),
    # -- replies, threats, label, passes ------------------------------------------------------------------------------------------
    "replies leave out a win": Plant(
        "tictactoe",
        "    cells = completions(s.mine, s.both)\n    if not cells:\n        cells = completions(s.mine ^ s.both, s.both)\n",
        "    cells = completions(s.mine ^ s.both, s.both)\n",
        "replies",
        "leaves out",
    ),
    "replies leave out a block": Plant(
        "tictactoe",
        "    if not cells:\n        cells = completions(s.mine ^ s.both, s.both)\n    if cells:\n",
        "    if not cells and completions(s.mine ^ s.both, s.both):\n        cells = FULL & ~s.both & ~completions(s.mine ^ s.both, s.both)\n    if cells:\n",
        "replies",
        "leaves out",
    ),
    "replies give an illegal move": Plant(
        "tictactoe",
        "            if cells & bit(m):\n                yield m\n\n\ndef threats",
        "            if cells & bit(m):\n                yield m\n        yield 0\n\n\ndef threats",
        "moves",
        "`replies` gives 0",
    ),
    "replies without a block of gomoku": Plant(
        "gomoku",
        "        return makes(s, 1 - me, A_FIVE)",
        "        return [m for m in moves(s) if shape(s, m, 1 - me) < A_FIVE]",
        "?replies",
        "leaves out",
    ),
    "threats leave one out": Plant(
        "tictactoe",
        "        elif completions(s.mine | bit(m), s.both | bit(m)):",
        "        elif m != 4 and completions(s.mine | bit(m), s.both | bit(m)):",
        "?threats",
        "leaves out",
    ),
    "threats leave fours out": Plant(
        "gomoku", "    return makes(s, me, A_THREE)", "    return makes(s, me, A_FIVE)", "?threats", "leaves out"
    ),
    "label without whose stone": Plant(
        "tictactoe",
        "def replies(s):",
        "def label(s):\n    yield s.both\n\n\ndef replies(s):",
        "label",
        "is the same for this state",
    ),
    "may_pass in check": Plant(
        "chess",
        "(s.mine & ~(s.pawns | s.kings)) != 0 and not in_check(s)",
        "(s.mine & ~(s.pawns | s.kings)) != 0",
        "?may_pass",
        "under attack",
    ),
    "a pass that keeps the turn": Plant(
        "chess",
        "    return without_en_passant(swap_sides(s))",
        "    return without_en_passant(swap_sides(swap_sides(s)))",
        "may_pass",
        "the same side is to move",
    ),
    # -- for the solver and tables ------------------------------------------------------------------------------------------------
    "remaining too large": Plant("tictactoe", "return CELLS - popcount(s.both)", "return CELLS", "remaining", "must be exact"),
    "remaining one too large": Plant(
        "connect4",
        "return ROWS * COLS - popcount(s.both)",
        "return ROWS * COLS - popcount(s.both) + 1",
        "remaining",
        "must be exact",
    ),
    "remaining too small": Plant(
        "nim",
        "        total += stones\n    return total",
        "        total += stones\n    return total // 2",
        "remaining",
        "more plies",
    ),
    "code without a heap": Plant(
        "nim", "word = word << 7 | stones", "word = word << 1 | stones", "code", "for this state and for"
    ),
    "bounds too narrow": Plant("kalah", "banked(s) + left", "banked(s) + left // 2", "bounds", "but a game ended with"),
    "safe leaves one out": Plant(
        "connect4", "quiet = reach & ~(theirs >> 1)", "quiet = reach & ~(theirs >> 1) & ~1", "safe", "leaves out"
    ),
    "promise of a win that is none": Plant(
        "connect4", "    if safe_cells(child, threats) == 0:", "    if threats:", "promise", "but it does not"
    ),
    "unpack loses bits": Plant(
        "checkers",
        "return state_from_digits(n, i64(word) & (1 << 7 * n) - 1)",
        "return state_from_digits(n, (i64(word) & (1 << 7 * n) - 1) << 32 >> 32)",
        "compiled unpack",
        "interpreted `unpack`",
    ),
    "positions lose bits": Plant(
        "checkers",
        "yield state_from_digits(n, digits)",
        "yield state_from_digits(n, digits << 58 >> 58)",
        "compiled positions",
        "interpreted `positions`",
    ),
    "spot loses bits": Plant(
        "kalah", "return 64 * m + i64(", "return (64 * m + 2 << 62 >> 62) + i64(", "compiled spot", "interpreted `spot`"
    ),
    "canonical forgets a symmetry": Plant(
        "nim",
        "        heaps = put(heaps, at, stones)\n    return State(heaps)",
        "        heaps = put(heaps, at, stones)\n    return State(put(heaps, 0, 0))",
        "canonical",
        "",
    ),
    # -- texts --------------------------------------------------------------------------------------------------------------------
    "promotions share a text": Plant(
        "chess",
        '("=" + LETTERS[promoted] if promoted else "") + mark',
        '("=" if promoted else "") + mark',
        "move_text",
        "`format_move` gives",
    ),
    "a move is read as another": Plant(
        "nim", "* 100 + int(text[1:])", "* 100 + min(4, int(text[1:]))", "move_text", "`parse_move` reads"
    ),
    "a state is read as another": Plant(
        "nim", "int(n) for n in text.split", "min(4, int(n)) for n in text.split", "state_text", "`parse_state` reads"
    ),
    "a state loses its turn": Plant(
        "othello",
        "    return State(discs[mover], discs[1 - mover], mover)",
        "    return State(discs[mover], discs[1 - mover], 0)",
        "state_text",
        "",
    ),
    "weights of dice below 0": Plant(
        "backgammon",
        "yield 8 * large + small, 1 if large == small else 2",
        "yield 8 * large + small, small - 1 if large == small else 2",
        "load",
        "weight > 0",
    ),
    # -- the board ------------------------------------------------------------------------------------------------------------
    "a touch that leads to two moves": Plant(
        "tictactoe",
        "# -- text and board",
        "def touch(s, m):\n    yield m - m % 2\n\n\n# -- text and board",
        "touch",
        "moves touch",
    ),
    "a heap is touched one too early": Plant("nim", "yield m // 100", "yield max(m // 100 - 1, 0)", "touch", "can't be chosen"),
    "a move nobody can reach": Plant(
        "tictactoe",
        "# -- text and board",
        "def touch(s, m):\n    if m < 8:\n        yield m\n\n\n# -- text and board",
        "touch",
        "c1 can't be chosen",
    ),
    "a move on the way to another": Plant(
        "tictactoe",
        "# -- text and board",
        "def touch(s, m):\n    yield m % 8\n    if m == 8:\n        yield m\n\n\n# -- text and board",
        "touch",
        "c1 can't be chosen: the cells that `touch` gives for it begin with those of a3",
    ),
    "a column is called one less": Plant(
        "connect4",
        "    return COLUMN_NAMES[m]\n",
        "    return str(m)\n",
        "?move_label",
        "use the names on the board",
    ),
    "squares are called by their numbers": Plant(
        "tictactoe",
        """    return f"{chr(97 + m % COLS)}{ROWS - m // COLS}"\n""",
        "    return str(m)\n",
        "?move_label",
        "writes '0' for the move that touches a3;",
    ),
    "rows are counted from the other side": Plant(
        "othello", '{m // 8 + 1}"\n\n\ndef parse', '{8 - m // 8}"\n\n\ndef parse', "?move_label", "use the names on the board"
    ),
    "another name than the button": Plant(
        "_2048", "    return DIRECTIONS[m]\n", '    return "NESW"[m]\n', "?move_label", "is the button 'up'"
    ),
    "no pass": Plant("othello", ', buttons={PASS: "pass"}', "", "touch", "pass can't be chosen"),
    "a capture without its path": Plant(
        "checkers",
        "        found.append(DARK_CELL[lowest(at)])",
        "        found[-1] = DARK_CELL[lowest(at)]",
        "touch",
        "can't be chosen",
    ),
    "contents beyond the pieces": Plant(
        "tictactoe",
        "1 if first & bit(m) else 2",
        "1 if first & bit(m) else 2 + (s.both & 0x700 == 0x700)",
        "cells",
        "gives 3 for cell",
    ),
    "a cell too few": Plant(
        "kalah",
        "        yield i64(side >> STORE)\n",
        "        if side >> STORE:\n            yield i64(side >> STORE)\n",
        "load",
        "numbers, but BOARD has 14 cells",
    ),
    "compiled cells differ": Plant(
        "tictactoe",
        "1 if first & bit(m) else 2",
        "1 if first & bit(m) else (s.both | 2) << 63 >> 63 & 2",
        "compiled cells",
        "interpreted `cells`",
    ),
    "compiled touch differs": Plant(
        "nim", "yield m // 100", "yield m // 100 << 63 >> 63 & 3", "compiled touch", "interpreted `touch`"
    ),
}

UNKNOWABLE = {
    "captures share a text": (
        Plant("draughts", "path if len(alike) > 1 else (path[0], path[-1])", "(path[0], path[-1])", "", ""),
        "two captures with the same ends hardly ever stand side by side in random games",
    ),
    "a move is missing": (
        Plant("nim", "range(1, s.heaps[heap] + 1)", "range(1, min(3, s.heaps[heap]) + 1)", "", ""),
        "nobody may take more than three stones: another game, as sound as the first",
    ),
    "an order that is upside down": (
        Plant("tictactoe", "        return 1000\n    if has_row((s", "        return -1000\n    if has_row((s", "", ""),
        "an order is a hint: a bad one makes the search slower, never wrong",
    ),
    "evaluate sees too little": (
        Plant(
            "connect4", "score = 8 * (popcount(mine) - popcount(other)) +", "score = (popcount(mine) - popcount(other)) +", "", ""
        ),
        "weights are a matter of judgement",
    ),
}
"""Bugs that `check` does not name, and why."""
