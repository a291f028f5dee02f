"""Solve a position: find its exact value, a best move and a best line.

  plyground solve connect4 --moves 4455
  plyground solve othello --state "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  plyground solve connect4 --batch positions.txt --json
  plyground solve 'connect4(rows=4, cols=5)' --table c4.ply     every state, saved in a file
  plyground solve chess --ending KBNK --table kbnk.ply          every position of an ending
  plyground solve gomoku --moves "h8 i9 …" --proof              a forced win of any length

Ctrl-C stops the search and prints the bounds proven so far. A batch has one position per line, as a state or as moves from
the start, and prints one answer per line.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import position
from plyground.cli._terminal import StatusLine, print_json, report_stopped, show_compiling
from plyground.errors import PlygroundError, TextError
from plyground.play import checked, words
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.score import MAX_PLIES, final
from plyground.system.streams import UNREADABLE

if TYPE_CHECKING:
    from plyground.solver import prover
    from plyground.solver.prover import Proof, Prover
    from plyground.solver.solver import Solver
    from plyground.solver.solving import Solution, SolverProgress
    from plyground.solver.tablebase import Tablebase, TablebaseProgress

INCOMPATIBLE_OPTIONS = {
    "batch": ("table",),
    "table": ("proof", "weak", "no_book", "time", "threads"),
    "proof": ("weak", "all_moves", "no_book", "threads"),
}
"""Options that cannot be combined."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground solve`."""
    position(parser)
    parser.add_argument("--batch", metavar="FILE", help="solve the positions in a file, one per line (- for standard input)")
    parser.add_argument("--weak", action="store_true", help="find only who wins, not how fast or by how much")
    parser.add_argument("--all-moves", action="store_true", help="also solve every legal move")
    parser.add_argument("--proof", action="store_true", help="use proof-number search, which finds who wins in games of threats")
    parser.add_argument("--time", metavar="SECONDS", type=float, help="time limit")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="number of threads (default 1)")
    parser.add_argument("--no-book", action="store_true", help="ignore the opening book")
    parser.add_argument("--table", metavar="FILE", help="solve every state, not just one, and save the table in this file")
    parser.add_argument("--ending", metavar="NAME", help="with --table: solve an ending (KBNK in chess, 4 in checkers)")
    parser.add_argument("--states", metavar="N", type=int, help="with --table: at most N states (default 50 million)")
    memory = "size of the transposition table (default 256); with --table, memory for everything (default 4096)"
    parser.add_argument("--memory", metavar="MB", type=float, help=memory)


def run(args: argparse.Namespace) -> int:
    """Solve the position or the batch, and print what was found."""
    Limit(time=args.time)
    _check_options(args)
    if args.ending and args.table is None:
        raise PlygroundError("--ending needs --table FILE: all positions of the ending are solved and saved in that file")
    if args.batch is not None and (args.state is not None or args.moves):
        raise PlygroundError("--batch gives the positions; leave out --state and --moves")
    game = load(args.game)
    if args.table is not None:
        return _table(args, Match(game, args.state, args.moves))
    show_compiling()
    if args.batch is not None:
        return _batch(game, args)
    match = Match(game, args.state, args.moves)
    if match.result is not None:
        raise PlygroundError("there is nothing to solve: the game is over")
    return _one(match, args)


