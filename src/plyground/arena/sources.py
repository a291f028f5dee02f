"""What a match plays, as data: the texts of rules and evaluation files travel with it.

`collect` reads the files once, when a match is scheduled. Workers on any machine, and a match that is resumed later, play from
these texts, even if the files were edited meanwhile. Games that come with Plyground or with another package travel by name.

Engines of other programs don't travel: the match remembers the whole path of each program, which must be there on every machine.

Nets may be large, so a match remembers only their checksums: `learn/kept.py` keeps a copy of each. Players that name no
evaluation get the net that the engine used when the match began, or the rules' evaluation if there was none.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import plyground
from plyground.cluster.texts import bundle, code, pack_game, unpack_game, written
from plyground.engine.judge import RULES
from plyground.engine.players import evaluation_of, searches, with_evaluation_of
from plyground.errors import PlygroundError
from plyground.learn.file import checksum
from plyground.learn.find import net_file
from plyground.learn.kept import kept
from plyground.protocols.program import find_program, program_of, with_program
from plyground.rules.game import Game
from plyground.rules.load import load


def collect(spec: str, players: Sequence[str]) -> dict[str, Any]:
    """The setup of a match, as JSON: the game, the players' files, and the version that wrote it."""
    game = load(spec)
    named = {name: _existing(player, name) for player in players if (name := evaluation_of(player)) and name != RULES}
    texts = {name: bundle(path) for name, path in named.items() if path.suffix == ".py"}
    usual = net_file(game) if not players or any(searches(player) and not evaluation_of(player) for player in players) else None
    nets = [(name, path) for name, path in named.items() if name not in texts] + ([(str(usual), usual)] if usual else [])
    return {
        "version": plyground.__version__,
        "code": code(),
        "game": pack_game(game, spec),
        "files": texts,
        "nets": {name: {"file": str(path), "checksum": checksum(path)} for name, path in nets},
        "usual": str(usual) if usual else RULES,
        "programs": {player: _program(player, text) for player in players if (text := program_of(player)) is not None},
    }


class Setup:
    """A setup that was unpacked here: the game, and its players under the names that the match gives them."""

    def __init__(self, game: Game, setup: dict[str, Any] | None = None, here: Path | None = None) -> None:
        """`here`: a folder with nets that were sent to this machine. Without a setup, files are used where they are."""
        setup = setup or {"game": {}, "files": {}, "nets": {}, "usual": RULES}
        self._programs: dict[str, list[str]] = setup.get("programs", {})
        self.game, self._nets, self._usual, self._here = game, setup["nets"], setup["usual"], here
        self._evaluations = {name: str(written(files) / Path(name).name) for name, files in setup["files"].items()}
        """Where each evaluation is that was unpacked here, by the name that players use."""
        self._players: dict[str, str] = {}
        """What the user calls the players that were made here, and below the files."""
        self._names = {path: name for name, path in self._evaluations.items()}
        if "named" in setup["game"] and game.file is not None:
            self._names[game.file] = setup["game"]["named"]

    @classmethod
    def unpack(cls, setup: dict[str, Any], here: Path | None = None) -> Setup:
        """Loads the game from the texts in a setup. Another version of Plyground is refused: it may play other games."""
        if (setup["version"], setup["code"]) != (plyground.__version__, code()):
            raise PlygroundError(
                f"this match was started by Plyground {setup['version']} ({setup['code'][:8]}), "
                f"but this is {plyground.__version__} ({code()[:8]}); both must be the same"
            )
        return cls(unpack_game(setup["game"]), setup, here)

    @contextlib.contextmanager
    def own_names(self) -> Iterator[None]:
        """Errors name players and files as the user did, not as they were unpacked."""
        try:
            yield
        except PlygroundError as e:
            raise PlygroundError(self.named(str(e))) from e

    def check_programs(self) -> None:
        """Refuses a machine on which the program of a player is not where it was when the match began."""
        for player, command in self._programs.items():
            if shutil.which(command[0]) is None:
                raise PlygroundError(f"{player}: there is no program {command[0]}; install it there, or play without a cluster")

    def named(self, text: str) -> str:
        """A text with players and files as the user named them."""
        for made, name in [*self._players.items(), *self._names.items()]:
            text = text.replace(made, name)
        return text

    def player(self, spec: str) -> str:
        """The text of a player, with its evaluation as it was unpacked here, and with the whole path of its program."""
        if spec in self._programs:
            made = with_program(spec, self._programs[spec])
            self._players[made] = spec
            return made
        name = self._judge(spec)
        if name is None:
            return spec
        made = with_evaluation_of(spec, self._unpacked(name))
        self._players[made] = spec
        return made

    def net(self, spec: str) -> str | None:
        """The net that a player uses: the name of its file and the first letters of its checksum. None if it uses none."""
        name = self._judge(spec)
        return f"{Path(name).name} {self._nets[name]['checksum'][:8]}" if name and name in self._nets else None

    def _judge(self, spec: str) -> str | None:
        """The name of a player's evaluation; None if it does not search natively."""
        return evaluation_of(spec) or (self._usual if searches(spec) else None)

    def _unpacked(self, name: str) -> str:
        """Where an evaluation is here; a net is looked for when it is needed first."""
        if name not in self._evaluations and name in self._nets:
            told = self._nets[name]
            sent = [] if self._here is None else [self._here / f"{told['checksum']}.net"]
            path = self._evaluations[name] = str(kept(name, told["checksum"], [*sent, Path(told["file"])]))
            self._names[path] = name
        return self._evaluations.get(name, name)

    def with_copies(self, setup: dict[str, Any]) -> dict[str, Any]:
        """The setup for workers: nets are their copies here, which don't change."""
        nets = {name: {**told, "file": self._unpacked(name)} for name, told in setup["nets"].items()}
        return {**setup, "nets": nets}


def _program(player: str, text: str) -> list[str]:
    try:
        return find_program(text)
    except PlygroundError as e:
        raise PlygroundError(f"{player}: {e}") from e


def _existing(player: str, name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise PlygroundError(f"{player}: {name}: no such file")
    return path.resolve()
