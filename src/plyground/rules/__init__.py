"""What a game is: the hooks of a rules file, how it is loaded and checked, and how a state is laid out in memory."""
