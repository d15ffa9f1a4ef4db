"""The separators JSON is written with: punctuation, and white space by one of three policies.

    spaced      {"a": 1, "b": [2, 3]}    as ``json.dumps`` writes by default, and as models have read most of their JSON
    compact     {"a":1,"b":[2,3]}        as Pydantic's ``model_dump_json`` writes
    flexible    any JSON white space wherever JSON allows it

The first two fix every separator, so a model spends no tokens on layout, and separators can be written without asking it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, assert_never

from schema_compiler.grammar.ir import (
    EMPTY,
    Expression,
)
from schema_compiler.grammar.ir import Literal as Text
from schema_compiler.grammar.leaves import leaf
from schema_compiler.regular.automata.dfa import crawl, literal
from schema_compiler.regular.automata.operations import concatenate

__all__ = ["Layout", "Whitespace", "layout_of"]


Whitespace: TypeAlias = Literal["spaced", "compact", "flexible"]


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
            return _fixed(comma=b", ", colon=b": ")
        case "compact":
            return _fixed(comma=b",", colon=b":")
        case "flexible":
            return _flexible()
        case _:
            assert_never(whitespace)


def _fixed(*, comma: bytes, colon: bytes) -> Layout:
    """Separators that are always the same, and nothing around a document."""
    return Layout(EMPTY, Text(b"{"), Text(b"}"), Text(b"["), Text(b"]"), Text(comma), Text(colon))


@cache
def _flexible() -> Layout:
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
