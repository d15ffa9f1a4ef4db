"""Number schemas as automata over their spellings.

Bounds, steps and digit counts are what ``regular.numbers.decimals`` makes automata of. Numbers that are excluded are
taken away in every plain spelling, so ``number, but no integer`` has neither ``2`` nor ``2.0``::

    Number(excluded=(Number(integer=True),))       -?[0-9]+.[0-9]*[1-9][0-9]*

Where bounds and a step leave few numbers, those that are not excluded are listed: no automaton need count remainders.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.operations import difference, union
from schema_compiler.regular.numbers import decimals
from schema_compiler.regular.numbers.comparison import EXACT
from schema_compiler.schema.ir import Number

__all__ = ["contains", "grid", "numeral", "whole_bound", "whole_step"]

_MOST_REMAINDERS = 4000
"""How many remainders an automaton may count to tell the multiples that are excluded.

It has several states for each. A round number: 4,000 remainders make up to 50,000 states, in about a second and a half
(measured once on one CPU core).
"""
_MOST_LISTED = 256
"""How many numbers are listed one by one, each as an automaton of its spellings, instead of counting remainders.

A power of two: so many integers take less than a tenth of a second, so many decimals about two and a half seconds
(measured once on one CPU core).
"""


@lru_cache(maxsize=256)
def numeral(number: Number) -> Dfa:
    """The spellings of ``number``, between quotes if it is ``quoted``.

    Raises ``CompileBudgetError`` where steps make the automaton too large.
    """
    singles = _singles(number) if number.excluded else None
    if singles is None:
        _check_remainders(number)
        dfa = _spellings(number)
        for excluded in number.excluded:
            dfa = difference(dfa, _plain_spellings(excluded))
    else:
        dfa = union(*map(_spellings, singles))
    return decimals.quoted(dfa) if number.quoted else dfa


def contains(number: Number, value: Fraction) -> bool:
    """Whether ``value`` is one of the numbers (digits and quotes are spelling, not value, and are not looked at)."""
    step = grid(number)
    if step is not None and value % step:
        return False
    above, below = (operator.gt if one else operator.ge for one in (number.exclusive_minimum, number.exclusive_maximum))
    return (
        (number.minimum is None or above(value, Fraction(number.minimum)))
        and (number.maximum is None or below(Fraction(number.maximum), value))
        and not any(contains(excluded, value) for excluded in number.excluded)
    )


def _singles(number: Number) -> list[Number] | None:
    """The values of ``number``, each as a ``Number`` of its own; ``None`` where step and bounds do not leave few."""
    step = grid(number)
    if step is None or number.minimum is None or number.maximum is None:
        return None
    first, last = ceil(Fraction(number.minimum) / step), floor(Fraction(number.maximum) / step)
    if last - first >= _MOST_LISTED:
        return None
    values = (count * step for count in range(first, last + 1))
    return [_single(number, value) for value in values if contains(number, value)]


def _single(number: Number, value: Fraction) -> Number:
    """``number`` narrowed to a value that it contains, a multiple of its step and so a decimal."""
    bound = EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    exclusive = {"exclusive_minimum": False, "exclusive_maximum": False}
    return replace(number, minimum=bound, maximum=bound, **exclusive, multiple_of=None, excluded=())


def _spellings(number: Number) -> Dfa:
    """The spellings of ``number``, without quotes; those of excluded numbers are still among them."""
    if number.integer:
        return _integer_spellings(number)
    return _decimal_spellings(number, plain=bool(number.excluded))


def _check_remainders(number: Number) -> None:
    """Raises ``CompileBudgetError`` where the steps together need too many remainders to be told apart."""
    grids = [step for one in (number, *number.excluded) if (step := grid(one)) is not None]
    least = lcm(*(step.numerator for step in grids))
    if number.excluded and least > _MOST_REMAINDERS:
        raise CompileBudgetError(f"{number} takes {least} remainders to be told apart, the limit is {_MOST_REMAINDERS}")


def grid(number: Number) -> Fraction | None:
    """What all the numbers are multiples of; ``None``: nothing."""
    if number.integer:
        return Fraction(whole_step(number.multiple_of) or 1)
    return None if number.multiple_of is None else Fraction(number.multiple_of)


def whole_bound(bound: Decimal | None, exclusive: bool, direction: int) -> int | None:
    """The first whole number that ``bound`` admits in ``direction`` (1: upwards, -1: downwards)."""
    if bound is None:
        return None
    nearest = int(bound.to_integral_value(ROUND_CEILING if direction > 0 else ROUND_FLOOR))
    return nearest + direction if exclusive and nearest == bound else nearest


def _integer_spellings(number: Number) -> Dfa:
    least = whole_bound(number.minimum, number.exclusive_minimum, 1)
    most = whole_bound(number.maximum, number.exclusive_maximum, -1)
    return decimals.integer(least, most, whole_step(number.multiple_of), fraction=number.fraction)


def whole_step(multiple_of: Decimal | None) -> int | None:
    """Integers that are multiples of p/q (in lowest terms) are the multiples of p."""
    return None if multiple_of is None else multiple_of.as_integer_ratio()[0]


def _decimal_spellings(number: Number, *, plain: bool) -> Dfa:
    return decimals.decimal(
        *_bounds(number),
        number.multiple_of,
        number.max_digits,
        number.decimal_places,
        exponent=number.max_digits is None and number.decimal_places is None,
        plain=plain,
    )


def _plain_spellings(number: Number) -> Dfa:
    step = number.multiple_of
    if number.integer:
        step = Decimal(whole_step(step) or 1)
    return decimals.plain_spellings(*_bounds(number), step)


def _bounds(number: Number) -> tuple[Decimal | None, Decimal | None, bool, bool]:
    """The bounds of ``number`` as ``decimals`` takes them: minimum, maximum, and whether each is excluded."""
    return number.minimum, number.maximum, number.exclusive_minimum, number.exclusive_maximum
