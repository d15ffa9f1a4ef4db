"""Token masks: an automaton and a vocabulary, and the matcher that follows one sequence."""
