"""List the games, or describe one: its rules, and the default, range and meaning of each parameter.

plyground games               all games, including those of other installed packages
plyground games gomoku        one game, or your own rules file
"""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from plyground.cli._terminal import columns, print_json
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, installed_games, load

WIDTH = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground games`."""
    parser.add_argument("game", nargs="?", help="describe this game: a name such as gomoku, or ./mygame.py")


def run(args: argparse.Namespace) -> int:
    """Print every game with its parameters and a summary, or the details of one."""
    if args.game is not None:
        return _print_details(args.game, args.json)
    found = [_describe(name) for name in dict.fromkeys([*builtin_games(), *sorted(installed_games())])]
    if args.json:
        print_json({"games": found})
        return 0
    rows = [["game", "parameters", "what it is"]]
    for game in found:
        given = ", ".join(f"{name}={value}" for name, value in game["parameters"].items())
        rows.append([game["name"], given, game.get("error") or game["summary"] or game["title"]])
    print(columns(rows))
    print("\nFor the rules and parameters of a game: plyground games NAME")
    return 0


def _print_details(spec: str, as_json: bool) -> int:
    game = load(spec)
    described = {
        name: {"default": p.default, "low": p.low, "high": p.high, "meaning": p.meaning, "value": game.parameters[name]}
        for name, p in game.described.items()
    }
    if as_json:
        print_json(_about(game) | {"rules": game.rule_text, "described": described})
        return 0
    print(textwrap.fill(game.summary or game.title, WIDTH))
    if game.rule_text:
        print("\n" + textwrap.fill(f"Rules: {game.rule_text}", WIDTH))
    print(f"\nSides: {', '.join(game.sides)}{'; chance moves too' if 'chance' in game.has else ''}")
    if not described:
        print("Parameters: none")
        return 0
    rows = [["parameter", "default", "values", "meaning"]]
    rows += [[name, str(p.default), p.range, p.meaning] for name, p in game.described.items()]
    first = next(iter(described))
    print(f"\n{columns(rows)}\n\nSet them in brackets: '{spec.partition('(')[0]}({first}={described[first]['default']})'")
    return 0


def _describe(name: str) -> dict[str, Any]:
    try:
        game = load(name)
    except PlygroundError as e:
        return {"name": name, "title": name, "parameters": {}, "summary": "", "error": str(e)}
    return _about(game)


def _about(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "parameters": game.parameters,
        "summary": game.summary,
        "sides": list(game.sides),
        "chance": "chance" in game.has,
    }