def _needs_proof(game: Game, s: State) -> bool:
    """Return whether proof-number search is needed: in games of threats where a plain search would not end."""
    from plyground.solver.solver import too_long

    return game.result(s) is None and ("threats" in game.has and ("remaining" not in game.has or too_long(game, s)))


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect."""
    given = [name for name in ("batch", "table", "proof") if getattr(args, name) not in (None, False)]
    given += [name for name in ("weak", "all_moves", "no_book") if getattr(args, name)]
    given += ["time"] * (args.time is not None) + ["threads"] * (args.threads != 1)
    for one, others in INCOMPATIBLE_OPTIONS.items():
        for other in others:
            if one in given and other in given:
                raise PlygroundError(f"--{one} and --{other.replace('_', '-')} cannot be combined")
    if args.states is not None and args.table is None:
        raise PlygroundError("--states needs --table FILE")


# -- one position ------------------------------------------------------------------------------------------------------------


def _one(match: Match, args: argparse.Namespace) -> int:
    """Solve one position, and print what was found, also after Ctrl-C."""
    from plyground.solver.solving import Solution

    asker = _PositionSolver(match.game, args, best_line=True)
    with StatusLine() as line:
        try:
            found = asker.ask(match.s, "", line)
        except KeyboardInterrupt:
            if (proven := asker.so_far()) is None:
                raise
            found = proven
    if args.json:
        print_json(as_json(match.game, match.s, found))
    else:
        print(_text(match, found) if isinstance(found, Solution) else _proof_text(match, found))
    return 0 if (found.solved if isinstance(found, Solution) else found.value != "unknown") else 1


def as_json(game: Game, s: State, found: Solution | Proof) -> dict[str, object]:
    """Return what was found, for --json."""
    from plyground.solver.solving import Solution

    moves = [_move_as_json(game, s, m, x, found.weak) for m, x in found.moves] if isinstance(found, Solution) else []
    return {
        "game": game.name,
        "state": game.format_state(s),
        "score": words.points(game, s, found.low) if found.low == found.high else None,
        "value": found.value,
        "plies": found.plies,
        "bounds": [words.points(game, s, found.low), words.points(game, s, found.high)],
        "move": None if found.move is None else game.format_move(s, found.move),
        "line": words.line(game, s, found.line),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "moves": moves,
    }


def _move_as_json(game: Game, s: State, m: int, score: int | None, weak: bool) -> dict[str, Any]:
    value = "unknown" if score is None else words.value(score)
    return {"move": game.format_move(s, m), "score": None if weak else words.points(game, s, score), "value": value}


def _text(match: Match, found: Solution) -> str:
    game, s = match.game, match.s
    stopped = f"stopped: {words.bounds(game, s, found.low, found.high)}"
    verdict = _in_words(game, s, found.low, found.weak) if found.solved else stopped
    lines = [words.describe_position(game, s, match.side, found.move, verdict, found.line)]
    for m, score in found.moves:
        lines.append(f"  {game.format_move(s, m):6} {'not finished' if score is None else _in_words(game, s, score, found.weak)}")
    lines.append(words.effort(found.nodes, found.seconds) if found.nodes or not found.looked_up else words.SOURCES["book"])
    return "\n".join(lines)


def _in_words(game: Game, s: State, score: int, weak: bool) -> str:
    return words.VERBS[words.value(score)] if weak else words.describe_value(game, s, score)


# -- proofs -----------------------------------------------------------------------------------------------------------------


def _limit(args: argparse.Namespace) -> Limit:
    """Return the time limit."""
    return Limit(infinite=True) if args.time is None else Limit(time=args.time)


def _proof_text(match: Match, found: Proof) -> str:
    how = " by threats alone" if found.by_threats else ""
    if found.value == "unknown":
        low, high = (final(x, 0, margin=False) for x in (found.low, found.high))
        answer = f"stopped: {words.bounds(match.game, match.s, low, high)}"
    else:  # the line may not be the shortest
        answer = words.score(final(found.low, found.plies or MAX_PLIES, margin=False), exact=found.plies is None)
    text = words.describe_position(match.game, match.s, match.side, found.move, answer + how, found.line)
    return f"{text}\n{words.effort(found.nodes, found.seconds)}"


def _show_proof(args: argparse.Namespace, line: StatusLine, before: str = "") -> Callable[[prover.ProofProgress], None]:
    """Return what shows the progress of a proof on a line."""

    def show(p: prover.ProofProgress) -> None:
        numbers = f"{before}{p.question}? proof {p.pn:,}, disproof {p.dn:,}; {words.effort(p.nodes, p.seconds)}"
        line.show(f"{numbers}{_left(args, p.seconds)}", p.seconds)

    return show


def _left(args: argparse.Namespace, seconds: float) -> str:
    """Return the part of `--time` that is left, in words."""
    return "" if args.time is None else f", at most {words.duration(args.time - seconds)} left"


# -- many positions ----------------------------------------------------------------------------------------------------------


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield the positions of a batch with their line numbers; skip empty lines and comments (#)."""
    try:
        # Undecodable bytes affect only their own line.
        with contextlib.nullcontext(sys.stdin) if path == "-" else open(path, encoding="utf-8", errors=UNREADABLE) as file:
            for number, line in enumerate(file, 1):
                text = line.lstrip("\ufeff").strip()
                if text and not text.startswith("#"):
                    yield number, text
    except OSError as e:
        raise PlygroundError(f"{path}: {e.strerror}") from e


