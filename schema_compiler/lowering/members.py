"""Which members may come next in an object, so that it can still be completed.

Declared properties come in their order, each once at the most; between two of them, any number of undeclared members.
How many members there are so far, and which obligations are unmet, decides where the object has bounds on its members
or must differ from another one::

    {"a"?: null, "b"?: null}{1,1}      at the start      "a" or "b" may come, not the end
                                       after {"a": null  the end may come, not "b"
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mypy_extensions import mypyc_attr

from schema_compiler.schema.algebra.counting import MemberCounts
from schema_compiler.schema.ir import Never, Number, Object, Property, Schema, String
from schema_compiler.schema.source.pointers import escape_token

__all__ = ["Member", "Members", "Progress", "has_value"]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Progress:
    """How far an object is written.

    ``index``: that of the next declared property. ``count``: the number of members so far. ``unmet``: the numbers of
    the obligations that no member has met.
    """

    index: int
    count: int
    unmet: frozenset[int]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Member:
    """A member that may come next: its declared name or undeclared ``keys``, the ``schema`` of its value.

    ``segment`` tells the members of an object apart, in the names of rules. ``after``: the progress with the member.
    """

    keys: str | String | Number
    schema: Schema
    segment: str
    after: Progress


class Members:
    """Answers about one object: what may come next at a ``Progress``.

    ``names``: the declared ones. Every method raises ``CompileBudgetError`` where it takes too long to tell which
    members can still complete the object.
    """

    def __init__(self, schema: Object) -> None:
        self._schema = schema
        self._counts = MemberCounts(schema, has_value)
        self._undeclared = tuple(_undeclared_members(schema))
        self.names = frozenset(item.name for item in schema.properties)
        self.start = Progress(0, 0, schema.obligations)

    @property
    def is_open(self) -> bool:
        """Whether there may be undeclared members."""
        return bool(self._undeclared)

    def is_behind_declared(self, progress: Progress) -> bool:
        """Whether no declared property is left."""
        return progress.index == len(self._schema.properties)

    def undeclared(self, progress: Progress) -> Iterator[Member]:
        """The undeclared members that may come next."""
        for number, (keys, schema, met) in enumerate(self._undeclared):
            after = Progress(progress.index, progress.count + 1, progress.unmet - met)
            if met <= progress.unmet and self._can_be_completed(after):
                yield Member(keys, schema, f"rule.{number}", after)

    def declared(self, progress: Progress) -> Iterator[Member]:
        """The members that may come next with the name of the next property, one for each schema of its value."""
        item = self._schema.properties[progress.index]
        for number, (schema, met) in enumerate(self._values(item, progress.unmet)):
            after = Progress(progress.index + 1, progress.count + 1, progress.unmet - met)
            if self._can_be_completed(after):
                segment = escape_token(item.name)
                yield Member(item.name, schema, f"{segment}.{number}" if met else segment, after)

    def without_next(self, progress: Progress) -> Progress | None:
        """The progress when the next property has been left out; ``None``: it is required."""
        item = self._schema.properties[progress.index]
        if item.required:
            return None
        return Progress(progress.index + 1, progress.count, progress.unmet - self._counts.absence(item))

    def may_go_on_declared(self, progress: Progress) -> bool:
        """Whether a member with a declared name, or the end, may come next."""
        if not self._schema.is_limited:
            return True
        following: Progress | None = progress
        while following is not None and not self.is_behind_declared(following):
            if any(True for _ in self.declared(following)):
                return True
            following = self.without_next(following)
        return following is not None and self.may_end(following)

    def may_end(self, progress: Progress) -> bool:
        """Whether the object may end, no declared property being left."""
        return self._counts.may_end(progress.count, progress.unmet)

    def _can_be_completed(self, progress: Progress) -> bool:
        return not self._schema.is_limited or self._counts.viable(progress.index, progress.count, progress.unmet)

    def _values(self, item: Property, unmet: frozenset[int]) -> Iterator[tuple[Schema, frozenset[int]]]:
        """What the property may hold, and which of the ``unmet`` obligations each meets.

        Where an alternative has the property's own schema, each value meets its obligations, so it stands for both.
        """
        alternatives = [
            (alternative.schema, alternative.obligations)
            for alternative in self._schema.alternatives
            if alternative.names == item.name and alternative.schema is not None and alternative.obligations <= unmet
        ]
        if all(schema != item.schema for schema, _ in alternatives):
            alternatives.insert(0, (item.schema, frozenset()))
        return (value for value in alternatives if has_value(value[0]))


def _undeclared_members(schema: Object) -> Iterator[tuple[String | Number, Schema, frozenset[int]]]:
    """The keys and values of undeclared members, and the obligations that each meets."""
    yield from ((rule.names, rule.schema, frozenset()) for rule in schema.rules)
    for alternative in schema.alternatives:
        if alternative.schema is not None and not isinstance(alternative.names, str):
            yield alternative.names, alternative.schema, alternative.obligations


def has_value(schema: Schema) -> bool:
    """Whether a schema that normalisation has finished has a value: it is ``Never`` where it has none."""
    return not isinstance(schema, Never)
