"""Exact arithmetic on bounds and steps: what a ``Number`` means, and what two of them have in common.

Python's ``Decimal`` rounds to 28 digits when it computes (never when it compares), so everything that computes
goes through ``Fraction``::

    multipleOf 0.01 and multipleOf 0.025   ->   lcm(0.01, 0.025) = 0.05
    integer in (0.5, 3.2)                  ->   integer in [1, 3]
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from schema_compiler.schema.algebra.numerals import contains, grid, numeral
from schema_compiler.schema.ir import Never, Number

__all__ = [
    "canonical_number",
    "contains_number",
    "exact",
    "is_number",
    "least_of",
    "meet_numbers",
    "numbers_between",
    "numbers_beyond",
    "numbers_not_in",
    "numbers_outside",
]


_ORDINARY = 300
"""Bounds up to this power of ten are within what a float can hold."""
_NARROW = Decimal("1e-6")
"""Ranges narrower than this, relative to their bounds, may have no number of few digits."""


def is_number(value: Any) -> bool:
    """Whether a Python value is a finite JSON number (``True`` is not)."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float | Decimal) and math.isfinite(value))


def exact(value: int | float | Decimal) -> Decimal:
    """The number as written: a float stands for its shortest spelling, not for its binary value."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def canonical_number(number: Number) -> Number | Never:
    """``number`` with integer bounds rounded inwards and a trivial step dropped; ``Never`` if nothing is left."""
    if number.integer and (number.minimum, number.maximum, number.multiple_of) != (None, None, None):
        number = replace(
            number,
            minimum=_inward(number.minimum, number.exclusive_minimum, 1),
            maximum=_inward(number.maximum, number.exclusive_maximum, -1),
            exclusive_minimum=False,
            exclusive_maximum=False,
            multiple_of=_integer_step(number.multiple_of),
        )
    if number.minimum is None and number.exclusive_minimum:
        number = replace(number, exclusive_minimum=False)
    if number.maximum is None and number.exclusive_maximum:
        number = replace(number, exclusive_maximum=False)
    return number if _has_value(number) else Never(f"no number satisfies: {number}")


def meet_numbers(left: Number, right: Number) -> Number | Never:
    """The numbers in both; exact."""
    if left.quoted != right.quoted:
        return Never("a number between quotes is not a number")
    minimum, exclusive_minimum = _tighter(left.minimum, left.exclusive_minimum, right.minimum, right.exclusive_minimum)
    maximum, exclusive_maximum = _tighter(
        _negated(left.maximum), left.exclusive_maximum, _negated(right.maximum), right.exclusive_maximum
    )
    return canonical_number(
        Number(
            integer=left.integer or right.integer,
            fraction=all(side.fraction or not side.integer for side in (left, right))
            and (left.fraction or right.fraction),
            minimum=minimum,
            maximum=_negated(maximum),
            exclusive_minimum=exclusive_minimum,
            exclusive_maximum=exclusive_maximum,
            multiple_of=_common_step(left.multiple_of, right.multiple_of),
            max_digits=least_of(left.max_digits, right.max_digits),
            decimal_places=least_of(left.decimal_places, right.decimal_places),
            quoted=left.quoted,
            excluded=tuple(dict.fromkeys(left.excluded + right.excluded)),
        )
    )


def contains_number(number: Number, value: int | float | Decimal) -> bool:
    """Whether ``value`` is one of the numbers (digits and quotes are spelling, not value, and are not looked at)."""
    return contains(number, Fraction(exact(value)))


def numbers_beyond(number: Number) -> list[Number]:
    """The numbers below its minimum and above its maximum; none that is between them."""
    outside = []
    if number.minimum is not None:
        outside.append(Number(maximum=number.minimum, exclusive_maximum=not number.exclusive_minimum))
    if number.maximum is not None:
        outside.append(Number(minimum=number.maximum, exclusive_minimum=not number.exclusive_maximum))
    return outside


def numbers_not_in(number: Number) -> list[Number]:
    """All numbers that ``number`` does not contain; its digits and quotes must be free."""
    core = Number(integer=number.integer, fraction=number.integer, multiple_of=number.multiple_of)
    off_grid = [] if core == Number() else [Number(excluded=(core,))]
    return [*numbers_beyond(number), *off_grid, *number.excluded]


def numbers_outside(number: Number, other: Number) -> list[Number] | None:
    """The part of ``number`` below and above ``other``; ``None`` where more than a range tells ``other`` from it."""
    unbounded = replace(other, minimum=None, maximum=None, exclusive_minimum=False, exclusive_maximum=False)
    if replace(unbounded, integer=other.integer and not number.integer, fraction=False) != Number(quoted=number.quoted):
        return None
    parts = (meet_numbers(number, replace(one, quoted=number.quoted)) for one in numbers_beyond(other))
    return [part for part in parts if isinstance(part, Number)]


def numbers_between(values: list[Decimal]) -> list[Number]:
    """All numbers except ``values``: the open ranges between them."""
    bounds: list[Decimal | None] = [None, *sorted(set(values)), None]
    return [
        Number(minimum=low, maximum=high, exclusive_minimum=low is not None, exclusive_maximum=high is not None)
        for low, high in pairwise(bounds)
    ]


def _negated(bound: Decimal | None) -> Decimal | None:
    return None if bound is None else bound.copy_negate()


def _tighter(
    left: Decimal | None, left_exclusive: bool, right: Decimal | None, right_exclusive: bool
) -> tuple[Decimal | None, bool]:
    """The higher of two lower bounds."""
    if left is None or (right is not None and (right, right_exclusive) > (left, left_exclusive)):
        return right, right_exclusive
    return left, left_exclusive


def least_of(left: int | None, right: int | None) -> int | None:
    """The lesser of two upper limits, where ``None`` is no limit."""
    return min((side for side in (left, right) if side is not None), default=None)


def _common_step(left: Decimal | None, right: Decimal | None) -> Decimal | None:
    if left is None or right is None:
        return right if left is None else left
    return _as_decimal(_least_common_multiple(Fraction(left), Fraction(right)))


def _integer_step(step: Decimal | None) -> Decimal | None:
    common = _common_step(step, Decimal(1))
    return None if common == 1 else common


def _least_common_multiple(left: Fraction, right: Fraction) -> Fraction:
    return Fraction(math.lcm(left.numerator, right.numerator), math.gcd(left.denominator, right.denominator))


def _as_decimal(value: Fraction) -> Decimal:
    """The exact decimal; the denominator has no prime factors but 2 and 5, as it comes from decimals."""
    places = value.denominator.bit_length()
    digits = value.numerator * 10**places // value.denominator
    while places and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    return Decimal((int(digits < 0), tuple(map(int, str(abs(digits)))), -places))


def _inward(bound: Decimal | None, exclusive: bool, direction: int) -> Decimal | None:
    """The first whole number at or beyond ``bound`` in ``direction`` (1: upwards, -1: downwards)."""
    if bound is None:
        return None
    scaled = Fraction(bound) * direction
    return Decimal(direction * (math.floor(scaled) + 1 if exclusive else math.ceil(scaled)))


def _has_value(number: Number) -> bool:
    """Whether the number can be spelled; the automaton is asked where bounds alone do not tell."""
    low, high = number.minimum, number.maximum
    if low is not None and high is not None and (low > high or (low == high and _is_half_open(number))):
        return False
    if number.multiple_of is not None and not _has_multiple(number, Fraction(number.multiple_of)):
        return False
    if number.excluded and _is_endless(number):
        return not any(_divides(excluded, number) for excluded in number.excluded)
    return _surely_spelled(number) or not numeral(number).is_empty


def _is_endless(number: Number) -> bool:
    """Whether there is no bound on one side at least, and nothing but steps is excluded."""
    free = number.max_digits is None and number.decimal_places is None
    steps_only = all(one == Number(one.integer, one.fraction, multiple_of=one.multiple_of) for one in number.excluded)
    return free and steps_only and (number.minimum is None or number.maximum is None)


def _divides(excluded: Number, number: Number) -> bool:
    """Whether all multiples of the one step are multiples of the other; if not, a large prime times it is none."""
    step = grid(number)
    return step is not None and step % (grid(excluded) or step) == 0


def _is_half_open(number: Number) -> bool:
    return number.exclusive_minimum or number.exclusive_maximum


def _has_multiple(number: Number, step: Fraction) -> bool:
    if number.minimum is None or number.maximum is None:
        return True
    low, high = Fraction(number.minimum) / step, Fraction(number.maximum) / step
    first = math.floor(low) + 1 if number.exclusive_minimum else math.ceil(low)
    return first < high or (first == high and not number.exclusive_maximum)


def _surely_spelled(number: Number) -> bool:
    """Whether a number that exists is surely short enough to be spelled."""
    if number.max_digits is not None or number.decimal_places is not None or number.excluded:
        return False
    if number.integer:
        return True
    bounds = [bound for bound in (number.minimum, number.maximum) if bound is not None]
    if any(bound and abs(bound.adjusted()) > _ORDINARY for bound in bounds):
        return False
    return len(bounds) < 2 or bounds[0] == bounds[1] or (number.multiple_of is None and _is_wide(*bounds))


def _is_wide(low: Decimal, high: Decimal) -> bool:
    """Whether a number of few digits lies between; Python's ``Decimal`` rounds, which does not matter here."""
    return high - low > max(abs(low), abs(high)) * _NARROW
