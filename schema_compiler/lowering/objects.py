r"""Objects as rules: a chain with one rule per place in the order of the properties.

``members.2.1`` reads "from the third property on, something written already" (members are counted no further than it
matters)::

    Person                 ::= "{" Person/members.0.0
    Person/members.0.0     ::= "\"name\": " Person/name/value.1.1
    Person/name/value.1.1  ::= <string> Person/members.1.1
    Person/members.1.1     ::= ", \"age\": " Person/age/value.2.1 | Person/members.2.1
    Person/age/value.2.1   ::= <integer> Person/members.2.1
    Person/members.2.1     ::= "}"

Where an object is open, ``members.2.1`` adds the undeclared members to ``declared.2.1``, which is then that chain.

The chain costs rules in proportion to the properties a document reaches, however many are optional, and what a
property may hold is lowered when its key has been written; as each link is in tail position, the graph enters it in
place and makes one automaton of the chain again. An object with demands (it must differ from another one) adds those
still to be met to the name: ``members.1.1.0``. Declared names come once because they come in order, undeclared ones
because their leaf tells texts apart (see ``distinct``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from schema_compiler.grammar.ir import EMPTY, Difference, Expression, Leaf, Literal, choice, sequence
from schema_compiler.grammar.leaves import counted, distinct
from schema_compiler.lowering.rule_builder import RuleBuilder
from schema_compiler.regular.automata.operations import intersect
from schema_compiler.regular.automata.properties import is_endless
from schema_compiler.regular.regex.language import CountedStrings
from schema_compiler.regular.text.json_strings import exclude, string_literal
from schema_compiler.schema.algebra.counting import MemberCounts
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings, text_name
from schema_compiler.schema.algebra.witness import only_text
from schema_compiler.schema.ir import ANY_STRING, Never, Number, Object, Property, Schema, String
from schema_compiler.schema.source.pointers import escape_token

__all__ = ["object_rule"]

_Obligations = frozenset[int]
_NONE: _Obligations = frozenset()


def object_rule(made: Object, path: str, builder: RuleBuilder) -> Expression:
    """The object, its braces included."""
    return sequence(builder.layout.open_brace, _Members(made, path).rest(0, 0, made.obligations, builder))


class _Members:
    """The members of one object."""

    def __init__(self, made: Object, path: str) -> None:
        self._made = made
        self._path = path
        self._names = frozenset(item.name for item in made.properties)
        self._counts = MemberCounts(made, lambda schema: not isinstance(schema, Never))
        self._is_counted = bool(made.alternatives) or made.min_properties > 0 or made.max_properties is not None
        self._keys = tuple(self._rules())
        self._ceiling = max(1, made.min_properties, made.max_properties or 0)

    def rest(self, index: int, count: int, unmet: _Obligations, builder: RuleBuilder) -> Expression:
        """What follows ``count`` members, from the property ``index`` on, while the demands ``unmet`` are left."""
        if not self._keys:
            return self._next(index, count, unmet, builder)
        body = partial(self._any, index, count, unmet)
        return builder.rule(f"{self._path}/members.{self._place(index, count, unmet)}", body)

    def _any(self, index: int, count: int, unmet: _Obligations, builder: RuleBuilder) -> Expression:
        """An undeclared member, a declared one, or the end. Leaving a property out allows no undeclared ones anew."""
        options = list(self._undeclared(index, count, unmet, builder))
        if index == len(self._made.properties):
            options.extend(self._options(index, count, unmet, builder))
        elif self._goes_on(index, count, unmet):
            options.append(self._next(index, count, unmet, builder))
        return choice(*options)

    def _next(self, index: int, count: int, unmet: _Obligations, builder: RuleBuilder) -> Expression:
        """A member with a declared name, or the end."""
        name = f"{self._path}/{'declared' if self._keys else 'members'}.{self._place(index, count, unmet)}"
        return builder.rule(name, lambda builder: choice(*self._options(index, count, unmet, builder)))

    def _place(self, index: int, count: int, unmet: _Obligations) -> str:
        obligations = "".join(f".{obligation}" for obligation in sorted(unmet))
        return f"{index}.{min(count, self._ceiling)}{obligations}"

    def _options(self, index: int, count: int, unmet: _Obligations, builder: RuleBuilder) -> Iterator[Expression]:
        if index < len(self._made.properties):
            item = self._made.properties[index]
            yield from self._declared(item, index, count, unmet, builder)
            left = unmet - self._counts.absence(item)
            if not item.required and self._goes_on(index + 1, count, left):
                yield self._next(index + 1, count, left, builder)
        elif self._counts.may_end(count, unmet):
            yield builder.layout.close_brace

    def _goes_on(self, index: int, count: int, unmet: _Obligations) -> bool:
        """Whether a declared member or the end may come next."""
        if not self._is_counted:
            return True
        for place, item in enumerate(self._made.properties[index:], index + 1):
            if any(self._is_viable(place, count + 1, unmet - met) for _, met in self._possible(item, unmet)):
                return True
            if item.required:
                return False
            unmet -= self._counts.absence(item)
        return self._counts.may_end(count, unmet)

    def _is_viable(self, index: int, count: int, unmet: _Obligations) -> bool:
        return not self._is_counted or self._counts.viable(index, count, unmet)

    def _declared(
        self, item: Property, index: int, count: int, unmet: _Obligations, builder: RuleBuilder
    ) -> Iterator[Expression]:
        key = Literal(string_literal(item.name))
        path = f"{self._path}/{escape_token(item.name)}"
        for number, (schema, met) in enumerate(self._possible(item, unmet)):
            if self._is_viable(index + 1, count + 1, unmet - met):
                value = f"{path}.{number}" if met else path
                yield self._member(key, schema, value, index + 1, count + 1, unmet - met, builder)

    def _possible(self, item: Property, unmet: _Obligations) -> Iterator[tuple[Schema, _Obligations]]:
        """What the property may hold, and the demands each meets."""
        return ((schema, met) for schema, met in self._alternatives(item, unmet) if not isinstance(schema, Never))

    def _alternatives(self, item: Property, unmet: _Obligations) -> Iterator[tuple[Schema, _Obligations]]:
        """The same, the impossible included; a way that is always taken stands alone."""
        alternatives = [
            (alternative.schema, alternative.obligations)
            for alternative in self._made.alternatives
            if alternative.names == item.name and alternative.schema is not None and alternative.obligations <= unmet
        ]
        if all(schema != item.schema for schema, _ in alternatives):
            yield item.schema, _NONE
        yield from alternatives

    def _undeclared(self, index: int, count: int, unmet: _Obligations, builder: RuleBuilder) -> Iterator[Expression]:
        for number, (names, schema, met) in enumerate(self._keys):
            if met <= unmet and self._is_viable(index, count + 1, unmet - met):
                key = distinct(_undeclared_key(names, self._names))
                yield self._member(key, schema, f"{self._path}/rule.{number}", index, count + 1, unmet - met, builder)

    def _member(
        self,
        key: Expression,
        schema: Schema,
        path: str,
        index: int,
        count: int,
        unmet: _Obligations,
        builder: RuleBuilder,
    ) -> Expression:
        """One member, the last of ``count``; its value, and what follows, is a rule that waits for the key."""

        def value(builder: RuleBuilder) -> Expression:
            return sequence(builder.value(schema, path), self.rest(index, count, unmet, builder))

        comma = EMPTY if count == 1 else builder.layout.comma
        name = f"{path}/value.{self._place(index, count, unmet)}"
        return sequence(comma, key, builder.layout.colon, builder.rule(name, value))

    def _rules(self) -> Iterator[tuple[String | Number, Schema, _Obligations]]:
        yield from ((rule.names, rule.schema, _NONE) for rule in self._made.rules)
        for alternative in self._made.alternatives:
            if alternative.schema is not None and not isinstance(alternative.names, str):
                yield alternative.names, alternative.schema, alternative.obligations


@lru_cache(maxsize=256)
def _undeclared_key(names: String | Number, declared: frozenset[str]) -> Expression:
    """A key of ``names``, however spelled, that is not one of the declared ones."""
    if isinstance(names, String):
        names, others = _without_texts(names)
        declared |= others
    strings, name, key = _any_key(names)
    is_any = names == ANY_STRING
    admitted = [each for each in declared if is_any or strings.dfa.accepts(string_literal(each))]
    if not admitted:
        return key
    if isinstance(key, Leaf) and is_endless(key.dfa) and not any(map(_has_control, admitted)):
        return Difference(key, frozenset(map(string_literal, admitted)))
    undeclared = intersect(strings.dfa, exclude(sorted(admitted)))
    return counted(name, undeclared, strings.minimum, strings.maximum)


def _without_texts(names: String) -> tuple[String, frozenset[str]]:
    """``names`` less the patterns that only forbid a text each, ``!/^name$/``, and these texts."""
    texts = {pattern: only_text(pattern) for pattern in names.patterns if pattern.negated}
    left = tuple(pattern for pattern in names.patterns if texts.get(pattern) is None)
    return replace(names, patterns=left), frozenset(text for text in texts.values() if text is not None)


@lru_cache(maxsize=256)
def _any_key(names: String | Number) -> tuple[CountedStrings, str, Expression]:
    """The keys of ``names`` as strings, their name for the reader, and their leaf."""
    strings = CountedStrings(numeral(names)) if isinstance(names, Number) else counted_strings(names)
    name = "key" if isinstance(names, Number) else text_name(names, "key")
    return strings, name, counted(name, strings.dfa, strings.minimum, strings.maximum)


def _has_control(name: str) -> bool:
    """Whether the name has characters that JSON may spell in two ways."""
    return any(character < " " for character in name)
