"""Rewritings of whole grammars: dead ends pruned, left recursion removed."""
