"""A raw JSON Schema as a document: places in it, and where its references lead.

A ``$ref`` is a URI reference against the base of the place it stands in; ``$id`` starts a resource with a base
of its own, ``$anchor`` names a place in a resource. Most schemas hold nothing but local JSON pointers, so the
index of identifiers is built when the first other reference is followed::

    {"$defs": {"a/b": {"$anchor": "x"}}}        "#/$defs/a~1b" and "#x" lead to the same place

Source: JSON Schema 2020-12 core, sections 8.2 and 9; RFC 6901.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urljoin

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.vocabulary import FIRST_DRAFT, subschemas

__all__ = ["Document", "Place"]

_LATEST = ("http://json-schema.org/schema", "https://json-schema.org/schema")
_DRAFTS = {4: "draft-04", 6: "draft-06", 7: "draft-07", 2019: "draft/2019-09", 2020: "draft/2020-12"}


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema and where it stands: ``pointer`` from the root, ``base`` the URI its references start from."""

    pointer: str
    raw: Any = field(compare=False, repr=False)
    base: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        return f"#{self.pointer}"


class Document:
    """One raw schema with everything its references can reach."""

    def __init__(self, raw: Any) -> None:
        self.draft = _draft(raw)
        self._root = Place("", raw)
        self.root = self._rebased(self._root)

    def knows(self, keyword: str) -> bool:
        """Whether the draft that the schema declares has the keyword."""
        return FIRST_DRAFT.get(keyword, 0) <= self.draft

    def child(self, place: Place, *path: str) -> Place:
        """The place ``path`` leads to from ``place``; raises ``InvalidSchemaError`` where there is none."""
        for token in path:
            pointer = f"{place.pointer}/{token.replace('~', '~0').replace('/', '~1')}"
            place = self._rebased(Place(pointer, _member(place, token), place.base))
        return place

    def resolve(self, place: Place, reference: Any) -> Place:
        """The place that ``reference``, written at ``place``, names.

        Raises ``InvalidSchemaError`` if it leads nowhere, ``UnsupportedSchemaError`` if it leaves the document.
        """
        if not isinstance(reference, str):
            raise InvalidSchemaError(f"expected a URI reference, found {reference!r}", place.pointer)
        address, _, fragment = reference.partition("#")
        fragment = unquote(fragment)
        base = _join(place.base, address)
        if base == self.root.base and fragment[:1] in ("", "/"):
            return self._descend(self.root, fragment, place, reference)
        if base not in self._resources:
            raise UnsupportedSchemaError(f"the remote reference {reference!r} is not fetched", place.pointer)
        if fragment[:1] in ("", "/"):
            return self._descend(self._resources[base], fragment, place, reference)
        try:
            return self._anchors[base, fragment]
        except KeyError:
            raise InvalidSchemaError(f"the reference {reference!r} names no anchor", place.pointer) from None

    def is_dynamic(self, target: Place, reference: str) -> bool:
        """Whether a ``$dynamicRef`` that starts at ``target`` may lead elsewhere: its anchor stands in many places."""
        anchor = reference.partition("#")[2]
        if not isinstance(target.raw, dict) or target.raw.get("$dynamicAnchor") != anchor:
            return False
        return len([place for place in self._places if place.raw.get("$dynamicAnchor") == anchor]) > 1

    def _descend(self, start: Place, fragment: str, place: Place, reference: str) -> Place:
        path = [token.replace("~1", "/").replace("~0", "~") for token in fragment.split("/")[1:]]
        try:
            return self.child(start, *path)
        except InvalidSchemaError as error:
            raise InvalidSchemaError(f"the reference {reference!r} leads nowhere", place.pointer) from error

    def _rebased(self, place: Place) -> Place:
        if not isinstance(place.raw, dict):
            return place
        identifier = place.raw.get("id" if self.draft == 4 else "$id")
        if not isinstance(identifier, str) or (self.draft < 2019 and "$ref" in place.raw):
            return place
        address = identifier.partition("#")[0]
        return Place(place.pointer, place.raw, _join(place.base, address)) if address else place

    @cached_property
    def _places(self) -> list[Place]:
        found, waiting = [], [self.root]
        while waiting:
            place = waiting.pop()
            if isinstance(place.raw, dict):
                found.append(place)
                waiting.extend(self.child(place, *path) for path in subschemas(place.raw))
        return found

    @cached_property
    def _resources(self) -> dict[str, Place]:
        resources = {self.root.base: self.root}
        for place in self._places:
            resources.setdefault(place.base, place)
        return resources

    @cached_property
    def _anchors(self) -> dict[tuple[str, str], Place]:
        anchors: dict[tuple[str, str], Place] = {}
        for place in self._places:
            for name in _anchor_names(place.raw):
                anchors.setdefault((place.base, name), place)
        return anchors


def _draft(raw: Any) -> int:
    """4, 6, 7, 2019 or 2020: the draft a schema declares; 2020 when it says nothing."""
    declared = raw.get("$schema") if isinstance(raw, dict) else None
    if not isinstance(declared, str) or declared.rstrip("#") in _LATEST:
        return 2020
    for draft, mark in _DRAFTS.items():
        if f"//json-schema.org/{mark}/schema" in declared:
            return draft
    raise UnsupportedSchemaError(f"the dialect {declared!r} is not known")


def _join(base: str, address: str) -> str:
    return urljoin(base, address) if address else base


def _member(place: Place, token: str) -> Any:
    if isinstance(place.raw, dict) and token in place.raw:
        return place.raw[token]
    if isinstance(place.raw, list) and token.isdecimal() and int(token) < len(place.raw):
        return place.raw[int(token)]
    raise InvalidSchemaError(f"expected a member {token!r}, found none", place.pointer)


def _anchor_names(raw: dict[str, Any]) -> list[str]:
    names = [raw.get("$anchor"), raw.get("$dynamicAnchor")]
    names += [value[1:] for key in ("$id", "id") if isinstance(value := raw.get(key), str) and value[:1] == "#"]
    return [name for name in names if isinstance(name, str)]
