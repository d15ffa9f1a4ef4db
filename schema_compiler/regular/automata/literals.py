"""The automaton of a list of texts, in time linear in their length: the language of an enumeration.

Texts come sorted, so the branch of the previous text is final once the next text leaves it. Its states are then looked
up in a register that keeps equal states once, so that no larger automaton has to be minimised afterwards::

    bat, cat      start ──b,c──▶ · ──a──▶ · ──t──▶ end: the states of "at" are there once

Source: Daciuk et al., Incremental Construction of Minimal Acyclic Finite-State Automata (2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.minimize import breadth_first
from schema_compiler.regular.automata.operations import PRODUCT_BUDGET

__all__ = ["from_literals"]

_Node: TypeAlias = tuple[bool, tuple[tuple[int, int], ...]]
"""A state: whether it accepts, and its edges (byte, number of the next state)."""


def from_literals(texts: Iterable[bytes], *, limit: int = PRODUCT_BUDGET) -> Dfa:
    """The language of these texts, in any order; ``CompileBudgetError`` when it needs more than ``limit`` states."""
    register: dict[_Node, int] = {}
    branch: list[tuple[bool, list[tuple[int, int]]]] = [(False, [])]  # the states on the way of the previous text
    previous = b""

    def register_beyond(depth: int) -> None:
        """Move the states of the branch that are deeper than ``depth`` to the register."""
        while len(branch) > depth + 1:
            final, edges = branch.pop()
            number = register.setdefault((final, tuple(edges)), len(register))
            branch[-1][1].append((previous[len(branch) - 1], number))

    for text in sorted(set(texts)):
        register_beyond(_common_prefix(previous, text))
        branch.extend((False, []) for _ in range(len(branch) - 1, len(text)))
        branch[len(text)] = (True, branch[len(text)][1])
        previous = text
        if len(register) > limit:
            raise CompileBudgetError(f"{len(register)} states are needed for a set of texts, the limit is {limit}")
    register_beyond(0)
    final, edges = branch[0]
    register.setdefault((final, tuple(edges)), len(register))
    return _from_register(list(register))


def _from_register(nodes: Sequence[_Node]) -> Dfa:
    """The automaton of different nodes, the last of them the start; only their numbers are still to be put in order."""
    letters = sorted({byte for _, edges in nodes for byte, _ in edges})
    column = {byte: number for number, byte in enumerate(letters)}
    table = np.full((len(nodes), len(letters) + 1), -1, np.int32)
    for number, (_, edges) in enumerate(nodes):
        for byte, target in edges:
            table[number, column[byte]] = target
    narrow, order = breadth_first(table, len(nodes) - 1)
    classes = [column.get(byte, len(letters)) for byte in range(256)]
    accepting = np.array([nodes[number][0] for number in order], np.bool_)
    return Dfa(narrow.take(classes, axis=1), accepting, np.zeros(len(order), np.bool_))


def _common_prefix(left: bytes, right: bytes) -> int:
    """How many bytes two texts begin with that are equal."""
    shorter = min(len(left), len(right))
    return next((at for at in range(shorter) if left[at] != right[at]), shorter)
