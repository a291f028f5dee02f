"""Solve a position: its exact value, a best move, a best line.

  plyground solve connect4 --moves 4455
  plyground solve othello --state "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  plyground solve connect4 --batch positions.txt --json
  plyground solve 'connect4(rows=4, cols=5)' --table c4.ply     every state, saved in a file
  plyground solve chess --ending KBNK --table kbnk.ply          every position of an ending
  plyground solve gomoku --moves "h8 i9 …" --proof              a forced win of any length

Ctrl-C stops it and prints the bounds proven so far. A batch has one position per line, as a state or as moves from the start,
and prints one answer per line.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from plyground.cli import _tablebase
from plyground.cli._arguments import position
from plyground.cli._terminal import StatusLine, print_json, show_compiling
from plyground.errors import PlygroundError, TextError
from plyground.play import words
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.score import LONGEST, final
from plyground.system.streams import UNREADABLE

if TYPE_CHECKING:
    from plyground.solver import prover
    from plyground.solver.prover import Proof, Prover
    from plyground.solver.solver import Solver
    from plyground.solver.solving import Solution, SolverProgress

AGAINST = {
    "batch": ("table",),
    "table": ("proof", "weak", "no_book", "time", "threads"),
    "proof": ("weak", "all_moves", "no_book", "threads"),
}
"""Options that cannot be combined."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground solve`."""
    position(parser)
    parser.add_argument("--batch", metavar="FILE", help="solve a file of positions, one per line (- for standard input)")
    parser.add_argument("--weak", action="store_true", help="find only who wins, not how fast or by how much")
    parser.add_argument("--all-moves", action="store_true", help="solve every legal move too")
    parser.add_argument("--proof", action="store_true", help="use proof-number search: who wins, in games of threats")
    parser.add_argument("--time", metavar="SECONDS", type=float, help="time limit")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="number of threads (default 1)")
    parser.add_argument("--no-book", action="store_true", help="search the opening instead of looking it up")
    _tablebase.arguments(parser)


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
        return _tablebase.solve(args, Match(game, args.state, args.moves))
    show_compiling()
    if args.batch is not None:
        return _batch(game, args)
    match = Match(game, args.state, args.moves)
    if match.result is not None:
        raise PlygroundError("there is nothing to solve: the game is over")
    return _prove(match, args) if _by_proof(game, match.s, args) else _one(match, args)


