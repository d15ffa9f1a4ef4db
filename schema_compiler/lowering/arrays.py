"""Arrays as rules: after each item, what may follow.

What a rule has to know of the items so far depends on the array, and so do the names of the rules:

- Where the index alone tells what an item may be, ``items.2`` is what follows two items; alike items are a repetition.
- Where no value may come twice and there are few values, the array is a ``Selection`` if literals spell them all; else
  ``without.5`` is what follows the first and the third value, whose bits are set in the hexadecimal number.
- Where items are pieces of a document that must differ, the list is a ``BoundList`` of their leaf.
- Where items are counted (``contains``), ``items.2.1`` is what follows two items of which one counts; without an upper
  limit on the items, only as many are told apart as matter. For an integer of 5 or more among integers::

    root              ::= "[" (<integer> root/items.1.0 | <integer >=5> root/items.1.1)
    root/items.1.0    ::= ", " <integer> root/items.1.0 | ", " <integer >=5> root/items.1.1
    root/items.1.1    ::= ", " <integer> root/items.1.1 | ", " <integer >=5> root/items.1.1 | "]"

Rules are lowered when a document reaches them, so no bound costs time or memory in proportion to its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from schema_compiler.grammar.ir import (
    EMPTY,
    NEVER,
    BoundList,
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
from schema_compiler.lowering.members import has_value
from schema_compiler.lowering.rule_builder import RuleBuilder
from schema_compiler.regular.automata.dfa import literal
from schema_compiler.schema.algebra.counting import Counts, ItemCounts
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import Array, Schema

__all__ = ["array_rule"]

_VALUES_PER_RULE = 16
"""How many of an array's distinct values one rule offers; the others are in a rule of their own, and so on.

