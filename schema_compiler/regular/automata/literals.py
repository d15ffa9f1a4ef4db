"""The automaton of a list of texts, in time linear in their length.

Source: Daciuk et al., Incremental Construction of Minimal Acyclic Finite-State Automata (2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.minimize import breadth_first
from schema_compiler.regular.automata.operations import PRODUCT_BUDGET

__all__ = ["from_literals"]


def from_literals(texts: Iterable[bytes], *, limit: int = PRODUCT_BUDGET) -> Dfa:
    """The language of these texts, in time linear in their length.

    Texts come sorted, so the branch of the previous text is final once the next one leaves it, and equal branches are
    kept once (Daciuk et al., Incremental Construction of Minimal Acyclic Finite-State Automata, 2000).
    """
    register: dict[tuple[bool, tuple[tuple[int, int], ...]], int] = {}
    branch: list[tuple[bool, list[tuple[int, int]]]] = [(False, [])]
    previous = b""

    def fold(depth: int) -> None:
        while len(branch) > depth + 1:
            final, edges = branch.pop()
            number = register.setdefault((final, tuple(edges)), len(register))
            branch[-1][1].append((previous[len(branch) - 1], number))

    for text in sorted(set(texts)):
        fold(_common_prefix(previous, text))
        branch.extend((False, []) for _ in range(len(branch) - 1, len(text)))
        branch[len(text)] = (True, branch[len(text)][1])
        previous = text
        if len(register) > limit:
            raise CompileBudgetError(f"{len(register)} states are needed for a set of texts, the limit is {limit}")
    fold(0)
    final, edges = branch[0]
    register.setdefault((final, tuple(edges)), len(register))
    return _from_register(list(register))


def _from_register(nodes: Sequence[tuple[bool, tuple[tuple[int, int], ...]]]) -> Dfa:
    """The automaton of nodes, no two of them alike, whose last one is the start: only the numbers are put in order."""
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
    shorter = min(len(left), len(right))
    return next((at for at in range(shorter) if left[at] != right[at]), shorter)
