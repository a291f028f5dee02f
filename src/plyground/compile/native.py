"""From plain Python to native code: kernels for one game, from the cache if they were compiled before.

Kernels in the cache are loaded without the compiler, whose import takes longer than most searches: nothing here imports Numba.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from plyground.compile.cache import locked
from plyground.compile.fingerprint import kernel_hash, plain_function
from plyground.compile.kernel import read_kernel
from plyground.compile.net_structure import Structure, net_constants
from plyground.compile.progress import compile_lock
from plyground.errors import GameError
from plyground.rules.game import Game
from plyground.rules.hooks import CONSTANTS, HOOKS
from plyground.system.patience import paused, shown_file

if TYPE_CHECKING:
    from plyground.compile.compiler import Compiler


def constants(game: Game, net: Structure | None = None) -> dict[str, object]:
    """Return the constants that kernels see for this game: the upper-case names of `compile/vocabulary.py`."""
    return {
        **({} if net is None else net_constants(net)),
        "IN_PLACE": game.in_place,
        "CHANCE": "chance" in game.has,
        "WORDS": game.layout.words,
        "ROLLOUTS": net is None and "evaluate" not in game.has,
        **{name: getattr(game, name.lower()) for name, constant in CONSTANTS.items() if constant.compiled},
        **{hook.flag: name in game.has for name, hook in HOOKS.items() if hook.compiled and not hook.required},
        **{name.upper(): value for name, value in asdict(game.tuning).items()},
    }


class Native:
    """A game's rules as native code."""

    def __init__(self, game: Game, boundscheck: bool = False, net: Structure | None = None) -> None:
        """Prepare to bind kernels; with a `net`, they may evaluate positions by it: see `compile/net_code.py`."""
        self.game, self.net = game, net
        self.options: dict[str, object] = {"error_model": "numpy", "boundscheck": boundscheck}
        self.constants = constants(game, net)

    @functools.cached_property
    def compiler(self) -> Compiler:
        """The compiler, with the rules of the game, imported when something must be compiled."""
        from plyground.compile.compiler import Compiler

        return Compiler(self.game, self.options, self.constants, self.net)

    def bind(
        self,
        kernel: Callable[..., object],
        sig: str,
        purpose: str = "",
        rules: bool = True,
        hot: bool = True,
        **constants: object,
    ) -> Callable[..., Any]:
        """Return the kernel as native code for this game, from the disk cache if it was compiled before.

        `sig` is the native signature of the entry point (words and addresses); `constants` are frozen into the kernel. A kernel
        that does not use the rules (`rules=False`) is compiled once for all games; one that takes little of the time
        (`hot=False`) is compiled with less effort. `purpose` is for people: search, training.
        """
        frozen = {**self.constants, **constants} if rules else constants
        tag = kernel_hash(self.game if rules else None, kernel, {**frozen, **self.options, "sig": sig})
        with paused(), compile_lock, locked(tag) as folder:
            call: Callable[..., Any] | None = read_kernel(folder)
            if call is None:
                call = self.compiler.bind(kernel, sig, purpose or kernel.__name__, frozen, tag, folder, hot)
        return call if self.options["boundscheck"] or not rules else self._with_user_errors(call)

    def _with_user_errors(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the kernel, with exceptions from the rules as one-line errors. `check` gets the exceptions themselves."""

        def checked_call(*args: object) -> Any:
            try:
                return call(*args)
            except Exception as e:
                raise GameError(failure(self.game, e)) from e

        return checked_call


def failure(game: Game, e: Exception) -> str:
    """Return the message for an exception in compiled rules."""
    if not isinstance(e, GameError):
        found = f"the compiled rules raised {type(e).__name__}: {e}"
        return f"{game.where}: {found}; `plyground check` finds the moves that lead there"
    from plyground.compile.rewrite.rewriter import reachable_functions

    functions = [f for f in map(plain_function, game.rules.values()) if isinstance(f, types.FunctionType)]
    named = {g for f in functions for g in (f, *reachable_functions(f)) if str(e).startswith(f"`{g.__name__}`")}
    codes = sorted((g.__code__.co_filename, g.__code__.co_firstlineno) for g in named)
    file, line = codes[0] if codes else (game.where, 0)
    return f"{shown_file(game.where, file)}{f':{line}' if line else ''}: {e}; `plyground check` finds the moves that lead there"
