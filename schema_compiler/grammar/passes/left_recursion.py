"""Left recursion, removed: no rule begins, before any byte is read, with itself.

The engine follows calls before it reads, so a rule that begins with itself would be called without end. Such a rule is
turned around: what it can begin with comes first, then what may be added to it, again and again. The rule ``A/B``
derives the rest of an ``A`` that begins with a ``B``, when the ``B`` has been read::

    sum ::= sum "+" term | term            sum     ::= term sum/sum
                                           sum/sum ::= "+" term sum/sum | ""

This is the left-corner transform of Rosenkrantz and Lewis (Deterministic left corner parsing, 1970), applied to
left-recursive rules only (Moore, Removing left recursion from context-free grammars, 2000). Rules that begin with one
another are a *group* and are turned around together; the *corners* of a rule are the members of its group that it can
begin with. A beginning that may be empty hides a corner behind it, as ``n`` does in ``a ::= n a "x"``. So its texts are
told apart: those of ``n+ a "x"``, where ``n+`` is ``n`` without the empty text, and those that begin with the corner
``a``. The rules ``A/B`` stand last in all others, where the graph enters them in place, so they may go in circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias, assert_never

from schema_compiler.grammar.ir import (
    EMPTY,
    Bound,
    BoundList,
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

_Corners: TypeAlias = list[tuple[str, Expression]]
"""What the texts of a rule may begin with: a member of its group and what follows that, or "" and a whole text."""


def without_left_recursion(grammar: Grammar) -> Grammar:
    """A grammar of the same language, none of whose rules can begin with itself; ``grammar`` itself if it is one.

    Looks at all rules, so it raises what lowering any of them raises. No rule may be named like those it adds (with a
    ``+`` at the end, or with a ``/``).
    """
    rules = grammar.reachable()
    nullable = _nullable_rules(rules)
    begins = _closure({name: set(_leading(body, nullable)) for name, body in rules.items()})
    transformed = _LeftCornerTransform(rules, nullable, begins).transformed
    return Grammar(grammar.start, transformed) if transformed.keys() != rules.keys() else grammar


class _LeftCornerTransform:
    """The left-corner transform of ``rules``; the result is ``transformed``.

    ``nullable``: the rules that derive the empty text. ``begins``: for each rule, the rules that its texts may begin
    with, at any depth.
    """

    def __init__(
        self, rules: Mapping[str, Expression], nullable: frozenset[str], begins: Mapping[str, set[str]]
    ) -> None:
        self._rules = rules
        self._nullable = nullable
        self._begins = begins
        self.transformed: dict[str, Expression] = {}
        for name in rules:
            if name not in begins[name]:
                self.transformed[name] = rules[name]
            elif name not in self.transformed:
                self._transform(self._group(name))

    def _group(self, name: str) -> frozenset[str]:
        """The rules that ``name`` may begin with, and that may begin with it."""
        return frozenset(other for other in self._begins[name] if name in self._begins[other])

    def _transform(self, group: frozenset[str]) -> None:
        """Add the rules of a group, and those for their rests."""
        corners = {name: list(self._corners(self._rules[name], group)) for name in sorted(group)}
        for name in corners:
            nonempty = choice(*(_begin_outside(name, corner, corners[corner]) for corner in corners))
            self.transformed[name] = choice(nonempty, EMPTY) if name in self._nullable else nonempty
            self.transformed[f"{name}+"] = nonempty
            for corner in corners:
                self.transformed[f"{name}/{corner}"] = _rest(name, corner, corners)

    def _nonempty(self, name: str) -> Expression:
        """A reference to the texts of a nullable rule that are not empty."""
        nonempty = f"{name}+"
        if nonempty not in self.transformed and not self._group(name):
            self.transformed[nonempty] = EMPTY  # holds the place, for when the rule is met again further in
            self.transformed[nonempty] = self._without_empty(self._rules[name])
        return Reference(nonempty)

    def _without_empty(self, expression: Expression) -> Expression:
        """The texts of ``expression`` that are not empty."""
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
            case (
                Literal()
                | Bytes()
                | Leaf()
                | Counted()
                | Difference()
                | Bound()
                | BoundList()
                | Distinct()
                | Selection()
            ):
                yield "", expression
            case _:
                assert_never(expression)


def _begin_outside(name: str, corner: str, corners: _Corners) -> Expression:
    """The texts of ``corner`` that begin with no member of the group, and the rest of a ``name`` after them."""
    return sequence(choice(*(whole for first, whole in corners if not first)), Reference(f"{name}/{corner}"))


def _rest(name: str, corner: str, corners: Mapping[str, _Corners]) -> Expression:
    """The body of ``name/corner``: nothing if the two are one, or what makes a larger member of the corner first."""
    options: list[Expression] = [EMPTY] if name == corner else []
    for larger, its_corners in corners.items():
        tails = (tail for first, tail in its_corners if first == corner)
        options.append(sequence(choice(*tails), Reference(f"{name}/{larger}")))
    return choice(*options)


def _nullable_rules(rules: Mapping[str, Expression]) -> frozenset[str]:
    """The rules that derive the empty text."""
    nullable: frozenset[str] = frozenset()
    while True:
        grown = frozenset(name for name, body in rules.items() if _is_nullable(body, nullable))
        if grown == nullable:
            return nullable
        nullable = grown


def _is_nullable(expression: Expression, nullable: frozenset[str]) -> bool:
    """Whether ``expression`` derives the empty text, the rules ``nullable`` being known to do so."""
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
        case Bytes() | Counted() | Difference() | Bound() | BoundList() | Distinct() | Selection():
            return False  # one byte, or JSON: never empty
        case _:
            assert_never(expression)


def _leading(expression: Expression, nullable: frozenset[str]) -> Iterator[str]:
    """The rules that ``expression`` refers to and that a text of it may begin with."""
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
    closure: dict[str, set[str]] = {}
    for name in direct:
        reached: set[str] = set()
        waiting = list(direct[name])
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting.extend(direct[other])
        closure[name] = reached
    return closure
