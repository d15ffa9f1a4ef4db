"""Languages: automata over bytes for the leaves, rules over them for the rest."""
