"""Everything that chooses moves: random, textbook, engine, solver, tables, engines of other programs, and how texts name them."""
