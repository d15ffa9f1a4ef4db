"""Token masks: a vocabulary, the pushdown automaton of a grammar, and the matcher that follows one sequence."""
