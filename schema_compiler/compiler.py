"""The whole pipeline on one screen: a type or a schema in, a compiled grammar out.

    type --frontend--> raw JSON Schema --normalize--> Schema --lower--> Grammar --passes--> Grammar
         --automaton--> nodes --engine (with a vocabulary)--> masks

Everything after ``normalize`` happens on demand: a rule is lowered, rewritten and numbered when a matcher first
reaches it, so compiling is cheap and a large schema costs what its documents use.

Regular expressions and grammars that users bring enter at ``Grammar``, and are languages of plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, get_args

from schema_compiler.engine.index import Index
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import ImpossibleSchemaError, PatternError, UnsupportedSchemaError
from schema_compiler.frontend.frontend import json_schema_of
from schema_compiler.frontend.grounded_texts import with_grounded_texts
from schema_compiler.grammar.ir import NEVER, Grammar, Leaf
from schema_compiler.grammar.leaves import leaf
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.grounding.grounded import Binder, Grounded
from schema_compiler.lowering.layout import Whitespace
from schema_compiler.lowering.lower import lower
from schema_compiler.lowering.warmup import warm_up
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.regular.regex.language import regex_text
from schema_compiler.regular.regex.parser import parse
from schema_compiler.schema.normalization.normalize import AdditionalProperties, Normalized, normalize
from schema_compiler.schema.report import Report
from schema_compiler.schema.source.keywords import VERBATIM, mentions

__all__ = [
    "CompiledGrammar",
    "CompiledSchema",
    "Stages",
    "compile_grammar",
    "compile_regex",
    "compile_schema",
    "compile_type",
    "is_regular",
    "schema_stages",
    "type_stages",
]


@dataclass(frozen=True, slots=True)
class Stages:
    """What a type or a schema becomes before a vocabulary is known. ``schema``: the JSON Schema.

    What is not read yet is read by whoever asks, so ``pruned`` and ``report`` raise what compiling raises.
    """

    schema: dict[str, Any] | bool
    normalized: Normalized
    whitespace: Whitespace

    def lowered(self) -> Grammar:
        """The grammar as lowered, its rules made when asked for."""
        return lower(self.normalized.schema, self.whitespace)

    def pruned(self) -> Grammar:
        """The grammar without dead ends. Raises ``ImpossibleSchemaError`` when nothing is left."""
        grammar = prune(self.lowered())
        if grammar.rules[grammar.start] == NEVER:
            raise ImpossibleSchemaError("no JSON value satisfies the schema")
        return grammar

    @property
    def report(self) -> Report:
        """What became of every constraint; reads the whole schema. See ``CompiledSchema.report``."""
        return self.normalized.report()


class Matchers(Protocol):
    """Makes matchers for one compiled grammar."""

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:
        """A new cursor at the start of a document."""


@dataclass(frozen=True, slots=True)
class CompiledGrammar:
    """A grammar ready to constrain a language model. Immutable to its users, and shared by threads.

    ``notes``: what the author of the grammar should know, such as rules that are never used.
    """

    vocabulary: Vocabulary
    _matchers: Matchers
    notes: tuple[str, ...] = ()

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:
        """A new cursor at the start of a document.

        ``bound``: the leaves that the grammar leaves to each request, by name. One that is missing is an
        ``UnboundLeafError`` of the matcher, when a document gets there. Raises ``ValueError`` for leaves given to an
        index, whose regular expression asks for none. Where the engine has outgrown its budget and is made anew, the
        first rules are lowered again, which can raise ``CompileBudgetError``.
        """
        return self._matchers.matcher(bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledSchema(CompiledGrammar):
    """The grammar of a type's or a schema's JSON documents."""

    stages: Stages
    _binder: Binder = field(repr=False)

    def bind(self, text: str) -> Grounded:
        """The schema bound to a document, so that its ``Verbatim`` fields write values that stand there.

        What one document costs is paid here, and shared by all matchers of the result. A type without such fields is
        bound at no cost. Raises ``UngroundedError``, which names the fields, where the document has no value for one
        that is required; ``DocumentError`` for a lone surrogate; ``CompileBudgetError`` where it takes too long to find
        the values; and, where it was compiled with ``eager=False``, what reading the rest of the schema raises.
        """
        return self._binder.bind(text)

    @property
    def schema(self) -> dict[str, Any] | bool:
        """The JSON Schema the grammar was made from."""
        return self.stages.schema

    @property
    def report(self) -> Report:
        """What became of every constraint: enforced, checked afterwards, or an annotation.

        Reads the whole schema. Where it was compiled with ``eager=False``, that raises what is refused in a part not
        read yet: ``InvalidSchemaError``, ``UnsupportedSchemaError`` or ``CompileBudgetError``.
        """
        return self.stages.report


def compile_type(
    type_: Any,
    vocabulary: Vocabulary,
    *,
    whitespace: Whitespace = "spaced",
    strict: bool = False,
    grounded: bool = False,
) -> CompiledSchema:
    """Compile any type that Pydantic's ``TypeAdapter`` takes.

    ``strict=True`` refuses a type with constraints that the grammar leaves to Pydantic, by their names.
    ``grounded=True`` reads each ``str`` without a pattern, format or list of values as ``Verbatim()``: a piece of the
    document that ``CompiledSchema.bind`` brings along. Keys of mappings are as free as without it.
    Raises ``InvalidSchemaError`` (for what a type says of its own JSON Schema), ``UnsupportedSchemaError``,
    ``ImpossibleSchemaError`` or ``CompileBudgetError``, and ``ValueError`` for an argument none of those listed.
    """
    return _compiled(
        type_stages(type_, whitespace=whitespace, grounded=grounded), vocabulary, "rust", eager=True, strict=strict
    )


def compile_schema(
    schema: dict[str, Any] | bool,
    vocabulary: Vocabulary,
    *,
    additional_properties: AdditionalProperties = "schema",
    whitespace: Whitespace = "spaced",
    resources: Mapping[str, Any] = MappingProxyType({}),
    eager: bool = True,
    strict: bool = False,
    grounded: bool = False,
) -> CompiledSchema:
    """Compile a JSON Schema (drafts 4 to 2020-12) with the standard's own semantics.

    ``additional_properties="closed"`` closes objects that do not say what other properties may hold.
    ``resources``: the schemas that remote references may lead to, by their URIs; nothing is fetched.
    ``eager=False`` reads each part of the schema when a document first reaches it: a large schema then gives its
    first mask at once, but what is refused in a part is only refused there, by ``Matcher.mask`` or ``accept``.
    ``eager=True`` reads all of it first, and looks once more for dead ends in what normalisation has left.
    ``strict=True`` reads all of it, too, and refuses constraints that the grammar does not enforce.
    The automata of formats and long patterns are made now in any case, up to a size, so that no mask waits for them.
    ``grounded=True``: see ``compile_type``; schemas behind references to ``resources`` stay as they are.
    Raises ``InvalidSchemaError``, ``UnsupportedSchemaError``, ``ImpossibleSchemaError`` or ``CompileBudgetError``, and
    ``ValueError`` for an argument that is none of those listed.
    """
    stages = schema_stages(
        schema,
        additional_properties=additional_properties,
        whitespace=whitespace,
        resources=resources,
        grounded=grounded,
    )
    return _compiled(stages, vocabulary, "ecma", eager=eager, strict=strict, resources=resources)


def compile_regex(
    pattern: str, vocabulary: Vocabulary, *, dialect: Dialect = "rust", index: bool = False
) -> CompiledGrammar:
    """Compile a regular expression: the texts that it matches from the first character to the last.

    ``dialect``: "rust" (Pydantic's), "python" or "ecma". ``index=True`` works out every mask and transition at once,
    for small languages that serve many requests; see ``engine.index``.
    Raises ``PatternError`` for a pattern that is malformed, not regular or never matches, ``CompileBudgetError``, and
    ``ValueError`` for a dialect that is none of those.
    """
    _expect_one_of(Dialect, "dialect", dialect)
    language = leaf(f"/{pattern}/", regex_text(pattern, dialect))
    if not isinstance(language, Leaf):
        raise PatternError("expected a pattern that matches some text, found one that matches none", pattern, 0)
    if index:
        return CompiledGrammar(vocabulary, Index(language, vocabulary))
    return CompiledGrammar(vocabulary, GrammarMatchers(lambda: Grammar("text", {"text": language}), vocabulary))


def is_regular(pattern: str, dialect: Dialect = "ecma") -> bool:
    r"""Whether ``pattern`` is well-formed in its dialect and uses regular operators only (it may still be too large).

    ``is_regular("a+b?")`` holds; ``"(a)\1"`` refers back, and ``"("`` is malformed.
    Raises ``ValueError`` for a dialect that is none of "rust", "python" and "ecma".
    """
    _expect_one_of(Dialect, "dialect", dialect)
    try:
        parse(pattern, dialect)
    except PatternError:
        return False
    return True


def compile_grammar(text: str, vocabulary: Vocabulary, *, start: str = "start") -> CompiledGrammar:
    """Compile a grammar in Lark's notation: the texts that rule ``start`` derives, cut into terminals in any way.

    Raises ``GrammarError``, with line and column, or ``CompileBudgetError``.
    """
    from schema_compiler.grammar.ebnf.lowering import text_grammar  # not needed by types and schemas

    read = text_grammar(text, start=start)
    return CompiledGrammar(vocabulary, GrammarMatchers(lambda: read.grammar, vocabulary), read.notes)


def type_stages(type_: Any, *, whitespace: Whitespace = "spaced", grounded: bool = False) -> Stages:
    """The stages of a type, up to the grammar. Raises what ``compile_type`` raises for the type's root."""
    _expect_one_of(Whitespace, "whitespace", whitespace)
    schema = with_grounded_texts(json_schema_of(type_)) if grounded else json_schema_of(type_)
    normalized = normalize(schema, dialect="rust", additional_properties="closed", check_grammar=_check_grammar)
    return Stages(schema, normalized, whitespace)


def schema_stages(
    schema: dict[str, Any] | bool,
    *,
    additional_properties: AdditionalProperties = "schema",
    whitespace: Whitespace = "spaced",
    resources: Mapping[str, Any] = MappingProxyType({}),
    grounded: bool = False,
) -> Stages:
    """The stages of a JSON Schema, up to the grammar. Raises what ``compile_schema`` raises for the schema's root."""
    _expect_one_of(Whitespace, "whitespace", whitespace)
    _expect_one_of(AdditionalProperties, "additional_properties", additional_properties)
    if grounded and isinstance(schema, dict):
        schema = with_grounded_texts(schema)
    normalized = normalize(
        schema,
        additional_properties=additional_properties,
        integer_fraction=True,
        resources=resources,
        check_grammar=_check_grammar,
    )
    return Stages(schema, normalized, whitespace)


def _check_grammar(text: str, start: str) -> tuple[str, ...]:
    """The notes on a grammar beside a string. Raises ``GrammarError`` or ``CompileBudgetError``."""
    from schema_compiler.grammar.ebnf.lowering import text_grammar  # few schemas hold grammars

    return text_grammar(text, start=start).notes


def _compiled(
    stages: Stages,
    vocabulary: Vocabulary,
    dialect: Dialect,
    *,
    eager: bool,
    strict: bool,
    resources: Mapping[str, Any] = MappingProxyType({}),
) -> CompiledSchema:
    if strict:
        _refuse_what_is_checked_afterwards(stages.report)
    if eager:
        _ = stages.report  # raises for every part that is refused
    warm_up(stages.schema, dialect)
    matchers = GrammarMatchers(stages.pruned if eager else stages.lowered, vocabulary)
    is_grounded = mentions([stages.schema, *resources.values()], VERBATIM)
    binder = Binder(stages.normalized.schema, matchers, stages.lowered, vocabulary, is_grounded=is_grounded)
    return CompiledSchema(vocabulary, matchers, stages=stages, _binder=binder)


def _expect_one_of(literal: Any, name: str, found: Any) -> None:
    """``ValueError`` where an argument is none of the strings of a ``Literal``."""
    if found not in get_args(literal):
        raise ValueError(f"expected {name} to be {' or '.join(map(repr, get_args(literal)))}, found {found!r}")


def _refuse_what_is_checked_afterwards(report: Report) -> None:
    rows = report.with_status("checked afterwards")
    if rows:
        raise UnsupportedSchemaError(f"strict, but not enforced by the grammar:\n{rows}\nthe first", rows.rows[0].path)
