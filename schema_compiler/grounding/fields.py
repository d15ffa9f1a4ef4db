"""The fields of a schema whose values are pieces of the document, and why a document may leave it without a value.

A field is named by its path from the root; the items of a list, and the members of a mapping, share theirs::

    customer.name      items[].price      rates{}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from schema_compiler.schema.ir import Array, NormalizedSchema, Object, Piece, Reference, Schema, Union, children

__all__ = ["missing_fields", "needed_texts", "pieces_in", "sought"]


def pieces_in(schema: NormalizedSchema) -> dict[str, Piece]:
    """Every piece that the root can reach, by the name of its leaf; reads the whole schema.

    Raises what ``schema.definitions`` raises.
    """
    return {str(part): part for part in _every_part(schema) if isinstance(part, Piece)}


def _every_part(schema: NormalizedSchema) -> Iterator[Schema]:
    """Every schema that the root can reach, definitions once."""
    waiting, seen = [schema.root], set[str]()
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Reference):
            if part.name not in seen:
                seen.add(part.name)
                waiting.append(schema.definitions[part.name])
        else:
            waiting += children(part)


def needed_texts(schema: NormalizedSchema) -> dict[str, int]:
    """For the leaf of each piece, by its name, how many different texts some list needs: 1 without such a list."""
    needed = dict.fromkeys(pieces_in(schema), 1)
    for part in _every_part(schema):
        if isinstance(part, Array) and part.has_distinct_pieces:
            needed[str(part.items)] = max(needed[str(part.items)], part.min_items)
    return needed


def missing_fields(schema: NormalizedSchema, supply: Mapping[str, int]) -> list[tuple[str, str]]:
    """The paths of the fields that cannot be left out and have no value, and what was looked for there.

    ``supply``: how many texts the leaves have that have few or none; see ``prune``.
    """
    found: dict[str, str] = {}
    _has_value(schema.root, "", schema, supply, (), found)
    return [(path.removeprefix("."), what) for path, what in found.items()]


def _has_value(
    part: Schema,
    path: str,
    schema: NormalizedSchema,
    supply: Mapping[str, int],
    entered: tuple[str, ...],
    found: dict[str, str],
) -> bool:
    """Whether ``part`` has a value; if not, the fields that it lacks are added to ``found``.

    The shortest value holds no value of the same definition, so one that is entered again counts as having none.
    """
    match part:
        case Piece():
            if not supply.get(str(part), 1):
                found.setdefault(path, sought(part))
                return False
            return True
        case Reference(name):
            definition = schema.definitions[name]
            return name not in entered and _has_value(definition, path, schema, supply, (*entered, name), found)
        case Union(options):
            lacking: dict[str, str] = {}
            if any(_has_value(option, path, schema, supply, entered, lacking) for option in options):
                return True
            found |= lacking
            return False
        case Array() if part.has_distinct_pieces:
            if supply.get(str(part.items), part.min_items) >= part.min_items:
                return True
            assert isinstance(part.items, Piece)
            found.setdefault(f"{path}[]", f"{part.min_items} times {sought(part.items)}")
            return False
        case Object() | Array():
            needed = [_has_value(inner, path + step, schema, supply, entered, found) for step, inner in _needed(part)]
            return all(needed)
        case _:
            return True


def sought(piece: Piece) -> str:
    """What is looked for in a document, for messages."""
    ways = " and ".join(dict.fromkeys(f"a {reading.kind} within {reading.within}" for reading in piece.readings))
    return f"{ways}: {piece.base}"


def _needed(part: Object | Array) -> Iterator[tuple[str, Schema]]:
    """The parts without which there is no value."""
    if isinstance(part, Object):
        yield from ((f".{item.name}", item.schema) for item in part.properties if item.required)
    else:
        yield from (("[]", item) for item in part.prefix[: part.min_items])
        if part.min_items > len(part.prefix):
            yield "[]", part.items
