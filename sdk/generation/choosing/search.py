"""The most probable of the few values that a field may have, instead of the first good token of one.

A greedy choice of tokens takes the best first word, and lives with what it leads to. Where the values are known, those
of a document for a ``Verbatim`` field, they are compared as wholes, as a tree of tokens behind the text so far:

    "company": "  Ace    Books  "        0.55 x 0.5 x 1.0        Ace Books
                         Road   "        0.55 x 0.5 x 1.0        Ace Road
                Lee      Limited "       0.45 x 1.0 x 1.0        Lee Limited

Each token has its probability among those that lead to a value, as under a mask, and the tokens that end a value count
together. The probabilities of all values sum to 1. So they are what a sampler under the mask would draw by; what the
model would rather have written than any value does not count, which long values would suffer from: the products of
the model's own probabilities rank one-letter pieces first, and their means the longest numbers.

A small tree takes one forward pass. Of a larger one, branches are read from the most probable on, as many in a pass as
it takes at little cost, until no other can exceed the best value (uniform-cost search: a text's probability only
shrinks as it goes on). So however many passes it took, the value is the most probable one, and its probability exact.

Each value is spelled in the tokens that the model's tokenizer gives it. Trees in one pass are from SpecInfer (Miao et
al. 2023).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from sdk.generation.slots import Chunk

if TYPE_CHECKING:
    import torch

__all__ = ["Ending", "Scored", "Spelled", "ValueSearch"]

_RUNNERS_UP = 4
"""How many values are reported besides the best; chosen, not measured."""

_ROOT = -1


@dataclass(frozen=True, slots=True)
class Ending:
    """The tokens that may end a value: with what is missing of it, and what stands behind."""

    token_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A value as the model would write it: ``token_ids``, and a token of ``ending``. ``text``: what it is.

    ``bias``: added to its log-odds against the others.
    """

    text: bytes
    token_ids: tuple[int, ...]
    ending: Ending
    bias: float = 0.0


@dataclass(frozen=True, slots=True)
class Scored:
    """The best value.

    ``token_ids``: with the most probable one of its ending. ``removed``: for each of them, the share of the model's
    probability that lies on no value. ``texts``: the best value and the next of those that were read, each with its
    probability among all.
    """

    token_ids: list[int]
    removed: list[float]
    texts: list[tuple[bytes, float]]


@dataclass(slots=True)
class _Node:
    """A token behind others. ``log``: the log-probability of the text up to it, once its parent is read.

    ``bias``: added to its own log-odds. ``values``: how many begin with the text up to it. ``children``: by token.
    ``ends``: the values that may end behind it. ``kept``: once it is read, the share of the model's probability that
    goes on to children and ends.
    """

    token_id: int
    parent: int
    log: float | None = None
    bias: float = 0.0
    values: int = 0
    children: dict[int, int] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    kept: float | None = None