Before a value is offered, pruning looks for a text behind it, for which one rule after each value is lowered. With all
values in one rule that is a quadratic number of options. A power of two; of 1, 4, 16, 64 and no limit, 4 and 16 did
best where all of 100 values are required (1.1 and 1.4 s to the first mask, 6.6 s without a limit; measured once).
"""


def array_rule(array: Array, path: str, builder: RuleBuilder) -> Expression:
    """The array, its brackets included; ``path`` begins the names of its rules.

    Raises ``CompileBudgetError``, now or in a rule, where the items that ``contains`` counts take too long to count.
    """
    return sequence(builder.layout.open_bracket, _content(array, path, builder))


def _content(array: Array, path: str, builder: RuleBuilder) -> Expression:
    """What follows the opening bracket."""
    if array.contains:
        counted = _CountedItems(array, path)
        return counted.rest(0, counted.start, builder)
    if array.has_distinct_pieces:
        return _distinct_pieces(array, builder)
    values = single_values(array.items) if array.unique and not array.prefix else None
    if values is not None:
        return _distinct_values(array, path, values, builder)
    return _IndexedItems(array, path).rest(0, builder)


def _distinct_pieces(array: Array, builder: RuleBuilder) -> Expression:
    """What follows the opening bracket when items are different pieces of a document."""
    end = _end(array.min_items == 0, builder)
    least = max(array.min_items, 1)
    if array.max_items is not None and array.max_items < least:
        return end
    pieces = BoundList(str(array.items), _separator(builder), least, array.max_items)
    return choice(sequence(pieces, builder.layout.close_bracket), end)


def _separator(builder: RuleBuilder) -> Leaf:
    """The separator of two items as a leaf."""
    comma = builder.layout.comma
    separator = leaf("comma", literal(comma.text)) if isinstance(comma, Literal) else comma
    assert isinstance(separator, Leaf)
    return separator


class _IndexedItems:
    """The rules of an array whose items depend on their index alone: those of the prefix, then alike ones."""

    def __init__(self, array: Array, path: str) -> None:
        self._array = array
        self._path = path

    def rest(self, count: int, builder: RuleBuilder) -> Expression:
        """What follows ``count`` items, the closing bracket included."""
        end = _end(count >= self._array.min_items, builder)
        if _is_full(self._array, count):
            return end
        if count >= len(self._array.prefix):
            return self._alike_items(count, builder)
        item = builder.value(self._array.prefix[count], f"{self._path}/{count}")
        following = builder.rule(f"{self._path}/items.{count + 1}", lambda builder: self.rest(count + 1, builder))
        return choice(sequence(_comma(count, builder), item, following), end)

    def _alike_items(self, count: int, builder: RuleBuilder) -> Expression:
        """What follows ``count`` items when all further ones are alike."""
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


def _distinct_values(array: Array, path: str, values: Sequence[Schema], builder: RuleBuilder) -> Expression:
    """What follows the opening bracket when items are ``values``, none of them twice."""
    items = [builder.value(value, f"{path}/value.{number}") for number, value in enumerate(values)]
    spellings = [_literal_texts(item) for item in items]
    if not all(spellings):
        return _DistinctItems(array, path, items).rest(0, builder)
    most = len(items) if array.max_items is None else min(array.max_items, len(items))
    least = max(array.min_items, 1)
    selection = Selection(tuple(spellings), _separator(builder), least, most) if least <= most else NEVER
    return choice(sequence(selection, builder.layout.close_bracket), _end(array.min_items == 0, builder))


def _literal_texts(value: Expression) -> tuple[bytes, ...]:
    """The texts of a literal or of a choice among literals; none for any other expression."""
    options = value.options if isinstance(value, Choice) else (value,)
    texts = tuple(option.text for option in options if isinstance(option, Literal))
    return texts if len(texts) == len(options) else ()


class _DistinctItems:
    """The rules of an array of different values, some of which are no literals.

    Which values are used is an integer: bit ``n`` is set when value number ``n`` has been written.
    """

    def __init__(self, array: Array, path: str, values: Sequence[Expression]) -> None:
        self._array = array
        self._path = path
        self._values = values

    def rest(self, used: int, builder: RuleBuilder) -> Expression:
        """What follows the ``used`` values, the closing bracket included."""
        count = used.bit_count()
        end = _end(count >= self._array.min_items, builder)
        return end if _is_full(self._array, count) else choice(end, self._unused_from(0, used, builder))

    def _unused_from(self, first: int, used: int, builder: RuleBuilder) -> Expression:
        """An unused value, the first of which is number ``first`` or later, and what follows it."""
        if first >= len(self._values):
            return NEVER
        name = f"{self._rule_name(used)}.from.{first}"
        return builder.rule(name, lambda builder: choice(*self._options(first, used, builder)))

    def _options(self, first: int, used: int, builder: RuleBuilder) -> Iterator[Expression]:
        """Up to ``_VALUES_PER_RULE`` options, and a rule for the values behind them."""
        for number in range(first, min(first + _VALUES_PER_RULE, len(self._values))):
            if not used >> number & 1:
                following = used | 1 << number
                rest = builder.rule(self._rule_name(following), partial(self.rest, following))
                yield sequence(_comma(used.bit_count(), builder), self._values[number], rest)
        yield self._unused_from(first + _VALUES_PER_RULE, used, builder)

    def _rule_name(self, used: int) -> str:
        return f"{self._path}/without.{used:x}"


class _CountedItems:
    """The rules of an array with ``contains``; an item is offered only where the counts can still come out right."""

    def __init__(self, array: Array, path: str) -> None:
        self._array = array
        self._path = path
        self._counts = ItemCounts(array, has_value)
        self.start = self._counts.start

    def rest(self, count: int, counts: Counts, builder: RuleBuilder) -> Expression:
        """What follows ``count`` items with these ``counts``, the closing bracket included."""
        end = _end(self._counts.may_end(count, counts), builder)
        return end if _is_full(self._array, count) else choice(*self._options(count, counts, builder), end)

    def _options(self, count: int, counts: Counts, builder: RuleBuilder) -> Iterator[Expression]:
        """For each class of items that may come next, an item and what follows it."""
        index = min(count, len(self._array.item_classes) - 1)
        for number, item_class in enumerate(self._array.item_classes[index]):
            following = self._counts.after(counts, item_class.counts)
            if following is not None and self._counts.viable(count + 1, following):
                item = builder.value(item_class.schema, f"{self._path}/class.{index}.{number}")
                yield sequence(_comma(count, builder), item, self._rest_rule(count + 1, following, builder))

    def _rest_rule(self, count: int, counts: Counts, builder: RuleBuilder) -> Expression:
        named = count if self._array.max_items is not None else min(count, self._last_told_apart())
        name = f"{self._path}/items.{'.'.join(map(str, (named, *counts)))}"
        return builder.rule(name, lambda builder: self.rest(count, counts, builder))

    def _last_told_apart(self) -> int:
        """The number of items from which on, without an upper limit, one more makes no difference."""
        return max(1, len(self._array.item_classes) - 1, self._array.min_items)


def _is_full(array: Array, count: int) -> bool:
    return array.max_items is not None and count >= array.max_items


def _end(allowed: bool, builder: RuleBuilder) -> Expression:
    return builder.layout.close_bracket if allowed else NEVER


def _comma(count: int, builder: RuleBuilder) -> Expression:
    """The separator before an item that follows ``count`` others: none before the first."""
    return builder.layout.comma if count else EMPTY
