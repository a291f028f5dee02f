"""Is a game any good? What its designer wants to know, measured by playing it."""
