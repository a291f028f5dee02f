"""Exact answers: values, proofs, books, tables."""
