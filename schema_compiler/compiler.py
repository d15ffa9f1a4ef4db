"""The whole pipeline on one screen: a type or a schema in, a compiled grammar out.

    type --frontend--> raw JSON Schema --normalize--> Schema --lower--> Grammar --passes--> Grammar
         --automaton--> nodes --engine (with a vocabulary)--> masks

Everything after ``normalize`` happens on demand: a rule is lowered, rewritten and numbered when a matcher first
reaches it, so compiling is cheap and a large schema costs what its documents use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from schema_compiler.engine.automaton import Automaton
from schema_compiler.engine.completion import Completion
from schema_compiler.engine.masks import Engine
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary import Vocabulary
from schema_compiler.errors import ImpossibleSchemaError
from schema_compiler.frontend.frontend import raw_schema
from schema_compiler.grammar.grammar import NEVER, Grammar
from schema_compiler.grammar.lexical import Whitespace
from schema_compiler.grammar.lower import lower
from schema_compiler.grammar.passes import run_passes
from schema_compiler.schema.normalize import Normalized, normalize
from schema_compiler.schema.report import Report

__all__ = ["CompiledGrammar", "compile_schema", "compile_type"]


@dataclass(frozen=True, slots=True)
class CompiledGrammar:
    """A grammar ready to constrain a language model. Immutable to its users, and shared by threads.

    ``schema``: the JSON Schema it was made from. ``report``: what became of every constraint. ``lowered`` and
    ``grammar``: the rules before and after the passes.
    """

    schema: Mapping[str, Any] | bool
    report: Report
    lowered: Grammar
    grammar: Grammar
    vocabulary: Vocabulary
    _engine: Engine
    _completion: Completion

    def matcher(self) -> Matcher:
        """A new cursor at the start of a document."""
        return Matcher(self._engine, self._completion)


def compile_type(type_: Any, vocabulary: Vocabulary, *, whitespace: Whitespace = "compact") -> CompiledGrammar:
    """Compile any type that Pydantic's ``TypeAdapter`` takes."""
    raw = raw_schema(type_)
    return _compile(raw.schema, raw.normalized(), vocabulary, whitespace)


def compile_schema(
    schema: Mapping[str, Any] | bool,
    vocabulary: Vocabulary,
    *,
    additional_properties: Literal["schema", "closed"] = "schema",
    whitespace: Whitespace = "compact",
) -> CompiledGrammar:
    """Compile a JSON Schema. ``additional_properties="closed"`` closes objects that do not open themselves."""
    normalized = normalize(schema, additional_properties=additional_properties)
    return _compile(schema, normalized, vocabulary, whitespace)


def _compile(
    schema: Mapping[str, Any] | bool, normalized: Normalized, vocabulary: Vocabulary, whitespace: Whitespace
) -> CompiledGrammar:
    lowered = lower(normalized.schema, whitespace)
    grammar = run_passes(lowered)
    if grammar.rules[grammar.start] == NEVER:
        raise ImpossibleSchemaError("no JSON value satisfies the schema")
    automaton = Automaton(grammar, vocabulary.leaves)
    engine = Engine(automaton, vocabulary)
    return CompiledGrammar(schema, normalized.report, lowered, grammar, vocabulary, engine, Completion(automaton))
