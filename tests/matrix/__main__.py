"""Writes the README's list of types: ``python -m tests.matrix``."""

from tests.matrix.section import write

write()
