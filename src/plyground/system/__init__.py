"""The operating system: files, memory, streams, threads, and a watchdog for code that never ends."""
