"""Deterministic finite automata: built by exploring, minimised, combined, and asked about their texts."""
