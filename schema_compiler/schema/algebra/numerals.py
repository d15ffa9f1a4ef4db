"""Number schemas as automata over their spellings.

Bounds, steps and digits become demands of ``numeric``; numbers that are excluded are taken away in every plain
spelling, so ``number, but no integer`` has neither ``2`` nor ``2.0``::

    Number(excluded=(Number(integer=True),))       -?[0-9]+.[0-9]*[1-9][0-9]*

Where bounds and a step leave few numbers, those that are not excluded are listed: no automaton need count remainders.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.operations import difference, union
from schema_compiler.regular.numbers import decimals as numeric
from schema_compiler.regular.numbers.comparison import EXACT
from schema_compiler.schema.ir import Number

__all__ = ["contains", "grid", "numeral"]

_REMAINDERS = 4000
_LISTED = 256
"""So many numbers are listed, if need be."""


@lru_cache(maxsize=256)
def numeral(number: Number) -> Dfa:
    """The spellings of ``number``, between quotes if it is ``quoted``. Raises ``CompileBudgetError``."""
    listed = _listed(number) if number.excluded else None
    if listed is None:
        _check_remainders(number)
        dfa = _spelled(number)
        for excluded in number.excluded:
            dfa = difference(dfa, _plain_spellings(excluded))
    else:
        dfa = union(*map(_spelled, listed))
    return numeric.quoted(dfa) if number.quoted else dfa


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


def _listed(number: Number) -> list[Number] | None:
    """The numbers one by one, each without what is excluded, where a step and bounds leave few."""
    step = grid(number)
    if step is None or number.minimum is None or number.maximum is None:
        return None
    first, last = ceil(Fraction(number.minimum) / step), floor(Fraction(number.maximum) / step)
    if last - first >= _LISTED:
        return None
    values = (count * step for count in range(first, last + 1))
    return [_only(number, value) for value in values if contains(number, value)]


def _only(number: Number, value: Fraction) -> Number:
    """``number`` narrowed to a value that it contains, a multiple of its step and so a decimal."""
    bound = EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    exclusive = {"exclusive_minimum": False, "exclusive_maximum": False}
    return replace(number, minimum=bound, maximum=bound, **exclusive, multiple_of=None, excluded=())


def _spelled(number: Number) -> Dfa:
    return _integer(number) if number.integer else _decimal(number, plain=bool(number.excluded))


def _check_remainders(number: Number) -> None:
    """``CompileBudgetError`` where steps together need too many remainders to be told apart."""
    grids = [step for one in (number, *number.excluded) if (step := grid(one)) is not None]
    least = lcm(*(step.numerator for step in grids))
    if number.excluded and least > _REMAINDERS:
        raise CompileBudgetError(f"{number} takes {least} remainders to be told apart, the limit is {_REMAINDERS}")


def grid(number: Number) -> Fraction | None:
    """What all the numbers are multiples of."""
    if number.integer:
        return Fraction(_whole_step(number.multiple_of) or 1)
    return None if number.multiple_of is None else Fraction(number.multiple_of)


def _integer(number: Number) -> Dfa:
    least, most = _whole(number.minimum, number.exclusive_minimum), _whole(number.maximum, number.exclusive_maximum, -1)
    return numeric.integer(least, most, _whole_step(number.multiple_of), fraction=number.fraction)


def _whole(bound: Decimal | None, exclusive: bool, inward: int = 1) -> int | None:
    """The nearest integer on the inner side of a bound."""
    if bound is None:
        return None
    nearest = int(bound.to_integral_value("ROUND_CEILING" if inward > 0 else "ROUND_FLOOR"))
    return nearest + inward if exclusive and nearest == bound else nearest


def _whole_step(multiple_of: Decimal | None) -> int | None:
    """Integers that are multiples of p/q (in lowest terms) are the multiples of p."""
    return None if multiple_of is None else multiple_of.as_integer_ratio()[0]


def _decimal(number: Number, *, plain: bool) -> Dfa:
    exact = number.max_digits is not None or number.decimal_places is not None
    return numeric.decimal(
        number.minimum,
        number.maximum,
        number.exclusive_minimum,
        number.exclusive_maximum,
        number.multiple_of,
        number.max_digits,
        number.decimal_places,
        exponent=not exact,
        plain=plain,
    )


def _plain_spellings(number: Number) -> Dfa:
    step = number.multiple_of
    if number.integer:
        step = Decimal(_whole_step(step) or 1)
    return numeric.plain_spellings(
        number.minimum, number.maximum, number.exclusive_minimum, number.exclusive_maximum, step
    )
