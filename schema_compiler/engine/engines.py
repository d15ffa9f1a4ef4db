"""The engine of a compiled grammar, replaced by a fresh one when it has grown beyond its budget.

An engine remembers everything it works out: states, masks, scans, nodes. What a single document can add is bounded
by its length, but documents come without end. So when a matcher is asked for and the engine has outgrown its
budget, the next matchers start on an empty engine; those under way keep theirs until they are done. What belongs to
the vocabulary survives the change.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from schema_compiler.engine.automaton import Automaton
from schema_compiler.engine.masks import Engine
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary import Vocabulary
from schema_compiler.grammar.grammar import Grammar

__all__ = ["BUDGET", "Engines"]

BUDGET = 1 << 28
"""How many bytes an engine may grow to before it is replaced, by its own estimate."""


class Engines:
    """Makes matchers. ``grammar`` is called for each engine, since lowered rules are part of what grows."""

    def __init__(self, grammar: Callable[[], Grammar], vocabulary: Vocabulary, *, budget: int = BUDGET) -> None:
        self._grammar = grammar
        self._vocabulary = vocabulary
        self._budget = budget
        self._numbers = count(1)
        self._engine = self._made()

    def _made(self) -> Engine:
        automaton = Automaton(self._grammar(), self._vocabulary.leaves)
        return Engine(automaton, self._vocabulary, self._numbers)

    def matcher(self) -> Matcher:
        """A new matcher on the current engine."""
        if self._engine.size > self._budget:
            self._engine = self._made()
        return Matcher(self._engine)
