"""Is a game any good? What a designer wants to know, measured."""
