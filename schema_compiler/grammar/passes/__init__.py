"""Passes, from a whole grammar to another one of the same language: dead ends pruned, left recursion removed."""
