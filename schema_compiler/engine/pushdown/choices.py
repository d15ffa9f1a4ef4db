"""The values that may be written next, where these are few: those that a leaf of the request lists, and constants.

    {"date":             "2024-03-01"  "2024-01-03"  null         two dates of a document, or none
    {"date": "2024-      03-01"        01-03"                     what is missing of them

Whoever generates can then compare whole values, instead of choosing the first token of one without seeing the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from schema_compiler.engine.pushdown.automaton import LEAF
from schema_compiler.engine.pushdown.stacks import Thread
from schema_compiler.engine.pushdown.states import State, States

__all__ = ["choices"]

_MOST_BYTES = 1 << 10
"""How long a constant may be, in bytes, to be listed. A power of two; chosen, not measured."""

_BEHIND_VALUES = frozenset(b",]} \t\r\n")
"""What stands behind a value that is no string."""

_BEFORE_VALUES = frozenset(b'"-0123456789tfn')
"""What strings, numbers and names begin with."""


def choices(states: States, state: State, limit: int) -> list[list[bytes]] | None:
    """What is missing of each value that may stand at ``state``, ``None`` where no leaf lists values, or others may.

    Each is a string with its closing quote, a number or a name; those in one list have the same behind them.
    ``limit``: with more of them than that, ``None`` too.
    """
    automaton = states.automaton
    found: dict[bytes, int] = {}
    groups: list[list[bytes]] = []
    constants: list[Thread] = []
    begun = False
    for node, stack in states.closed(state):
        if node < LEAF:
            constants.append((node, stack))
            continue
        language, inner = automaton.language(node)
        endings = language.value_endings(inner, limit + 1)
        if endings is None:
            return None
        begun = begun or inner != language.start
        groups.append(list(dict.fromkeys(endings)))
    if not groups or (begun and constants):
        return None
    for thread in constants:
        texts = _constants(states, thread, limit)
        if texts is None:
            return None
        groups.append(texts)
    distinct = [
        [text for text in group if found.setdefault(text, index) == index] for index, group in enumerate(groups)
    ]
    return [group for group in distinct if group] if len(found) <= limit else None


def _constants(states: States, thread: Thread, limit: int) -> list[bytes] | None:
    """The texts of the values that begin at ``thread``; ``None`` where these are not few, or something else does."""
    found: list[bytes] = []
    waiting: list[tuple[bytes, Sequence[Thread]]] = [(b"", (thread,))]
    while waiting:
        text, threads = waiting.pop()
        if len(text) > _MOST_BYTES or len(found) + len(waiting) > limit:
            return None
        quoted = text[:1] == b'"'
        if quoted and len(text) > 1 and text[-1:] == b'"' and _backslashes(text) % 2 == 0:
            found.append(text)
            continue
        following, complete = states.bytes_of(threads)
        if not quoted and text and (complete or following & _BEHIND_VALUES):
            found.append(text)
            following -= _BEHIND_VALUES
        if not text and not following <= _BEFORE_VALUES:
            return None
        waiting += [(text + bytes((byte,)), states.after_byte(threads, byte)) for byte in following]
    return found


def _backslashes(text: bytes) -> int:
    """How many stand before the last byte."""
    return len(text) - 1 - len(text[:-1].rstrip(b"\\"))
