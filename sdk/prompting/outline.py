"""The shape of the answer in words: an outline of field names, types and descriptions.

A small model does not follow raw JSON Schema, whose braces, ``$defs`` and keywords take more tokens than the document.
It does follow an outline, which says what the grammar says:

    - company (text): name of the shop
    - items (list of Item): what was bought
      - name (text)
      - price (number above 0)
    - gift (Item or null)
    - paid (one of these by kind)
      - Cash, kind "cash"
        - change (number, optional, default 0)
      - Card, kind "card": also by telephone
        - number (text matching ^[0-9]{16}$)
    What is not stated is null if allowed, or left out if optional.

Nothing is said twice. An object is spelled out where it is first mentioned, and mentioned by name from then on, which
is also how recursive types end. The objects of a union each have a line and their own fields, and where the values of
one field tell them apart, these stand in that line.

**Absence** has one rule, whatever combination of ``T | None`` and a default a type has. The grammar admits all that
the type does; the outline names one way to say that the document does not say. That is null where null is allowed,
else leaving the field out where it has a default. Any other field is required, and has a value whatever the document
says. The last line states the rule, if there is a field that it concerns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schema_compiler.schema.source.keywords import DECIMAL_PLACES
from schema_compiler.schema.source.pointers import unescape_token

__all__ = ["outline"]

_FORMATS = {
    "date": "date, YYYY-MM-DD",
    "date-time": "date and time, YYYY-MM-DDThh:mm:ssZ",
    "python-datetime": "date and time, YYYY-MM-DDThh:mm:ss",
    "python-aware-datetime": "date and time, YYYY-MM-DDThh:mm:ssZ",
    "python-naive-datetime": "date and time, YYYY-MM-DDThh:mm:ss",
    "time": "time, hh:mm:ssZ",
    "python-time": "time, hh:mm:ss",
    "duration": "duration, like P1DT2H",
    "python-timedelta": "duration, like P1DT2H",
    "email": "e-mail address",
    "python-email": "e-mail address",
    "hostname": "host name",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "ipvanyaddress": "IP address",
    "python-uuid": "UUID",
    "uuid": "UUID",
    "python-url": "URL, like https://example.org/",
    "uri": "URL",
    "byte": "text in Base64",
}
"""How formats are put into words; one that is not listed is "text"."""

_SCALARS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}
"""How types without parts are put into words."""

_ANY = "any value"
"""What a schema is that says nothing of its values."""

_MEMBER_NAMES = "x-enum-varnames"
"""The keyword with the names of the values of ``enum``, in their order, as OpenAPI's client generators have it."""

_SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
"""The keywords with a list of schemas in which a value's objects are declared."""

_ONE = ("items", "additionalProperties")
"""The keywords with one such schema."""

_LONGEST_DETAIL = 60
"""The characters of the longest default and pattern that are told; chosen, not measured.

The grammar enforces a longer one all the same, and the default holds where the field is left out.
"""

_ABSENCE = {
    (True, True): "What is not stated is null if allowed, or left out if optional.",
    (True, False): "What is not stated is null if allowed.",
    (False, True): "What is not stated is left out if optional.",
}
"""The last line, by whether there are fields that may be null, and others that may be left out."""


def outline(schema: Mapping[str, Any] | bool) -> str:
    """The outline of a JSON Schema: what the value is, a line for each field, and the rule of absence if it is needed.

    The schema is one that Pydantic or its author wrote, in any draft; the keywords ``x-enum-varnames`` (a list of
    names for the values of ``enum``) and ``title`` (of a ``const`` among alternatives) name values that are no words.
    """
    writer = _Writer(schema, Counter(_references(schema)))
    phrase, note = writer.phrase(schema), writer.note(schema)
    lines = [f"{phrase}: {note}" if note else phrase, *writer.lines(schema, "")]
    if absence := _ABSENCE.get((writer.has_nulls, writer.has_optional)):
        lines.append(absence)
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Object:
    """An object with declared fields.

    ``reference``: the first one on the way to the fields, ``None`` where they stand in ``schema`` itself.
    """

    schema: Mapping[str, Any]
    reference: str | None
    fields: Mapping[str, Any]
    required: frozenset[str]

    @property
    def key(self) -> str | int:
        """What tells it from all others of the document, however it is reached."""
        return self.reference or id(self.schema)


