"""A raw JSON Schema as a document: the places in it, and where its references lead.

A ``$ref`` is a URI reference, relative to the base URI of the place where it is written. ``$id`` starts a resource with
a base URI of its own, ``$anchor`` gives a place in a resource a name::

    {"$defs": {"a/b": {"$anchor": "x"}}}        "#/$defs/a~1b" and "#x" lead to the same place

Most schemas have no references but JSON pointers into themselves. So the index of URIs and anchors, for which all of
the document is read, is built when the first other reference is followed.

Source: JSON Schema 2020-12 core, sections 8.2 and 9; RFC 6901.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from mypy_extensions import mypyc_attr

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.source.drafts import Draft, draft_of
from schema_compiler.schema.source.keywords import subschemas
from schema_compiler.schema.source.metaschemas import metaschema
from schema_compiler.schema.source.pointers import escape_token, unescape_token

__all__ = ["Document", "Place"]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Place:
    """A subschema in a document: ``raw`` is what ``json.loads`` makes of it, ``pointer`` says where it is.

    In another resource, the pointer begins with that one's URI and ``#``. ``base`` is the URI that references in this
    place are relative to. ``scope``: the bases of the resources by which references led here, in the order in which
    they were entered, where the schema has a ``$dynamicRef``, whose target depends on them; else it is empty.
    """

    pointer: str
    raw: Any = field(compare=False, repr=False)
    base: str = field(default="", compare=False)
    scope: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """A text that no place with another pointer or scope has, such as ``#/$defs/a``."""
        return f"#{self.pointer}" if not self.scope else f"#{self.pointer} within {', '.join(self.scope)}"


