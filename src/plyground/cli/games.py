"""List the games: those that come with Plyground and those of other installed packages."""

from __future__ import annotations

import argparse
from typing import Any


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `plyground games` takes: nothing of its own."""


def run(args: argparse.Namespace) -> int:
    """Prints every game with its parameters and what it is."""
    from plyground.game import installed, shipped
    from plyground.terminal import columns, print_json

    found = [_describe(name) for name in dict.fromkeys([*shipped(), *sorted(installed())])]
    if args.json:
        print_json({"games": found})
        return 0
    rows = [["game", "parameters", "what it is"]]
    for game in found:
        given = ", ".join(f"{name}={value}" for name, value in game["parameters"].items())
        rows.append([game["name"], given, game.get("error") or game["summary"] or game["title"]])
    print(columns(rows))
    return 0


def _describe(name: str) -> dict[str, Any]:
    from plyground.errors import PlygroundError
    from plyground.game import load

    try:
        game = load(name)
    except PlygroundError as e:
        return {"name": name, "title": name, "parameters": {}, "summary": "", "error": str(e)}
    return {
        "name": name,
        "title": game.title,
        "parameters": game.parameters,
        "summary": game.summary,
        "sides": list(game.sides),
        "chance": "chance" in game.has,
    }
