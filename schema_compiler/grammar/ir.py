r"""Context-free grammars over bytes: what a schema is lowered to, and what the passes rewrite.

A rule's body is an ``Expression``. Most cases are the familiar ones of EBNF; seven are particular to this engine:

- ``Leaf``: a language given by a DFA (a string, a number). Leaves call nothing, so their token masks belong to the
  vocabulary and are shared by every grammar that uses the same leaf.
- ``Counted``: a leaf whose length in characters is bounded. The bound is a counter, never unrolled states.
- ``Difference``: a leaf less a few texts; they are followed beside the leaf, which keeps its shared table.
- ``Bound``: a leaf that is named here, and whose texts each request brings along.
- ``BoundList``: a list of different texts of such a leaf.
- ``Distinct``: a leaf whose texts must differ from one another, as the keys of an object.
- ``Selection``: a list of different values out of a finite set.

Rules are a mapping that may be lazy: a rule is lowered and rewritten when it is first asked for, so a large schema
costs what a document reaches. The smart constructors keep bodies flat and free of dead alternatives. Expressions
cannot contain themselves, so as extension types they are kept out of the garbage collector's way (``acyclic``).

    Point ::= "{\"x\": " <number> ", \"y\": " <number> "}"
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from mypy_extensions import mypyc_attr

from schema_compiler.regular.automata.dfa import Dfa

__all__ = [
    "EMPTY",
    "NEVER",
    "Bound",
    "BoundList",
    "Bytes",
    "Choice",
    "Counted",
    "Difference",
    "Distinct",
    "Expression",
    "Grammar",
    "LazyRules",
    "Leaf",
    "Literal",
    "Reference",
    "Repeat",
    "Selection",
    "Sequence",
    "Symbol",
    "choice",
    "repeat",
    "rules_by",
    "sequence",
]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Literal:
    """Exactly these bytes."""

    text: bytes


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Bytes:
    """One byte out of a set."""

    members: frozenset[int]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; no items is the empty text."""

    items: tuple[Expression, ...]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Choice:
    """Any of these; no options is the empty language."""

    options: tuple[Expression, ...]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Repeat:
    """``item`` at least ``minimum`` and at most ``maximum`` times (``None``: without end)."""

    item: Expression
    minimum: int
    maximum: int | None


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Reference:
    """What another rule derives."""

    rule: str


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Leaf:
    """A regular language; ``name`` is for the reader, equality is the language's digest."""

    name: str = field(compare=False)
    dfa: Dfa = field(compare=False, repr=False)
    digest: bytes = field(repr=False)


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Counted:
    """The texts of a leaf with ``minimum`` to ``maximum`` characters (``None``: no upper bound)."""

    name: str = field(compare=False)
    dfa: Dfa = field(compare=False, repr=False)
    digest: bytes = field(repr=False)
    minimum: int
    maximum: int | None


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Difference:
    """The texts of ``base`` except ``spellings``: the keys that an open object may add to those it declares.

    After each proper prefix of a spelling, some text of ``base`` must be left that is none of the ``spellings``, so
    that whoever has written the prefix can go on. Where ``base`` is "any string", one always is.
    """

    base: Leaf
    spellings: frozenset[bytes]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Bound:
    """A leaf that is named here and supplied with each request: a passage of that request's document, say."""

    name: str


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class BoundList:
    """``minimum`` to ``maximum`` (``None``: any number) texts of the ``Bound`` leaf ``name``, none of them twice.

    Between two stands a text of ``separator``, which is not empty; where a text of the leaf is complete and could also
    go on, the next byte tells. ``1 <= minimum``.
    """

    name: str
    separator: Leaf
    minimum: int
    maximum: int | None


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Distinct:
    """Texts of ``leaf``, none of them twice within one call of the rule around it: the keys of one object.

    Each beginning of a text must begin infinitely many texts, so that a document can never use them up.
    """

    leaf: Leaf | Counted | Difference


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Selection:
    """``minimum`` to ``maximum`` of ``values``, none of them twice, a text of ``separator`` between two.

    A value is given by all its spellings. No spelling belongs to two values, and neither a spelling nor a text of the
    separator is empty. Where one that is complete could also go on, the next byte tells: no byte both continues a
    spelling and begins the separator, or both continues the separator and begins a spelling.
    ``1 <= minimum <= maximum <= len(values)``.
    """

    values: tuple[tuple[bytes, ...], ...]
    separator: Leaf
    minimum: int
    maximum: int


