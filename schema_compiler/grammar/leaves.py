"""Leaf rules made from automata: plain, with their characters counted, or with texts that may not come twice."""

from __future__ import annotations

from schema_compiler.grammar.ir import (
    NEVER,
    Choice,
    Counted,
    Difference,
    Distinct,
    Expression,
    Leaf,
    choice,
)
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.automata.properties import is_endless

__all__ = ["counted", "distinct", "leaf"]


def leaf(name: str, dfa: Dfa) -> Expression:
    """A leaf rule; the empty language where the table accepts nothing."""
    return NEVER if dfa.is_empty else Leaf(name, dfa, dfa.digest)


def counted(name: str, dfa: Dfa, minimum: int, maximum: int | None) -> Expression:
    """A leaf rule with its characters counted; the empty language where no text has such a length."""
    if minimum == 0 and maximum is None:
        return leaf(name, dfa)
    if dfa.is_empty or not lengths_of(dfa).viable(0, minimum, maximum):
        return NEVER
    return Counted(name, dfa, dfa.digest, minimum, maximum)


def distinct(item: Expression) -> Expression:
    """A leaf whose texts may not come twice, where whatever is begun can go on without end; else ``item`` itself."""
    match item:
        case Difference(base=Leaf(dfa=dfa)) | Leaf(dfa=dfa) | Counted(dfa=dfa, maximum=None) if is_endless(dfa):
            return Distinct(item)
        case Choice(options):
            return choice(*map(distinct, options))
        case _:
            return item
