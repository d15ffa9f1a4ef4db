r"""Rules as one automaton over bytes and rule calls, explored on demand.

What is left of a rule that has been read in part is a *continuation*: an expression, how much of it has been read, and
the continuation after it. A node is a set of continuations; its moves are computed when it is first looked at. That is
subset construction by derivatives (Brzozowski, Derivatives of regular expressions, 1964), lazy, over a grammar. Both of
XGrammar's rewriting ideas (arXiv 2411.15100, section 3.4) fall out of it, without touching what no document reaches:

- *Node merging*: alternatives that read the same byte lead to one node, the set of what follows each. Continuations
  are interned, so equal remainders are one node, in whatever rule they occur.
- *Rule inlining*: a reference in tail position is entered in place: nothing follows, so no frame is needed, and the
  alternatives of a union merge. Every other reference is a call, so that its callers share what the engine learns
  about it. (Scalars have no rules of their own: lowering puts them where they stand.)

    Pet ::= Cat | Dog        Cat ::= "{\"kind\": \"cat\"}"     Dog ::= "{\"kind\": \"dog\"}"

has one node per byte up to ``"{\"kind\": \"``, where the next byte decides.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import assert_never

from mypy_extensions import mypyc_attr

from schema_compiler.grammar.ir import (
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
    Symbol,
)

__all__ = ["END", "Graph", "Node"]

END = 0
"""The number of the node at the end of a rule, which only accepts; also of the continuation with nothing left."""

_NOTHING_LEFT = Literal(b"")
"""The expression of the continuation ``END``."""


@mypyc_attr(acyclic=True)
class Node:
    """What may come next in a rule; other nodes are given by their numbers.

    ``edges``: the nodes after each byte. ``calls``: pairs of a symbol's number (see ``Graph.symbols``) and the node to
    return to. ``accepting``: the rule may end. ``plain``: the node only reads bytes, it neither accepts nor calls.

    Where the bytes can only be one text, as inside a literal, ``text`` is that text and ``after`` the node behind it,
    so that it can be read at once; then ``edges`` is empty. ``Graph.targets`` knows both kinds.
    """

    __slots__ = ("accepting", "after", "calls", "edges", "plain", "text")

    def __init__(
        self,
        edges: dict[int, tuple[int, ...]],
        calls: tuple[tuple[int, int], ...] = (),
        *,
        accepting: bool = False,
        text: bytes = b"",
        after: int = 0,
    ) -> None:
        self.edges = edges
        self.calls = calls
        self.accepting = accepting
        self.plain = not accepting and not calls
        self.text = text
        self.after = after

    @property
    def bytes(self) -> Iterable[int]:
        """The bytes that may come next, calls aside."""
        return self.text[:1] if self.text else self.edges


class Graph:
    """The nodes of a grammar, numbered as they are reached. Safe to share between threads.

    ``symbols``: what nodes call, by number. ``nodes``: by number, ``None`` until first looked at. ``root``: the node
    where a document begins. ``inline`` and ``merge`` switch the two ideas above off, to measure what they bring.
    All methods, and the constructor, raise what lowering a rule raises (see ``Grammar``).
    """

    def __init__(self, grammar: Grammar, *, inline: bool = True, merge: bool = True) -> None:
        self.symbols: list[Symbol] = []
        self.nodes: list[Node | None] = []
        self._grammar = grammar
        self._inlines = inline
        self._merge = merge
        self._lock = threading.RLock()
        self._symbol_numbers: dict[Symbol, int] = {}
        self._symbol_numbers_by_id: dict[int, int] = {}
        self._node_numbers: dict[tuple[int, ...], int] = {}
        self._members: list[tuple[int, ...]] = []
        self._continuations: list[tuple[Expression, int, int]] = [(_NOTHING_LEFT, 0, END)]
        self._continuation_numbers: dict[tuple[int, int, int], int] = {}
        self._node_number((END,))
        self.nodes[END] = Node({}, accepting=True)
        self.root = self.start(grammar.start)

    def start(self, rule: str) -> int:
        """The node where a rule begins."""
        with self._lock:
            return self._node_number((self._continuation(self._grammar.rules[rule], 0, END),))

    def node(self, number: int) -> Node:
        """The node ``number``, its moves computed if it is looked at for the first time."""
        return self.nodes[number] or self._explore(number)

    def _explore(self, number: int) -> Node:
        """As ``node``, for one thread at a time."""
        with self._lock:
            node = self.nodes[number]
            if node is None:
                node = self.nodes[number] = self._make_node(self._members[number])
            return node

    def targets(self, number: int, byte: int) -> tuple[int, ...]:
        """The nodes after the node ``number`` has read ``byte``: none, one, or without merging several."""
        node = self.node(number)
        if not node.text:
            return node.edges.get(byte, ())
        if node.text[0] != byte:
            return ()
        return (node.after if len(node.text) == 1 else self.within(number, 1),)

    def within(self, number: int, count: int) -> int:
        """The node inside the ``text`` of the node ``number``, after its first ``count`` bytes, which are not all."""
        ((literal, offset, after),) = (self._continuations[member] for member in self._members[number])
        with self._lock:
            return self._node_number((self._continuation(literal, offset + count, after),))

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol, as in ``Node.calls``."""
        with self._lock:
            return self._symbol_number(symbol)

    # Numbering

    def _node_number(self, members: tuple[int, ...]) -> int:
        """The number of the node of these continuations, which are sorted."""
        number = self._node_numbers.get(members)
        if number is None:
            number = self._node_numbers[members] = len(self.nodes)
            self._members.append(members)
            self.nodes.append(None)
        return number

    def _continuation(self, expression: Expression, offset: int, after: int) -> int:
        """The number of the continuation "``expression`` from ``offset`` on, then ``after``".

        What ``offset`` counts depends on the expression: bytes of a literal, items of a sequence, repetitions.
        """
        key = (id(expression), offset, after)
        number = self._continuation_numbers.get(key)
        if number is None:
            number = self._continuation_numbers[key] = len(self._continuations)
            self._continuations.append((expression, offset, after))
        return number

    def _symbol_number(self, symbol: Symbol) -> int:
        """The number that equal symbols share. Rules keep symbols alive, so each is hashed once, then known by id."""
        number = self._symbol_numbers_by_id.get(id(symbol))
        if number is None:
            number = self._symbol_numbers.setdefault(symbol, len(self.symbols))
            if number == len(self.symbols):
                self.symbols.append(symbol)
            self._symbol_numbers_by_id[id(symbol)] = number
        return number

    # Exploring

    def _make_node(self, members: tuple[int, ...]) -> Node:
        """The node of these continuations: each is entered down to what reads a byte, calls a symbol or accepts."""
        if len(members) == 1 and isinstance(literal := self._continuations[members[0]][0], Literal) and literal.text:
            _, offset, after = self._continuations[members[0]]
            return Node({}, text=literal.text[offset:], after=self._node_number((after,)))
        edges: dict[int, dict[int, None]] = {}
        calls: dict[int, dict[int, None]] = {}
        waiting = [self._continuations[member] for member in reversed(members)]
        entered: set[tuple[int, int, int]] = set()
        accepting = False
        while waiting:
            expression, offset, after = waiting.pop()
            match expression:
                case Literal(text):
                    if expression is _NOTHING_LEFT:
                        accepting = True
                    elif not text:
                        waiting.append(self._continuations[after])
                    else:
                        following = (
                            self._continuation(expression, offset + 1, after) if offset + 1 < len(text) else after
                        )
                        edges.setdefault(text[offset], {})[following] = None
                case Sequence(items):
                    if items:
                        rest = self._continuation(expression, offset + 1, after) if offset + 1 < len(items) else after
                        waiting.append((items[offset], 0, rest))
                    else:
                        waiting.append(self._continuations[after])
                case Choice(options):
                    if _first_time(entered, (id(expression), offset, after)):
                        waiting.extend((option, 0, after) for option in reversed(options))
                case Reference(rule) if self._inlines and after == END:
                    if _first_time(entered, (id(expression), offset, after)):
                        waiting.append((self._grammar.rules[rule], 0, after))
                case Repeat(item, minimum, maximum):
                    if _first_time(entered, (id(expression), offset, after)):
                        if offset >= minimum:
                            waiting.append(self._continuations[after])
                        if maximum is None or offset < maximum:
                            count = min(offset + 1, minimum) if maximum is None else offset + 1
                            waiting.append((item, 0, self._continuation(expression, count, after)))
                case Bytes(alternatives):
                    for byte in alternatives:
                        edges.setdefault(byte, {})[after] = None
                case Leaf() | Counted() | Difference() | Bound() | BoundList() | Distinct() | Selection() | Reference():
                    calls.setdefault(self._symbol_number(expression), {})[after] = None
                case _:
                    assert_never(expression)
        return Node(
            {byte: self._targets(targets) for byte, targets in edges.items()},
            tuple((symbol, back) for symbol, targets in calls.items() for back in self._targets(targets)),
            accepting=accepting,
        )

    def _targets(self, continuations: Iterable[int]) -> tuple[int, ...]:
        """The nodes where these continuations are read: one of them all, or without merging one of each."""
        if self._merge:
            return (self._node_number(tuple(sorted(continuations))),)
        return tuple(self._node_number((continuation,)) for continuation in continuations)


def _first_time(entered: set[tuple[int, int, int]], key: tuple[int, int, int]) -> bool:
    """Whether ``key`` has not been entered before, which then it has; so loops that read nothing come to an end."""
    if key in entered:
        return False
    entered.add(key)
    return True
