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
from typing import Any, TypeAlias

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.numerals import contains, grid, numeral, whole_bound, whole_step
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

_Bound: TypeAlias = tuple[Decimal | None, bool]
"""A bound (``None``: there is none), and whether it is excluded itself."""

_FLOAT_POWER = 300
"""Bounds from 10**-300 to 10**300 do not make a number impossible to spell; beyond, its automaton is built to see.

Spelled numbers are finite floats, which end at 1.8e308 and whose smallest with full precision is 2.2e-308: a round
number below both.
"""
_MOST_DIGITS = 4000
"""How many digits ``max_digits`` may leave to an integer, whose bounds are then numbers of so many digits.

A round number: the automaton of integers with bounds of 4,000 digits exceeds its limit of states, with 1,000 it takes
about half a second (measured once on one CPU core).
"""
_NARROW = Decimal("1e-6")
"""Ranges wider than this, relative to their bounds, surely hold a number that can be spelled; others are looked at.

Such a range holds a number of eight digits, and spellings have at least fifteen. Far from both, not measured.
"""


def is_number(value: Any) -> bool:
    """Whether a Python value is a finite number, as JSON has them (``True`` is none)."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float | Decimal) and math.isfinite(value))


def exact(value: int | float | Decimal) -> Decimal:
    """The number as written: a float stands for its shortest spelling, not for its binary value. It must be finite."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def canonical_number(number: Number) -> Number | Never:
    """``number`` with integer bounds rounded inwards and a step of 1 dropped; ``Never`` if nothing is left.

    Limits of an integer's digits become bounds. Raises ``CompileBudgetError`` where these are too long, or where it
    takes too large an automaton to see whether there is a number.
    """
    if number.integer and (number.max_digits, number.decimal_places) != (None, None):
        return _bounded_by_digits(number)
    if number.integer and (number.minimum, number.maximum, number.multiple_of) != (None, None, None):
        number = replace(
            number,
            minimum=_round_inward(number.minimum, number.exclusive_minimum, 1),
            maximum=_round_inward(number.maximum, number.exclusive_maximum, -1),
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
    """The numbers in both, exactly. Raises ``CompileBudgetError`` as ``canonical_number`` does."""
    if left.quoted != right.quoted:
        return Never("a number between quotes is not a number")
    minimum, exclusive_minimum = _higher_bound(
        (left.minimum, left.exclusive_minimum), (right.minimum, right.exclusive_minimum)
    )
    maximum, exclusive_maximum = _higher_bound(
        (_negate(left.maximum), left.exclusive_maximum), (_negate(right.maximum), right.exclusive_maximum)
    )
    return canonical_number(
        Number(
            integer=left.integer or right.integer,
            fraction=all(side.fraction or not side.integer for side in (left, right))
            and (left.fraction or right.fraction),
            minimum=minimum,
            maximum=_negate(maximum),
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
    """The numbers below the minimum of ``number`` and those above its maximum, where it has them."""
    outside = []
    if number.minimum is not None:
        outside.append(Number(maximum=number.minimum, exclusive_maximum=not number.exclusive_minimum))
    if number.maximum is not None:
        outside.append(Number(minimum=number.maximum, exclusive_minimum=not number.exclusive_maximum))
    return outside


def numbers_not_in(number: Number) -> list[Number]:
    """Numbers whose union is all that ``number`` does not contain; it must neither limit digits nor be quoted."""
    multiples = Number(integer=number.integer, fraction=number.integer, multiple_of=number.multiple_of)
    off_grid = [] if multiples == Number() else [Number(excluded=(multiples,))]
    return [*numbers_beyond(number), *off_grid, *number.excluded]


def numbers_outside(number: Number, other: Number) -> list[Number] | None:
    """The numbers of ``number`` outside ``other``; ``None`` where they are not just those below and above it.

    Raises ``CompileBudgetError`` as ``canonical_number`` does.
    """
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


def _bounded_by_digits(number: Number) -> Number | Never:
    """The integers of ``number``, with bounds instead of limits of digits.

    Digits reserved for decimal places are not free for a whole number, and 0 counts as one digit: 5 digits, 2 of them
    behind the point, leave the integers from -999 to 999.
    """
    unlimited = replace(number, max_digits=None, decimal_places=None)
    if number.max_digits is None:
        return canonical_number(unlimited)
    digits = number.max_digits - (number.decimal_places or 0)
    if digits <= 0:
        return Never(f"no number satisfies: {number}")
    if digits > _MOST_DIGITS:
        raise CompileBudgetError(f"{number} may have {digits} digits, the limit is {_MOST_DIGITS}")
    greatest = Decimal(10**digits - 1)
    return meet_numbers(unlimited, Number(minimum=greatest.copy_negate(), maximum=greatest, quoted=number.quoted))


def _negate(bound: Decimal | None) -> Decimal | None:
    return None if bound is None else bound.copy_negate()


def _higher_bound(left: _Bound, right: _Bound) -> _Bound:
    """The higher of two lower bounds."""
    (low, low_exclusive), (other, other_exclusive) = left, right
    if low is None or (other is not None and (other, other_exclusive) > (low, low_exclusive)):
        return right
    return left


def least_of(left: int | None, right: int | None) -> int | None:
    """The lesser of two upper limits, where ``None`` is no limit."""
    return min((side for side in (left, right) if side is not None), default=None)


def _common_step(left: Decimal | None, right: Decimal | None) -> Decimal | None:
    """The least number that is a multiple of both steps."""
    if left is None or right is None:
        return right if left is None else left
    return _as_decimal(_least_common_multiple(Fraction(left), Fraction(right)))


def _integer_step(step: Decimal | None) -> Decimal | None:
    """The step of the whole numbers among the multiples of ``step``; ``None``: 1."""
    whole = whole_step(step)
    return None if whole is None or whole == 1 else Decimal(whole)


def _least_common_multiple(left: Fraction, right: Fraction) -> Fraction:
    return Fraction(math.lcm(left.numerator, right.numerator), math.gcd(left.denominator, right.denominator))


def _as_decimal(value: Fraction) -> Decimal:
    """The exact decimal; the denominator has no prime factors but 2 and 5, as it comes from decimals."""
    places = value.denominator.bit_length()
    digits = value.numerator * 10**places // value.denominator
    while places and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    return Decimal((int(digits < 0), tuple(map(int, str(abs(digits)))), -places))


def _round_inward(bound: Decimal | None, exclusive: bool, direction: int) -> Decimal | None:
    """The first whole number that ``bound`` admits in ``direction`` (1: upwards, -1: downwards)."""
    whole = whole_bound(bound, exclusive, direction)
    return None if whole is None else Decimal(whole)


def _has_value(number: Number) -> bool:
    """Whether the number can be spelled; the automaton is asked where bounds alone do not tell."""
    low, high = number.minimum, number.maximum
    if low is not None and high is not None and (low > high or (low == high and _is_half_open(number))):
        return False
    if number.multiple_of is not None and not _has_multiple(number, Fraction(number.multiple_of)):
        return False
    if number.excluded and _is_endless(number):
        return not any(_divides(excluded, number) for excluded in number.excluded)
    return _is_surely_spelled(number) or not numeral(number).is_empty


def _is_endless(number: Number) -> bool:
    """Whether its numbers go on without end on one side, and only multiples are excluded."""
    has_free_digits = number.max_digits is None and number.decimal_places is None
    steps_only = all(one == Number(one.integer, one.fraction, multiple_of=one.multiple_of) for one in number.excluded)
    return has_free_digits and steps_only and (number.minimum is None or number.maximum is None)


def _divides(excluded: Number, number: Number) -> bool:
    """Whether all numbers of ``number`` are multiples of the step of ``excluded``.

    If not, the step of ``number`` times any large prime is one of its numbers that no ``excluded`` step divides.
    """
    step = grid(number)
    return step is not None and step % (grid(excluded) or step) == 0


def _is_half_open(number: Number) -> bool:
    return number.exclusive_minimum or number.exclusive_maximum


def _has_multiple(number: Number, step: Fraction) -> bool:
    """Whether a multiple of ``step`` is between the bounds."""
    if number.minimum is None or number.maximum is None:
        return True
    low, high = Fraction(number.minimum) / step, Fraction(number.maximum) / step
    first = math.floor(low) + 1 if number.exclusive_minimum else math.ceil(low)
    return first < high or (first == high and not number.exclusive_maximum)


def _is_surely_spelled(number: Number) -> bool:
    """Whether one of its numbers, if it has any, is surely short enough to be spelled."""
    if number.max_digits is not None or number.decimal_places is not None or number.excluded:
        return False
    if number.integer:
        return True
    bounds = [bound for bound in (number.minimum, number.maximum) if bound is not None]
    if any(bound and abs(bound.adjusted()) > _FLOAT_POWER for bound in bounds):
        return False
    return len(bounds) < 2 or bounds[0] == bounds[1] or (number.multiple_of is None and _is_wide(*bounds))


def _is_wide(low: Decimal, high: Decimal) -> bool:
    """Whether a number of few digits lies between. The difference may be rounded, which does not matter here."""
    return high - low > max(abs(low), abs(high)) * _NARROW
