"""Rules as people write them, rewritten into what the compiler takes."""
