"""What the lowering of arrays and objects needs from the lowering of everything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from schema_compiler.grammar.grammar import Expression
from schema_compiler.grammar.lexical import Layout
from schema_compiler.schema.schema import Schema

__all__ = ["RuleMaker"]


class RuleMaker(Protocol):
    """Makes rules that are lowered when they are first asked for."""

    @property
    def layout(self) -> Layout:
        """The separators."""

    def rule(self, name: str, body: Callable[[], Expression]) -> Expression:
        """A reference to the rule ``name``; the first ``body`` given for a name counts."""

    def value(self, schema: Schema, path: str) -> Expression:
        """A value of ``schema``; ``path`` names the rules made for it."""
