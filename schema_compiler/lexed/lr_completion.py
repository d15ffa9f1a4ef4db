"""Short sequences of terminals that complete a sentence from an LR stack.

An LR state knows which rules it is in the middle of: ``rule`` with ``done`` symbols on the stack is one of them if the
rule's other symbols lead from the state to one that reduces it. Completing one such rule, by the shortest text of each
missing symbol, makes the stack shorter or its top more complete; the cheapest way to the end is a shortest path::

    stack  "(" "[" NUMBER      list: NUMBER        nothing missing
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

__all__ = ["Endings"]

_Terminals = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Completion:
    """A rule that may be completed in a state: how many of its symbols are there, and terminals for the others."""

    rule: Rule
    done: int
    missing: _Terminals


class Endings:
    """The ways to complete what is on a stack. Sequences are short in terminals, not in bytes."""

    def __init__(self, grammar: LexedGrammar) -> None:
        self._grammar = grammar
        self._completions: dict[int, tuple[_Completion, ...]] = {}

    def of(self, stack: Stack) -> _Terminals:
        """Terminals that lead from ``stack`` to the end of the text."""
        ticket = count()
        queue: list[tuple[int, int, _Terminals, Stack]] = [(0, next(ticket), (), stack)]
        seen: set[Stack] = set()
        while queue:
            _, _, terminals, here = heapq.heappop(queue)
            if here.state == self._grammar.end:
                return terminals
            if here not in seen:
                seen.add(here)
                for option in self._options(here):
                    longer = (*terminals, *option.missing)
                    heapq.heappush(queue, (len(longer), next(ticket), longer, self._after(here, option)))
        raise AssertionError("every LR state completes some rule")

    def _after(self, stack: Stack, option: _Completion) -> Stack:
        below = stack.pop(option.done)
        return below.push(self._grammar.gotos[below.state][option.rule.origin])

    def _options(self, stack: Stack) -> tuple[_Completion, ...]:
        if stack.state not in self._completions:
            self._completions[stack.state] = tuple(self._completed(stack.state))
        return self._completions[stack.state]

    def _completed(self, state: int) -> list[_Completion]:
        if state == self._grammar.start:
            starts = [rule for rule in self._grammar.rules if self._leads(state, (rule.origin,)) == self._grammar.end]
            return [_Completion(rule, 0, self._shortest_of(rule.symbols)) for rule in starts]
        return [
            _Completion(rule, done, self._shortest_of(rule.symbols[done:]))
            for number, rule in enumerate(self._grammar.rules)
            for done in range(1, len(rule.symbols) + 1)
            if (last := self._leads(state, rule.symbols[done:])) is not None
            and ~number in self._grammar.actions[last].values()
        ]

    def _leads(self, state: int, symbols: Sequence[int | str]) -> int | None:
        """The state behind ``symbols``; ``None`` where they do not follow."""
        for symbol in symbols:
            moves = self._grammar.actions[state].get(symbol) if isinstance(symbol, int) else None
            following = self._grammar.gotos[state].get(symbol) if isinstance(symbol, str) else moves
            if following is None or following < 0:
                return None
            state = following
        return state

    def _shortest_of(self, symbols: Sequence[int | str]) -> _Terminals:
        return tuple(
            terminal
            for symbol in symbols
            for terminal in ((symbol,) if isinstance(symbol, int) else self._shortest[symbol])
        )

    @cached_property
    def _shortest(self) -> dict[str, _Terminals]:
        """The shortest terminals of every rule: better ones until nothing changes."""
        best: dict[str, _Terminals] = {}
        changed = True
        while changed:
            changed = False
            for rule in self._grammar.rules:
                parts = [(symbol,) if isinstance(symbol, int) else best.get(symbol) for symbol in rule.symbols]
                found = [part for part in parts if part is not None]
                if len(found) == len(parts):
                    terminals = tuple(terminal for part in found for terminal in part)
                    if rule.origin not in best or len(terminals) < len(best[rule.origin]):
                        best[rule.origin] = terminals
                        changed = True
        return best
