"""Texts compared as wholes: a tree of tokens behind the text so far, read from its most probable branches on.

    "company": "  Ace    Books  "        0.55 x 0.6 x 1.0        Ace Books
                         Road   "        0.55 x 0.4 x 1.0        Ace Road
                Lee      Limited "       0.45 x 1.0 x 1.0        Lee Limited

Each token has its share of the probability of those that lead to a text, as under a mask, and the tokens that may end a
text count together, so the shares of all texts sum to 1. A small tree takes one forward pass. Of a larger one, as many
branches are read in a pass as it takes at little cost, until no other can come near the best text (uniform-cost search:
a text's share only shrinks as it goes on). So what is found does not depend on how many passes it took.

Trees in one pass are from SpecInfer (Miao et al. 2023).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING

from sdk.generation.slots import Chunk

if TYPE_CHECKING:
    import torch

__all__ = ["Ending", "Spelled", "TreeSearch"]

_ROOT = -1


@dataclass(frozen=True, slots=True)
class Ending:
    """The tokens that may end a text: with what is missing of it, and what stands behind."""

    token_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text as the model would write it: ``token_ids``, and a token of ``ending``.

    ``bias``: added to its log-odds against the others.
    """

    token_ids: tuple[int, ...]
    ending: Ending
    bias: float = 0.0


@dataclass(slots=True)
class _Node:
    """A token behind others.

    ``share``: the logarithm of the share of the text up to it, once its parent is read; ``log``: the model's own
    log-probability of it. ``bias``: added to its own log-odds. ``texts``: how many begin like this. ``children``: by
    token. ``ends``: the texts that may end behind it. ``kept``: once it is read, the part of the model's probability
    that goes on to children and ends.
    """

    token_id: int
    parent: int
    share: float | None = None
    log: float = 0.0
    bias: float = 0.0
    texts: int = 0
    children: dict[int, int] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    kept: float | None = None


@dataclass(frozen=True, slots=True)
class _Ended:
    """A text that is read: the logarithm of its share, its log-probability, and the token that ends it."""

    share: float
    log: float
    token_id: int


