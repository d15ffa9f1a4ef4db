"""Deterministic finite automata over bytes: the languages of leaf rules.

A leaf rule (a string's text, a number, white space, a pattern) calls no other rule, so it is a plain DFA. Every
state of a ``Dfa`` can still reach acceptance, which makes "the next byte is legal" one table look-up.

Every operation returns the minimal automaton in canonical numbering: two languages are equal exactly when their
tables are (``digest``). Example: the texts ``ab`` and ``cb``, without ``cb``::

    difference(union(literal(b"ab"), literal(b"cb")), literal(b"cb")).shortest() == b"ab"
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

import numpy as np
from mypy_extensions import mypyc_attr

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.explore import STATE_BUDGET, Table, explore
from schema_compiler.regular.automata.minimize import Flags, Integers, breadth_first, columns, minimize

__all__ = [
    "PRODUCT_BUDGET",
    "Dfa",
    "any_of_all",
    "canonical",
    "concatenate",
    "crawl",
    "difference",
    "empty",
    "from_literals",
    "intersect",
    "literal",
    "optional",
    "union",
]

PRODUCT_BUDGET = 10 * STATE_BUDGET
"""Before minimisation; the same for sets of texts, which take no more than a row per byte."""

State = TypeVar("State", bound=Hashable)


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True, eq=False)
class Dfa:
    """A trimmed DFA; the start state is 0. The empty language is one state without edges that does not accept.

    ``table``: int32 ``[states, 256]``, the next state or -1. ``accepting``: bool ``[states]``.
    ``boundary``: bool ``[states]``, true where reading a byte that does not end the text begins a new character
    of a JSON string; all false outside strings. It is what length counters count.
    """

    table: Table
    accepting: Flags
    boundary: Flags

    def __len__(self) -> int:
        """The number of states."""
        return len(self.table)

    @property
    def is_empty(self) -> bool:
        """Whether no text at all is accepted."""
        return len(self.table) == 1 and not self.accepting[0]

    @property
    def digest(self) -> bytes:
        """16 bytes that identify the language and its boundaries, the same in every process.

        Neighbouring bytes mostly lead to the same place, so that only where they do not is read.
        """
        table = np.ascontiguousarray(self.table, "<i4")
        changes = table[:, 1:] != table[:, :-1]
        content = blake2b(len(table).to_bytes(8, "little"), digest_size=16)
        for part in (np.packbits(changes), table[:, 0], table[:, 1:][changes], self.accepting, self.boundary):
            content.update(part.tobytes())
        return content.digest()

    def accepts(self, text: bytes) -> bool:
        """Whether ``text`` as a whole is in the language."""
        state = 0
        for byte in text:
            state = int(self.table[state, byte])
            if state < 0:
                return False
        return bool(self.accepting[state])

    def shortest(self) -> bytes:
        """The shortest text of the language, the first in byte order; ``ValueError`` when it is empty."""
        texts = {0: b""}
        queue = [0]
        for state in queue:
            if self.accepting[state]:
                return texts[state]
            row = self.table[state]
            for byte in np.flatnonzero(row >= 0).tolist():
                target = int(row[byte])
                if target not in texts:
                    texts[target] = texts[state] + bytes((byte,))
                    queue.append(target)
        raise ValueError("the empty language has no shortest text")


def canonical(table: Table, accepting: Flags, boundary: Flags, classes: Integers | None = None) -> Dfa:
    """The minimal ``Dfa`` of any table that starts in state 0.

    ``table``: int32 ``[states, 256]``, or ``[states, n]`` with the column of every byte in ``classes``, intp ``[256]``,
    first columns first.
    """
    minimal, origin = minimize(table, accepting, accepting + 2 * boundary)
    wide = minimal if classes is None else minimal.take(classes, axis=1)
    return Dfa(wide, accepting[origin], boundary[origin])


def crawl(
    start: State,
    follow: Callable[[State], Iterable[tuple[Sequence[int], State]]],
    accepting: Callable[[State], bool],
    *,
    boundary: Callable[[State], bool] = lambda _: False,
    limit: int = STATE_BUDGET,
) -> Dfa:
    """The language of the automaton that ``follow`` describes; see ``explore``."""
    table, states = explore(start, follow, width=256, limit=limit)
    return canonical(
        table,
        np.fromiter(map(accepting, states), np.bool_, len(states)),
        np.fromiter(map(boundary, states), np.bool_, len(states)),
    )


def empty() -> Dfa:
    """The language without any text."""
    return crawl(0, lambda _: (), lambda _: False)


def literal(text: bytes) -> Dfa:
    """The language of this one text."""
    return crawl(
        0,
        lambda at: [((text[at],), at + 1)] if at < len(text) else (),
        lambda at: at == len(text),
        limit=len(text) + 1,
    )


def union(*parts: Dfa) -> Dfa:
    """Texts of any of ``parts``."""
    return any_of_all([(part,) for part in parts]) if parts else empty()


def intersect(*parts: Dfa) -> Dfa:
    """Texts of all ``parts`` (at least one)."""
    return any_of_all([parts])


def any_of_all(groups: Sequence[Sequence[Dfa]]) -> Dfa:
    """Texts of all parts of any of ``groups`` (at least one, of at least one part), in one pass."""
    parts = [part for group in groups for part in group]
    ends = np.cumsum([len(group) for group in groups])
    ranges = [range(end - len(group), end) for group, end in zip(groups, ends.tolist(), strict=True)]

    def accepting(flags: Flags) -> Flags:
        holds = np.zeros(flags.shape[1], np.bool_)
        for members in ranges:
            holds |= flags[members.start : members.stop].all(axis=0)
        return holds

    return _product(parts, accepting, ranges)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """Texts of ``left`` that are not in ``right``."""
    plain = Dfa(right.table, right.accepting, np.zeros_like(right.boundary))
    return _product((left, plain), lambda flags: flags[0] & ~flags[1], [range(1)])


def optional(part: Dfa) -> Dfa:
    """Texts of ``part``, and the empty text."""
    return union(part, literal(b""))


def concatenate(*parts: Dfa) -> Dfa:
    """A text of the first part, then one of the second, and so on: subset construction on (part, state)."""
    symbols = _symbol_groups([part.table for part in parts])

    def closed(threads: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        queue = list(threads)
        for index, state in queue:
            following = (index + 1, 0)
            if parts[index].accepting[state] and index + 1 < len(parts) and following not in threads:
                threads.add(following)
                queue.append(following)
        return frozenset(threads)

    def follow(threads: frozenset[tuple[int, int]]) -> Iterable[tuple[Sequence[int], frozenset[tuple[int, int]]]]:
        for group in symbols:
            targets = {(index, int(parts[index].table[state, group[0]])) for index, state in threads}
            targets = {thread for thread in targets if thread[1] >= 0}
            if targets:
                yield group, closed(targets)

    return crawl(
        closed({(0, 0)}) if parts else frozenset(),
        follow,
        lambda threads: not parts or any(i + 1 == len(parts) and parts[i].accepting[state] for i, state in threads),
        boundary=lambda threads: any(parts[index].boundary[state] for index, state in threads),
    )


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


def _symbol_groups(tables: Sequence[Table]) -> list[list[int]]:
    """Bytes that none of the tables tells apart, group by group."""
    _, classes = columns(np.concatenate(tables)) if tables else (None, np.zeros(256, np.intp))
    return [np.flatnonzero(classes == number).tolist() for number in range(int(classes.max()) + 1)]


def _product(parts: Sequence[Dfa], accepting: Callable[[Flags], Flags], groups: Sequence[range]) -> Dfa:
    """Run the automata side by side, as long as all of one of the ``groups`` go on; a group goes on together.

    ``accepting``: from bool ``[parts, states]`` to ``[states]``. A character begins where it does in any part.
    """
    if len(parts) == 1:
        return parts[0]
    representatives, classes = columns(np.concatenate([part.table for part in parts]))
    narrow = [part.table[:, representatives].tolist() for part in parts]
    for rows in narrow:
        rows.append([-1] * len(representatives))
    start = (0,) * len(parts)
    numbers = {start: 0}
    states = [start]
    table = []
    for state in states:
        targets = list(zip(*[rows[at] for rows, at in zip(narrow, state, strict=True)], strict=True))
        for target in dict.fromkeys(targets):
            if target not in numbers:
                alive = _alive(target, groups)
                number = numbers.setdefault(alive, len(states)) if alive else -1
                numbers[target] = number
                if number == len(states):
                    states.append(alive)
        table.append([numbers[target] for target in targets])
        if len(states) > PRODUCT_BUDGET:
            raise CompileBudgetError(f"a product of automata needs more than {PRODUCT_BUDGET} states, the limit")
    reached = np.array(states).T
    ends, begins = (
        np.stack([np.append(flag, False)[row] for flag, row in zip(flags, reached, strict=True)])
        for flags in ([part.accepting for part in parts], [part.boundary for part in parts])
    )
    return canonical(np.array(table, np.int32), accepting(ends), np.logical_or.reduce(begins), classes)


def _alive(target: tuple[int, ...], groups: Sequence[range]) -> tuple[int, ...]:
    """Where the parts go on, -1 for those of which another of their group does not; nothing if no group goes on."""
    if -1 not in target:
        return target
    going = list(target)
    for group in groups:
        if -1 in target[group.start : group.stop]:
            going[group.start : group.stop] = [-1] * len(group)
    return tuple(going) if any(going[group.start] >= 0 for group in groups) else ()
