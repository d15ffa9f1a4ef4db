"""Leaf languages of the automaton: tables, counters, differences, histories, selections, and pieces of a document."""
