"""The small pieces JSON is written with: punctuation, white space, scalars, constants.

``whitespace="compact"``: one blank after each comma and colon, none elsewhere, as ``json.dumps`` writes by default;
a small model then spends no tokens on layout. ``"flexible"``: any JSON white space wherever JSON allows it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar.ir import (
    EMPTY,
    NEVER,
    Choice,
    Counted,
    Distinct,
    Expression,
    Leaf,
    Undeclared,
    choice,
    sequence,
)
from schema_compiler.grammar.ir import Literal as Text
from schema_compiler.regular.automata.dfa import Dfa, concatenate, crawl, from_literals, literal
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.text.json_strings import string_literal

__all__ = [
    "COMPACT",
    "Layout",
    "Whitespace",
    "constant",
    "constants",
    "counted",
    "distinct",
    "flexible",
    "is_endless",
    "leaf",
]

Whitespace: TypeAlias = Literal["compact", "flexible"]

CHOICE_LIMIT = 32
"""Up to so many constants are spelled out in the rule; beyond, they become one leaf."""
LEAF_LIMIT = 4096
"""Up to so many states: a table takes a kilobyte for each, a rule something for those that a document gets to."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The separators of one white-space policy; ``around`` may stand before and after a document."""

    around: Expression
    open_brace: Expression
    close_brace: Expression
    open_bracket: Expression
    close_bracket: Expression
    comma: Expression
    colon: Expression


COMPACT = Layout(EMPTY, Text(b"{"), Text(b"}"), Text(b"["), Text(b"]"), Text(b", "), Text(b": "))


@cache
def flexible() -> Layout:
    """Any white space around each mark, mark and white space together one leaf, whose scans all grammars share."""
    space = crawl(True, lambda _: [(b" \t\n\r", True)], lambda _: True)

    def mark(text: bytes, *, before: bool, after: bool) -> Expression:
        parts = [space] * before + [literal(text)] + [space] * after
        return leaf(f"ws{text.decode()}ws"[2 * (not before) : None if after else -2], concatenate(*parts))

    return Layout(
        around=leaf("ws", space),
        open_brace=mark(b"{", before=False, after=True),
        close_brace=mark(b"}", before=True, after=False),
        open_bracket=mark(b"[", before=False, after=True),
        close_bracket=mark(b"]", before=True, after=False),
        comma=mark(b",", before=True, after=True),
        colon=mark(b":", before=True, after=True),
    )


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
        case Undeclared(base=Leaf(dfa=dfa)) | Leaf(dfa=dfa) | Counted(dfa=dfa, maximum=None) if is_endless(dfa):
            return Distinct(item)
        case Choice(options):
            return choice(*map(distinct, options))
        case _:
            return item


@lru_cache(maxsize=64)
def is_endless(dfa: Dfa) -> bool:
    """Whether every state short of acceptance leads to infinitely many texts, and no text begins another one."""
    if (dfa.table[dfa.accepting] >= 0).any():
        return False
    dead = len(dfa.table)
    finite = np.append(np.zeros(dead, np.bool_), True)
    while True:
        grown = np.append(finite[dfa.table].all(axis=1), True)
        if np.array_equal(grown, finite):
            return not (finite[:dead] & ~dfa.accepting).any()
        finite = grown


def constants(values: Iterable[Any], layout: Layout) -> Expression:
    """One of the values; many scalars become one leaf, unless its table were too large."""
    scalars = [_spelling(value) for value in values if not isinstance(value, list | dict)]
    compound = [constant(value, layout) for value in values if isinstance(value, list | dict)]
    if len(scalars) > CHOICE_LIMIT:
        with contextlib.suppress(CompileBudgetError):
            return choice(leaf("enum", from_literals(scalars, limit=LEAF_LIMIT)), *compound)
    return choice(*map(Text, scalars), *compound)


def constant(value: Any, layout: Layout) -> Expression:
    """Exactly this JSON value."""
    match value:
        case dict():
            members = [sequence(Text(string_literal(k)), layout.colon, constant(v, layout)) for k, v in value.items()]
            return sequence(layout.open_brace, *_separated(members, layout), layout.close_brace)
        case list():
            items = [constant(item, layout) for item in value]
            return sequence(layout.open_bracket, *_separated(items, layout), layout.close_bracket)
        case _:
            return Text(_spelling(value))


def _separated(parts: list[Expression], layout: Layout) -> Iterable[Expression]:
    for index, part in enumerate(parts):
        yield sequence(layout.comma, part) if index else part


def _spelling(value: Any) -> bytes:
    return string_literal(value) if isinstance(value, str) else json.dumps(value).encode()
