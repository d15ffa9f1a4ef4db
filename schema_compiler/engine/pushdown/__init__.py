"""The pushdown automaton: its nodes and stacks, the states a document can be in, and the token mask of each."""
