"""The shortest way to finish a document, from any state.

The cost of a node is the least number of bytes that end its rule (Knuth's generalisation of Dijkstra's algorithm to
grammars). Rules are met lazily: a callee is only looked at when the search inside a rule would otherwise pass
through it before it has found a cheaper end, so optional parts of a large schema are never touched.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping

from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.stacks import Frame, Stack, Thread, frames_of

__all__ = ["Completion"]

_UNKNOWN = 1 << 60


class Completion:
    """Shortest completions over one automaton, memoised per node."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._costs: dict[int, int] = {}

    def closing(self, threads: Collection[Thread]) -> bytes:
        """The shortest byte string that completes the document from any of ``threads`` (at least one)."""
        costs = self._stack_costs(threads)
        node, stack = min(threads, key=lambda thread: self._cost(thread[0]) + _least(thread[1], costs))
        text = [self._spell(node)]
        while stack is not None:
            frame = min(frames_of(stack), key=costs.__getitem__)
            text.append(self._spell(frame.node))
            stack = frame.below
        return b"".join(text)

    def _stack_costs(self, threads: Iterable[Thread]) -> dict[Frame, int]:
        """What it costs to return to each frame and all below it."""
        costs: dict[Frame, int] = {}
        waiting = [frame for _, stack in threads for frame in frames_of(stack)]
        while waiting:
            frame = waiting[-1]
            open_frames = [below for below in frames_of(frame.below) if below not in costs]
            if open_frames:
                waiting += open_frames
            else:
                costs[waiting.pop()] = self._cost(frame.node) + _least(frame.below, costs)
        return costs

    def _cost(self, node: int) -> int:
        cost = self._costs.get(node)
        if cost is None:
            if node >= LEAF:
                return self._leaf_cost(node)
            self._solve(node)
            cost = self._costs[node]
        return cost

    def _leaf_cost(self, node: int) -> int:
        """Kept for the starts of leaves, which every search passes; other states are as many as texts."""
        language, inner = self._automaton.language(node)
        cost = len(language.closing(inner))
        if inner == language.start:
            self._costs[node] = cost
        return cost

    def _solve(self, node: int) -> None:
        """Lower the costs of ``node`` and of the callees it needs until none changes."""
        open_costs = {node: _UNKNOWN}
        changed = True
        while changed:
            changed = False
            for start in reversed(list(open_costs)):  # callees met last are needed first
                cost, _, missing = self._search(start, open_costs)
                if cost < open_costs[start]:
                    open_costs[start], changed = cost, True
                for callee in missing:
                    if callee not in open_costs:
                        open_costs[callee], changed = _UNKNOWN, True
        self._costs.update(open_costs)

    def _search(self, start: int, open_costs: Mapping[int, int]) -> tuple[int, list[int | bytes], list[int]]:
        """Dijkstra inside one rule: the cost, the way (bytes and callees), and callees of unknown cost passed by."""
        automaton = self._automaton
        queue: list[tuple[int, int]] = [(0, start)]
        came: dict[int, tuple[int, int | bytes] | None] = {start: None}
        best = {start: 0}
        missing: list[int] = []
        while queue:
            cost, node = heapq.heappop(queue)
            if cost > best[node]:
                continue
            here = automaton.node(node)
            if here.accepting:
                return cost, _path(came, node), missing
            moves: list[tuple[int, int, int | bytes]] = [
                (cost + 1, target, bytes((byte,))) for byte, targets in here.edges.items() for target in targets
            ]
            if here.text:
                moves.append((cost + len(here.text), here.after, here.text))
            for callee, back in here.calls:
                first = automaton.start(callee)
                known = self._costs.get(first, open_costs.get(first)) if first < LEAF else self._cost(first)
                if known is None:
                    missing.append(first)
                elif known < _UNKNOWN:
                    moves.append((cost + known, back, first))
            for total, target, label in moves:
                if total < best.get(target, _UNKNOWN):
                    best[target], came[target] = total, (node, label)
                    heapq.heappush(queue, (total, target))
        return _UNKNOWN, [], missing

    def _spell(self, node: int) -> bytes:
        text = bytearray()
        waiting: list[int | bytes] = [node]
        while waiting:
            part = waiting.pop()
            if isinstance(part, bytes):
                text += part
            elif part >= LEAF:
                language, inner = self._automaton.language(part)
                text += language.closing(inner)
            else:
                self._cost(part)
                waiting.extend(reversed(self._search(part, {})[1]))
        return bytes(text)


def _least(stack: Stack | None, costs: Mapping[Frame, int]) -> int:
    return min((costs[frame] for frame in frames_of(stack)), default=0)


def _path(came: Mapping[int, tuple[int, int | bytes] | None], node: int) -> list[int | bytes]:
    path: list[int | bytes] = []
    while (step := came[node]) is not None:
        node, label = step
        path.append(label)
    return path[::-1]
