"""Left recursion, removed: no rule begins, before any byte is read, with itself.

The engine follows calls before it reads, so a rule that begins with itself would be called without end. Such a rule is
turned around: what it can begin with comes first, then what may be added to it, again and again. ``A/B`` reads "a ``B``
that begins an ``A`` is read; the rest of the ``A``"::

    sum ::= sum "+" term | term            sum     ::= term sum/sum
                                           sum/sum ::= "+" term sum/sum | ""

This is the left-corner transform of Rosenkrantz and Lewis (Deterministic left corner parsing, 1970), applied to
left-recursive rules only (Moore, Removing left recursion from context-free grammars, 2000). Rules that begin with one
another are turned around together. A beginning that may be empty hides what comes behind it, so the corners are those
of texts that are not empty: ``A+`` is ``A`` without the empty text. The rules ``A/B`` stand last in all others, where
the graph enters them in place, so they may go in circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Sequence_
from functools import partial
from typing import TypeAlias, assert_never

from schema_compiler.grammar.ir import (
    EMPTY,
    Bound,
    Bytes,
    Choice,
    Counted,
    Difference,
    Distinct,
    Expression,
    Grammar,
    Leaf,
    Literal,
    Reference,
    Repeat,
    Selection,
    Sequence,
    choice,
    repeat,
    sequence,
)
from schema_compiler.grammar.leaves import leaf
from schema_compiler.regular.automata.dfa import literal
from schema_compiler.regular.automata.operations import difference

__all__ = ["without_left_recursion"]

Corners: TypeAlias = Sequence_[tuple[str, Expression]]
"""What a text may begin with (a member of the group, or "" for none) and what follows (or the whole)."""


def without_left_recursion(grammar: Grammar) -> Grammar:
    """The same language, without rules that can begin with themselves. Looks at all rules."""
    rules = grammar.reachable()
    nullable = _nullable_rules(rules)
    begins = _closure({name: set(_leading(body, nullable)) for name, body in rules.items()})
    made = _Turned(rules, nullable, begins).made
    return Grammar(grammar.start, made) if made.keys() != rules.keys() else grammar


class _Turned:
    """``made``: the rules of the result."""

    def __init__(
        self, rules: Mapping[str, Expression], nullable: frozenset[str], begins: Mapping[str, set[str]]
    ) -> None:
        self._rules = rules
        self._nullable = nullable
        self._begins = begins
        self.made: dict[str, Expression] = {}
        for name in rules:
            if name not in begins[name]:
                self.made[name] = rules[name]
            elif name not in self.made:
                self._turn(self._group(name))

    def _group(self, name: str) -> frozenset[str]:
        """The rules that ``name`` may begin with, and that may begin with it."""
        return frozenset(other for other in self._begins[name] if name in self._begins[other])

    def _turn(self, group: frozenset[str]) -> None:
        """The rules of a group, with those for their rests."""
        corners = {name: list(self._corners(self._rules[name], group)) for name in sorted(group)}
        for name in corners:
            filled = choice(*(_begun(name, corner, corners[corner]) for corner in corners))
            self.made[name] = choice(filled, EMPTY) if name in self._nullable else filled
            self.made[f"{name}+"] = filled
            for corner in corners:
                self.made[f"{name}/{corner}"] = _rest(name, corner, corners)

    def _nonempty(self, name: str) -> Expression:
        """A call of a nullable rule, except for the empty text."""
        filled = f"{name}+"
        if filled not in self.made and not self._group(name):
            self.made[filled] = EMPTY  # holds the place, for when the rule is met again further in
            self.made[filled] = self._without_empty(self._rules[name])
        return Reference(filled)

    def _without_empty(self, expression: Expression) -> Expression:
        return choice(*(tail for _, tail in self._corners(expression, frozenset())))

    def _corners(self, expression: Expression, group: frozenset[str]) -> Iterator[tuple[str, Expression]]:
        """The non-empty texts of ``expression``, by the member of ``group`` that they begin with ("" for none of them).

        Each comes with what follows that member, or with the whole.
        """
        match expression:
            case Reference(rule) if rule in group:
                yield rule, EMPTY
            case Reference(rule):
                yield "", self._nonempty(rule) if rule in self._nullable else expression
            case Sequence(items):
                for index, item in enumerate(items):
                    behind = items[index + 1 :]
                    yield from ((first, sequence(tail, *behind)) for first, tail in self._corners(item, group))
                    if not _is_nullable(item, self._nullable):
                        return
            case Choice(options):
                for option in options:
                    yield from self._corners(option, group)
            case Repeat(item, minimum, maximum):
                least = 0 if _is_nullable(item, self._nullable) else max(minimum - 1, 0)
                more = repeat(item, least, None if maximum is None else maximum - 1)
                yield from ((first, sequence(tail, more)) for first, tail in self._corners(item, group))
            case Leaf(name, dfa) if dfa.accepting[0]:
                yield "", leaf(f"{name}+", difference(dfa, literal(b"")))
            case Literal(b""):
                pass
            case Literal() | Bytes() | Leaf() | Counted() | Difference() | Bound() | Distinct() | Selection():
                yield "", expression
            case _:
                assert_never(expression)


def _begun(name: str, corner: str, options: Corners) -> Expression:
    """What ``corner`` can begin with outside the group, grown into a ``name``."""
    return sequence(choice(*(tail for first, tail in options if not first)), Reference(f"{name}/{corner}"))


def _rest(name: str, corner: str, corners: Mapping[str, Corners]) -> Expression:
    """What makes a ``name`` of a ``corner``: nothing if they are one, or growing into another member first."""
    options: list[Expression] = [EMPTY] if name == corner else []
    for larger, found in corners.items():
        tails = (tail for first, tail in found if first == corner)
        options.append(sequence(choice(*tails), Reference(f"{name}/{larger}")))
    return choice(*options)


def _nullable_rules(rules: Mapping[str, Expression]) -> frozenset[str]:
    """The rules that derive the empty text."""
    found: frozenset[str] = frozenset()
    while True:
        grown = frozenset(name for name, body in rules.items() if _is_nullable(body, found))
        if grown == found:
            return found
        found = grown


def _is_nullable(expression: Expression, nullable: frozenset[str]) -> bool:
    """Whether the empty text is derived, given the rules that do so."""
    match expression:
        case Literal(text):
            return not text
        case Sequence(items):
            return all(map(partial(_is_nullable, nullable=nullable), items))
        case Choice(options):
            return any(map(partial(_is_nullable, nullable=nullable), options))
        case Repeat(item, minimum):
            return minimum == 0 or _is_nullable(item, nullable)
        case Reference(rule):
            return rule in nullable
        case Leaf(dfa=dfa):
            return bool(dfa.accepting[0])
        case Bytes() | Counted() | Difference() | Bound() | Distinct() | Selection():  # JSON, which has marks
            return False
        case _:
            assert_never(expression)


def _leading(expression: Expression, nullable: frozenset[str]) -> Iterator[str]:
    """The rules that a text of ``expression`` may begin with."""
    match expression:
        case Reference(rule):
            yield rule
        case Sequence(items):
            for item in items:
                yield from _leading(item, nullable)
                if not _is_nullable(item, nullable):
                    return
        case Choice(options):
            for option in options:
                yield from _leading(option, nullable)
        case Repeat(item):
            yield from _leading(item, nullable)
        case _:
            pass


def _closure(direct: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """What can be reached from each name in one step or more."""
    reached: dict[str, set[str]] = {}
    for name in direct:
        found: set[str] = set()
        waiting = list(direct[name])
        while waiting:
            other = waiting.pop()
            if other not in found:
                found.add(other)
                waiting.extend(direct[other])
        reached[name] = found
    return reached
