"""What a game is: the hooks a rules file has, how it is loaded and refused, how a state lies in memory."""