@dataclass(slots=True)
class _Writer:
    """Puts the parts of one schema, ``document``, into words.

    ``uses``: how often each reference stands in the document. ``spelled``: the keys of objects, and the references to
    other types, that have been spelled out. ``noted``: the references whose description has been told. ``open``: those
    being put into words right now, at which recursion ends; ``recursive``: those at which it did. ``names``: the
    reference that each name stands for. ``has_nulls``, ``has_optional``: whether there were fields of the kind.
    """

    document: Mapping[str, Any] | bool
    uses: Counter[str]
    spelled: set[str | int] = field(default_factory=set)
    noted: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    recursive: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    has_nulls: bool = False
    has_optional: bool = False

    def phrase(self, schema: Any) -> str:
        """The type in a few words."""
        return _join(self._choices(schema), "or")

    def note(self, schema: Any) -> str:
        """The description on one line; a field's own goes before its type's, which is told once."""
        match schema:
            case {"description": description}:
                return " ".join(str(description).split())
            case {"$ref": str(reference)} if reference not in self.noted:
                self.noted.add(reference)
                return self.note(self._target(reference))
            case {"properties": _}:
                return ""
            case {"allOf": [part, *_]} | {"items": part} | {"additionalProperties": part}:
                return self.note(part)
            case {"anyOf": [*options]} | {"oneOf": [*options]}:
                others = [option for option in options if option != {"type": "null"}]
                return self.note(others[0]) if len(others) == 1 else ""
            case _:
                return ""

    def lines(self, schema: Any, indent: str) -> Iterator[str]:
        """A line for each field inside, deeper ones indented under the field, or the object of a union, with them."""
        objects = self._objects(schema)
        new = [each for each in objects if each.key not in self.spelled]
        self.spelled.update(each.key for each in new)
        tag = _tag(objects)
        for each in objects if new else ():
            if len(objects) > 1:
                yield f"{indent}- {self._heading(each, tag)}"
            if each in new:
                yield from self._fields(each, tag, indent + "  " * (len(objects) > 1))

    def _fields(self, each: _Object, tag: str | None, indent: str) -> Iterator[str]:
        for name, value in each.fields.items():
            if name != tag:
                about = ", ".join(self._about(name, value, required=name in each.required))
                note = f": {text}" if (text := self.note(value)) else ""
                yield f"{indent}- {name} ({about}){note}"
                yield from self.lines(value, indent + "  ")

    def _about(self, name: str, schema: Any, *, required: bool) -> Iterator[str]:
        """A field's type, and whether it may be left out; one that may be null is null instead."""
        choices = ["object"] if self._repeats(name, schema) else self._choices(schema)
        yield _join(choices, "or")
        if "null" in choices:
            self.has_nulls = True
        elif not required:
            self.has_optional = True
            yield "optional"
        default = schema.get("default") if isinstance(schema, Mapping) and not required else None
        if default is not None and len(_text(default)) <= _LONGEST_DETAIL:
            yield f"default {_text(default)}"

    def _heading(self, each: _Object, tag: str | None) -> str:
        """The line of one object of a union: its name, and the values of the field that tells it from the others."""
        name, notes = self._name(each), [self.note(each.schema)]
        if tag is not None:
            values = f"{tag} {self.phrase(each.fields[tag])}"
            notes.append(self.note(each.fields[tag]))
            name = values if name in ("object", *_values(each.fields[tag])) else f"{name}, {values}"
        return ": ".join([name, *dict.fromkeys(filter(None, notes))])

    def _choices(self, schema: Any) -> list[str]:
        """The types that the value may have, each in a few words."""
        match schema:
            case {"properties": _}:
                return ["object"]
            case {"$ref": str(reference)}:
                return self._referred(reference)
            case {"const": value}:
                return [_text(value)]
            case {"enum": [*values]}:
                return _named(values, schema.get(_MEMBER_NAMES))
            case {"anyOf": _} | {"oneOf": _}:
                return self._alternatives(list(_options(schema))) or ["nothing"]
            case {"allOf": [*parts], **rest}:
                told = [self.phrase(part) for part in (rest, *parts)]
                return [_join([phrase for phrase in told if phrase != _ANY] or [_ANY], "and")]
            case {"type": [*kinds]}:
                return [choice for kind in kinds for choice in self._choices({**schema, "type": kind})]
            case {"type": "string"}:
                return [_string(schema)]
            case {"type": "integer" | "number" as kind}:
                return [_number(kind, schema)]
            case {"type": "array"}:
                return [self._list(schema)]
            case {"type": "object", "additionalProperties": {**inner}}:
                return [f"object of names to {self._grouped(inner)}"]
            case {"type": str(kind)}:
                return [_SCALARS.get(kind, kind)]
            case _:
                return [_ANY]

    def _alternatives(self, options: list[Any]) -> list[str]:
        """The alternatives of a union; new objects that a tag tells apart are named in their own lines only."""
        objects = {index: each for index, option in enumerate(options) if (each := self._object(option))}
        tag = _tag(list(objects.values()))
        choices = []
        for index, option in enumerate(options):
            match option:
                case {"const": value, "title": str(name)}:
                    choices += _named([value], [name])
                case _ if index not in objects:
                    choices += self._choices(option)
                case _ if tag and any(each.key not in self.spelled for each in objects.values()):
                    choices.append(f"one of these by {tag}")
                case _:
                    choices.append(self._name(objects[index]))
        return list(dict.fromkeys(choices))

    def _repeats(self, name: str, schema: Any) -> bool:
        """Whether the name of a field's type says no more than the field's does, and is needed nowhere else."""
        each = self._object(schema)
        if each is None or each.reference is None or self.uses[each.reference] > 1:
            return False
        return _letters(self._name(each)).endswith(_letters(name))

    def _list(self, schema: Mapping[str, Any]) -> str:
        if "prefixItems" in schema:
            return f"list of {_join([self._grouped(item) for item in schema['prefixItems']], 'then')}"
        size = _between(schema.get("minItems"), schema.get("maxItems"))
        different = "different" if schema.get("uniqueItems") is True else ""
        return " ".join(filter(None, ["list of", size, different, self._grouped(schema.get("items", True))]))

    def _grouped(self, schema: Any) -> str:
        """The phrase of a part, in parentheses where its alternatives could be taken for those of the whole."""
        choices = list(dict.fromkeys(self._choices(schema)))
        return f"({_join(choices, 'or')})" if len(choices) > 1 else choices[0]

    def _referred(self, reference: str) -> list[str]:
        """What a reference leads to: an object by its name, anything else in words.

        What is recursive gets a name, and so does what is said again, where that is shorter.
        """
        if each := self._object({"$ref": reference}):
            return [self._name(each)]
        if reference in self.open:
            self.recursive.add(reference)
        if reference in self.open or reference in self.spelled:
            return [self._title(reference)]
        self.open.add(reference)
        choices = self._choices(self._target(reference))
        self.open.remove(reference)
        name, text, uses = self._title(reference), _join(choices, "or"), self.uses[reference]
        shorter = (uses - 1) * len(text) > uses * len(name) and "null" not in choices
        if reference not in self.recursive and not shorter:
            return choices
        self.spelled.add(reference)
        return [f"{name}: {text}"]

    def _objects(self, schema: Any) -> list[_Object]:
        """The objects with declared fields in a value, also in lists and mappings; each that is referred to once."""
        followed: set[str] = set()

        def search(value: Any) -> Iterator[_Object]:
            if not isinstance(value, Mapping):
                return
            if each := self._object(value):
                yield each
            elif isinstance(reference := value.get("$ref"), str):
                if reference not in followed:
                    followed.add(reference)
                    yield from search(self._target(reference))
            else:
                parts = [part for keyword in _SEVERAL for part in value.get(keyword, ())]
                for part in (*parts, *map(value.get, _ONE)):
                    yield from search(part)

        return list({each.key: each for each in search(schema)}.values())

    def _object(self, schema: Any) -> _Object | None:
        """The object with the fields of ``schema`` and of all that holds with it; ``None`` where these declare none."""
        parts = list(self._parts(schema))
        fields: dict[str, Any] = {}
        for part in parts:
            fields = fields | part.get("properties", {}) | fields
        if not fields:
            return None
        required = frozenset(name for part in parts for name in part.get("required", ()))
        own = "properties" in schema
        reference = None if own else next((part["$ref"] for part in parts if "$ref" in part), None)
        return _Object(schema, reference, fields, required)

    def _parts(self, schema: Any, followed: frozenset[str] = frozenset()) -> Iterator[Mapping[str, Any]]:
        """``schema``, and those that must hold with it: of references and of ``allOf``."""
        if not isinstance(schema, Mapping):
            return
        yield schema
        if isinstance(reference := schema.get("$ref"), str) and reference not in followed:
            yield from self._parts(self._target(reference), followed | {reference})
        for part in schema.get("allOf", ()):
            yield from self._parts(part, followed)

    def _name(self, each: _Object) -> str:
        return self._title(each.reference) if each.reference else str(each.schema.get("title", "object"))

    def _title(self, reference: str) -> str:
        """The title of what a reference leads to; the last part of the reference where another has that title."""
        last = unescape_token(reference.rpartition("/")[2])
        target = self._target(reference)
        title = str(target.get("title", last)) if isinstance(target, Mapping) else last
        return title if self.names.setdefault(title, reference) == reference else last

    def _target(self, reference: str) -> Any:
        """The schema that a local reference points to; ``{}``, any value, where it is not a plain JSON pointer."""
        start, *steps = reference.split("/")
        schema: Any = self.document if start == "#" else {}
        for step in steps:
            name = unescape_token(step)
            schema = schema.get(name, {}) if isinstance(schema, Mapping) else {}
        return schema