def _read(game: Game, text: str) -> Any:
    """Return a position of a batch: a state in the game's notation, else moves from the start."""
    try:
        return game.parse_state(text)
    except TextError as as_state:
        try:
            s = game.start()
            for m in game.parse_moves(s, text):
                s = game.child(s, m)
            return s
        except TextError as as_moves:
            raise TextError(f"{text!r:.80} is neither a state ({as_state}) nor moves ({as_moves})") from None


class _PositionSolver:
    """Solves positions, by search or by proof."""

    def __init__(self, game: Game, args: argparse.Namespace, best_line: bool) -> None:
        self.game, self.args, self.best_line = game, args, best_line
        self.memory = 256 if args.memory is None else args.memory
        checked.sizes(args.threads, self.memory)
        self.proving = False

    @functools.cached_property
    def solver(self) -> Solver:
        from plyground.solver.solver import Solver

        return Solver(self.game, memory=self.memory, threads=self.args.threads)

    @functools.cached_property
    def prover(self) -> Prover:
        from plyground.solver.prover import Prover

        return Prover(self.game, memory=self.memory)

    def ask(self, s: State, before: str, line: StatusLine) -> Solution | Proof:
        """Solve a position; its progress is shown on the line, after the text `before`."""
        args, game = self.args, self.game
        self.proving = args.proof or _needs_proof(game, s)
        if self.proving:
            return self.prover.prove(s, _limit(args), on_progress=_show_proof(args, line, before))
        self.solver.check(s, limited=args.time is not None)
        show, book = _show_bounds(game, s, args, line, before), not args.no_book
        options = {"weak": args.weak, "all_moves": args.all_moves, "line": self.best_line, "book": book}
        return self.solver.solve(s, _limit(args), on_progress=show, **options)

    def so_far(self) -> Solution | Proof | None:
        """Return what is proven about the current position after an interrupt."""
        searcher: Prover | Solver | None = vars(self).get("prover" if self.proving else "solver")
        return None if searcher is None else searcher.last


def _batch(game: Game, args: argparse.Namespace) -> int:
    asker, code = _PositionSolver(game, args, best_line=args.json), 0
    for number, text in _lines(args.batch):
        try:
            s = _read(game, text)
            with StatusLine() as line:
                found = asker.ask(s, f"{text}: ", line)
        except PlygroundError as e:
            code = 1
            answer = {"position": text, "number": number, "error": str(e)}
            print_json(answer) if args.json else print(f"{text}  error: {e}", flush=True)
            continue
        except KeyboardInterrupt:
            if (proven := asker.so_far()) is not None:
                _answer(game, text, s, proven, args.json)
            raise
        _answer(game, text, s, found, args.json)
        code = code or (1 if found.value == "unknown" else 0)
    return code


def _answer(game: Game, text: str, s: State, found: Solution | Proof, as_lines_of_json: bool) -> None:
    """Print the answer for one position of a batch."""
    from plyground.solver.prover import Proof

    if as_lines_of_json:
        print_json({"position": text, **as_json(game, s, found)})
    else:
        parts = [text, found.value] if isinstance(found, Proof) else [text, *_words(game, s, found)]
        print("  ".join([*parts, words.count(found.nodes, "node"), words.seconds(found.seconds)]))
    sys.stdout.flush()


def _words(game: Game, s: State, found: Solution) -> list[str]:
    low, high = words.points(game, s, found.low), words.points(game, s, found.high)
    value = found.value if found.weak else f"{low}" if found.solved else f"{low} to {high}"
    return [value, *(_short(game, s, m, score, found.weak) for m, score in found.moves)]


def _short(game: Game, s: State, m: int, score: int | None, weak: bool) -> str:
    value = "?" if score is None else words.value(score) if weak else words.points(game, s, score)
    return f"{game.format_move(s, m)}={value}"


