"""Results beside what they should be, matched by the names of documents.

    gold.jsonl      {"id": "1.txt", "value": {"total": 9.0}}       results.jsonl   {"source": "1.txt", "value": ...}
                    {"id": "2.txt", "value": {"total": 4.5}}                       {"source": "3.txt", "value": ...}

    pairs  1.txt, 2.txt      missing  2.txt      unknown  3.txt

A document without a result counts as one without a value, so that nothing is gained by leaving it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sdk.errors import ResultsError
from sdk.fields import FieldPath
from sdk.results import Result

__all__ = ["Pair", "Pairing", "pair_results"]


@dataclass(frozen=True, slots=True)
class Pair:
    """What a document should give, and what it gave: instances of the type, or their JSON as plain data.

    ``predicted``: ``None`` where there is no value. ``confidence``: by the path of the predicted value.
    """

    name: str
    gold: Any
    predicted: Any = None
    confidence: Mapping[FieldPath, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pair for each document of gold. The rest are names of documents.

    ``failed``: those whose result is an error. ``missing``: those without a result. ``unknown``: results that gold
    does not have, which are left out.
    """

    pairs: Sequence[Pair]
    failed: Sequence[str]
    missing: Sequence[str]
    unknown: Sequence[str]


def pair_results(gold: Iterable[Result], results: Iterable[Result]) -> Pairing:
    """Match by name. Raises ``ResultsError`` for a name that comes twice on a side, or an error among ``gold``."""
    wanted, found = _by_name(gold, "gold"), _by_name(results, "the results")
    for name, result in wanted.items():
        if result.error is not None:
            raise ResultsError(f"expected a value for each document of gold, found an error for {name!r}")
    return Pairing(
        pairs=[
            Pair(name, one.value, found[name].value, found[name].confidence) if name in found else Pair(name, one.value)
            for name, one in wanted.items()
        ],
        failed=[name for name in wanted if name in found and found[name].error is not None],
        missing=[name for name in wanted if name not in found],
        unknown=[name for name in found if name not in wanted],
    )


def _by_name(results: Iterable[Result], where: str) -> dict[str, Result]:
    named: dict[str, Result] = {}
    for result in results:
        if result.source in named:
            raise ResultsError(f"expected each document once in {where}, found {result.source!r} twice")
        named[result.source] = result
    return named
