r"""Lowering: what a schema admits, as grammar rules. One function per case of ``Schema``.

Scalars become leaves where they stand. Objects, arrays, unions and definitions become rules of their own, named by
their path, and are lowered when first asked for. An object is a chain of rules, one per place in the order of its
properties; ``members.2.1`` reads "from the third property on, something written already":

    Person                ::= "{" Person/members.0.0
    Person/members.0.0    ::= "\"name\": " <string> Person/members.1.1
    Person/members.1.1    ::= ", " "\"age\": " <integer> Person/members.2.1 | Person/members.2.1
    Person/members.2.1    ::= "}"

The chain costs rules in proportion to the properties a document reaches, however many are optional; as each link is
in tail position, the graph enters it in place and makes one automaton of the chain again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, assert_never

from schema_compiler.grammar import numeric
from schema_compiler.grammar.dfa import Dfa, intersect
from schema_compiler.grammar.grammar import (
    EMPTY,
    NEVER,
    Expression,
    Grammar,
    LazyRules,
    Leaf,
    Literal,
    Reference,
    Undeclared,
    choice,
    repeat,
    sequence,
)
from schema_compiler.grammar.lexical import COMPACT, Layout, Whitespace, constants, counted, flexible, leaf
from schema_compiler.grammar.pattern import CountedStrings
from schema_compiler.grammar.strings import counted_strings
from schema_compiler.grammar.text import any_string, exclude, string_literal
from schema_compiler.schema import schema as s

__all__ = ["lower"]

START = "document"


_Scalar = s.Null | s.Boolean | s.Number | s.String | s.Enumeration
"""What becomes a leaf or a choice where it stands, instead of a rule."""


def lower(normalized: s.NormalizedSchema, whitespace: Whitespace = "compact") -> Grammar:
    """The grammar of a normalised schema; rules are lowered when asked for."""
    return _Lowering(normalized, COMPACT if whitespace == "compact" else flexible()).grammar


class _Lowering:
    def __init__(self, normalized: s.NormalizedSchema, layout: Layout) -> None:
        self._definitions = normalized.definitions
        self._layout = layout
        self._pending: dict[str, Callable[[], Expression]] = {
            START: lambda: sequence(layout.around, self.value(normalized.root, "root"), layout.around)
        }
        self.grammar = Grammar(START, LazyRules(lambda name: self._pending[name]()))

    def _rule(self, name: str, body: Callable[[], Expression]) -> Expression:
        self._pending.setdefault(name, body)
        return Reference(name)

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
            case s.Enumeration(values):
                return constants(values, self._layout)
            case s.Array():
                return self._rule(path, lambda: self._array(schema, path))
            case s.Object():
                return self._rule(path, lambda: self._object(schema, path))
            case s.Union(options):
                if all(isinstance(option, _Scalar) for option in options):
                    return self._union(options, path)
                return self._rule(path, lambda: self._union(options, path))
            case s.Reference(name):
                return self._rule(f"${name}", lambda: self.value(self._definitions[name], name))
            case _:
                assert_never(schema)

    def _any_value(self) -> Expression:
        anything: s.Schema = s.AnyValue()
        members = s.Object(rules=(s.KeyRule(s.String(), anything),))
        kinds = (s.Null(), s.Boolean(), s.Number(), s.String(), s.Array(items=anything), members)
        return self.value(s.Union(kinds), "any")

    def _union(self, options: tuple[s.Schema, ...], path: str) -> Expression:
        return choice(*(self.value(option, f"{path}|{number}") for number, option in enumerate(options)))

    # Arrays: items.k is "k items written"

    def _array(self, array: s.Array, path: str) -> Expression:
        values = s.finite_values(array.items) if array.unique and not array.prefix else None
        rest = self._items(array, path, 0) if values is None else self._distinct(array, path, values, frozenset())
        return sequence(self._layout.open_bracket, rest)

    def _distinct(self, array: s.Array, path: str, values: tuple[Any, ...], used: frozenset[int]) -> Expression:
        """The rest of an array of finitely many possible items, none of them twice, after those in ``used``."""
        count = len(used)
        end = self._layout.close_bracket if count >= array.min_items else NEVER
        if count == len(values) or count == array.max_items:
            return end
        options = (self._distinct_option(array, path, values, used, index) for index in range(len(values)))
        return choice(*options, end)

    def _distinct_option(
        self, array: s.Array, path: str, values: tuple[Any, ...], used: frozenset[int], index: int
    ) -> Expression:
        if index in used:
            return NEVER
        following = used | {index}
        name = f"{path}/without.{'.'.join(map(str, sorted(following)))}"
        rest = self._rule(name, lambda: self._distinct(array, path, values, following))
        return sequence(self._comma(len(used)), constants((values[index],), self._layout), rest)

    def _items(self, array: s.Array, path: str, count: int) -> Expression:
        """The rest of an array after ``count`` items, its closing bracket included."""
        close = self._layout.close_bracket
        end = close if count >= array.min_items else NEVER
        if array.max_items is not None and count >= array.max_items:
            return end
        if count < len(array.prefix):
            item = self.value(array.prefix[count], f"{path}/{count}")
            return choice(sequence(self._comma(count), item, self._items_rule(array, path, count + 1)), end)
        return self._equal_items(array, path, count, end)

    def _items_rule(self, array: s.Array, path: str, count: int) -> Expression:
        return self._rule(f"{path}/items.{count}", lambda: self._items(array, path, count))

    def _equal_items(self, array: s.Array, path: str, count: int, end: Expression) -> Expression:
        """From here on all items are alike."""
        item = self.value(array.items, f"{path}/items")
        more = sequence(self._layout.comma, item)
        least = max(array.min_items - count, 0)
        most = None if array.max_items is None else array.max_items - count
        if count:
            return sequence(repeat(more, least, most), self._layout.close_bracket)
        rest = repeat(more, max(least - 1, 0), None if most is None else most - 1)
        return choice(sequence(item, rest, self._layout.close_bracket), end)

    def _comma(self, count: int) -> Expression:
        return self._layout.comma if count else EMPTY

    # Objects: members.i.c is "property i is next, c members written (counted no further than it matters)"

    def _object(self, schema: s.Object, path: str) -> Expression:
        return sequence(self._layout.open_brace, self._members(schema, path, 0, 0))

    def _members(self, schema: s.Object, path: str, index: int, count: int) -> Expression:
        ceiling = max(1, schema.min_properties, schema.max_properties or 0)

        def body() -> Expression:
            return choice(*self._member_options(schema, path, index, count))

        return self._rule(f"{path}/members.{index}.{min(count, ceiling)}", body)

    def _member_options(self, schema: s.Object, path: str, index: int, count: int) -> Iterator[Expression]:
        if schema.max_properties is None or count < schema.max_properties:
            yield from self._declared(schema, path, index, count)
            yield from self._undeclared(schema, path, index, count)
        if index == len(schema.properties):
            if count >= schema.min_properties:
                yield self._layout.close_brace
        elif not schema.properties[index].required:
            yield self._members(schema, path, index + 1, count)

    def _declared(self, schema: s.Object, path: str, index: int, count: int) -> Iterator[Expression]:
        if index < len(schema.properties):
            member = schema.properties[index]
            key = Literal(string_literal(member.name))
            value = self.value(member.schema, f"{path}/{_escaped(member.name)}")
            rest = self._members(schema, path, index + 1, count + 1)
            yield sequence(self._comma(count), key, self._layout.colon, value, rest)

    def _undeclared(self, schema: s.Object, path: str, index: int, count: int) -> Iterator[Expression]:
        names = frozenset(member.name for member in schema.properties)
        for number, rule in enumerate(schema.rules):
            key = _undeclared_key(rule.names, names)
            value = self.value(rule.schema, f"{path}/rule.{number}")
            rest = self._members(schema, path, index, count + 1)
            yield sequence(self._comma(count), key, self._layout.colon, value, rest)


def _escaped(name: str) -> str:
    """A JSON pointer segment."""
    return name.replace("~", "~0").replace("/", "~1")


@lru_cache(maxsize=1024)
def _undeclared_key(names: s.String | s.Number, declared: frozenset[str]) -> Expression:
    """A key of ``names``, however spelled, that is not one of the declared ones."""
    if names == s.String() and declared and not any(map(_has_control, declared)):
        return Undeclared(Leaf("string", any_string(), any_string().digest), frozenset(map(string_literal, declared)))
    strings = CountedStrings(_numeral(names)) if isinstance(names, s.Number) else counted_strings(names)
    undeclared = intersect(strings.dfa, exclude(sorted(declared))) if declared else strings.dfa
    name = "key" if isinstance(names, s.Number) else _name(names, "key")
    return counted(name, undeclared, strings.minimum, strings.maximum)


def _has_control(name: str) -> bool:
    """Whether the name has characters that JSON may spell in two ways."""
    return any(character < " " for character in name)


@lru_cache(maxsize=1024)
def _string(schema: s.String) -> Expression:
    strings = counted_strings(schema)
    return counted(_name(schema, "string"), strings.dfa, strings.minimum, strings.maximum)


def _name(schema: s.String, kind: str) -> str:
    return " & ".join([*schema.formats, *(("not " * p.negated) + f"/{p.regex}/" for p in schema.patterns)]) or kind


@lru_cache(maxsize=1024)
def _number(schema: s.Number) -> Expression:
    return leaf(("integer" if schema.integer else "number") + _range(schema), _numeral(schema))


def _numeral(schema: s.Number) -> Dfa:
    dfa = _integer(schema) if schema.integer else _decimal(schema)
    return numeric.quoted(dfa) if schema.quoted else dfa


def _integer(schema: s.Number) -> Dfa:
    least, most = _whole(schema.minimum, schema.exclusive_minimum), _whole(schema.maximum, schema.exclusive_maximum, -1)
    return numeric.integer(least, most, _whole_step(schema.multiple_of), fraction=schema.fraction)


def _whole(bound: Decimal | None, exclusive: bool, inward: int = 1) -> int | None:
    """The nearest integer on the inner side of a bound."""
    if bound is None:
        return None
    nearest = int(bound.to_integral_value("ROUND_CEILING" if inward > 0 else "ROUND_FLOOR"))
    return nearest + inward if exclusive and nearest == bound else nearest


def _whole_step(multiple_of: Decimal | None) -> int | None:
    """Integers that are multiples of p/q (in lowest terms) are the multiples of p."""
    return None if multiple_of is None else multiple_of.as_integer_ratio()[0]


def _decimal(schema: s.Number) -> Dfa:
    exact = schema.max_digits is not None or schema.decimal_places is not None
    return numeric.decimal(
        schema.minimum,
        schema.maximum,
        schema.exclusive_minimum,
        schema.exclusive_maximum,
        schema.multiple_of,
        schema.max_digits,
        schema.decimal_places,
        exponent=not exact,
    )


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