Symbol: TypeAlias = Reference | Leaf | Counted | Difference | Bound | BoundList | Distinct | Selection
"""What a node of the graph may call: a rule, or a leaf of any kind."""

Expression: TypeAlias = (
    Literal
    | Bytes
    | Sequence
    | Choice
    | Repeat
    | Reference
    | Leaf
    | Counted
    | Difference
    | Bound
    | BoundList
    | Distinct
    | Selection
)
"""What a rule derives: a context-free language over bytes, given the other rules."""

EMPTY = Sequence(())
"""The empty text."""
NEVER = Choice(())
"""The empty language; the constructors below return this very object."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """``rules`` by name, and the name of the rule that derives documents: ``start``.

    Rules may be lazy, so ``rules[name]`` raises what lowering the rule raises.
    """

    start: str
    rules: Mapping[str, Expression]

    def reachable(self) -> dict[str, Expression]:
        """All rules that the start rule can lead to, in order of first mention; lowers those not lowered so far."""
        reached: dict[str, Expression] = {}
        waiting = [self.start]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached[name] = self.rules[name]
                waiting.extend(reversed(list(references(reached[name]))))
        return reached


class LazyRules(Mapping[str, Expression]):
    """Rules computed by ``build`` on first use, once each, and kept; safe to share between threads.

    ``iter`` and ``len`` know only the rules built so far.
    """

    def __init__(self, build: Callable[[str], Expression]) -> None:
        self._build = build
        self._rules: dict[str, Expression] = {}
        self._lock = threading.RLock()

    def __getitem__(self, name: str) -> Expression:
        body = self._rules.get(name)
        if body is None:
            with self._lock:
                body = self._rules.get(name)
                if body is None:
                    body = self._rules[name] = self._build(name)
        return body

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


def rules_by(grammar: Grammar, rewrite: Callable[[str], Expression]) -> Grammar:
    """The grammar whose rules are ``rewrite(name)``, each computed when asked for."""
    return Grammar(grammar.start, LazyRules(rewrite))


def references(body: Expression) -> Iterator[str]:
    """The rules a body mentions, in order, repeats included."""
    waiting: list[Expression] = [body]
    seen: set[int] = set()
    while waiting:
        expression = waiting.pop()
        if id(expression) in seen:
            continue
        seen.add(id(expression))
        match expression:
            case Reference(rule):
                yield rule
            case Sequence(parts) | Choice(parts):
                waiting.extend(reversed(parts))
            case Repeat(item):
                waiting.append(item)
            case _:
                pass


def sequence(*parts: Expression) -> Expression:
    """A sequence, flattened, neighbouring literals fused; the empty language if any part is."""
    items: list[Expression] = []
    for part in parts:
        if part is NEVER:
            return NEVER
        for item in part.items if isinstance(part, Sequence) else (part,):
            if isinstance(item, Literal) and items and isinstance(last := items[-1], Literal):
                items[-1] = Literal(last.text + item.text)
            else:
                items.append(item)
    return items[0] if len(items) == 1 else Sequence(tuple(items))


def choice(*parts: Expression) -> Expression:
    """A choice, flattened, without repeated options.

    Compound options are compared by identity, as to hash them would walk their trees; all others by value.
    """
    by_key: dict[object, Expression] = {}
    for part in parts:
        for option in part.options if isinstance(part, Choice) else (part,):
            by_key[id(option) if isinstance(option, Sequence | Repeat) else option] = option
    options = tuple(by_key.values())
    if not options:
        return NEVER
    return options[0] if len(options) == 1 else Choice(options)


def repeat(item: Expression, minimum: int, maximum: int | None) -> Expression:
    """``item`` from ``minimum`` to ``maximum`` times (``None``: any number); simplified where that leaves no choice."""
    if maximum == 0 or (item is NEVER and minimum == 0):
        return EMPTY
    if item is NEVER:
        return NEVER
    return item if minimum == maximum == 1 else Repeat(item, minimum, maximum)
