"""What one rule says about the tokens that go on from a set of trie nodes, its callers left aside.

A token may end inside the rule, which then admits it whatever stands around: it is context-independent (XGrammar, arXiv
2411.15100, section 3.1). Or the rule may have ended somewhere inside the token: then its callers decide about the rest.
For a string that has been opened, over the tokens ``ab``, ``ab"`` and ``",``::

    token_sets   {ab, ab"}        exits   {the node behind the quote of ",}        nullable   no
"""

from __future__ import annotations

from collections.abc import Iterable

from mypy_extensions import mypyc_attr

from schema_compiler.engine.tokens.token_sets import TokenSet, nbytes_of
from schema_compiler.engine.tokens.trie import NodeSet

__all__ = ["Scan", "scan_key", "scan_key_parts", "scan_nbytes"]

_NODE_SET_BITS = 32
"""A vocabulary has fewer nodes and sets of nodes than this many bits can number."""

_SCAN_BYTES = 400
"""About what a scan takes beside its token sets: the object, its tuple, its key and its table entry."""


@mypyc_attr(acyclic=True)
class Scan:
    """``token_sets``: the context-independent tokens, those that end inside the rule.

    ``exits``: the trie nodes in longer tokens where the rule can have ended; its callers decide about those (the
    context-dependent remainder). ``nullable``: the rule may also end here, before the token goes on. ``apart``: more
    such nodes, each a set of its own: sets that one request alone needs would stay in the vocabulary's tables. Never
    changed.
    """

    __slots__ = ("apart", "exits", "nullable", "token_sets")

    def __init__(
        self, token_sets: tuple[TokenSet, ...], exits: NodeSet, nullable: bool, apart: tuple[NodeSet, ...] = ()
    ) -> None:
        self.token_sets = token_sets
        self.exits = exits
        self.nullable = nullable
        self.apart = apart


def scan_key(nodes: NodeSet, state: int) -> int:
    """The key of a scan from ``nodes`` in ``state``: one integer, which no garbage collector looks at."""
    return state << _NODE_SET_BITS | nodes


def scan_nbytes(token_sets: Iterable[TokenSet]) -> int:
    """About how many bytes a scan with these sets takes."""
    return _SCAN_BYTES + sum(map(nbytes_of, token_sets))


def scan_key_parts(key: int) -> tuple[NodeSet, int]:
    """The node set and the state of a key."""
    return key & (1 << _NODE_SET_BITS) - 1, key >> _NODE_SET_BITS
