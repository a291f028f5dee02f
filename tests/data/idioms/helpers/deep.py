"""A module inside a package."""

LOW = 3
