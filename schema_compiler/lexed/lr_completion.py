"""Short sequences of terminals that complete a sentence from an LR stack.

An LR state knows which rules it is in the middle of: ``rule`` with ``done`` symbols on the stack is one of them if the
rule's other symbols lead from the state to one that reduces it. Completing one such rule, by the shortest text of each
missing symbol, makes the stack shorter or its top more complete; the cheapest way to the end is a shortest path, found
by Dijkstra's algorithm::

    stack  "(" "[" NUMBER      list: NUMBER           nothing missing
    stack  "(" "[" list        array: "[" list "]"    missing  "]"
    stack  "(" array           group: "(" array ")"   missing  ")"
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from schema_compiler.lexed.lark_tables import LexedGrammar, Rule
from schema_compiler.lexed.lr_stack import Stack

__all__ = ["LrCompletion"]

_Terminals = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _RuleCompletion:
    """A rule that may be completed in a state: how many of its symbols are there, and terminals for the others."""

    rule: Rule
    done: int
    missing: _Terminals


class LrCompletion:
    """Finds the terminals that complete what is on a stack: few terminals, not few bytes."""

    def __init__(self, grammar: LexedGrammar) -> None:
        self._grammar = grammar
        self._options: dict[int, tuple[_RuleCompletion, ...]] = {}

    def of(self, stack: Stack) -> _Terminals:
        """Terminals that lead from ``stack`` to the end of the text: the fewest that complete its rules one by one."""
        ticket = count()  # keeps the heap from comparing stacks
        queue: list[tuple[int, int, _Terminals, Stack]] = [(0, next(ticket), (), stack)]
        seen: set[Stack] = set()
        while queue:
            _, _, terminals, here = heapq.heappop(queue)
            if here.state == self._grammar.end:
                return terminals
            if here not in seen:
                seen.add(here)
                for option in self._options_in(here.state):
                    longer = (*terminals, *option.missing)
                    heapq.heappush(queue, (len(longer), next(ticket), longer, self._reduced(here, option)))
        raise AssertionError("every LR state completes some rule")

    def _reduced(self, stack: Stack, option: _RuleCompletion) -> Stack:
        """The stack once the rule is complete and reduced."""
        below = stack.pop(option.done)
        return below.push(self._grammar.gotos[below.state][option.rule.origin])

    def _options_in(self, state: int) -> tuple[_RuleCompletion, ...]:
        """The rules that may be completed in an LR state."""
        if state not in self._options:
            self._options[state] = tuple(self._find_options(state))
        return self._options[state]

    def _find_options(self, state: int) -> list[_RuleCompletion]:
        if state == self._grammar.start:
            starts = [rule for rule in self._grammar.rules if self._goto(state, (rule.origin,)) == self._grammar.end]
            return [_RuleCompletion(rule, 0, self._shortest_of(rule.symbols)) for rule in starts]
        return [
            _RuleCompletion(rule, done, self._shortest_of(rule.symbols[done:]))
            for number, rule in enumerate(self._grammar.rules)
            for done in range(1, len(rule.symbols) + 1)
            if (last := self._goto(state, rule.symbols[done:])) is not None
            and ~number in self._grammar.actions[last].values()
        ]

    def _goto(self, state: int, symbols: Sequence[int | str]) -> int | None:
        """The LR state behind ``symbols``; ``None`` where they cannot be shifted one after the other."""
        for symbol in symbols:
            if isinstance(symbol, int):
                following = self._grammar.actions[state].get(symbol)
            else:
                following = self._grammar.gotos[state].get(symbol)
            if following is None or following < 0:
                return None
            state = following
        return state

    def _shortest_of(self, symbols: Sequence[int | str]) -> _Terminals:
        """The fewest terminals that ``symbols`` derive."""
        terminals: list[int] = []
        for symbol in symbols:
            terminals.extend((symbol,) if isinstance(symbol, int) else self._shortest[symbol])
        return tuple(terminals)

    @cached_property
    def _shortest(self) -> dict[str, _Terminals]:
        """The fewest terminals that each rule derives: better ones until nothing changes."""
        shortest: dict[str, _Terminals] = {}
        changed = True
        while changed:
            changed = False
            for rule in self._grammar.rules:
                parts = [(symbol,) if isinstance(symbol, int) else shortest.get(symbol) for symbol in rule.symbols]
                known = [part for part in parts if part is not None]
                if len(known) == len(parts):
                    terminals = tuple(terminal for part in known for terminal in part)
                    if rule.origin not in shortest or len(terminals) < len(shortest[rule.origin]):
                        shortest[rule.origin] = terminals
                        changed = True
        return shortest
