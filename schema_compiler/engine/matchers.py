"""The matchers of a compiled grammar, and the budget of what they leave behind.

An engine remembers everything it works out: states, masks, scans, nodes. What a single document can add is bounded
by its length, but documents come without end. So when a matcher is asked for and the engine has outgrown its
budget, the next matchers start on an empty engine; those under way keep theirs until they are done. What belongs to
the vocabulary survives the change. A cache with eviction would have to visit every entry on the hot path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Generic, Protocol, TypeVar

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.masks import PushdownEngine
from schema_compiler.engine.tokens.scan import Scan, scan_key
from schema_compiler.engine.tokens.trie import NOWHERE, NodeSet
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import Grammar

__all__ = ["BoundedEngine", "GrammarMatchers"]

ENGINE_BUDGET = 1 << 28
"""How many bytes an engine may grow to before it is replaced, by its own estimate: 256 MiB.

Chosen as what a server can spare for each of a few grammars. A typical model's engine stays under a megabyte, so only
texts that are ever new (deep nesting, long counted strings) get there; starting anew then costs milliseconds.
"""


class Growing(Protocol):
    """Something that remembers more and more."""

    @property
    def size(self) -> int:
        """About how many bytes it has grown to."""


EngineT = TypeVar("EngineT", bound=Growing)


class BoundedEngine(Generic[EngineT]):
    """An engine that is made anew when it has outgrown ``budget`` bytes."""

    def __init__(self, make: Callable[[], EngineT], budget: int = ENGINE_BUDGET) -> None:
        self._make = make
        self._budget = budget
        self._engine = make()

    def current(self) -> EngineT:
        """The engine for whatever begins now."""
        if self._engine.size > self._budget:
            self._engine = self._make()
        return self._engine


class GrammarMatchers:
    """Makes matchers. ``grammar`` is called for each engine, since lowered rules are part of what grows."""

    def __init__(self, grammar: Callable[[], Grammar], vocabulary: Vocabulary, *, budget: int = ENGINE_BUDGET) -> None:
        self._numbers = count(1)
        self._engines = BoundedEngine(partial(_new_engine, grammar, vocabulary, self._numbers), budget)

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:
        """A new matcher on the current engine; with leaves of its own, on an engine that shares what it can."""
        engine = self._engines.current()
        return Matcher(RequestEngine(engine, bound, self._numbers) if bound else engine)


def _new_engine(grammar: Callable[[], Grammar], vocabulary: Vocabulary, numbers: Iterator[int]) -> PushdownEngine:
    """No method, so that matchers and engines do not hold each other: a grammar without users is freed at once."""
    return PushdownEngine(Automaton(Graph(grammar()), vocabulary.leaves), vocabulary, numbers)


class RequestEngine(PushdownEngine):
    """An engine with leaves of one request: scans that touch none of them are shared with the general engine."""

    def __init__(self, general: PushdownEngine, bound: Mapping[str, LeafLanguage], numbers: Iterator[int]) -> None:
        self._general = general
        self._touched = False
        automaton = Automaton(general.automaton.graph, general.automaton.leaves, bound)
        super().__init__(automaton, general.vocabulary, numbers)

    def scan(self, node_set: NodeSet, node: int) -> Scan:
        """As ``PushdownEngine.scan``; notes on the way whether a leaf of the request had a say."""
        if node >= LEAF:
            language, inner = self.automaton.language(node)
            self._touched |= self.automaton.is_of_request(node)
            return language.scan(self._trie, node_set, inner)
        key = scan_key(node_set, node)
        if key in self._scans:
            self._touched = True
            return self._scans[key]
        shared = self._general._scans
        if key not in shared:
            outer, self._touched = self._touched, False
            scan = self._scan(node_set, node)
            (self._scans if self._touched else shared)[key] = scan
            self._touched |= outer
            return scan
        return shared[key]

    def _united(self, exits: Sequence[NodeSet], *, nullable: bool) -> tuple[NodeSet, bool, tuple[NodeSet, ...]]:
        """The sets as they are where a leaf of the request had a say: their union would stay in the vocabulary."""
        return (NOWHERE, nullable, tuple(exits)) if self._touched else super()._united(exits, nullable=nullable)
