"""Pairs for the records, as the arena gives them."""


def job(pair, seed=1):
    return {"pair": pair, "players": ["engine", "random"], "start": None, "opening": ["a1"], "seed": seed}


def game(side, **more):
    return {
        "side": side,
        "players": ["engine", "random"],
        "seed": 1 << 70,
        "start": None,
        "opening": 1,
        "moves": ["a1", "b2", "é"],
        "result": 0.5,
        "points": 0,
        "reason": "rules",
        "scores": [None, 3, -2.5],
        "depths": [None, 4, 5],
        "nodes": [None, 100, 200],
        "times": [None, 0.25, 0.5],
        "seconds": 0.75,
        "versions": {"plyground": "0.1.0"},
        **more,
    }


def result(pair, **more):
    return {"pair": pair, "games": [game(0, **more), game(1, **more)]}
