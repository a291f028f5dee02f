"""The setup of a match as data, with the contents of its rules and evaluation files.

`collect` reads these files once, when a match is scheduled. Workers on any machine, and a match that is resumed later, play from
these texts, even if the files were edited meanwhile. Games from Plyground or another installed package are sent by name.

External engines are not sent: the match keeps the absolute path of each program, which must be there on every machine.

Nets may be large, so a match remembers only their checksums: `nets/net_evaluation.py` keeps a copy of each. Players that name no
evaluation get the net that the engine used when the match began, or the rules' evaluation if there was none.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import plyground
from plyground.arena.messages import MatchSetup, NetFile
from plyground.cluster.remote_work import PackedGame, bundle, pack_game, source_hash, unpack_game, write_sources
from plyground.errors import PlygroundError
from plyground.nets.file_format import checksum
from plyground.nets.net_evaluation import RULES, local_copy, net_file
from plyground.players.builtin import EnginePlayer
from plyground.players.spec import PlayerSpec, find_program, runs_code
from plyground.rules.game import Game
from plyground.rules.load import is_installed, load, loading_from
from plyground.system.codec import decode


def collect(spec: str, players: Sequence[str]) -> MatchSetup:
    """Return the setup of a match: the game, the players' files, and the version that wrote it."""
    game, specs = load(spec), [PlayerSpec.parse(player) for player in players]
    for player in specs:
        if player.searches:
            _check_options(player)
    named = {name: _existing_file(player, name) for player in specs if (name := player.evaluation) and name != RULES}
    texts = {name: _evaluation_texts(path) for name, path in named.items() if path.suffix == ".py"}
    usual = net_file(game) if not specs or any(player.searches and not player.evaluation for player in specs) else None
    nets = [(name, path) for name, path in named.items() if name not in texts] + ([(str(usual), usual)] if usual else [])
    return MatchSetup(
        version=plyground.__version__,
        code=source_hash(),
        game=pack_game(game, spec),
        files=texts,
        nets={name: NetFile(str(path), checksum(path)) for name, path in nets},
        usual=str(usual) if usual else RULES,
        programs={str(player): tuple(_program(player, text)) for player in specs if (text := player.program) is not None},
    )


def check_version(version: str, code_hash: str) -> None:
    """Refuse what another version of Plyground wrote: it may play other games."""
    if (version, code_hash) != (plyground.__version__, source_hash()):
        raise PlygroundError(
            f"this match was started by Plyground {version} ({code_hash[:8]}), "
            f"but this is {plyground.__version__} ({source_hash()[:8]}); both must be the same"
        )


def read_setup(data: object) -> MatchSetup:
    """Return the setup that data from JSON means; refuse that of another version first, which may have other fields."""
    if isinstance(data, dict) and all(isinstance(data.get(name), str) for name in ("version", "code")):
        check_version(data["version"], data["code"])
    return decode(MatchSetup, data)


def brings_code(data: object, players: Iterable[str]) -> bool:
    """Return whether resuming a match would run code that is not installed: from its stored setup, or from its players."""
    try:
        setup = decode(MatchSetup, data)
    except PlygroundError:  # a damaged setup can't be trusted
        return True
    kept = setup.game.files is not None or setup.files or setup.programs
    named = setup.usual not in (RULES, *setup.nets) or not is_installed(setup.game.spec)
    return bool(kept) or named or any(map(runs_code, players))


