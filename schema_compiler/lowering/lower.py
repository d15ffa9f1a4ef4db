"""Lowering: what a schema admits, as grammar rules. One function per case of ``Schema``.

Scalars become leaves where they stand. Objects (``members``), arrays (``items``), unions and definitions become rules
of their own, named by their path, and are lowered when first asked for::

    {"name": string, "tags"?: [string*]}        root           ::= "{" root/members.0.0
                                                 root/tags      ::= "[" (<string> (", " <string>)* "]" | "]")
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from schema_compiler.grammar.ir import (
    NEVER,
    Expression,
    Grammar,
    LazyRules,
    Literal,
    Reference,
    choice,
    sequence,
)
from schema_compiler.lowering.arrays import array_rule
from schema_compiler.lowering.layout import Layout, Whitespace, layout_of
from schema_compiler.lowering.objects import object_rule
from schema_compiler.lowering.rule_builder import Body, RuleBuilder
from schema_compiler.lowering.scalars import _number, _spellings, _string, constants
from schema_compiler.schema import ir as s

__all__ = ["lower"]


START = "document"

_Scalar = s.Null | s.Boolean | s.Number | s.String | s.Enumeration
"""What becomes a leaf or a choice where it stands, instead of a rule."""


def lower(normalized: s.NormalizedSchema, whitespace: Whitespace = "spaced") -> Grammar:
    """The grammar of a normalised schema; rules are lowered when asked for."""
    lowering = _Lowering(normalized, layout_of(whitespace))
    return Grammar(START, LazyRules(lowering.built))


class _Lowering(RuleBuilder):
    def __init__(self, normalized: s.NormalizedSchema, layout: Layout) -> None:
        self._definitions = normalized.definitions
        self.layout = layout
        self._bodies: dict[str, Body] = {
            START: lambda builder: sequence(layout.around, builder.value(normalized.root, "root"), layout.around)
        }

    def rule(self, name: str, body: Body) -> Expression:
        self._bodies.setdefault(name, body)
        return Reference(name)

    def built(self, name: str) -> Expression:
        """The body of a rule, asked for once; what it was made from is no longer needed then."""
        made = self._bodies[name](self)
        self._bodies[name] = _finished
        return made

    def value(self, schema: s.Schema, path: str) -> Expression:
        """A value of ``schema``; ``path`` names the rules made for it."""
        match schema:
            case s.Never():
                return NEVER
            case s.AnyValue():
                return self._any_value()
            case s.Null():
                return Literal(b"null")
            case s.Boolean():
                return choice(Literal(b"true"), Literal(b"false"))
            case s.Number():
                return _number(schema)
            case s.String():
                return _string(schema)
            case s.Sentence():
                return self._sentence(schema, path)
            case s.Enumeration():
                return constants(tuple(_spellings(schema)), self.layout)
            case s.Array():
                return self.rule(path, lambda builder: array_rule(schema, path, builder))
            case s.Object():
                return self.rule(path, lambda builder: object_rule(schema, path, builder))
            case s.Union(options):
                if all(isinstance(option, _Scalar) for option in options):
                    return _union(options, path, self)
                return self.rule(path, lambda builder: _union(options, path, builder))
            case s.Reference(name):
                definitions = self._definitions
                return self.rule(f"${name}", lambda builder: builder.value(definitions[name], name))
            case _:
                assert_never(schema)

    def _any_value(self) -> Expression:
        anything: s.Schema = s.AnyValue()
        members = s.Object(rules=(s.KeyRule(s.String(), anything),))
        kinds = (s.Null(), s.Boolean(), s.Number(), s.String(), s.Array(items=anything), members)
        return self.value(s.Union(kinds), "any")

    def _sentence(self, sentence: s.Sentence, path: str) -> Expression:
        """The rules of the grammar, under names of this place, between quotes."""
        from schema_compiler.grammar.ebnf.lowering import INSIDE_JSON, text_grammar  # few schemas hold grammars

        made = text_grammar(sentence.grammar, start=sentence.start, spelling=INSIDE_JSON, prefix=f"{path}:").grammar
        for name, body in made.reachable().items():
            self._bodies.setdefault(name, partial(_made, body))
        return sequence(Literal(b'"'), Reference(made.start), Literal(b'"'))


def _union(options: tuple[s.Schema, ...], path: str, builder: RuleBuilder) -> Expression:
    return choice(*(builder.value(option, f"{path}|{number}") for number, option in enumerate(options)))


def _made(body: Expression, _: RuleBuilder) -> Expression:
    return body


def _finished(_: RuleBuilder) -> Expression:
    raise AssertionError("rules are kept by those who ask for them")
