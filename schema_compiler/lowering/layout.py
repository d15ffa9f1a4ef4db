"""The separators that JSON is written with: punctuation, and white space by one of three policies.

    spaced      {"a": 1, "b": [2, 3]}    as ``json.dumps`` writes by default, and as models have read most of their JSON
    compact     {"a":1,"b":[2,3]}        as Pydantic's ``model_dump_json`` writes
    flexible    any JSON white space wherever JSON allows it

The first two fix the white space: a model spends no tokens on layout, and ``": "`` after a key can be written without
asking it.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias, assert_never

from schema_compiler.grammar.ir import EMPTY, Expression, Literal
from schema_compiler.grammar.leaves import leaf
from schema_compiler.regular.automata.dfa import crawl, literal
from schema_compiler.regular.automata.operations import concatenate

__all__ = ["Layout", "Whitespace", "layout_of"]


Whitespace: TypeAlias = typing.Literal["spaced", "compact", "flexible"]
"""A policy of white space; the module's docstring shows each."""


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


def layout_of(whitespace: Whitespace) -> Layout:
    """The separators of a policy."""
    match whitespace:
        case "spaced":
            return _fixed_layout(comma=b", ", colon=b": ")
        case "compact":
            return _fixed_layout(comma=b",", colon=b":")
        case "flexible":
            return _flexible_layout()
        case _:
            assert_never(whitespace)


def _fixed_layout(*, comma: bytes, colon: bytes) -> Layout:
    """Separators that are always the same, and nothing around a document."""
    return Layout(
        around=EMPTY,
        open_brace=Literal(b"{"),
        close_brace=Literal(b"}"),
        open_bracket=Literal(b"["),
        close_bracket=Literal(b"]"),
        comma=Literal(comma),
        colon=Literal(colon),
    )


@cache
def _flexible_layout() -> Layout:
    """Each mark and the white space around it as one leaf, whose scans all grammars share."""
    space = crawl(True, lambda _: [(b" \t\n\r", True)], lambda _: True)

    def mark(text: bytes, *, before: bool, after: bool) -> Expression:
        name = "ws" * before + text.decode() + "ws" * after
        return leaf(name, concatenate(*[space] * before, literal(text), *[space] * after))

    return Layout(
        around=leaf("ws", space),
        open_brace=mark(b"{", before=False, after=True),
        close_brace=mark(b"}", before=True, after=False),
        open_bracket=mark(b"[", before=False, after=True),
        close_bracket=mark(b"]", before=True, after=False),
        comma=mark(b",", before=True, after=True),
        colon=mark(b":", before=True, after=True),
    )
