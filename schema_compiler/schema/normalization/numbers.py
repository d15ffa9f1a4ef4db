"""The keywords of numbers: bounds, exclusive in the spelling of any draft; steps and digits.

Either of these is ``number in (1, inf)``::

    {"minimum": 1, "exclusiveMinimum": true}        (draft 4)
    {"exclusiveMinimum": 1}                         (later drafts)
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.schema.algebra.disjunction import Disjunct
from schema_compiler.schema.algebra.numbers import canonical_number
from schema_compiler.schema.ir import Number
from schema_compiler.schema.normalization.context import Context, count, numeric
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import DECIMAL_PLACES, MAX_DIGITS

__all__ = ["read_number"]


def read_number(place: Place, context: Context, *, integer: bool = False, quoted: bool = False) -> Disjunct:
    """The numbers that the keywords at ``place`` admit; ``Never`` where they exclude each other.

    ``integer``: whole ones only. ``quoted``: as strings whose texts are numbers. Raises ``InvalidSchemaError`` for the
    value of a keyword.
    """
    minimum, exclusive_minimum = _bound(place, "minimum", "exclusiveMinimum", max)
    maximum, exclusive_maximum = _bound(place, "maximum", "exclusiveMaximum", min)
    step = numeric(place, "multipleOf")
    if step is not None and step <= 0:
        raise InvalidSchemaError(f"expected multipleOf to be greater than 0, found {step}", place.pointer)
    return canonical_number(
        Number(
            integer=integer,
            fraction=integer and not quoted and context.options.integer_fraction and context.document.draft > 4,
            minimum=minimum,
            maximum=maximum,
            exclusive_minimum=exclusive_minimum,
            exclusive_maximum=exclusive_maximum,
            multiple_of=step,
            max_digits=count(place, MAX_DIGITS),
            decimal_places=count(place, DECIMAL_PLACES),
            quoted=quoted,
        )
    )


def _bound(
    place: Place, keyword: str, exclusive_keyword: str, tightest: Callable[..., tuple[Decimal, bool]]
) -> tuple[Decimal | None, bool]:
    """The tighter of an inclusive and an exclusive bound, and whether it is exclusive.

    ``tightest`` is ``max`` for lower bounds and ``min`` for upper ones. In draft 4, the exclusive keyword is a boolean
    that makes the other bound exclusive.
    """
    bound = numeric(place, keyword)
    flag = place.raw.get(exclusive_keyword)
    if isinstance(flag, bool):
        return bound, flag and bound is not None
    exclusive = numeric(place, exclusive_keyword)
    if exclusive is None or bound is None:
        return (bound, False) if exclusive is None else (exclusive, True)
    if exclusive == bound:
        return bound, True
    return tightest((bound, False), (exclusive, True))
