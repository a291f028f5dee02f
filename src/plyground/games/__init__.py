"""The games: one file each, nothing to register."""