class TreeSearch:
    """A search among ``texts``, at least one: ``chunk``, ``numbers`` and ``read`` pass by pass, until it ``is_done``.

    ``margin``: how far below the best one, as a logarithm, the shares of texts are read for certain. ``branches``:
    whether chunks may have trees; otherwise a pass reads one branch.
    """

    def __init__(self, texts: Sequence[Spelled], *, margin: float, branches: bool) -> None:
        self._margin = margin
        self._texts = texts
        self._branches = branches
        self._root = _Node(-1, _ROOT, share=0.0)
        self._nodes: list[_Node] = []
        self._ended: dict[int, _Ended] = {}
        self._reading: list[int] = []
        for number, text in enumerate(texts):
            self._insert(number, text)
        for text in texts:
            self._own(text).bias = text.bias

    def _insert(self, number: int, text: Spelled) -> None:
        node = _ROOT
        for token_id in text.token_ids:
            node = self._child(node, token_id)
            self._nodes[node].texts += 1
        self._node(node).ends.append(number)

    def _own(self, text: Spelled) -> _Node:
        """The first node that leads to no other text, or the last."""
        node = self._root
        for token_id in text.token_ids:
            node = self._nodes[node.children[token_id]]
            if node.texts == 1:
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
        """What to read behind ``new_tokens``: about ``width`` new tokens of the tree, the most probable branches."""
        self._reading = self._planned(width)
        places = {number: place for place, number in enumerate(self._reading)}
        token_ids = [*new_tokens, *(self._nodes[number].token_id for number in self._reading)]
        parents = [places.get(self._nodes[number].parent, -1) for number in self._reading]
        return Chunk(slot, token_ids, 1 + len(self._reading), parents if self._branches else ())

    def _planned(self, width: int) -> list[int]:
        """The nodes to read, each behind its parent: the best unread ones, ``width`` or so, and what leads to them."""
        planned: dict[int, None] = {}
        order = count()
        waiting = [(-share, next(order), number) for share, number in self._open()]
        heapq.heapify(waiting)
        unread = 0
        while waiting and unread < max(width, 1):
            bound, _, number = heapq.heappop(waiting)
            branch = self._leading_to(number, planned)
            room = width - unread
            branch += islice(self._chain(number), max(room - 1, 0))
            planned.update(dict.fromkeys(branch))
            unread += sum(self._node(each).kept is None for each in branch)
            if not self._branches:
                break
            last = branch[-1] if branch else number
            for child in self._node(last).children.values():
                heapq.heappush(waiting, (bound, next(order), child))
        return list(planned)

    def _open(self) -> Iterator[tuple[float, int]]:
        """The shares, as logarithms, and numbers of the unread nodes whose parents are read."""
        for number in range(_ROOT, len(self._nodes)):
            node = self._node(number)
            if node.kept is None and node.share is not None:
                yield node.share, number

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

        nodes = self._read_nodes()
        rows = [row for row, node in enumerate(nodes) for _ in node.children]
        token_ids = [token_id for node in nodes for token_id in node.children]
        totals = logits.logsumexp(-1)
        parts = [logits[rows, token_ids] - totals[rows]]
        for ending, ended in self._ended_rows(nodes).items():
            among = logits[ended][:, list(ending.token_ids)]
            parts += [among.logsumexp(-1) - totals[ended], among.argmax(-1)]
        return torch.cat([part.double() for part in parts])

    def read(self, numbers: Sequence[float]) -> None:
        """Take what ``numbers`` gives for the last chunk."""
        rest = iter(numbers)
        nodes = self._read_nodes()
        children = [[(number, next(rest)) for number in node.children.values()] for node in nodes]
        ends: list[dict[Ending, tuple[float, int]]] = [{} for _ in nodes]
        for ending, rows in self._ended_rows(nodes).items():
            logs, places = ([next(rest) for _ in rows] for _ in range(2))
            for row, log, place in zip(rows, logs, places, strict=True):
                ends[row][ending] = log, ending.token_ids[int(place)]
        for node, going_on, ending_here in zip(nodes, children, ends, strict=True):
            self._settle(node, going_on, ending_here)

    def _settle(
        self, node: _Node, children: Sequence[tuple[int, float]], ends: Mapping[Ending, tuple[float, int]]
    ) -> None:
        """Take the log-probabilities behind a node: of its children, and of its endings, with a token of each."""
        assert node.share is not None  # its parent comes before it
        ended = [log for log, _ in ends.values()]
        node.kept = sum(map(math.exp, (*(log for _, log in children), *ended)))
        biased = [(self._nodes[number], log + self._nodes[number].bias) for number, log in children]
        kept = _log_sum([*(log for _, log in biased), *ended])
        for child, log in biased:
            child.share, child.log = node.share + log - kept, node.log + log
        for number in node.ends:
            log, token_id = ends[self._texts[number].ending]
            self._ended[number] = _Ended(node.share + log - kept, node.log + log, token_id)

    def _read_nodes(self) -> list[_Node]:
        return [self._root, *(self._nodes[number] for number in self._reading)]

    def _ended_rows(self, nodes: Sequence[_Node]) -> dict[Ending, list[int]]:
        """The rows where texts may end, by how."""
        rows: dict[Ending, list[int]] = {}
        for row, node in enumerate(nodes):
            for ending in dict.fromkeys(self._texts[number].ending for number in node.ends):
                rows.setdefault(ending, []).append(row)
        return rows

    # The result

    @property
    def is_done(self) -> bool:
        """Whether all texts within the margin are read."""
        nearest = max((share for share, _ in self._open()), default=-math.inf)
        best = max((ended.share for ended in self._ended.values()), default=-math.inf)
        return nearest < best - self._margin or nearest == -math.inf

    def near(self) -> list[int]:
        """The numbers of the texts within the margin, that with the largest share first."""
        ranked = sorted(self._ended, key=lambda number: (-self._ended[number].share, number))
        least = self._ended[ranked[0]].share - self._margin
        return [number for number in ranked if self._ended[number].share >= least]

    def share(self, number: int) -> float:
        """The share of a text that is read, in [0, 1]: what a sampler under a mask would draw it by."""
        return math.exp(self._ended[number].share)

    def log(self, number: int) -> float:
        """The model's own log-probability of a text that is read."""
        return self._ended[number].log

    def token_ids(self, number: int) -> list[int]:
        """The tokens of a text that is read, with the most probable one of its ending."""
        return [*self._texts[number].token_ids, self._ended[number].token_id]

    def removed(self, number: int) -> list[float]:
        """For each token of a text that is read, the part of the model's probability that goes on to no text."""
        removed, node = [], self._root
        for token_id in self._texts[number].token_ids:
            removed.append(max(0.0, 1 - (node.kept or 0.0)))
            node = self._nodes[node.children[token_id]]
        return [*removed, max(0.0, 1 - (node.kept or 0.0))]


def _log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most if most == -math.inf else most + math.log(sum(math.exp(log - most) for log in logs))
