"""What scalars, arrays and objects need of the lowering as a whole: to name rules, and to lower the parts of a value.

A rule is lowered when it is first asked for; until then a ``Body`` stands for it. A body is handed the ``RuleBuilder``
when it is called, and never keeps one: the builder holds the bodies, and with a reference back, a grammar that nobody
uses any more would wait for the garbage collector. ::

    builder.rule("root/tags", lambda builder: array_rule(tags, "root/tags", builder))     root/tags
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from schema_compiler.grammar.ir import Expression
from schema_compiler.lowering.layout import Layout
from schema_compiler.schema.ir import Schema

__all__ = ["Body", "RuleBuilder"]


class RuleBuilder(ABC):
    """Names rules that are lowered when they are first asked for; ``layout`` has the separators to write."""

    layout: Layout

    @abstractmethod
    def rule(self, name: str, body: Body) -> Expression:
        """A reference to the rule ``name``, which derives what ``body`` returns.

        Of several bodies for one name, the first counts, so all of them must derive the same texts.
        """

    @abstractmethod
    def value(self, schema: Schema, path: str) -> Expression:
        """The texts of the values of ``schema``; if it takes rules of its own, their names begin with ``path``.

        Raises ``GrammarError`` or ``CompileBudgetError`` for a ``Sentence`` whose grammar is malformed or too large,
        and ``CompileBudgetError`` for a scalar whose automaton is.
        """


Body: TypeAlias = Callable[[RuleBuilder], Expression]
"""Returns what a rule derives; called once, when the rule is first asked for."""
