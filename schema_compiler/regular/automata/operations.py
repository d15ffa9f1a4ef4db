"""Languages combined: unions, intersections, differences and concatenations of automata.

Unions, intersections and differences run automata side by side (the product construction, Rabin and Scott, 1959); a
concatenation is a subset construction. Each result is minimal.

The texts ``ab`` and ``cb``, without ``cb``::

    difference(union(literal(b"ab"), literal(b"cb")), literal(b"cb")).shortest() == b"ab"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa, canonical, crawl, empty, literal
from schema_compiler.regular.automata.explore import STATE_BUDGET, Table
from schema_compiler.regular.automata.minimize import Booleans, columns

__all__ = ["PRODUCT_BUDGET", "any_of_all", "concatenate", "difference", "intersect", "optional", "union"]


PRODUCT_BUDGET = 10 * STATE_BUDGET
"""The most states of a product before minimisation, and of the automaton of a list of texts.

Two automata of ``STATE_BUDGET`` states can have the square of that many pairs. Ten times that budget is chosen, not
measured: products are made of narrow rows, and mostly shrink when they are minimised.
"""


def union(*parts: Dfa) -> Dfa:
    """Texts of any of ``parts``; ``CompileBudgetError`` beyond ``PRODUCT_BUDGET``."""
    return any_of_all([(part,) for part in parts]) if parts else empty()


def intersect(*parts: Dfa) -> Dfa:
    """Texts of all ``parts`` (at least one part); ``CompileBudgetError`` beyond ``PRODUCT_BUDGET``."""
    return any_of_all([parts])


def any_of_all(groups: Sequence[Sequence[Dfa]]) -> Dfa:
    """The union of intersections: texts of all parts of at least one of the ``groups``, in one pass.

    ``any_of_all([(a, b), (c,)])`` is "a and b, or c". There must be a group, and a part in each. Raises
    ``CompileBudgetError`` beyond ``PRODUCT_BUDGET``.
    """
    parts = [part for group in groups for part in group]
    ends = np.cumsum([len(group) for group in groups])
    ranges = [range(end - len(group), end) for group, end in zip(groups, ends.tolist(), strict=True)]

    def accepting(flags: Booleans) -> Booleans:
        holds = np.zeros(flags.shape[1], np.bool_)
        for members in ranges:
            holds |= flags[members.start : members.stop].all(axis=0)
        return holds

    return _product(parts, accepting, ranges)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """Texts of ``left`` that are not in ``right``, with the boundaries of ``left``.

    Raises ``CompileBudgetError`` beyond ``PRODUCT_BUDGET``.
    """
    plain = Dfa(right.table, right.accepting, np.zeros_like(right.boundary))
    return _product((left, plain), lambda flags: flags[0] & ~flags[1], [range(1)])


def optional(part: Dfa) -> Dfa:
    """Texts of ``part``, and the empty text."""
    return union(part, literal(b""))


def concatenate(*parts: Dfa) -> Dfa:
    """A text of the first part, then one of the second, and so on; without parts, the empty text.

    A subset construction whose threads are pairs (part, state). Raises ``CompileBudgetError`` beyond ``STATE_BUDGET``.
    """
    symbols = _symbol_groups([part.table for part in parts])

    def closure(threads: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        """With every accepting thread, one at the start of the next part."""
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
                yield group, closure(targets)

    return crawl(
        closure({(0, 0)}) if parts else frozenset(),
        follow,
        lambda threads: not parts or any(i + 1 == len(parts) and parts[i].accepting[state] for i, state in threads),
        boundary=lambda threads: any(parts[index].boundary[state] for index, state in threads),
    )


def _symbol_groups(tables: Sequence[Table]) -> list[list[int]]:
    """All bytes, in groups that none of the tables tells apart."""
    _, classes = columns(np.concatenate(tables)) if tables else (None, np.zeros(256, np.intp))
    return [np.flatnonzero(classes == number).tolist() for number in range(int(classes.max()) + 1)]


def _product(parts: Sequence[Dfa], accepting: Callable[[Booleans], Booleans], groups: Sequence[range]) -> Dfa:
    """Run the automata side by side: a state of the product is a tuple of their states.

    A part that has no next state takes the other parts of its group with it, and the product ends once all ``groups``
    (ranges of numbers of parts) are gone; a part in no group may be gone at any time. ``accepting`` maps the flags of
    the parts, bool ``[parts, states]``, to those of the product, bool ``[states]``. A character begins where it begins
    in any part.
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
                live = _without_dead_groups(target, groups)
                number = numbers.setdefault(live, len(states)) if live else -1
                numbers[target] = number
                if number == len(states):
                    states.append(live)
        table.append([numbers[target] for target in targets])
        if len(states) > PRODUCT_BUDGET:
            raise CompileBudgetError(f"a product of automata needs more than {PRODUCT_BUDGET} states, the limit")
    reached = np.array(states).T
    ends, begins = (
        np.stack([np.append(flag, False)[row] for flag, row in zip(flags, reached, strict=True)])
        for flags in ([part.accepting for part in parts], [part.boundary for part in parts])
    )
    return canonical(np.array(table, np.int32), accepting(ends), np.logical_or.reduce(begins), classes)


def _without_dead_groups(target: tuple[int, ...], groups: Sequence[range]) -> tuple[int, ...]:
    """The states of a product, all of a group -1 when one of them is; the empty tuple when no group is left."""
    if -1 not in target:
        return target
    states = list(target)
    for group in groups:
        if -1 in target[group.start : group.stop]:
            states[group.start : group.stop] = [-1] * len(group)
    return tuple(states) if any(states[group.start] >= 0 for group in groups) else ()
