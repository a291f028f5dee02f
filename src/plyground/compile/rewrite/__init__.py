"""Rewrites ordinary Python rules into what the compiler supports."""