def _references(schema: Any) -> Iterator[str]:
    """Every ``$ref`` in a schema, as often as it is there."""
    if isinstance(schema, Mapping):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _options(schema: Any) -> Iterator[Any]:
    """The alternatives of a schema, those of its alternatives in their place; the schema itself if it has none."""
    match schema:
        case {"properties": _} | {"$ref": _}:
            yield schema
        case {"anyOf": [*options]} | {"oneOf": [*options]}:
            for option in options:
                yield from _options(option)
        case _:
            yield schema


def _tag(objects: Sequence[_Object]) -> str | None:
    """The first field of which every one of several objects has its own values."""
    first, *others = objects or (None,)
    if first is None or not others:
        return None
    for name in first.fields:
        listed = [_values(each.fields.get(name)) for each in objects]
        if all(listed) and len(set().union(*listed)) == sum(map(len, listed)):
            return name
    return None


def _values(schema: Any) -> frozenset[str]:
    """The strings that ``const`` or ``enum`` list; none where these are absent, or list something else, too."""
    match schema:
        case {"const": value} | {"enum": [value]}:
            listed = [value]
        case {"enum": [*listed]}:
            pass
        case _:
            return frozenset()
    return frozenset(listed) if all(isinstance(value, str) for value in listed) else frozenset()


