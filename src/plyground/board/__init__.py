"""A board as data: what it looks like, in characters and as a picture."""
