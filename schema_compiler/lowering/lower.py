"""Lowering: what a schema admits, as grammar rules. One function per case of ``Schema``.

Scalars become leaves where they stand. Objects (``members``), arrays (``items``), unions and definitions become rules
of their own, named by their path, and are lowered when first asked for::

    {"name": string, "tags"?: [string*]}        root           ::= "{" root/members.0.0
                                                 root/tags      ::= "[" (<string> (", " <string>)* "]" | "]")
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, assert_never

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
from schema_compiler.grammar.leaves import COMPACT, Layout, Whitespace, constants, counted, flexible, leaf
from schema_compiler.lowering.arrays import array_rule
from schema_compiler.lowering.objects import object_rule
from schema_compiler.lowering.rule_builder import Body, RuleMaker
from schema_compiler.schema import ir as s
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings, text_name

__all__ = ["lower"]

START = "document"


_Scalar = s.Null | s.Boolean | s.Number | s.String | s.Enumeration
"""What becomes a leaf or a choice where it stands, instead of a rule."""


def lower(normalized: s.NormalizedSchema, whitespace: Whitespace = "compact") -> Grammar:
    """The grammar of a normalised schema; rules are lowered when asked for."""
    lowering = _Lowering(normalized, COMPACT if whitespace == "compact" else flexible())
    return Grammar(START, LazyRules(lowering.built))


class _Lowering(RuleMaker):
    def __init__(self, normalized: s.NormalizedSchema, layout: Layout) -> None:
        self._definitions = normalized.definitions
        self.layout = layout
        self._bodies: dict[str, Body] = {
            START: lambda maker: sequence(layout.around, maker.value(normalized.root, "root"), layout.around)
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
                return self.rule(path, lambda maker: array_rule(schema, path, maker))
            case s.Object():
                return self.rule(path, lambda maker: object_rule(schema, path, maker))
            case s.Union(options):
                if all(isinstance(option, _Scalar) for option in options):
                    return _union(options, path, self)
                return self.rule(path, lambda maker: _union(options, path, maker))
            case s.Reference(name):
                definitions = self._definitions
                return self.rule(f"${name}", lambda maker: maker.value(definitions[name], name))
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


def _union(options: tuple[s.Schema, ...], path: str, maker: RuleMaker) -> Expression:
    return choice(*(maker.value(option, f"{path}|{number}") for number, option in enumerate(options)))


def _made(body: Expression, _: RuleMaker) -> Expression:
    return body


def _finished(_: RuleMaker) -> Expression:
    raise AssertionError("rules are kept by those who ask for them")


@lru_cache(maxsize=256)
def _string(schema: s.String) -> Expression:
    strings = counted_strings(schema)
    return counted(text_name(schema, "string"), strings.dfa, strings.minimum, strings.maximum)


@lru_cache(maxsize=256)
def _number(schema: s.Number) -> Expression:
    return leaf(("integer" if schema.integer else "number") + _range(schema), numeral(schema))


def _range(schema: s.Number) -> str:
    """The bounds for the reader: ``>=0 <10 /0.5``."""
    bounds = (
        (">" if schema.exclusive_minimum else ">=", schema.minimum),
        ("<" if schema.exclusive_maximum else "<=", schema.maximum),
        ("/", schema.multiple_of),
        ("digits ", schema.max_digits),
        ("places ", schema.decimal_places),
    )
    return "".join(f" {sign}{bound}" for sign, bound in bounds if bound is not None)


def _spellings(enumeration: s.Enumeration) -> Iterator[Any]:
    """The values, and the whole numbers among them in their other spelling."""
    for value in enumeration.values:
        yield value
        if enumeration.fraction:
            other = _respelled(value)
            if repr(other) != repr(value):
                yield other


def _respelled(value: Any) -> Any:
    """``value`` with each whole number in the spelling that it does not have: ``1.0`` for ``1``, ``1`` for ``1.0``."""
    match value:
        case bool():
            return value
        case int():
            return _as_float(value)
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_respelled(item) for item in value]
        case dict():
            return {name: _respelled(member) for name, member in value.items()}
        case _:
            return value


def _as_float(value: int) -> int | float:
    """The float that is this very number, or else the integer."""
    try:
        number = float(value)
    except OverflowError:
        return value
    return number if int(number) == value else value
