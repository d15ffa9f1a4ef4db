"""Leaves from automata: plain, with their characters counted, or with texts that must differ from one another.

    leaf("string", dfa)                      <string>
    counted("string", dfa, 1, 3)             <string>{1,3}
    distinct(leaf("string", dfa))            <string>!        if every beginning goes on without end

Each returns the simplest expression of its language, so ``NEVER`` where there is no text.
"""

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
    """The texts of ``dfa``, as a leaf that prints as ``name``; ``NEVER`` where there are none."""
    return NEVER if dfa.is_empty else Leaf(name, dfa, dfa.digest)


def counted(name: str, dfa: Dfa, minimum: int, maximum: int | None) -> Expression:
    """The texts of ``dfa`` with ``minimum`` to ``maximum`` characters (``None``: no limit), ``NEVER`` without any.

    Raises ``CompileBudgetError`` where the lengths of the texts have too long a period (see ``lengths_of``).
    """
    if minimum == 0 and maximum is None:
        return leaf(name, dfa)
    if dfa.is_empty or not lengths_of(dfa).viable(0, minimum, maximum):
        return NEVER
    return Counted(name, dfa, dfa.digest, minimum, maximum)


def distinct(item: Expression) -> Expression:
    """``item`` with texts that may not come twice within one call of the rule around it (``Distinct``).

    Only leaves whose every beginning goes on without end can be kept from running out of texts (``is_endless``): in a
    choice, each option that is such a leaf becomes ``Distinct``; all else stays as it is.
    """
    match item:
        case Difference(base=Leaf(dfa=dfa)) | Leaf(dfa=dfa) | Counted(dfa=dfa, maximum=None) if is_endless(dfa):
            return Distinct(item)
        case Choice(options):
            return choice(*map(distinct, options))
        case _:
            return item