class UnpackedSetup:
    """A setup that was unpacked here: the game, and its players under the names that the match gives them."""

    def __init__(self, game: Game, setup: MatchSetup | None = None, here: Path | None = None) -> None:
        """Use files where they are if there is no setup; `here` is a folder with nets that were sent to this machine."""
        setup = setup or MatchSetup("", "", PackedGame(""), RULES)
        self._programs = setup.programs
        self.game, self._nets, self._usual, self._here = game, setup.nets, setup.usual, here
        self._evaluations = {name: str(write_sources(files) / Path(name).name) for name, files in setup.files.items()}
        """Where each evaluation is that was unpacked here, by the name that players use."""
        self._players: dict[str, str] = {}
        """The user's names for the players made here, then for the files."""
        self._names = {path: name for name, path in self._evaluations.items()}
        if setup.game.named and game.path is not None:
            self._names[str(game.path)] = setup.game.named

    @classmethod
    def unpack(cls, setup: MatchSetup, here: Path | None = None) -> UnpackedSetup:
        """Load the game from the texts in a setup, which must be of this version of Plyground."""
        check_version(setup.version, setup.code)
        return cls(unpack_game(setup.game), setup, here)

    @contextlib.contextmanager
    def user_names_in_errors(self) -> Iterator[None]:
        """Let errors name players and files as the user did, not as they were unpacked."""
        try:
            yield
        except PlygroundError as e:
            raise PlygroundError(self.with_user_names(str(e))) from e

    def check_programs(self) -> None:
        """Refuse a machine on which the program of a player is not where it was when the match began."""
        for player, command in self._programs.items():
            if shutil.which(command[0]) is None:
                raise PlygroundError(f"{player}: there is no program {command[0]}; install it there, or play without a cluster")

    def with_user_names(self, text: str) -> str:
        """Return a text with players and files as the user named them."""
        for made, name in [*self._players.items(), *self._names.items()]:
            text = text.replace(made, name)
        return text

    def player(self, spec: PlayerSpec) -> PlayerSpec:
        """Return a player with its evaluation as it was unpacked here, and with the absolute path of its program."""
        name = self._evaluation(spec)
        if str(spec) in self._programs:
            made = spec.with_program(self._programs[str(spec)])
        elif name is not None:
            made = spec.with_evaluation(self._unpacked_path(name))
        else:
            return spec
        self._players[str(made)] = str(spec)
        return made

    def net(self, spec: PlayerSpec) -> str | None:
        """Return the net that a player uses: the name of its file and the first letters of its checksum. None if it uses none."""
        name = self._evaluation(spec)
        return f"{Path(name).name} {self._nets[name].checksum[:8]}" if name and name in self._nets else None

    def _evaluation(self, spec: PlayerSpec) -> str | None:
        """Return the name of a player's evaluation; None if it does not search natively."""
        return spec.evaluation or (self._usual if spec.searches else None)

    def _unpacked_path(self, name: str) -> str:
        """Return where an evaluation is here; a net is looked for when it is needed first."""
        if name not in self._evaluations and name in self._nets:
            net = self._nets[name]
            sent = [] if self._here is None else [self._here / f"{net.checksum}.net"]
            path = self._evaluations[name] = str(local_copy(name, net.checksum, [*sent, Path(net.file)]))
            self._names[path] = name
        return self._evaluations.get(name, name)

    def with_copies(self, setup: MatchSetup) -> MatchSetup:
        """Return the setup for workers: nets are their copies here, which don't change."""
        return replace(setup, nets={name: NetFile(self._unpacked_path(name), net.checksum) for name, net in setup.nets.items()})


def _evaluation_texts(path: Path) -> dict[str, str]:
    """Return the text of an evaluation file and of what it imports from its folder, where modules are found first."""
    with loading_from(path.parent):
        return bundle(path)


def _check_options(player: PlayerSpec) -> None:
    """Refuse wrong options of an engine now, not after openings were searched."""
    try:
        EnginePlayer.read_options(player)
    except PlygroundError as e:
        raise PlygroundError(f"{player}: {e}") from e


def _program(player: PlayerSpec, text: str) -> list[str]:
    try:
        return find_program(text)
    except PlygroundError as e:
        raise PlygroundError(f"{player}: {e}") from e


def _existing_file(player: PlayerSpec, name: str) -> Path:
    path = Path(os.path.expanduser(name))
    if not path.is_file():
        raise PlygroundError(f"{player}: {name}: no such file")
    return path.resolve()
