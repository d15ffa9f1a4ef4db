"""What ``unevaluatedProperties`` and ``unevaluatedItems`` do not see: all that other keywords have looked at.

Unlike ``additionalProperties`` they take into account what stands behind ``$ref`` and ``allOf``::

    {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}      no key but "a"

Behind ``anyOf``, ``if`` and the like it depends on the value what has been looked at; where such a branch looks at
members at all, the keyword is refused. Source: JSON Schema 2020-12 core, sections 11.2 and 11.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.schema.document import Document, Place

__all__ = ["Evaluated", "evaluated"]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Members that are looked at: keys by name and by pattern, the first ``prefix`` items; or all of them."""

    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    all_keys: bool = False
    prefix: int = 0
    all_items: bool = False

    def __or__(self, other: Evaluated) -> Evaluated:
        return Evaluated(
            tuple(dict.fromkeys(self.names + other.names)),
            tuple(dict.fromkeys(self.patterns + other.patterns)),
            self.all_keys or other.all_keys,
            max(self.prefix, other.prefix),
            self.all_items or other.all_items,
        )

    def of(self, keyword: str) -> Evaluated:
        """The part that ``keyword``, one of the two, asks about."""
        if keyword == "unevaluatedItems":
            return Evaluated(prefix=self.prefix, all_items=self.all_items)
        return Evaluated(self.names, self.patterns, self.all_keys)


def evaluated(place: Place, keyword: str, document: Document) -> Evaluated:
    """The members that the keywords beside ``keyword`` at ``place`` look at, for every value that they admit.

    Raises ``UnsupportedSchemaError`` where that depends on the value.
    """
    raw = {name: value for name, value in place.raw.items() if name != keyword}
    return _Walk(place, keyword, document).inside(Place(place.pointer, raw, place.base))


class _Walk:
    def __init__(self, start: Place, keyword: str, document: Document) -> None:
        self._start = start
        self._keyword = keyword
        self._document = document
        self._passed: set[Place] = set()

    def inside(self, place: Place) -> Evaluated:
        if not isinstance(place.raw, dict) or place in self._passed:
            return Evaluated()
        self._passed.add(place)
        found = _own(place.raw).of(self._keyword)
        for inner in self._always(place):
            found |= self.inside(inner)
        for inner in self._sometimes(place):
            if self.inside(inner) != Evaluated():
                self._refuse(inner)
        if "$dynamicRef" in place.raw or ("contains" in place.raw and self._keyword == "unevaluatedItems"):
            self._refuse(place)
        return found

    def _always(self, place: Place) -> list[Place]:
        members = [self._document.child(place, "allOf", str(i)) for i in range(len(place.raw.get("allOf", ())))]
        target = [self._document.resolve(place, place.raw["$ref"])] if "$ref" in place.raw else []
        return members + target

    def _sometimes(self, place: Place) -> list[Place]:
        child, raw = self._document.child, place.raw
        lists = [child(place, name, str(i)) for name in ("anyOf", "oneOf") for i in range(len(raw.get(name, ())))]
        ones = [child(place, name) for name in ("if", "then", "else") if name in raw]
        named = [child(place, name, key) for name in ("dependentSchemas", "dependencies") for key in raw.get(name, ())]
        return lists + ones + named

    def _refuse(self, place: Place) -> None:
        why = f"it depends on the value what {place.pointer or '/'} looks at"
        raise UnsupportedSchemaError(f"{self._keyword} is not supported here: {why}", self._start.pointer)


def _own(raw: dict[str, object]) -> Evaluated:
    names, patterns, items = raw.get("properties"), raw.get("patternProperties"), raw.get("items")
    prefix = items if isinstance(items, list) else raw.get("prefixItems")
    return Evaluated(
        names=tuple(names) if isinstance(names, dict) else (),
        patterns=tuple(patterns) if isinstance(patterns, dict) else (),
        all_keys="additionalProperties" in raw or "unevaluatedProperties" in raw,
        prefix=len(prefix) if isinstance(prefix, list) else 0,
        all_items=isinstance(items, dict | bool) or "unevaluatedItems" in raw or "additionalItems" in raw,
    )
