"""A compiled schema bound to one document: matchers whose grounded fields write what stands there, and its evidence.

    grounded = compiled.bind("Ace Books, 3 March 2024")
    grounded.matcher()                                  # "shop": "Ace Books" is legal, "shop": "ACE" is not
    grounded.evidence('{"shop": "Ace Books"}')          # {("shop",): [Span(0, 9, "Ace Books")]}

The leaves of a document are made once for all its matchers. Where the document has no value for some of them, the
grammar is pruned of what would need one, before the first token: an optional field is left out, a list is empty, and if
nothing is left, ``UngroundedError`` names the fields. The grammars for the last few combinations of leaves without a
value are kept, since documents of one kind lack the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Protocol

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.tokens.trie import ROOT
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import UngroundedError
from schema_compiler.grammar.ir import NEVER, Grammar
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.grounding.document import Document, Span
from schema_compiler.grounding.evidence import Path, evidence_of, value_of
from schema_compiler.grounding.fields import missing_fields, needed_texts, pieces_in, sought
from schema_compiler.grounding.leaves import GroundedLeaf, grounded_leaf
from schema_compiler.schema.ir import NormalizedSchema, Piece

__all__ = ["Binder", "Grounded"]

_MOST_VARIANTS = 16
"""How many grammars are kept that are pruned for documents without a value for some fields.

A type with four optional fields has as many. Chosen, not measured; making one anew takes about as long as compiling.
"""


class Matchers(Protocol):
    """Makes matchers for one compiled grammar."""

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:
        """A new cursor at the start of a document."""


class Binder:
    """Binds a compiled schema to documents. Shared by threads.

    ``matchers`` are those of the whole grammar; ``lowered`` makes the grammar as lowered, for what is pruned of it.
    """

    def __init__(
        self,
        schema: NormalizedSchema,
        matchers: Matchers,
        lowered: Callable[[], Grammar],
        vocabulary: Vocabulary,
        *,
        is_grounded: bool,
    ) -> None:
        self._schema = schema
        self._matchers = matchers
        self._lowered = lowered
        self._vocabulary = vocabulary
        self._pieces: dict[str, Piece] | None = None if is_grounded else {}
        self._needed: dict[str, int] = {}
        self._variants: OrderedDict[frozenset[tuple[str, int]], Matchers] = OrderedDict()
        self._lock = Lock()

    def bind(self, text: str) -> Grounded:
        """The schema bound to a document; see ``CompiledSchema.bind``."""
        if self._pieces is None:
            self._needed = needed_texts(self._schema)
            self._pieces = pieces_in(self._schema)
        if not self._pieces:
            return Grounded(text, {}, self._matchers, self._schema)
        document = Document(text)
        leaves = {name: grounded_leaf(piece, document) for name, piece in self._pieces.items()}
        grounded = Grounded(text, leaves, self._matchers_for(leaves), self._schema)
        for leaf in leaves.values():
            if leaf.language is not None:  # the first mask shall not wait for what takes longest
                leaf.language.scan(self._vocabulary.trie, ROOT, leaf.language.start)
        return grounded

    def _matchers_for(self, leaves: Mapping[str, GroundedLeaf]) -> Matchers:
        """The matchers of the grammar without what needs more texts than the leaves have."""
        supply = dict(self._short_supply(leaves))
        if not supply:
            return self._matchers
        key = frozenset(supply.items())
        with self._lock:
            known = self._variants.get(key)
            if known is None:
                known = self._variants[key] = self._variant(supply)
            self._variants.move_to_end(key)
            if len(self._variants) > _MOST_VARIANTS:
                self._variants.popitem(last=False)
        return known

    def _short_supply(self, leaves: Mapping[str, GroundedLeaf]) -> Iterator[tuple[str, int]]:
        """The leaves with fewer texts than some part of the schema needs, and how many those are."""
        for name, leaf in leaves.items():
            needed, language = self._needed[name], leaf.language
            count = 0 if language is None else 1
            if language is not None and needed > 1:
                count = len(language.endings(language.start, needed))
            if count < needed:
                yield name, count

    def _variant(self, supply: Mapping[str, int]) -> Matchers:
        """Raises ``UngroundedError`` where the rest derives no document."""
        grammar = prune(self._lowered(), supply)
        if grammar.rules[grammar.start] is NEVER:
            pieces = self._pieces or {}
            raise UngroundedError(
                missing_fields(self._schema, supply) or [("", sought(pieces[name])) for name in supply]
            )
        lowered = self._lowered
        return GrammarMatchers(lambda: prune(lowered(), supply), self._vocabulary)


class Grounded:
    """A compiled schema bound to ``text``; ``CompiledSchema.bind`` makes it. Shared by threads.

    ``leaves``: what the document has for each kind of grounded field, by the names that the grammar's leaves have.
    """

    def __init__(
        self, text: str, leaves: Mapping[str, GroundedLeaf], matchers: Matchers, schema: NormalizedSchema
    ) -> None:
        self.text = text
        self.leaves = leaves
        self._matchers = matchers
        self._schema = schema
        self._bound = {name: leaf.language for name, leaf in leaves.items() if leaf.language is not None}

    def matcher(self) -> Matcher:
        """A new cursor at the start of a JSON document whose grounded values are read from ``text``."""
        return self._matchers.matcher(self._bound or None)

    def spans(self, name: str, text: str | bytes) -> list[Span]:
        """All places from which a field of the leaf ``name`` reads the value that is the JSON ``text``.

        They are in the order of the document, and where a place obeys what the field says of its pieces. Raises
        ``KeyError`` for a name that no leaf has, ``ValueError`` for what is no JSON.
        """
        return self.leaves[name].spans(value_of(text))

    def evidence(self, text: str | bytes) -> dict[Path, list[Span]]:
        """Where the grounded values of a finished JSON document stand, by path, such as ``("items", 2, "price")``.

        A value that is read from several places has them all, the nearest to the values before and behind it that have
        one place only first; without any such value, in the order of the document. Values of a union are those of all
        options that admit them. Raises ``ValueError`` for what is no JSON.
        """
        return evidence_of(text, self._schema, self.leaves)