def _by_proof(game: Game, s: State, args: argparse.Namespace) -> bool:
    """Return whether to use proof-number search: in games of threats where a plain search would not end."""
    from plyground.solver.solver import too_long

    return args.proof or ("threats" in game.has and ("remaining" not in game.has or too_long(game, s)))


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect."""
    given = [name for name in ("batch", "table", "proof") if getattr(args, name) not in (None, False)]
    given += [name for name in ("weak", "all_moves", "no_book") if getattr(args, name)]
    given += ["time"] if args.time is not None else []
    given += ["threads"] if args.threads != 1 else []
    for one, others in AGAINST.items():
        for other in others:
            if one in given and other in given:
                raise PlygroundError(f"--{one} and --{other.replace('_', '-')} cannot be combined")
    if args.states is not None and args.table is None:
        raise PlygroundError("--states needs --table")


# -- one position ------------------------------------------------------------------------------------------------------------


def _one(match: Match, args: argparse.Namespace) -> int:
    solver = _solver(match.game, args)
    solver.check(match.s, limited=args.time is not None)
    with StatusLine() as line:
        show = _show_bounds(match.game, match.s, args, line)
        try:
            found = solver.solve(
                match.s,
                _limit(args),
                weak=args.weak,
                all_moves=args.all_moves,
                on_progress=show,
                book=not args.no_book,
            )
        except KeyboardInterrupt:
            if solver.last is None:
                raise
            found = solver.last
    if args.json:
        print_json(as_json(match.game, match.s, found))
    else:
        print(_text(match, found))
    return 0 if found.solved else 1


def _solver(game: Game, args: argparse.Namespace) -> Solver:
    from plyground.solver.solver import Solver

    return Solver(game, memory=256 if args.memory is None else args.memory, threads=args.threads)


def as_json(game: Game, s: State, found: Solution | Proof) -> dict[str, Any]:
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
    lines = [words.answer(match, found.move, _in_words(game, s, found.low, found.weak) if found.solved else stopped, found.line)]
    for m, score in found.moves:
        lines.append(f"  {game.format_move(s, m):6} {'not finished' if score is None else _in_words(game, s, score, found.weak)}")
    lines.append(words.effort(found.nodes, found.seconds) if found.nodes or not found.looked_up else words.SOURCES["book"])
    return "\n".join(lines)


def _in_words(game: Game, s: State, score: int, weak: bool) -> str:
    return words.VERBS[words.value(score)] if weak else words.solved(game, s, score)


# -- proofs -----------------------------------------------------------------------------------------------------------------


def _prove(match: Match, args: argparse.Namespace) -> int:
    """Prove who wins, and print the proof."""
    asked = _prover(match.game, args)
    with StatusLine() as line:
        try:
            found = asked.prove(match.s, _limit(args), on_progress=_show_proof(args, line))
        except KeyboardInterrupt:
            if asked.last is None:
                raise
            found = asked.last
    if args.json:
        print_json(as_json(match.game, match.s, found))
    else:
        print(_proof_text(match, found))
    return 0 if found.value != "unknown" else 1


def _prover(game: Game, args: argparse.Namespace) -> Prover:
    """Return the prover for these arguments."""
    from plyground.solver.prover import Prover

    return Prover(game, memory=256 if args.memory is None else args.memory)


def _limit(args: argparse.Namespace) -> Limit:
    """Return the time limit."""
    return Limit(infinite=True) if args.time is None else Limit(time=args.time)


def _proof_text(match: Match, found: Proof) -> str:
    how = " by threats alone" if found.by_threats else ""
    if found.value == "unknown":
        answer = f"stopped: {words.bounds(match.game, match.s, *(final(x, 0, margin=False) for x in (found.low, found.high)))}"
    else:  # the line may not be the shortest
        answer = words.score(final(found.low, found.plies or LONGEST, margin=False), exact=found.plies is None)
    return f"{words.answer(match, found.move, answer + how, found.line)}\n{words.effort(found.nodes, found.seconds)}"


def _show_proof(args: argparse.Namespace, line: StatusLine, before: str = "") -> Callable[[prover.ProofProgress], None]:
    """Return what shows the progress of a proof on a line."""

    def show(p: prover.ProofProgress) -> None:
        numbers = f"{before}{p.question}? proof {p.pn:,}, disproof {p.dn:,}; {words.effort(p.nodes, p.seconds)}"
        line.show(f"{numbers}{_left(args, p.seconds)}", p.seconds)

    return show


def _left(args: argparse.Namespace, seconds: float) -> str:
    """Return how much of `--time` is left, in words."""
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


class _Asker:
    """Solves the positions of a batch, by search or by proof, like single ones."""

    def __init__(self, game: Game, args: argparse.Namespace) -> None:
        self.game, self.args = game, args
        self.solver = None if args.proof else _solver(game, args)
        self.proving = False

    @functools.cached_property
    def prover(self) -> Prover:
        return _prover(self.game, self.args)

    def ask(self, s: State, text: str, line: StatusLine) -> Solution | Proof:
        """Solve a position, called by its text while that takes long."""
        args = self.args
        self.proving = self.game.result(s) is None and _by_proof(self.game, s, args)
        if self.proving or self.solver is None:
            return self.prover.prove(s, _limit(args), on_progress=_show_proof(args, line, f"{text}: "))
        self.solver.check(s, limited=args.time is not None)
        return self.solver.solve(
            s,
            _limit(args),
            weak=args.weak,
            all_moves=args.all_moves,
            line=args.json,
            on_progress=_show_bounds(self.game, s, args, line, f"{text}: "),
            book=not args.no_book,
        )

    def so_far(self) -> Solution | Proof | None:
        """Return what is proven about the current position after an interrupt."""
        return self.prover.last if self.proving or self.solver is None else self.solver.last


def _batch(game: Game, args: argparse.Namespace) -> int:
    asker = _Asker(game, args)
    code = 0
    for number, text in _lines(args.batch):
        try:
            s = _read(game, text)
            with StatusLine() as line:
                found = asker.ask(s, text, line)
        except PlygroundError as e:
            code = 1
            if args.json:
                print_json({"position": text, "number": number, "error": str(e)})
            else:
                print(f"{text}  error: {e}", flush=True)
            continue
        except KeyboardInterrupt:
            proven = asker.so_far()
            if proven is not None:
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
