"""Pruning: what can derive no text is removed, so that no mask ever leads into a dead end.

    s ::= "a" | "b" r        s ::= "a"
    r ::= "c" r              (no text ever ends an r)

A leaf that each request brings along may have no text for one request; its grammar is pruned with that known.

A rule is productive when it derives some text (Hopcroft and Ullman, Introduction to Automata Theory, 1979, section 4.4,
"useless symbols"). That is decided rule by rule and on demand: the options of a body are tried in turn, so only the
rules on the way to a proof are looked at, not the whole grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from schema_compiler.grammar.ir import (
    NEVER,
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
    rules_by,
    sequence,
)

__all__ = ["prune"]


def prune(grammar: Grammar, supply: Mapping[str, int] = MappingProxyType({})) -> Grammar:
    """The grammar without options that derive no text; a rule that derives none becomes ``NEVER``.

    ``supply``: how many texts those ``Bound`` leaves have that have few or none; others are taken to have enough.
    Its rules are pruned when asked for, and raise what lowering a rule raises: for ``rules[name]``, all rules are
    lowered that prove whether the rule and those it refers to derive a text.
    """
    productivity = _Productivity(grammar, supply)

    def rewrite(name: str) -> Expression:
        return _prune_body(grammar.rules[name], productivity) if productivity.is_productive(name) else NEVER

    return rules_by(grammar, rewrite)


class _Productivity:
    """Which rules are productive: the least fixpoint, explored depth first and only as far as an answer needs.

    A rule met again while it is being decided counts as unproductive for the moment: a shortest derivation of a rule
    never contains the rule itself. Rules that stay undecided in this way are tried again when the exploration is over.
    """

    def __init__(self, grammar: Grammar, supply: Mapping[str, int]) -> None:
        self._grammar = grammar
        self._supply = supply
        self._known: dict[str, bool] = {}

    def is_productive(self, name: str) -> bool:
        """Whether the rule is productive."""
        if name not in self._known:
            undecided = self._explore(name)
            if name not in self._known:
                self._decide(undecided)
        return self._known[name]

    def is_supplied(self, expression: Bound | BoundList) -> bool:
        """Whether the request's leaf has as many texts as the expression needs."""
        return self._is_proven(expression, {})

    def _explore(self, name: str) -> list[str]:
        """Decide rules depth first from ``name`` on; returns those that no decided rule proves productive."""
        undecided: list[str] = []
        entered = {name}
        path = [name]
        while path:
            rule = path[-1]
            needed: dict[str, None] = {}
            if self._is_proven(self._grammar.rules[rule], needed):
                self._known[path.pop()] = True
            elif unseen := next((other for other in needed if other not in entered), None):
                entered.add(unseen)
                path.append(unseen)
            else:
                undecided.append(path.pop())
        return undecided

    def _decide(self, undecided: list[str]) -> None:
        """Prove what can be proven among these rules; the others derive no text."""
        changed = True
        while changed:
            proven = [rule for rule in undecided if self._is_proven(self._grammar.rules[rule], {})]
            self._known.update(dict.fromkeys(proven, True))
            undecided = [rule for rule in undecided if rule not in self._known]
            changed = bool(proven)
        self._known.update(dict.fromkeys(undecided, False))

    def _is_proven(self, expression: Expression, needed: dict[str, None]) -> bool:
        """Whether the decided rules prove the expression productive; the undecided ones it needs go to ``needed``."""
        match expression:
            case Literal() | Leaf() | Counted() | Difference() | Distinct() | Selection():
                return True
            case Bound(name):
                return self._supply.get(name, 1) > 0
            case BoundList(name, minimum=minimum):
                return self._supply.get(name, minimum) >= minimum
            case Bytes(members):
                return bool(members)
            case Sequence(items):
                return all(self._is_proven(item, needed) for item in items)
            case Choice(options):
                return any(self._is_proven(option, needed) for option in options)
            case Repeat(item, minimum):
                return minimum == 0 or self._is_proven(item, needed)
            case Reference(rule):
                if rule not in self._known:
                    needed[rule] = None
                return self._known.get(rule, False)
            case _:
                assert_never(expression)


def _prune_body(expression: Expression, productivity: _Productivity) -> Expression:
    match expression:
        case Sequence(items):
            return sequence(*(_prune_body(item, productivity) for item in items))
        case Choice(options):
            return choice(*(_prune_body(option, productivity) for option in options))
        case Repeat(item, minimum, maximum):
            return repeat(_prune_body(item, productivity), minimum, maximum)
        case Bytes(members):
            return expression if members else NEVER
        case Reference(rule):
            return expression if productivity.is_productive(rule) else NEVER
        case Bound() | BoundList():
            return expression if productivity.is_supplied(expression) else NEVER
        case Literal() | Leaf() | Counted() | Difference() | Distinct() | Selection():
            return expression
        case _:
            assert_never(expression)
