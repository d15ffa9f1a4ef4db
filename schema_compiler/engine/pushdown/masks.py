"""The token mask of each state: which tokens the pushdown automaton admits.

The mask of a state is the union over its threads of what their nodes admit at the start of a token; where a rule can
end inside a token, the walk goes on from there at the caller's return node, up the stack as far as any token reaches.
This is XGrammar's context expansion (arXiv 2411.15100, section 3.2), exact at every depth. ``state -> mask`` is a
look-up once seen, and states whose scans are the same share one mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.choices import choices
from schema_compiler.engine.pushdown.repeats import Repeats
from schema_compiler.engine.pushdown.stacks import Stack, Thread, frames_of
from schema_compiler.engine.pushdown.states import State, States
from schema_compiler.engine.tokens.scan import Scan, scan_key, scan_nbytes
from schema_compiler.engine.tokens.token_sets import TokenSet, mask_without, union_of
from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, NodeSet, TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

__all__ = ["PushdownEngine"]

_FEW_EDGES = 8
"""So many edges are tried one by one; beyond, the bytes that some token goes on with, which are few inside tokens.

Chosen, not measured: most nodes have one edge or a dozen.
"""
_NODE_BYTES = 700
"""About what a node of the graph takes, with the rules it was made from."""


class PushdownEngine(States):
    """Everything known about one compiled grammar over one vocabulary. Shared by all its matchers and threads."""

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, numbers: Iterator[int] | None = None) -> None:
        super().__init__(automaton, vocabulary, numbers)
        self._trie = automaton.leaves.trie
        self._repeats = Repeats(automaton, vocabulary)
        self._eos = tuple(sorted(vocabulary.eos_token_ids))
        self._scans: dict[int, Scan] = {}
        self._masks: dict[tuple[bool, tuple[Scan, ...]], TokenMask] = {}

    @property
    def size(self) -> int:
        """About how many bytes the engine has grown to, graph and scans included, leaves aside."""
        tables = len(self._scans) * scan_nbytes(()) + len(self.automaton.nodes) * _NODE_BYTES
        return self.nbytes + tables + len(self._masks) * self._trie.words * 4

    def choices(self, state: State, limit: int) -> list[list[bytes]] | None:
        """See ``Matcher.choices``."""
        return choices(self, state, limit)

    def mask(self, state: State) -> TokenMask:
        """The packed token mask of a state, EOS included when the document may end. Read-only."""
        if state.mask is None:
            scans = tuple(sorted(dict.fromkeys(self._scans_up_the_stack(state.threads)), key=id))
            key = (self.complete(state), scans)
            mask = self._masks.get(key)
            if mask is None:
                mask = self._masks.setdefault(key, self._union(scans, ends=key[0]))
            state.mask = self._without_repeats(state, mask) if self.automaton.remembers else mask
        return state.mask

    def _union(self, scans: Iterable[Scan], *, ends: bool) -> TokenMask:
        token_sets: list[TokenSet] = [self._eos] if ends else []
        for scan in scans:
            token_sets += scan.token_sets
        mask = union_of(token_sets, self._trie)
        mask.flags.writeable = False
        return mask

    def _without_repeats(self, state: State, mask: TokenMask) -> TokenMask:
        """The mask less the tokens that would complete a text a second time, each found out by reading it."""
        suspects = self._repeats.suspects(self.closed(state), mask)
        illegal = [token for token in suspects if self.follow(state, token) is None]
        if not illegal:
            return mask
        less = mask_without(mask, illegal)
        less.flags.writeable = False
        return less

    def _scans_up_the_stack(self, threads: Iterable[Thread]) -> Iterator[Scan]:
        """The scans whose tokens make up a mask: of each thread's node, then of its callers as far as tokens reach."""
        waiting: list[tuple[NodeSet, int, Stack | None]] = [(ROOT, node, stack) for node, stack in threads]
        seen = set(waiting)
        while waiting:
            node_set, node, stack = waiting.pop()
            scan = self.scan(node_set, node)
            if scan.token_sets:
                yield scan
            for caller in frames_of(stack) if scan.nullable or scan.exits != NOWHERE or scan.apart else ():
                for following in (node_set if scan.nullable else NOWHERE, scan.exits, *scan.apart):
                    if following != NOWHERE and (item := (following, caller.node, caller.below)) not in seen:
                        seen.add(item)
                        waiting.append(item)

    def scan(self, node_set: NodeSet, node: int) -> Scan:
        """What the rule of ``node`` admits from ``node_set``, callers aside; memoised."""
        if node >= LEAF:
            language, inner = self.automaton.language(node)
            return language.scan(self._trie, node_set, inner)
        key = scan_key(node_set, node)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(node_set, node))
        return scan

    def _scan(self, node_set: NodeSet, node: int) -> Scan:
        """Rule and trie side by side: an edge moves in both, a call goes on wherever the callee's scan ends."""
        automaton, trie = self.automaton, self._trie
        ids: list[int] = []
        token_sets: dict[int, TokenSet] = {}
        exits: list[NodeSet] = []
        nullable = False
        waiting = [(node_set, node)]
        seen = set(waiting)
        while waiting:
            here, number = waiting.pop()
            current = automaton.nodes[number] or automaton.node(number)
            reached: list[tuple[NodeSet, int]] = []
            edges = current.edges
            if current.text:
                for byte in current.text:
                    here = trie.advance(here, byte, ids)
                    if here == NOWHERE:
                        break
                else:
                    reached.append((here, current.after))
            elif edges:
                for byte in edges if len(edges) < _FEW_EDGES else trie.bytes_from(here):
                    if (targets := edges.get(byte)) and (onward := trie.advance(here, byte, ids)) != NOWHERE:
                        reached += [(onward, target) for target in targets]
            for callee, back in current.calls:
                inner = self.scan(here, automaton.start(callee))
                token_sets.update((id(token_set), token_set) for token_set in inner.token_sets)
                if inner.nullable:
                    reached.append((here, back))
                if inner.exits != NOWHERE:
                    reached.append((inner.exits, back))
                for apart in inner.apart:
                    reached.append((apart, back))
            if current.accepting:
                if here == node_set:
                    nullable = True
                else:
                    exits.append(here)
            for item in reached:
                if item not in seen:
                    seen.add(item)
                    waiting.append(item)
        if ids:
            token_sets[0] = tuple(ids)
        return Scan(tuple(token_sets.values()), *self._united(list(dict.fromkeys(exits)), nullable=nullable))

    def _united(self, exits: Sequence[NodeSet], *, nullable: bool) -> tuple[NodeSet, bool, tuple[NodeSet, ...]]:
        """What a ``Scan`` says about where a rule ends: here all nodes of ``exits`` as one set."""
        return self._trie.union(exits), nullable, ()
