"""Deterministic finite automata: explored, minimised, combined, and asked about their texts."""
