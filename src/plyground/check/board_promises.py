"""The promises of BOARD: what lies on the cells is within the pieces, and touching cells leads to each move exactly once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyground.board.board import Board
from plyground.check.seen import Seen, move_name
from plyground.rules.contract import check_cells, check_touch
from plyground.rules.game import Game


def cells(game: Game, seen: Seen) -> Iterator[str]:
    """Check that there are as many numbers as cells, each of which stands for a piece."""
    fault = check_cells(game, seen.cells)
    if fault:
        yield fault


def touch(game: Game, seen: Seen) -> Iterator[str]:
    """Check that a person who touches cells one after the other comes to each move, by one way only, and never past one."""
    if game.board is None or seen.chance:
        return
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for m, touched in zip(seen.moves, seen.touches, strict=True):
        fault = check_touch(game, touched)
        if fault:
            yield f"{fault} (for {move_name(game, seen.s, m)})"
            return
        by_cells.setdefault(tuple(touched), []).append(m)
    for way, moves in by_cells.items():
        fault = _passed(game, seen, by_cells, way) if way else _unnamed(game, seen, moves)
        if not fault and way and len(moves) > 1:
            fault = _alike(game, game.board, seen, way, moves)
        if fault:
            yield fault
            return


def _passed(game: Game, seen: Seen, by_cells: dict[tuple[int, ...], list[int]], way: Sequence[int]) -> str | None:
    """Return another move that is complete on the way to this one."""
    for n in range(1, len(way)):
        if tuple(way[:n]) in by_cells:
            first, second = (move_name(game, seen.s, by_cells[tuple(x)][0]) for x in (way[:n], way))
            return f"nobody can reach {second}: the cells that `touch` gives for it begin with those of {first}"
    return None


def _unnamed(game: Game, seen: Seen, moves: list[int]) -> str | None:
    """Check that moves without a cell are buttons, each with a name of its own."""
    buttons = game.board.buttons if game.board else {}
    for m in moves:
        if m not in buttons:
            name = move_name(game, seen.s, m)
            return f"nobody can reach {name}: `touch` gives no cell for it, and BOARD no button: buttons={{{m}: {name!r}}}"
    names = [buttons[m] for m in moves]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    return f"two buttons of BOARD are called {twice!r}" if twice else None


def _alike(game: Game, board: Board, seen: Seen, way: Sequence[int], moves: list[int]) -> str | None:
    """Check that moves that touch the same cells leave something new there, and each something else."""
    near = sorted({i for cell in way for i in board.near(cell)})
    left = {tuple(seen.cells[i] for i in near): "what lies there now"}
    for m in moves:
        name, after = move_name(game, seen.s, m), game.cells(game.child(seen.s, m))
        there = tuple(after[i] for i in near)
        if there in left:
            cells = " ".join(board.cell_names(game.turn(seen.s) or 0)[cell] for cell in way)
            return f"{len(moves)} moves touch {cells}, and nobody can choose {name}: it leaves there the same as {left[there]}"
        left[there] = name
    return None
