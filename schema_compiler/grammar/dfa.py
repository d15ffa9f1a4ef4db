"""Deterministic finite automata over bytes: the languages of leaf rules.

A leaf rule (a string's text, a number, white space, a pattern) calls no other rule, so it is a plain DFA. Every
state of a ``Dfa`` can still reach acceptance, which makes "the next byte is legal" one table look-up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Dfa"]


@dataclass(frozen=True, slots=True, eq=False)
class Dfa:
    """A trimmed DFA; the start state is 0.

    ``table``: int32 ``[states, 256]``, the next state or -1. ``accepting``: bool ``[states]``.
    ``boundary``: bool ``[states]``, true where reading a byte that does not end the text begins a new character
    of a JSON string; all false outside strings. It is what length counters count.
    """

    table: npt.NDArray[np.int32]
    accepting: npt.NDArray[np.bool_]
    boundary: npt.NDArray[np.bool_]