def _string(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"x-pydantic-quoted": str(kind)}:
            return _number(kind, schema)
        case {"format": str(name)} if name in _FORMATS:
            return _FORMATS[name]
        case {"pattern": str(pattern)} if len(pattern) <= _LONGEST_DETAIL:
            return f"text matching {pattern}"
    size = _between(schema.get("minLength"), schema.get("maxLength"))
    return f"text of {size} characters" if size else "text"


def _number(kind: str, schema: Mapping[str, Any]) -> str:
    """A number with its bounds, its step and its decimals."""
    low, above = _bounds(schema, "minimum", "exclusiveMinimum")
    high, below = _bounds(schema, "maximum", "exclusiveMaximum")
    if low is not None and high is not None:
        bounds = [f"from {low} to {high}"]
    else:
        words = {"at least": low, "above": above, "at most": high, "below": below}
        bounds = [f"{word} {bound}" for word, bound in words.items() if bound is not None]
    step, decimals = schema.get("multipleOf"), schema.get(DECIMAL_PLACES)
    steps = f"in steps of {step}" if step is not None else ""
    places = f"with at most {decimals} decimals" if decimals is not None else ""
    return " ".join(filter(None, [_SCALARS[kind], " and ".join(bounds), steps, places]))


def _bounds(schema: Mapping[str, Any], inclusive: str, exclusive: str) -> tuple[Any, Any]:
    """The bound that is admitted and the one that is not; in draft 4, the second keyword is about the first."""
    bound, excluded = schema.get(inclusive), schema.get(exclusive)
    if isinstance(excluded, bool):
        return (None, bound) if excluded else (bound, None)
    return bound, excluded


def _between(low: Any, high: Any) -> str:
    """How many: ``""`` where any number will do."""
    if low == high and low is not None:
        return f"{low}"
    if low and high is not None:
        return f"{low} to {high}"
    if low:
        return f"at least {low}"
    return f"at most {high}" if high is not None else ""


def _named(values: list[Any], names: Any) -> list[str]:
    """Values, each with its name where that says more."""
    if not isinstance(names, list) or len(names) != len(values):
        return [_text(value) for value in values]
    return [
        _text(value) if _letters(str(value)) == _letters(str(name)) else f"{_text(value)} = {name}"
        for value, name in zip(values, names, strict=True)
    ]


def _letters(text: str) -> str:
    """The letters and digits of a text without case, in which values and their names are the same."""
    return "".join(filter(str.isalnum, text.casefold()))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _join(phrases: list[str], word: str) -> str:
    """``a, b or c``, without repetitions."""
    *others, last = dict.fromkeys(phrases) or ["nothing"]
    return f"{', '.join(others)} {word} {last}" if others else last