# -- progress ----------------------------------------------------------------------------------------------------------------


def _show_bounds(
    game: Game, s: State, args: argparse.Namespace, line: StatusLine, before: str = ""
) -> Callable[[SolverProgress], None]:
    """Return what shows the bounds proven so far; how long the rest takes is known only if the time is limited."""

    def show(p: SolverProgress) -> None:
        bounds = f"{before}{words.bounds(game, s, p.low, p.high)}; {words.effort(p.nodes, p.seconds)}"
        line.show(f"{bounds}{_left(args, p.seconds)}", p.seconds)

    return show


# -- tables ----------------------------------------------------------------------------------------------------------------


def _table(args: argparse.Namespace, match: Match) -> int:
    """Create, resume or open a tablebase, and print its contents and its answer for the position."""
    from plyground.solver import tablebase

    game = match.game
    limits = {name: getattr(args, name) for name in ("states", "memory") if getattr(args, name) is not None}
    show_compiling()
    began = time.perf_counter()
    try:
        with StatusLine() as line:

            def tell(p: TablebaseProgress) -> None:
                line.show(_table_progress(p), p.seconds)

            table = tablebase.solve_tablebase(game, args.table, ending=args.ending, on_progress=tell, **limits)
    except KeyboardInterrupt:
        if Path(f"{args.table}.part").exists():
            report_stopped(f"run the same command again to resume from {args.table}.part")
        raise
    seconds = time.perf_counter() - began
    if args.ending is not None and args.state is None and not match.moves and table.hardest is not None:
        match = Match(game, table.hardest)  # the longest win, if no position was given
    all_moves = args.all_moves
    print_json(_table_as_json(match, table, seconds)) if args.json else print(_table_text(match, table, seconds, all_moves))
    return 0


def _table_progress(p: TablebaseProgress) -> str:
    what = {"finding": "looked at", "solving": "known", "writing": "to write"}[p.stage]
    return f"{p.stage}: {words.count(p.states, 'state')}, {p.done:,} {what}, ply {p.ply}, {words.seconds(p.seconds)}"


def _table_as_json(match: Match, table: Tablebase, seconds: float) -> dict[str, Any]:
    """Return what the tablebase says about the position, and what it contains, for --json."""
    from plyground.solver.solving import Solution

    score, plies, line = *_lookup(table, match), table.line(match.s)
    moves: list[tuple[int, int | None]] = [(m, int(x)) for m, x in table.moves(match.s) or []]
    found = Solution(score, score, False, line[0] if line else None, tuple(line), table.states, seconds, moves)
    names = ("ending", "states", "wins", "draws", "losses", "longest", "hardest")
    about = {"file": str(table.path), "bytes": table.size, **{name: getattr(table, name) for name in names}}
    return {**as_json(match.game, match.s, found), "plies": plies, "table": about}


def _lookup(table: Tablebase, match: Match) -> tuple[int, int | None]:
    """Return the score of the position, and the plies to the end of the game."""
    score, found = table.score(match.s), table.lookup(match.s)
    if score is None or found is None:
        raise PlygroundError(f"{table.path} does not contain {match.game.format_state(match.s)}")
    return score, found[1]


def _table_text(match: Match, table: Tablebase, seconds: float, all_moves: bool) -> str:
    score, _ = _lookup(table, match)
    game, s = match.game, match.s
    what = f"{game.name} {table.ending}" if table.ending else game.name
    lines = [
        f"{what}: {words.count(table.states, 'state')}; the side to move wins {table.wins:,}, draws {table.draws:,}, "
        f"loses {table.losses:,}",
        f"{table.path}: {words.count(table.size, 'byte')}; {words.seconds(seconds)}",
    ]
    if table.longest is not None:
        lines.append(f"longest win: {words.count(table.longest, 'ply', 'plies')}, {table.hardest}")
    line = table.line(s)
    best, value = line[0] if line else None, words.describe_value(game, s, score)
    lines += [game.format_state(s), words.describe_position(game, s, match.side, best, value, line)]
    if all_moves:
        lines += [f"  {game.format_move(s, m):6} {words.describe_value(game, s, int(x))}" for m, x in table.moves(s) or []]
    return "\n".join(lines)
