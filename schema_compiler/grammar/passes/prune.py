"""Pruning: what can derive no text is removed, so that no mask ever leads into a dead end.

A rule is productive when some text can be derived from it. It is decided rule by rule and on demand: a body's
alternatives are tried in turn, so only rules on the way to a shortest proof are looked at, not the whole grammar.
"""

from __future__ import annotations

from typing import assert_never

from schema_compiler.grammar.ir import (
    NEVER,
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
    rules_by,
    sequence,
)

__all__ = ["prune"]


def prune(grammar: Grammar) -> Grammar:
    """The grammar without alternatives that derive nothing; an unproductive rule becomes the empty language."""
    productive = _Productive(grammar)

    def rewrite(name: str) -> Expression:
        return _pruned(grammar.rules[name], productive) if productive.rule(name) else NEVER

    return rules_by(grammar, rewrite)


class _Productive:
    """Least fixpoint of "derives some text", explored depth first and only as far as an answer needs.

    A rule met again while it is being decided counts as unproductive for the moment: a shortest derivation of a rule
    never contains the rule itself. Rules that stay open in this way are tried again once the exploration is over.
    """

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._known: dict[str, bool] = {}

    def rule(self, name: str) -> bool:
        if name not in self._known:
            opened = self._explore(name)
            if name not in self._known:
                self._settle(opened)
        return self._known[name]

    def _explore(self, name: str) -> list[str]:
        """Depth-first from ``name``; returns the rules that no finished rule proves productive."""
        opened: list[str] = []
        entered = {name}
        path = [name]
        while path:
            rule = path[-1]
            needed: dict[str, None] = {}
            if self._expression(self._grammar.rules[rule], needed):
                self._known[path.pop()] = True
            elif fresh := next((other for other in needed if other not in entered), None):
                entered.add(fresh)
                path.append(fresh)
            else:
                opened.append(path.pop())
        return opened

    def _settle(self, opened: list[str]) -> None:
        """Prove what can be proven among ``opened``; the rest derives nothing."""
        changed = True
        while changed:
            proven = [rule for rule in opened if self._expression(self._grammar.rules[rule], {})]
            self._known.update(dict.fromkeys(proven, True))
            opened = [rule for rule in opened if rule not in self._known]
            changed = bool(proven)
        self._known.update(dict.fromkeys(opened, False))

    def _expression(self, expression: Expression, needed: dict[str, None]) -> bool:
        """Whether the expression is productive as far as is known; rules not decided yet go to ``needed``."""
        match expression:
            case Literal() | Leaf() | Counted() | Difference() | Bound() | Distinct() | Selection():
                return True
            case Bytes(members):
                return bool(members)
            case Sequence(items):
                return all(self._expression(item, needed) for item in items)
            case Choice(options):
                return any(self._expression(option, needed) for option in options)
            case Repeat(item, minimum):
                return minimum == 0 or self._expression(item, needed)
            case Reference(rule):
                if rule not in self._known:
                    needed[rule] = None
                return self._known.get(rule, False)
            case _:
                assert_never(expression)


def _pruned(expression: Expression, productive: _Productive) -> Expression:
    match expression:
        case Sequence(items):
            return sequence(*(_pruned(item, productive) for item in items))
        case Choice(options):
            return choice(*(_pruned(option, productive) for option in options))
        case Repeat(item, minimum, maximum):
            return repeat(_pruned(item, productive), minimum, maximum)
        case Bytes(members):
            return expression if members else NEVER
        case Reference(rule):
            return expression if productive.rule(rule) else NEVER
        case Literal() | Leaf() | Counted() | Difference() | Bound() | Distinct() | Selection():
            return expression
        case _:
            assert_never(expression)
