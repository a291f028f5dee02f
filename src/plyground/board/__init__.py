"""A board as data: what it looks like, in characters and as a picture."""

from pathlib import Path

PARTS = Path(__file__).parent
"""Where its styles and its script are: `palette.css`, `board.css`, `picture.js`."""
