"""Rule inlining: a reference is replaced by the body it names, where that pays.

A call costs the engine a frame, and hides the callee's first bytes from node merging. Two kinds are expanded:

- *tail* references (the last thing a body does), breadth first, until the rule has reached its size budget: the
  alternatives of a union and the next properties of an object become one graph;
- *small* bodies anywhere, when the whole expansion stays within a few nodes.

Bigger callees stay rules: their scans are then shared by all their callers, and they are lowered only when a
document reaches them. Recursive references always stay. After XGrammar (arXiv 2411.15100, section 3.4).
"""

from __future__ import annotations

from collections.abc import Iterator

from schema_compiler.grammar.grammar import (
    Bytes,
    Choice,
    Expression,
    Grammar,
    Leaf,
    Literal,
    Reference,
    Repeat,
    Sequence,
    choice,
    repeat,
    rules_by,
    sequence,
)

__all__ = ["inline"]

TAIL_NODES = 256
"""How large a rule may grow by expanding its tail references, in nodes."""
SMALL_NODES = 24
"""How large a body may be to be expanded anywhere, in nodes."""


def inline(grammar: Grammar) -> Grammar:
    """The grammar with tail references and small bodies expanded within the budgets above."""
    sizes = _Sizes(grammar)
    return rules_by(grammar, lambda name: _Inliner(grammar, sizes, name).body)


class _Sizes:
    """Sizes of bodies in nodes, references counted as one; and of small bodies fully expanded."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._small: dict[str, bool] = {}

    def small(self, name: str) -> bool:
        """Whether ``name``, everything in it expanded, stays within ``SMALL_NODES``."""
        if name not in self._small:
            self._small[name] = self._expanded(Reference(name), SMALL_NODES, ()) >= 0
        return self._small[name]

    def _expanded(self, expression: Expression, budget: int, path: tuple[str, ...]) -> int:
        """What is left of ``budget`` after the expression; negative when it does not fit or is recursive."""
        if budget < 0:
            return budget
        match expression:
            case Reference(rule):
                if rule in path:
                    return -1
                return self._expanded(self._grammar.rules[rule], budget, (*path, rule))
            case Sequence(parts) | Choice(parts):
                for part in parts:
                    budget = self._expanded(part, budget, path)
                return budget
            case Repeat(item, minimum, maximum):
                copies = max(minimum, maximum or 0, 1)
                return budget if copies > SMALL_NODES else self._expanded(Sequence((item,) * copies), budget, path)
            case _:
                return budget - _nodes(expression)


def _nodes(expression: Expression) -> int:
    match expression:
        case Literal(text):
            return len(text)
        case Sequence(parts) | Choice(parts):
            return sum(map(_nodes, parts)) or 1
        case Repeat(item, minimum, maximum):
            return _nodes(item) * max(minimum, maximum or 0, 1)
        case _:
            return 1


class _Inliner:
    """The expansion of one rule; equal expansions are one object, which graph building relies on."""

    def __init__(self, grammar: Grammar, sizes: _Sizes, name: str) -> None:
        self._grammar = grammar
        self._sizes = sizes
        self._open = [name]
        self._bodies: dict[str, Expression] = {}
        self._tails = self._choose_tails(name)
        self.body = self._expand(grammar.rules[name], tail=True)

    def _choose_tails(self, name: str) -> set[str]:
        """The rules whose tail references are expanded: breadth first while the budget lasts."""
        chosen = {name}
        order = [name]
        budget = TAIL_NODES - _nodes(self._grammar.rules[name])
        for rule in order:
            for tail in _tails(self._grammar.rules[rule]):
                if tail not in chosen and (cost := _nodes(self._grammar.rules[tail])) <= budget:
                    budget -= cost
                    chosen.add(tail)
                    order.append(tail)
        return chosen

    def _expand(self, expression: Expression, *, tail: bool) -> Expression:
        match expression:
            case Reference(rule):
                wanted = (tail and rule in self._tails) or self._sizes.small(rule)
                return self._rule(rule, tail=tail) if wanted and rule not in self._open else expression
            case Sequence(items):
                *front, last = items or (expression,)
                if not items:
                    return expression
                return sequence(*(self._expand(item, tail=False) for item in front), self._expand(last, tail=tail))
            case Choice(options):
                return choice(*(self._expand(option, tail=tail) for option in options))
            case Repeat(item, minimum, maximum):
                return repeat(self._expand(item, tail=False), minimum, maximum)
            case _:
                return expression

    def _rule(self, rule: str, *, tail: bool) -> Expression:
        key = f"{rule}\0{tail}"
        if key not in self._bodies:
            self._open.append(rule)
            self._bodies[key] = self._expand(self._grammar.rules[rule], tail=tail)
            self._open.pop()
        return self._bodies[key]


def _tails(expression: Expression) -> Iterator[str]:
    match expression:
        case Reference(rule):
            yield rule
        case Sequence(items) if items:
            yield from _tails(items[-1])
        case Choice(options):
            for option in options:
                yield from _tails(option)
        case Bytes() | Leaf() | _:
            return
