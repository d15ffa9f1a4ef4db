"""A raw JSON Schema as a document: places in it, and where its references lead.

A ``$ref`` is a URI reference against the base of the place it stands in; ``$id`` starts a resource with a base
of its own, ``$anchor`` names a place in a resource. Most schemas hold nothing but local JSON pointers, so the
index of identifiers is built when the first other reference is followed::

    {"$defs": {"a/b": {"$anchor": "x"}}}        "#/$defs/a~1b" and "#x" lead to the same place

Source: JSON Schema 2020-12 core, sections 8.2 and 9; RFC 6901.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urljoin

from mypy_extensions import mypyc_attr

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.source.drafts import Draft, draft_of
from schema_compiler.schema.source.keywords import subschemas
from schema_compiler.schema.source.metaschemas import metaschema

__all__ = ["Document", "Place"]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Place:
    """A subschema and where it stands: ``pointer`` from the root, ``base`` the URI its references start from.

    ``scope``: the bases of the resources passed through on the way here, where a ``$dynamicRef`` may ask for them.
    """

    pointer: str
    raw: Any = field(compare=False, repr=False)
    base: str = field(default="", compare=False)
    scope: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"#{self.pointer}" if not self.scope else f"#{self.pointer} within {', '.join(self.scope)}"


class Document:
    """One raw schema with everything its references can reach.

    ``resources``: other schemas by their URIs, for references that leave the document.
    """

    def __init__(self, raw: Any, resources: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._others = resources
        self._draft = draft_of(raw, resources)
        self._drafts: dict[str, Draft] = {}
        self._known_places: list[Place] | None = None
        self._known_resources: dict[str, Place] | None = None
        self._known_anchors: dict[tuple[str, str], Place] | None = None
        self._asks_dynamically: bool | None = None
        self.draft = self._draft.year
        self.root = self._rebased(Place("", raw))

    def draft_at(self, place: Place) -> Draft:
        """The draft of the resource that ``place`` is in."""
        return self._drafts.get(place.base, self._draft)

    def child(self, place: Place, *path: str) -> Place:
        """The place ``path`` leads to from ``place``; raises ``InvalidSchemaError`` where there is none."""
        for token in path:
            pointer = f"{place.pointer}/{token.replace('~', '~0').replace('/', '~1')}"
            place = self._rebased(Place(pointer, _member(place, token), place.base, place.scope))
        return place

    def resolve(self, place: Place, reference: Any) -> Place:
        """The place that ``reference``, written at ``place``, names.

        Raises ``InvalidSchemaError`` if it leads nowhere, ``UnsupportedSchemaError`` if it leaves the document.
        """
        if not isinstance(reference, str):
            raise InvalidSchemaError(f"expected a URI reference, found {reference!r}", place.pointer)
        address, _, fragment = reference.partition("#")
        fragment = unquote(fragment)
        start = self._resource(_join(place.base, address), place, reference)
        if fragment[:1] in ("", "/"):
            return self._entered(self._descend(start, fragment, place, reference), place)
        try:
            return self._entered(self._anchors()[start.base, fragment], place)
        except KeyError:
            raise InvalidSchemaError(f"the reference {reference!r} names no anchor", place.pointer) from None

    def resolve_dynamic(self, place: Place, reference: Any) -> Place:
        """Where a ``$dynamicRef`` leads: to the outermost resource on the way here that has such an anchor."""
        target = self.resolve(place, reference)
        anchor = reference.partition("#")[2]
        if not isinstance(target.raw, dict) or target.raw.get("$dynamicAnchor") != anchor:
            return target
        for base in [self.root.base, *place.scope]:
            outermost = self._anchors().get((base, anchor))
            if outermost is not None and outermost.raw.get("$dynamicAnchor") == anchor:
                return self._entered(outermost, place)
        return target

    def _resource(self, base: str, place: Place, reference: str) -> Place:
        if base == self.root.base:
            return self.root
        if (resource := self._resources().get(base)) is not None:
            return resource
        if (known := metaschema(base)) is not None:
            self._readable_draft(base, known)
            return _outer(base, known)
        raise UnsupportedSchemaError(f"the remote reference {reference!r} is not fetched", place.pointer)

    def _entered(self, target: Place, origin: Place) -> Place:
        """``target`` as reached from ``origin``."""
        scope = self._scope(target.base, origin.scope)
        return target if scope == target.scope else Place(target.pointer, target.raw, target.base, scope)

    def _scope(self, base: str, scope: tuple[str, ...]) -> tuple[str, ...]:
        if base == self.root.base or base in scope or not self._is_dynamic():
            return scope
        return (*scope, base)

    def _descend(self, start: Place, fragment: str, place: Place, reference: str) -> Place:
        path = [token.replace("~1", "/").replace("~0", "~") for token in fragment.split("/")[1:]]
        try:
            return self.child(start, *path)
        except InvalidSchemaError as error:
            raise InvalidSchemaError(f"the reference {reference!r} leads nowhere", place.pointer) from error

    def _rebased(self, place: Place) -> Place:
        base = self._own_base(place)
        if base == place.base:
            return place
        scope = self._scope(base, place.scope) if place.pointer else ()
        return Place(place.pointer, place.raw, base, scope)

    def _own_base(self, place: Place) -> str:
        identifier = place.raw.get("id" if self.draft == 4 else "$id") if isinstance(place.raw, dict) else None
        if not isinstance(identifier, str) or (self.draft < 2019 and "$ref" in place.raw):
            return place.base
        return _join(place.base, identifier.partition("#")[0])

    def _places(self) -> list[Place]:
        """Every subschema of the document and of the other resources, whatever leads there."""
        if self._known_places is None:
            self._known_places = self._all_places()
        return self._known_places

    def _all_places(self) -> list[Place]:
        found = []
        waiting = [self.root]
        for uri, raw in self._others.items():
            if isinstance(raw, dict) and "$schema" in raw:
                self._drafts[uri] = self._readable_draft(uri, raw)
            waiting.append(_outer(uri, raw))
        while waiting:
            place = waiting.pop(0)
            if isinstance(place.raw, dict):
                outer, place = place, Place(place.pointer, place.raw, self._own_base(place))
                if outer.base in self._drafts:
                    self._drafts.setdefault(place.base, self._drafts[outer.base])
                found.append(place)
                waiting.extend(
                    Place(f"{place.pointer}/{_escaped(path)}", _inside(place, path), place.base)
                    for path in subschemas(place.raw)
                )
        return found

    def _readable_draft(self, uri: str, raw: dict[str, Any]) -> Draft:
        """The draft of another resource; ``$ref`` and ``$id`` must mean there what they mean here."""
        draft = draft_of(raw, self._others)
        if draft.year != self.draft and min(draft.year, self.draft) < 2019:
            raise UnsupportedSchemaError(f"the resource {uri} is of another draft than the schema")
        return draft

    def _is_dynamic(self) -> bool:
        if self._asks_dynamically is None:
            self._asks_dynamically = any("$dynamicRef" in place.raw for place in self._places())
        return self._asks_dynamically

    def _resources(self) -> dict[str, Place]:
        if self._known_resources is None:
            self._known_resources = self._all_resources()
        return self._known_resources

    def _all_resources(self) -> dict[str, Place]:
        resources = {self.root.base: self.root}
        resources |= {uri: self._rebased(_outer(uri, raw)) for uri, raw in self._others.items()}
        for place in self._places():
            resources.setdefault(place.base, place)
        return resources

    def _anchors(self) -> dict[tuple[str, str], Place]:
        if self._known_anchors is None:
            self._known_anchors = self._all_anchors()
        return self._known_anchors

    def _all_anchors(self) -> dict[tuple[str, str], Place]:
        anchors: dict[tuple[str, str], Place] = {}
        for place in self._places():
            for name in _anchor_names(place.raw):
                anchors.setdefault((place.base, name), place)
        return anchors


def _outer(uri: str, raw: Any) -> Place:
    """The root of another resource."""
    return Place(f"{uri}#", raw, uri)


def _escaped(path: tuple[str, ...]) -> str:
    return "/".join(token.replace("~", "~0").replace("/", "~1") for token in path)


def _inside(place: Place, path: tuple[str, ...]) -> Any:
    raw = place.raw
    for token in path:
        raw = raw[int(token)] if isinstance(raw, list) else raw[token]
    return raw


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
