"""Players play each other: openings, pairs, workers, statistics."""
