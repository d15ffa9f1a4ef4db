"""Which keywords a schema means: those of the draft that ``$schema`` names, or of a metaschema made from one.

A metaschema of one's own lists vocabularies, and leaves out the keywords of those it does not list::

    {"$schema": "https://json-schema.org/draft/2020-12/schema",
     "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                     "https://json-schema.org/draft/2020-12/vocab/applicator": true}}

has ``properties``, and ``minimum`` is an annotation. Source: JSON Schema 2020-12 core, section 8.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.schema.source.keywords import APPLICATORS, ASSERTIONS, FIRST_DRAFT

__all__ = ["Draft", "draft_of"]

_LATEST = ("http://json-schema.org/schema", "https://json-schema.org/schema")
_YEARS = {4: "draft-04", 6: "draft-06", 7: "draft-07", 2019: "draft/2019-09", 2020: "draft/2020-12"}

_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_APPLYING = APPLICATORS - {"$ref", "$dynamicRef", "dependentRequired"} | {
    *("properties", "patternProperties", "additionalProperties", "propertyNames"),
    *("prefixItems", "items", "additionalItems", "contains"),
}
_VOCABULARIES: Final = {
    "core": frozenset[str](),
    "applicator": _APPLYING,
    "unevaluated": _UNEVALUATED,
    "validation": (ASSERTIONS | {"dependentRequired"}) - _APPLYING - _UNEVALUATED - {"format"},
    "format": frozenset({"format"}),
    "meta-data": frozenset[str](),
    "content": frozenset[str](),
}
"""Keywords by the last part of a vocabulary's URI; ``format-...`` of either kind counts as ``format``."""


@dataclass(frozen=True, slots=True)
class Draft:
    """``year`` is 4, 6, 7, 2019 or 2020. ``absent``: the keywords that a metaschema leaves out."""

    year: int = 2020
    absent: frozenset[str] = frozenset()

    def knows(self, keyword: str) -> bool:
        """Whether it has the keyword."""
        return FIRST_DRAFT.get(keyword, 0) <= self.year and keyword not in self.absent


def draft_of(raw: Any, resources: Mapping[str, Any]) -> Draft:
    """The draft that a schema declares, 2020-12 when it says nothing; ``resources`` may hold its metaschema.

    Raises ``UnsupportedSchemaError`` for one that is not known, or that asks for a vocabulary that is not.
    """
    declared = raw.get("$schema") if isinstance(raw, dict) else None
    if not isinstance(declared, str) or declared.rstrip("#") in _LATEST:
        return Draft()
    for year, mark in _YEARS.items():
        if f"//json-schema.org/{mark}/schema" in declared:
            return Draft(year)
    metaschema = resources.get(declared.rstrip("#"))
    if not isinstance(metaschema, dict):
        raise UnsupportedSchemaError(f"the dialect {declared!r} is not known")
    base = draft_of(metaschema, {uri: other for uri, other in resources.items() if other is not metaschema})
    if "$vocabulary" not in metaschema:
        return base
    listed = set(_listed(metaschema["$vocabulary"]))
    missing = (keywords for name, keywords in _VOCABULARIES.items() if name not in listed)
    return Draft(base.year, base.absent.union(*missing))


def _listed(vocabularies: Any) -> Iterator[str]:
    """The names of the vocabularies that are known; those that are not must be optional."""
    for uri, required in vocabularies.items():
        name = uri.rpartition("/vocab/")[2]
        name = "format" if name.startswith("format") else name
        if name in _VOCABULARIES and "//json-schema.org/" in uri:
            yield name
            if name == "applicator" and "2019-09" in uri:
                yield "unevaluated"
        elif required:
            raise UnsupportedSchemaError(f"the vocabulary {uri!r} is required and not known")
