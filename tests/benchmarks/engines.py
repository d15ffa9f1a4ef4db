"""The engines under measurement, behind the one interface they share.

Ours *is* the interface (``CompiledGrammar.matcher()``, ``Matcher.mask()``, ``Matcher.accept()``); each peer has an
adapter of a few lines over its fastest documented path:

* llguidance: ``LLMatcher`` and ``unsafe_compute_mask_ptr``, what its ``fill_next_token_bitmask`` calls, into one
  preallocated row. A new matcher is a ``deep_copy`` of the compiled one, which shares the lexer's states.
* xgrammar: ``compile_json_schema`` with one thread and without the cache of whole grammars, ``GrammarMatcher`` and
  ``fill_next_token_bitmask`` into one preallocated row. ``xgrammar`` has the library's defaults (strict mode: objects
  closed, as no JSON Schema says); ``xgrammar-compliant`` sets ``strict_mode=False``.
* outlines-core: schema to regular expression to ``Index``; ``Guide.write_mask_into`` one preallocated row.

White space is flexible in all: by default in llguidance and xgrammar, by ``whitespace="flexible"`` in ours, by
``whitespace_pattern`` in outlines-core, whose default allows a single space.

Ours returns a reference to a row that is stored once (a serving loop uploads it once, and then sends its number).
``ours-copied`` copies each row into a preallocated one, as the peers fill theirs, for a comparison without that.
``ours-lazy`` compiles on demand (``eager=False``): it finds what it refuses only where a document gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from schema_compiler.compiler import CompiledGrammar, compile_schema
from schema_compiler.engine.matcher import Matcher
from schema_compiler.errors import ImpossibleSchemaError, SchemaCompilerError
from tests.afterwards import refused_afterwards
from tests.benchmarks.cases import Case, TokenizerFolder

__all__ = ["ENGINES", "Compiled", "Cursor", "Engine", "Mask"]

Mask = npt.NDArray[np.uint32] | npt.NDArray[np.int32]
"""A packed token mask, 32-bit words, little-endian bit order."""


class Cursor(Protocol):
    """One sequence's progress through a grammar."""

    def mask(self) -> Mask:
        """The tokens that may come next; valid until the next call."""

    def accept(self, token_id: int, /) -> bool:
        """Take a token; ``False`` when it is illegal."""

    def fork(self) -> Cursor:
        """An independent cursor at the same place."""


class Compiled(Protocol):
    """A compiled schema."""

    def matcher(self) -> Cursor:
        """A fresh cursor at the start of a document."""


class Engine(Protocol):
    """A vocabulary, prepared; compiles schemas. ``refusals``: what it raises for a schema it does not take."""

    refusals: tuple[type[Exception], ...]

    def compile(self, case: Case) -> Compiled:
        """Compile the case's schema."""

    def finds_impossible(self, error: Exception) -> bool:
        """Whether a refusal says that no value satisfies the schema."""

    def refuses_afterwards(self, compiled: Any, data: Any) -> bool:
        """Whether what the engine has said it does not enforce is checked later, and ``data`` refused then."""


class _Peer:
    """An engine that announces no later check, and says in words what is impossible."""

    def finds_impossible(self, error: Exception) -> bool:
        """By its message."""
        return "unsatisfiable" in str(error).lower()

    def refuses_afterwards(self, compiled: Any, data: Any) -> bool:  # noqa: ARG002  # as the protocol has it
        """Never."""
        return False


class Ours:
    """This repository's engine."""

    refusals: tuple[type[Exception], ...] = (SchemaCompilerError,)

    def __init__(self, tokenizer: TokenizerFolder) -> None:
        self._vocabulary = tokenizer.vocabulary()
        assert self._vocabulary.trie.size

    def compile(self, case: Case) -> CompiledGrammar:
        """Compile with standard JSON Schema semantics."""
        return compile_schema(case.schema, self._vocabulary, whitespace="flexible")

    def finds_impossible(self, error: Exception) -> bool:
        """By its name."""
        return isinstance(error, ImpossibleSchemaError)

    def refuses_afterwards(self, compiled: Any, data: Any) -> bool:
        """As the report says."""
        return refused_afterwards(compiled, data)


