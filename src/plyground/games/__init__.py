"""The games: one file each, and nothing else to register."""
