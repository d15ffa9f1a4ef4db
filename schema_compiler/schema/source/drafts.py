"""Which keywords a schema uses: those of the draft that ``$schema`` names, or of a metaschema derived from one.

A user's own metaschema lists vocabularies. The keywords of a vocabulary that it does not list mean nothing::

    {"$schema": "https://json-schema.org/draft/2020-12/schema",
     "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                     "https://json-schema.org/draft/2020-12/vocab/applicator": true}}

has ``properties``, while ``minimum`` is an annotation. Source: JSON Schema 2020-12 core, section 8.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.source.keywords import APPLICATORS, ASSERTIONS, FIRST_DRAFT

__all__ = ["Draft", "draft_of"]

_LATEST: Final = ("http://json-schema.org/schema", "https://json-schema.org/schema")
"""The URIs that stand for the latest draft, whichever that is."""
_DRAFT_PATHS: Final = {4: "draft-04", 6: "draft-06", 7: "draft-07", 2019: "draft/2019-09", 2020: "draft/2020-12"}
"""For each draft, what follows ``//json-schema.org/`` in the URI of its metaschema."""

_UNEVALUATED: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_APPLYING: Final = APPLICATORS - {"$ref", "$dynamicRef", "dependentRequired"} | {
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
"""The keywords of each vocabulary, which is named by the last part of its URI.

``format-annotation`` and ``format-assertion`` both count as ``format``.
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft of JSON Schema: ``year`` is 4, 6, 7, 2019 or 2020.

    ``absent``: the keywords of the vocabularies that the schema's metaschema does not list.
    """

    year: int = 2020
    absent: frozenset[str] = frozenset()

    def knows(self, keyword: str) -> bool:
        """Whether a schema of this draft means anything by ``keyword``; holds for keywords of no draft, too."""
        return FIRST_DRAFT.get(keyword, 0) <= self.year and keyword not in self.absent


def draft_of(raw: Any, resources: Mapping[str, Any]) -> Draft:
    """The draft that ``$schema`` in ``raw`` declares; 2020-12 where it declares none.

    ``resources``: other schemas by their URIs; one of them may be the metaschema that is declared. Raises
    ``UnsupportedSchemaError`` where the metaschema is not known, or requires a vocabulary that is not, and
    ``InvalidSchemaError`` where its ``$vocabulary`` is malformed.
    """
    declared = raw.get("$schema") if isinstance(raw, dict) else None
    if not isinstance(declared, str) or declared.rstrip("#") in _LATEST:
        return Draft()
    for year, path in _DRAFT_PATHS.items():
        if f"//json-schema.org/{path}/schema" in declared:
            return Draft(year)
    metaschema = resources.get(declared.rstrip("#"))
    if not isinstance(metaschema, dict):
        raise UnsupportedSchemaError(f"the dialect {declared!r} is not known")
    base = draft_of(metaschema, {uri: other for uri, other in resources.items() if other is not metaschema})
    if "$vocabulary" not in metaschema:
        return base
    vocabularies = metaschema["$vocabulary"]
    if not isinstance(vocabularies, dict):
        raise InvalidSchemaError(f"expected $vocabulary to be a dict, found {vocabularies!r}", f"{declared}#")
    listed = set(_known_vocabularies(vocabularies))
    missing = (keywords for name, keywords in _VOCABULARIES.items() if name not in listed)
    return Draft(base.year, base.absent.union(*missing))


def _known_vocabularies(vocabularies: dict[str, Any]) -> Iterator[str]:
    """The names, in ``_VOCABULARIES``, of those in a metaschema's ``$vocabulary``.

    Raises ``UnsupportedSchemaError`` for an unknown one that is required.
    """
    for uri, required in vocabularies.items():
        name = uri.rpartition("/vocab/")[2]
        name = "format" if name.startswith("format") else name
        if name in _VOCABULARIES and "//json-schema.org/" in uri:
            yield name
            if name == "applicator" and "2019-09" in uri:
                yield "unevaluated"  # in that draft, the applicator vocabulary has these keywords, too
        elif required:
            raise UnsupportedSchemaError(f"the vocabulary {uri!r} is required and not known")