class OursLazy(Ours):
    """The same, each part of a schema read when a document first reaches it."""

    def compile(self, case: Case) -> CompiledGrammar:
        """Compile the root only; what is refused elsewhere is refused later."""
        return compile_schema(case.schema, self._vocabulary, whitespace="flexible", eager=False)


class OursCopied(Ours):
    """The same, each row copied to the caller."""

    def compile(self, case: Case) -> Any:
        """Compile as ``Ours``."""
        return _CopiedCompiled(super().compile(case))

    def refuses_afterwards(self, compiled: Any, data: Any) -> bool:
        """As ``Ours``."""
        return refused_afterwards(compiled.inner, data)


class _CopiedCompiled:
    def __init__(self, compiled: CompiledGrammar) -> None:
        self.inner = compiled
        self._row = np.empty((len(compiled.vocabulary) + 31) // 32, np.uint32)

    def matcher(self) -> Cursor:
        return _CopiedCursor(self.inner.matcher(), self._row)


class _CopiedCursor:
    def __init__(self, matcher: Matcher, row: npt.NDArray[np.uint32]) -> None:
        self._matcher = matcher
        self._row = row
        self.accept = matcher.accept

    def mask(self) -> Mask:
        np.copyto(self._row, self._matcher.mask())
        return self._row

    def fork(self) -> Cursor:
        return _CopiedCursor(self._matcher.fork(), self._row)


class LLGuidance(_Peer):
    """llguidance (Rust): derivatives of regular expressions under an Earley parser."""

    refusals: tuple[type[Exception], ...] = (ValueError,)

    def __init__(self, tokenizer: TokenizerFolder) -> None:
        from llguidance import LLTokenizer

        self._tokenizer = LLTokenizer(str(tokenizer.file), eos_token=tokenizer.eos_token_id)
        self._row = np.empty((self._tokenizer.vocab_size + 31) // 32, np.int32)

    def compile(self, case: Case) -> Compiled:
        """Build the grammar and its first matcher; raises ``ValueError`` with llguidance's message."""
        from llguidance import LLMatcher

        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_json_schema(case.schema_text), log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return _LLGuidanceCompiled(matcher, self._row)


class _LLGuidanceCompiled:
    def __init__(self, matcher: Any, row: npt.NDArray[np.int32]) -> None:
        self._matcher = matcher
        self._row = row

    def matcher(self) -> Cursor:
        return _LLGuidanceCursor(self._matcher.deep_copy(), self._row)


class _LLGuidanceCursor:
    def __init__(self, matcher: Any, row: npt.NDArray[np.int32]) -> None:
        self.accept = matcher.consume_token
        self._matcher = matcher
        self._fill = matcher.unsafe_compute_mask_ptr
        self._row = row
        self._pointer = row.ctypes.data
        self._bytes = row.nbytes

    def mask(self) -> Mask:
        self._fill(self._pointer, self._bytes)
        return self._row

    def fork(self) -> Cursor:
        return _LLGuidanceCursor(self._matcher.deep_copy(), self._row)


class XGrammar(_Peer):
    """xgrammar (C++): a pushdown automaton with token masks of its nodes computed at compile time."""

    refusals: tuple[type[Exception], ...] = (Exception,)
    strict = True

    def __init__(self, tokenizer: TokenizerFolder) -> None:
        import xgrammar

        vocabulary = tokenizer.vocabulary()
        texts = [text or b"" for text in vocabulary.tokens]
        info = xgrammar.TokenizerInfo(texts, xgrammar.VocabType.RAW, stop_token_ids=list(vocabulary.eos_token_ids))
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self._matcher = xgrammar.GrammarMatcher
        self._bitmask = xgrammar.allocate_token_bitmask(1, info.vocab_size)

    def compile(self, case: Case) -> Compiled:
        """Compile; raises whatever xgrammar raises."""
        compiled = self._compiler.compile_json_schema(case.schema_text, strict_mode=self.strict)
        return _XGrammarCompiled(lambda: self._matcher(compiled), self._bitmask)


class XGrammarCompliant(XGrammar):
    """xgrammar with the open objects of the standard."""

    strict = False


class _XGrammarCompiled:
    def __init__(self, new: Callable[[], Any], bitmask: Any) -> None:
        self._new = new
        self._bitmask = bitmask

    def matcher(self) -> Cursor:
        return _XGrammarCursor(self._new(), self._bitmask)


class _XGrammarCursor:
    def __init__(self, matcher: Any, bitmask: Any) -> None:
        self.accept = matcher.accept_token
        self._matcher = matcher
        self._fill = matcher.fill_next_token_bitmask
        self._bitmask = bitmask
        self._row: Mask = bitmask.numpy()[0]

    def mask(self) -> Mask:
        self._fill(self._bitmask)
        return self._row

    def fork(self) -> Cursor:
        return _XGrammarCursor(self._matcher.fork(), self._bitmask)


class OutlinesCore(_Peer):
    """outlines-core (Rust): the schema as one regular expression, indexed over the vocabulary at compile time."""

    refusals: tuple[type[Exception], ...] = (Exception,)

    def __init__(self, tokenizer: TokenizerFolder) -> None:
        from outlines_core import Vocabulary

        vocabulary = tokenizer.vocabulary()
        ids: dict[bytes, list[int]] = {}
        for token_id, text in enumerate(vocabulary.tokens):
            if text:
                ids.setdefault(text, []).append(token_id)
        self._vocabulary = Vocabulary(tokenizer.eos_token_id, ids)
        self._row = np.empty((len(vocabulary) + 31) // 32, np.int32)

    def compile(self, case: Case) -> Compiled:
        """Build the index; raises whatever outlines-core raises."""
        from outlines_core import Index
        from outlines_core.json_schema import build_regex_from_schema

        pattern = build_regex_from_schema(case.schema_text, whitespace_pattern=r"[ \t\n\r]*")
        return _OutlinesCompiled(Index(pattern, self._vocabulary), self._row)


class _OutlinesCompiled:
    def __init__(self, index: Any, row: npt.NDArray[np.int32]) -> None:
        self._index = index
        self._row = row

    def matcher(self) -> Cursor:
        return _OutlinesCursor(self._index, self._row)


class _OutlinesCursor:
    def __init__(self, index: Any, row: npt.NDArray[np.int32], taken: tuple[int, ...] = ()) -> None:
        from outlines_core import Guide

        self._index = index
        self._guide = Guide(index)
        self._row = row
        self._pointer = row.ctypes.data
        self._taken = list(taken)
        for token_id in taken:
            self._guide.advance(token_id, return_tokens=False)

    def mask(self) -> Mask:
        self._guide.write_mask_into(self._pointer, self._row.size, 4)
        return self._row

    def accept(self, token_id: int, /) -> bool:
        try:
            self._guide.advance(token_id, return_tokens=False)
        except ValueError:
            return False
        self._taken.append(token_id)
        return True

    def fork(self) -> Cursor:
        return _OutlinesCursor(self._index, self._row, tuple(self._taken))


ENGINES: Mapping[str, Callable[[TokenizerFolder], Engine]] = {
    "ours": Ours,
    "ours-lazy": OursLazy,
    "ours-copied": OursCopied,
    "llguidance": LLGuidance,
    "xgrammar": XGrammar,
    "xgrammar-compliant": XGrammarCompliant,
    "outlines-core": OutlinesCore,
}