class ValueSearch:
    """One choice among ``values``, at least one: ``chunk``, ``numbers`` and ``read`` it pass by pass until ``best``.

    ``forced``: how many bytes all values begin with that are not part of them. ``branches``: whether chunks may have
    trees; otherwise a pass reads one branch.
    """

    def __init__(self, values: Sequence[Spelled], forced: int = 0, *, branches: bool) -> None:
        self.forced = forced
        self._values = values
        self._branches = branches
        self._root = _Node(-1, _ROOT, 0.0)
        self._nodes: list[_Node] = []
        self._ended: dict[int, tuple[float, int]] = {}  # of each value: its log-probability, and the token that ends it
        self._reading: list[int] = []
        for number, value in enumerate(values):
            self._insert(number, value)
        for value in values:
            self._own(value).bias = value.bias

    def _insert(self, number: int, value: Spelled) -> None:
        node = _ROOT
        for token_id in value.token_ids:
            node = self._child(node, token_id)
            self._nodes[node].values += 1
        self._node(node).ends.append(number)

    def _own(self, value: Spelled) -> _Node:
        """The first node that leads to no other value, or the last."""
        node = self._root
        for token_id in value.token_ids:
            node = self._nodes[node.children[token_id]]
            if node.values == 1:
                break
        return node

    def _child(self, parent: int, token_id: int) -> int:
        siblings = self._node(parent).children
        if token_id not in siblings:
            siblings[token_id] = len(self._nodes)
            self._nodes.append(_Node(token_id, parent))
        return siblings[token_id]

    def _node(self, number: int) -> _Node:
        return self._root if number == _ROOT else self._nodes[number]

    # What to read

    def chunk(self, slot: int, new_tokens: Sequence[int], width: int) -> Chunk:
        """What to read behind ``new_tokens``: about ``width`` tokens of the tree, the most probable branches."""
        self._reading = self._planned(width)
        places = {number: place for place, number in enumerate(self._reading)}
        token_ids = [*new_tokens, *(self._nodes[number].token_id for number in self._reading)]
        parents = [places.get(self._nodes[number].parent, -1) for number in self._reading]
        return Chunk(slot, token_ids, 1 + len(self._reading), parents if self._branches else ())

    def _planned(self, width: int) -> list[int]:
        """The nodes to read, each behind its parent: the best unread ones, and what leads to them."""
        planned: dict[int, None] = {}
        order = count()
        waiting = [(-log, next(order), number) for log, number in self._open()]
        heapq.heapify(waiting)
        while waiting and len(planned) < max(width, 1):
            bound, _, number = heapq.heappop(waiting)
            branch = self._leading_to(number, planned)
            room = max(width - len(planned), 0 if planned else len(branch))
            branch = [*branch, *self._chain(number)][:room]
            planned.update(dict.fromkeys(branch))
            if not self._branches:
                break
            last = branch[-1] if branch else number
            for child in self._node(last).children.values():
                heapq.heappush(waiting, (bound, next(order), child))
        return list(planned)

    def _open(self) -> Iterator[tuple[float, int]]:
        """The log-probabilities and numbers of the unread nodes whose parents are read."""
        for number in range(_ROOT, len(self._nodes)):
            node = self._node(number)
            if node.kept is None and node.log is not None:
                yield node.log, number

    def _leading_to(self, number: int, planned: Mapping[int, None]) -> list[int]:
        """The nodes on the way to ``number``, and itself, as far as they are not planned; the root is none."""
        branch = []
        while number != _ROOT and number not in planned:
            branch.append(number)
            number = self._nodes[number].parent
        return branch[::-1]

    def _chain(self, number: int) -> Iterator[int]:
        """What follows a node as long as there is no choice."""
        while len(following := [*self._node(number).children.values()]) == 1:
            (number,) = following
            yield number

    # What was read

    def numbers(self, logits: torch.Tensor) -> torch.Tensor:
        """What there is to know about a pass: float64 ``[N]``, on the device. ``logits``: float32 ``[keep, V]``."""
        import torch

        totals = logits.logsumexp(-1)
        parts: list[torch.Tensor] = []
        rows: list[int] = []
        token_ids: list[int] = []
        for row, node in enumerate(self._read_nodes()):
            for ending in self._endings(node):
                among = logits[row, list(ending.token_ids)]
                parts.append(torch.stack([(among.logsumexp(-1) - totals[row]).double(), among.argmax(-1).double()]))
            rows += [row] * len(node.children)
            token_ids += node.children
        parts.append((logits[rows, token_ids] - totals[rows]).double())
        return torch.cat(parts)

    def read(self, numbers: Sequence[float]) -> None:
        """Take what ``numbers`` gives for the last chunk."""
        rest = iter(numbers)
        nodes = self._read_nodes()
        ended = [
            {each: (next(rest), each.token_ids[int(next(rest))]) for each in self._endings(node)} for node in nodes
        ]
        for node, endings in zip(nodes, ended, strict=True):
            assert node.log is not None  # its parent comes before it
            children = [self._nodes[number] for number in node.children.values()]
            shares = [next(rest) for _ in children]
            node.kept = sum(map(math.exp, (*shares, *(share for share, _ in endings.values()))))
            shares = [share + child.bias for share, child in zip(shares, children, strict=True)]
            before = node.log - _log_sum([*shares, *(share for share, _ in endings.values())])
            for child, share in zip(children, shares, strict=True):
                child.log = before + share
            for number in node.ends:
                share, token_id = endings[self._values[number].ending]
                self._ended[number] = before + share, token_id

    def _read_nodes(self) -> list[_Node]:
        return [self._root, *(self._nodes[number] for number in self._reading)]

    def _endings(self, node: _Node) -> list[Ending]:
        return list(dict.fromkeys(self._values[number].ending for number in node.ends))

    # The result

    def best(self) -> Scored | None:
        """The most probable value; ``None`` where another one may be."""
        ranked = sorted(self._ended, key=lambda number: (-self._ended[number][0], number))
        if not ranked or max((log for log, _ in self._open()), default=-math.inf) > self._ended[ranked[0]][0]:
            return None
        texts = [(self._values[number].text, math.exp(self._ended[number][0])) for number in ranked[: 1 + _RUNNERS_UP]]
        value, (_, ending) = self._values[ranked[0]], self._ended[ranked[0]]
        return Scored([*value.token_ids, ending], list(self._removed(value)), texts)

    def _removed(self, value: Spelled) -> Iterator[float]:
        node = self._root
        for token_id in value.token_ids:
            yield max(0.0, 1 - (node.kept or 0.0))
            node = self._nodes[node.children[token_id]]
        yield max(0.0, 1 - (node.kept or 0.0))


def _log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most if most == -math.inf else most + math.log(sum(math.exp(log - most) for log in logs))
