"""Lowering: what a schema admits, as grammar rules. One function for each case of ``Schema``.

Scalars become leaves and literals where they stand (``scalars``). Objects (``objects``), arrays (``arrays``), unions
and definitions become rules of their own, named by their path, and are lowered when they are first asked for::

    {"name": string, "tags"?: [null*]}      document    ::= root
                                            root        ::= "{" root/members.0.0
                                            root/tags   ::= "[" ("null" ", null"* "]" | "]")
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from schema_compiler.grammar.ir import (
    NEVER,
    Bound,
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
from schema_compiler.lowering.scalars import enumeration_expression, number_expression, string_expression
from schema_compiler.schema import ir as s

__all__ = ["lower"]


START = "document"
"""The name of the start rule."""

_Scalar = s.Null | s.Boolean | s.Number | s.String | s.Piece | s.Enumeration
"""What becomes a leaf or a choice where it stands, instead of a rule."""


def lower(normalized: s.NormalizedSchema, whitespace: Whitespace = "spaced") -> Grammar:
    """The grammar of the documents that ``normalized`` admits.

    Its rules are lowered when they are first asked for. What a rule then raises: ``CompileBudgetError`` where an
    automaton or a count grows too large, ``GrammarError`` for a malformed grammar beside a string, and whatever
    ``normalized.definitions`` raises for the definition that the rule refers to.
    """
    builder = _SchemaRules(normalized, layout_of(whitespace))
    return Grammar(START, LazyRules(builder.build))


class _SchemaRules(RuleBuilder):
    """The rules of one schema: their bodies until they are built, which happens once each."""

    def __init__(self, normalized: s.NormalizedSchema, layout: Layout) -> None:
        self._definitions = normalized.definitions
        self.layout = layout
        self._bodies: dict[str, Body] = {
            START: lambda builder: sequence(layout.around, builder.value(normalized.root, "root"), layout.around)
        }

    def rule(self, name: str, body: Body) -> Expression:
        self._bodies.setdefault(name, body)
        return Reference(name)

    def build(self, name: str) -> Expression:
        """What the rule ``name`` derives; to be asked once, as its ``Body`` is given up, with the schema it holds."""
        expression = self._bodies[name](self)
        self._bodies[name] = _refuse_to_build_again
        return expression

    def value(self, schema: s.Schema, path: str) -> Expression:
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
                return number_expression(schema)
            case s.String():
                return string_expression(schema)
            case s.Sentence():
                return self._sentence(schema, path)
            case s.Piece():
                return Bound(str(schema))
            case s.Enumeration():
                return enumeration_expression(schema, self.layout)
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
        """Any JSON value; the rules ``any`` and ``any|...`` are shared by all places where one may stand."""
        anything: s.Schema = s.AnyValue()
        members = s.Object(rules=(s.KeyRule(s.String(), anything),))
        kinds = (s.Null(), s.Boolean(), s.Number(), s.String(), s.Array(items=anything), members)
        return self.value(s.Union(kinds), "any")

    def _sentence(self, sentence: s.Sentence, path: str) -> Expression:
        """A text of the grammar, between quotes; the names of the grammar's rules begin with ``path`` and a colon."""
        from schema_compiler.grammar.ebnf.lowering import INSIDE_JSON, text_grammar  # few schemas hold grammars

        spelled = text_grammar(sentence.grammar, start=sentence.start, spelling=INSIDE_JSON, prefix=f"{path}:").grammar
        for name, expression in spelled.reachable().items():
            self._bodies.setdefault(name, partial(_ready_body, expression))
        return sequence(Literal(b'"'), Reference(spelled.start), Literal(b'"'))


def _union(options: tuple[s.Schema, ...], path: str, builder: RuleBuilder) -> Expression:
    return choice(*(builder.value(option, f"{path}|{number}") for number, option in enumerate(options)))


def _ready_body(expression: Expression, _: RuleBuilder) -> Expression:
    """The ``Body`` of a rule that is an expression already."""
    return expression


def _refuse_to_build_again(_: RuleBuilder) -> Expression:
    raise AssertionError("rules are kept by those who ask for them")
