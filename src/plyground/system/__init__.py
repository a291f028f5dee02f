"""What the machine gives: files, memory, streams, threads, and a watch over code that never ends."""
