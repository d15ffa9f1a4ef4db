"""What the lowering of arrays and objects needs from the lowering of everything else.

Whoever makes rules holds them until they are built, so a body is handed its maker then and never keeps one: the two
would hold each other, and a whole grammar would wait for the garbage collector.
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
    """Makes rules that are lowered when they are first asked for; ``layout`` has the separators."""

    layout: Layout

    @abstractmethod
    def rule(self, name: str, body: Body) -> Expression:
        """A reference to the rule ``name``; the first ``body`` given for a name counts."""

    @abstractmethod
    def value(self, schema: Schema, path: str) -> Expression:
        """A value of ``schema``; ``path`` names the rules made for it."""


Body: TypeAlias = Callable[[RuleBuilder], Expression]
"""What a rule derives, made when it is first asked for."""
