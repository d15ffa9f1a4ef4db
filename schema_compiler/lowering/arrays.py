"""Arrays as rules: after each item, what may follow.

Alike items repeat; a prefix is a chain of rules, ``items.2`` reads "two items written". Different scalars out of a
finite set are a ``Selection``; where such a set has compound values, a rule is named by those already there. Where
items are counted (``contains``), it is named by what has been counted::

    at least one item of 5 or more:

    items.0.0   ::= <integer >= 5> items.1.1 | <integer> items.1.0
    items.1.0   ::= ", " <integer >= 5> items.1.1 | ", " <integer> items.1.0
    items.1.1   ::= (", " <integer>)* "]"

Rules are made when a document reaches them, so no bound costs time or memory in proportion to its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from schema_compiler.grammar.ir import (
    EMPTY,
    NEVER,
    Choice,
    Expression,
    Leaf,
    Literal,
    Selection,
    choice,
    repeat,
    sequence,
)
from schema_compiler.grammar.leaves import distinct, leaf
from schema_compiler.lowering.rule_builder import RuleBuilder
from schema_compiler.regular.automata.dfa import literal
from schema_compiler.schema.algebra.counting import Counts, ItemCounts
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import Array, Never, Schema

__all__ = ["array_rule"]

_FEW = 16


def array_rule(array: Array, path: str, builder: RuleBuilder) -> Expression:
    """The array, its brackets included."""
    return sequence(builder.layout.open_bracket, _content(array, path, builder))


def _content(array: Array, path: str, builder: RuleBuilder) -> Expression:
    if array.contains:
        counted = _CountedItems(array, path)
        return counted.rest_with(0, counted.start, builder)
    values = single_values(array.items) if array.unique and not array.prefix else None
    if values is not None:
        return _distinct_items(array, path, values, builder)
    return _Items(array, path).rest(0, builder)


class _Items:
    """The items of one array."""

    def __init__(self, array: Array, path: str) -> None:
        self._array = array
        self._path = path

    def rest(self, count: int, builder: RuleBuilder) -> Expression:
        """What follows ``count`` items, the closing bracket included."""
        end = _end(count >= self._array.min_items, builder)
        if self._is_full(count):
            return end
        if count >= len(self._array.prefix):
            return self._alike(count, builder)
        item = builder.value(self._array.prefix[count], f"{self._path}/{count}")
        following = builder.rule(f"{self._path}/items.{count + 1}", lambda builder: self.rest(count + 1, builder))
        return choice(sequence(_comma(count, builder), item, following), end)

    def _alike(self, count: int, builder: RuleBuilder) -> Expression:
        """What follows when all further items are alike."""
        item = builder.value(self._array.items, f"{self._path}/items")
        if self._array.unique and not self._array.prefix:
            item = distinct(item)
        more = sequence(builder.layout.comma, item)
        least = max(self._array.min_items - count, 0)
        most = None if self._array.max_items is None else self._array.max_items - count
        close = builder.layout.close_bracket
        if count:
            return sequence(repeat(more, least, most), close)
        further = repeat(more, max(least - 1, 0), None if most is None else most - 1)
        return choice(sequence(item, further, close), _end(least == 0, builder))

    def _is_full(self, count: int) -> bool:
        return self._array.max_items is not None and count >= self._array.max_items


def _distinct_items(array: Array, path: str, values: tuple[Schema, ...], builder: RuleBuilder) -> Expression:
    """Items that are finitely many, none of them twice: a selection where they are scalars."""
    items = [builder.value(value, f"{path}/value.{number}") for number, value in enumerate(values)]
    spelled = [_spellings(item) for item in items]
    if not all(spelled):
        return _DistinctItems(array, path, items).rest_after(0, builder)
    most = len(items) if array.max_items is None else min(array.max_items, len(items))
    least = max(array.min_items, 1)
    comma = builder.layout.comma
    separator = leaf("comma", literal(comma.text)) if isinstance(comma, Literal) else comma
    assert isinstance(separator, Leaf)
    selected = Selection(tuple(spelled), separator, least, most) if least <= most else NEVER
    return choice(sequence(selected, builder.layout.close_bracket), _end(array.min_items == 0, builder))


def _spellings(value: Expression) -> tuple[bytes, ...]:
    """The texts of a value, none where it has others than literals."""
    options = value.options if isinstance(value, Choice) else (value,)
    texts = tuple(option.text for option in options if isinstance(option, Literal))
    return texts if len(texts) == len(options) else ()


class _DistinctItems(_Items):
    """Values none of which comes twice, some of them compound."""

    def __init__(self, array: Array, path: str, values: Sequence[Expression]) -> None:
        super().__init__(array, path)
        self._values = values

    def rest_after(self, used: int, builder: RuleBuilder) -> Expression:
        """What follows the values whose bits are set in ``used``."""
        count = used.bit_count()
        end = _end(count >= self._array.min_items, builder)
        return end if self._is_full(count) else choice(end, self._more(used, 0, builder))

    def _more(self, used: int, first: int, builder: RuleBuilder) -> Expression:
        """The values from number ``first`` on, a few in each rule, so that few are looked at before they are needed."""
        if first >= len(self._values):
            return NEVER
        return builder.rule(
            f"{self._name(used)}.from.{first}", lambda builder: choice(*self._some(used, first, builder))
        )

    def _some(self, used: int, first: int, builder: RuleBuilder) -> Iterator[Expression]:
        for index in range(first, min(first + _FEW, len(self._values))):
            if not used >> index & 1:
                following = used | 1 << index
                rest = builder.rule(self._name(following), partial(self.rest_after, following))
                yield sequence(_comma(used.bit_count(), builder), self._values[index], rest)
        yield self._more(used, first + _FEW, builder)

    def _name(self, used: int) -> str:
        return f"{self._path}/without.{used:x}"


class _CountedItems(_Items):
    """Items of which some are counted."""

    def __init__(self, array: Array, path: str) -> None:
        super().__init__(array, path)
        self._counts = ItemCounts(array, _is_possible)
        self.start = self._counts.start

    def rest_with(self, count: int, counts: Counts, builder: RuleBuilder) -> Expression:
        """What follows ``count`` items with these counts."""
        end = _end(self._counts.may_end(count, counts), builder)
        return end if self._is_full(count) else choice(*self._options(count, counts, builder), end)

    def _options(self, count: int, counts: Counts, builder: RuleBuilder) -> Iterator[Expression]:
        place = min(count, len(self._array.item_classes) - 1)
        for number, item_class in enumerate(self._array.item_classes[place]):
            following = self._counts.after(counts, item_class.counts)
            if following is not None and self._counts.viable(count + 1, following):
                item = builder.value(item_class.schema, f"{self._path}/cell.{place}.{number}")
                yield sequence(_comma(count, builder), item, self._following(count + 1, following, builder))

    def _following(self, count: int, counts: Counts, builder: RuleBuilder) -> Expression:
        shown = count if self._array.max_items is not None else min(count, self._settled())
        name = f"{self._path}/items.{'.'.join(map(str, (shown, *counts)))}"
        return builder.rule(name, lambda builder: self.rest_with(count, counts, builder))

    def _settled(self) -> int:
        """From so many items on it does not matter how many there are, without an upper limit."""
        return max(1, len(self._array.item_classes) - 1, self._array.min_items)


def _end(allowed: bool, builder: RuleBuilder) -> Expression:
    return builder.layout.close_bracket if allowed else NEVER


def _comma(count: int, builder: RuleBuilder) -> Expression:
    return builder.layout.comma if count else EMPTY


def _is_possible(schema: Schema) -> bool:
    return not isinstance(schema, Never)