class Document:
    """One raw schema with everything its references can reach.

    ``resources``: other schemas by their URIs, for references that leave the document. ``draft`` is the year of the
    schema's draft, ``root`` its outermost place. Raises ``UnsupportedSchemaError`` where its draft is not known, and
    ``InvalidSchemaError`` where its own ``$id`` or the ``$vocabulary`` of its metaschema is malformed.
    """

    def __init__(self, raw: Any, resources: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._other_resources = resources
        self._draft = draft_of(raw, resources)
        self._drafts: dict[str, Draft] = {}
        self._known_places: list[Place] | None = None
        self._known_resources: dict[str, Place] | None = None
        self._known_anchors: dict[tuple[str, str], Place] | None = None
        self._known_dynamic: bool | None = None
        self.draft = self._draft.year
        self.root = self._with_own_base(Place("", raw))

    def draft_at(self, place: Place) -> Draft:
        """The draft of the resource that ``place`` is in."""
        return self._drafts.get(place.base, self._draft)

    def without_unknown_keywords(self, place: Place) -> Place:
        """``place`` without the keywords that its draft does not have; ``place`` itself where there are none."""
        knows = self.draft_at(place).knows
        if not isinstance(place.raw, dict) or all(map(knows, place.raw)):
            return place
        raw = {keyword: value for keyword, value in place.raw.items() if knows(keyword)}
        return Place(place.pointer, raw, place.base, place.scope)

    def child(self, place: Place, *path: str) -> Place:
        """The place that ``path``, member names and indexes, leads to from ``place``.

        Raises ``InvalidSchemaError`` where there is none, or where an ``$id`` on the way is no URI reference.
        """
        for token in path:
            pointer = f"{place.pointer}/{escape_token(token)}"
            place = self._with_own_base(Place(pointer, _member(place, token), place.base, place.scope))
        return place

    def resolve(self, place: Place, reference: Any) -> Place:
        """The place that ``reference``, a ``$ref`` written at ``place``, leads to.

        Raises ``InvalidSchemaError`` if it is no URI reference or leads nowhere, and ``UnsupportedSchemaError`` if it
        leads to a resource that is not supplied, or to one whose draft is not known or reads ``$ref`` in another way.
        """
        if not isinstance(reference, str):
            raise InvalidSchemaError(f"expected a URI reference, found {reference!r}", place.pointer)
        address, _, fragment = reference.partition("#")
        fragment = unquote(fragment)
        start = self._resource(_absolute_uri(place, address), place, reference)
        if fragment[:1] in ("", "/"):
            return self._enter(self._descend(start, fragment, place, reference), place)
        try:
            return self._enter(self._anchors()[start.base, fragment], place)
        except KeyError:
            raise InvalidSchemaError(f"the reference {reference!r} names no anchor", place.pointer) from None

    def resolve_dynamic(self, place: Place, reference: Any) -> Place:
        """The place that ``reference``, a ``$dynamicRef`` written at ``place``, leads to.

        If it names a ``$dynamicAnchor``, this is the one of that name in the outermost resource by which references led
        to ``place``; else it is resolved as a ``$ref`` is. Raises what ``resolve`` raises.
        """
        target = self.resolve(place, reference)
        anchor = reference.partition("#")[2]
        if not isinstance(target.raw, dict) or target.raw.get("$dynamicAnchor") != anchor:
            return target
        for base in [self.root.base, *place.scope]:
            outermost = self._anchors().get((base, anchor))
            if outermost is not None and outermost.raw.get("$dynamicAnchor") == anchor:
                return self._enter(outermost, place)
        return target

    def _resource(self, base: str, place: Place, reference: str) -> Place:
        """The root of the resource with the URI ``base``, which ``reference`` at ``place`` leads to."""
        if base == self.root.base:
            return self.root
        if (resource := self._resources().get(base)) is not None:
            return resource
        if (known := metaschema(base)) is not None:
            self._compatible_draft(base, known)
            return _resource_root(base, known)
        raise UnsupportedSchemaError(f"the remote reference {reference!r} is not fetched", place.pointer)

    def _enter(self, target: Place, origin: Place) -> Place:
        """``target`` with the scope that it has when a reference at ``origin`` leads there."""
        scope = self._extend(origin.scope, target.base)
        return target if scope == target.scope else Place(target.pointer, target.raw, target.base, scope)

    def _extend(self, scope: tuple[str, ...], base: str) -> tuple[str, ...]:
        """``scope`` with the resource ``base`` entered last; the document's own resource is in none."""
        if base == self.root.base or base in scope or not self._has_dynamic_references():
            return scope
        return (*scope, base)

    def _descend(self, start: Place, fragment: str, place: Place, reference: str) -> Place:
        path = map(unescape_token, fragment.split("/")[1:])
        try:
            return self.child(start, *path)
        except InvalidSchemaError as error:
            raise InvalidSchemaError(f"the reference {reference!r} leads nowhere", place.pointer) from error

    def _with_own_base(self, place: Place) -> Place:
        """``place``, which has the base of its surroundings, with that of its own ``$id`` if it has one."""
        base = self._own_base(place)
        if base == place.base:
            return place
        scope = self._extend(place.scope, base) if place.pointer else ()
        return Place(place.pointer, place.raw, base, scope)

    def _own_base(self, place: Place) -> str:
        identifier = place.raw.get("id" if self.draft == 4 else "$id") if isinstance(place.raw, dict) else None
        if not isinstance(identifier, str) or (self.draft < 2019 and "$ref" in place.raw):
            return place.base
        return _absolute_uri(place, identifier.partition("#")[0])

    def _places(self) -> list[Place]:
        """All subschemas of the document and of the other resources; see ``_all_places``."""
        if self._known_places is None:
            self._known_places = self._all_places()
        return self._known_places

    def _all_places(self) -> list[Place]:
        """Reads the document and the other resources, breadth first, and notes the draft of each resource."""
        places = []
        waiting = [self.root]
        for uri, raw in self._other_resources.items():
            if isinstance(raw, dict) and "$schema" in raw:
                self._drafts[uri] = self._compatible_draft(uri, raw)
            waiting.append(_resource_root(uri, raw))
        while waiting:
            place = waiting.pop(0)
            if isinstance(place.raw, dict):
                outer, place = place, Place(place.pointer, place.raw, self._own_base(place))
                if outer.base in self._drafts:
                    self._drafts.setdefault(place.base, self._drafts[outer.base])
                places.append(place)
                waiting.extend(
                    Place("/".join([place.pointer, *map(escape_token, path)]), _value_at(place, path), place.base)
                    for path in subschemas(place.raw)
                )
        return places

    def _compatible_draft(self, uri: str, raw: dict[str, Any]) -> Draft:
        """The draft of another resource.

        Raises ``UnsupportedSchemaError`` where ``$ref`` and ``$id`` do not mean there what they mean in the document.
        """
        draft = draft_of(raw, self._other_resources)
        if draft.year != self.draft and min(draft.year, self.draft) < 2019:
            raise UnsupportedSchemaError(f"the resource {uri} is of another draft than the schema")
        return draft

    def _has_dynamic_references(self) -> bool:
        if self._known_dynamic is None:
            self._known_dynamic = any("$dynamicRef" in place.raw for place in self._places())
        return self._known_dynamic

    def _resources(self) -> dict[str, Place]:
        """The root of every resource, by its URI."""
        if self._known_resources is None:
            self._known_resources = self._all_resources()
        return self._known_resources

    def _all_resources(self) -> dict[str, Place]:
        resources = {self.root.base: self.root}
        for uri, raw in self._other_resources.items():
            resources[uri] = self._with_own_base(_resource_root(uri, raw))
        for place in self._places():
            resources.setdefault(place.base, place)
        return resources

    def _anchors(self) -> dict[tuple[str, str], Place]:
        """The place of every anchor, by the URI of its resource and its name."""
        if self._known_anchors is None:
            self._known_anchors = self._all_anchors()
        return self._known_anchors

    def _all_anchors(self) -> dict[tuple[str, str], Place]:
        anchors: dict[tuple[str, str], Place] = {}
        for place in self._places():
            for name in _anchor_names(place.raw):
                anchors.setdefault((place.base, name), place)
        return anchors


def _resource_root(uri: str, raw: Any) -> Place:
    """The root of another resource, without regard to its ``$id``."""
    return Place(f"{uri}#", raw, uri)


def _value_at(place: Place, path: tuple[str, ...]) -> Any:
    raw = place.raw
    for token in path:
        raw = raw[int(token)] if isinstance(raw, list) else raw[token]
    return raw


def _absolute_uri(place: Place, address: str) -> str:
    """The URI that ``address``, a URI reference without a fragment, stands for at ``place``.

    Raises ``InvalidSchemaError`` where it is none, such as ``http://[``.
    """
    try:
        urlsplit(address)  # without a base, urljoin does not read it
        return urljoin(place.base, address) if address else place.base
    except ValueError as error:
        raise InvalidSchemaError(f"expected a URI reference, found {address!r}", place.pointer) from error


def _member(place: Place, token: str) -> Any:
    if isinstance(place.raw, dict) and token in place.raw:
        return place.raw[token]
    if isinstance(place.raw, list) and token.isdecimal() and int(token) < len(place.raw):
        return place.raw[int(token)]
    raise InvalidSchemaError(f"expected a member {token!r}, found none", place.pointer)


def _anchor_names(raw: dict[str, Any]) -> list[str]:
    """The anchors that ``raw`` declares; up to draft 7, an ``$id`` such as ``#name`` declares one."""
    names = [raw.get("$anchor"), raw.get("$dynamicAnchor")]
    names += [value[1:] for key in ("$id", "id") if isinstance(value := raw.get(key), str) and value[:1] == "#"]
    return [name for name in names if isinstance(name, str)]
