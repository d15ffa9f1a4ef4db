"""Expected future grammaticality: how much of a model's probability below a prefix ends in legal documents.

A mask looks one token ahead, so a token counts for as much before a single legal exit as before many. It should count
by the chance that the model, left alone after it, writes a legal document:

    after 0 only 0 may come, which the model writes 1 time in 10; after 1 anything may

    prefix       weight by a mask   expected future grammaticality
    0            1                  0.1
    1            1                  1

The true numbers need all futures. This is a trie of the prefixes that were sampled, with an upper bound at each node:
1 before the model was asked there, and afterwards the sum over legal tokens of their probability times their bound.
What a mask removed at a node lowers the bounds of all nodes above it, so with every draw the bounds come closer, from
above, and where everything was seen they are exact.

Sources: Park et al., "Grammar-Aligned Decoding" (arXiv 2405.21047), section 4. Parys et al., "Constrained Adaptive
Rejection Sampling" (arXiv 2510.01902), keep the same numbers, as mass that rejection need not visit again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["ExpectedFutureGrammaticality", "Node"]

_KEPT_BY_TRIM = 0.75
"""The share of the node budget that a trim leaves, so that a trim, which visits every node, is rare; not measured."""


class Node:
    """A prefix that was sampled.

    ``probability``: of ``token`` after the parent's prefix, under the model. ``kept``: the share of probability that
    the mask leaves here, 1 before the model was asked. ``estimate``: an upper bound of the expected future
    grammaticality. ``visits``: how often a draw or an attempt came through.
    """

    __slots__ = ("children", "estimate", "kept", "parent", "probability", "token", "visits")

    def __init__(self, parent: Node | None, token: int, probability: float) -> None:
        self.parent = parent
        self.token = token
        self.probability = probability
        self.kept = 1.0
        self.estimate = 1.0
        self.visits = 0
        self.children: dict[int, Node] = {}

    def look(self, kept: float) -> None:
        """Record the share of probability that the mask leaves here; 0 when no legal document has this prefix."""
        self.kept = min(self.kept, kept)

    def refresh(self) -> None:
        """Compute the estimate from those of the children; tokens without a node count in full."""
        lost = sum(child.probability * (1.0 - child.estimate) for child in self.children.values())
        self.estimate = min(1.0, max(0.0, self.kept - lost))

    def estimates(self, token_ids: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """The estimates after each of ``token_ids`` (ascending): float64 ``[k]``."""
        estimates = np.ones(len(token_ids))
        if self.children:
            indices = np.searchsorted(token_ids, list(self.children))
            estimates[indices] = [child.estimate for child in self.children.values()]
        return estimates


class ExpectedFutureGrammaticality:
    """Upper bounds, kept across draws of one prompt, grammar, model and temperature. Not shared between threads.

    ``key`` names what the numbers are about, ``""`` where the caller sees to that. ``max_nodes``: when there are more,
    ``trim`` forgets the prefixes that were visited least; what is forgotten counts in full again, so the numbers stay
    upper bounds. A node takes about 300 bytes (measured), so that the default, 131,072, takes 40 MB.
    """

    def __init__(self, *, key: str = "", max_nodes: int = 1 << 17) -> None:
        """Raises ``ValueError`` for fewer than one node."""
        if max_nodes < 1:
            raise ValueError(f"expected max_nodes to be at least 1, found {max_nodes}")
        self.key = key
        self.max_nodes = max_nodes
        self.root = Node(None, -1, 1.0)
        self.size = 1

    @property
    def is_full(self) -> bool:
        """Whether there are more nodes than ``max_nodes``, so that it is time for a ``trim``."""
        return self.size > self.max_nodes

    def find(self, prefix: Iterable[int]) -> Node | None:
        """The node of a prefix, ``None`` where there is none."""
        node: Node | None = self.root
        for token in prefix:
            if node is None:
                return None
            node = node.children.get(token)
        return node

    def estimate(self, prefix: Sequence[int] = ()) -> float:
        """An upper bound of the chance that the model, after ``prefix``, writes the rest of a legal document."""
        node = self.find(prefix)
        return 1.0 if node is None else node.estimate

    def visit(self, node: Node, token: int, probability: float) -> Node:
        """The node after ``token``, which is made when there is none; ``probability``: of the token under the model."""
        child = node.children.get(token)
        if child is None:
            child = self.adopt(node, token, probability)
        child.visits += 1
        return child

    def adopt(self, node: Node, token: int, probability: float) -> Node:
        """A new node under ``node``."""
        child = node.children[token] = Node(node, token, probability)
        self.size += 1
        return child

    def settle(self, node: Node) -> None:
        """Compute the estimates anew from ``node`` up to the root."""
        ancestor: Node | None = node
        while ancestor is not None:
            ancestor.refresh()
            ancestor = ancestor.parent

    def trim(self) -> None:
        """Forget the prefixes visited least, of equal ones the longest, down to three quarters of ``max_nodes``.

        A node is never visited more than its parent, so the order has every node before its parent.
        """
        nodes = [(node.visits, -depth, node) for node, depth in _below(self.root) if node.parent is not None]
        nodes.sort(key=lambda entry: entry[:2])
        surplus = max(0, self.size - max(1, int(self.max_nodes * _KEPT_BY_TRIM)))
        for _, _, node in nodes[:surplus]:
            assert node.parent is not None
            del node.parent.children[node.token]
        self.size -= surplus
        for node, _ in sorted(_below(self.root), key=lambda entry: -entry[1]):
            node.refresh()

    def nodes(self) -> Iterator[Node]:
        """All nodes, parents before their children."""
        return (node for node, _ in _below(self.root))


def _below(node: Node) -> Iterator[tuple[Node, int]]:
    """``node`` and all under it with their depths, parents first."""
    waiting = [(node, 0)]
    while waiting:
        above, depth = waiting.pop()
        yield above, depth
        waiting.extend((child, depth + 1) for child in above.children.values())
