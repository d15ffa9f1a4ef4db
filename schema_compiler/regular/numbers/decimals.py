"""JSON numbers: bounds, multiples and digit counts as automata.

Comparing numbers by their spelling is regular (see ``comparison``), and so are counting digits and taking remainders.
So each constraint is a small automaton of its own (``x >= 2.5``, "at most 17 significant digits", "a multiple of
0.05"), and a number type is the intersection of its constraints::

    integer(3, 12)                                       [3-9] | 1 [0-2]
    decimal(Decimal("0.9"), exponent=False, max_digits=2, decimal_places=1)     0.9, 1, 1.0, 1.1, ..., 9.9
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_FLOOR, Context, Decimal
from functools import lru_cache
from math import gcd, isinf, nextafter

from schema_compiler.regular.automata.dfa import Dfa, crawl, literal
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.automata.operations import any_of_all, concatenate, intersect, optional, union
from schema_compiler.regular.numbers.comparison import (
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BELOW,
    DIGITS,
    EXACT,
    compare_plain,
    compare_scientific,
)

__all__ = ["decimal", "integer", "plain_spellings", "quoted"]

_LEADING_ZEROS = 20
"""The most zeros after the point before the first other digit, so that there is a longest plain spelling.

Chosen: smaller numbers are mostly written with an exponent. Bounds nearer to zero raise it.
"""
_LISTED = 1000
"""Fewer multiples than that between two bounds are listed instead of computed, so that any step is possible there.

Chosen, not measured: texts of a list take a few states each, remainders one for each unit of the step.
"""
_TRAILING_ZEROS = 3
"""The most zeros of a whole number that is spelled with a fraction: ``5.0``, as floats are printed, and two more."""
_FLOAT_DIGITS = 15
"""Decimals of up to so many digits are told apart by floats (IEEE 754 binary64), and come back from them."""


def quoted(number: Dfa) -> Dfa:
    """The texts of ``number`` between double quotes."""
    return concatenate(literal(b'"'), number, literal(b'"'))


@lru_cache(maxsize=64)
def integer(
    minimum: int | None = None,
    maximum: int | None = None,
    multiple_of: int | None = None,
    *,
    max_digits: int = 19,
    fraction: bool = False,
) -> Dfa:
    """Integers in canonical spelling (no leading zero, no ``-0``) between inclusive bounds.

    A side without a bound stops at ``max_digits`` digits, or one digit beyond the other bound where that is longer.
    ``fraction`` also admits up to three zeros after a point. Raises ``CompileBudgetError`` when ``multiple_of`` (at
    least 1) needs too many states.
    """
    low = -_greatest_magnitude(-(maximum or 0), max_digits) if minimum is None else minimum
    high = _greatest_magnitude(minimum or 0, max_digits) if maximum is None else maximum
    whole = _bounded_integers(low, high, multiple_of or 1)
    zeros = from_literals(b"." + b"0" * count for count in range(1, _TRAILING_ZEROS + 1))
    return concatenate(whole, optional(zeros)) if fraction else whole


@lru_cache(maxsize=64)
def decimal(
    minimum: Decimal | None = None,
    maximum: Decimal | None = None,
    exclusive_minimum: bool = False,
    exclusive_maximum: bool = False,
    multiple_of: Decimal | None = None,
    max_digits: int | None = None,
    decimal_places: int | None = None,
    *,
    significant_digits: int = 17,
    exponent: bool = True,
    plain: bool = False,
) -> Dfa:
    """Decimal numbers, plain (``-0.25``) and, with ``exponent``, also scientific (``2.5e-1``), between exact bounds.

    Spelled digits from the first one that is not zero are at most ``significant_digits``, more where a bound or
    ``max_digits`` has more. With ``exponent`` the text is meant for a float: values stay finite, and an exclusive
    bound also excludes the spellings that a float would round onto it. ``max_digits`` and ``decimal_places`` count as
    Pydantic's ``Decimal`` does: zeros at the end of the fraction and a lone zero before it are free. Scientific
    spellings are left out where multiples or digits are counted, and with ``plain``: then there are at most 15 digits,
    so that no number is read as a float of a shorter spelling. Raises ``CompileBudgetError`` when ``multiple_of`` needs
    too many states.
    """
    bounds = [bound for bound in (minimum, maximum) if bound]
    significant_digits = min(significant_digits, _FLOAT_DIGITS) if plain else significant_digits
    digits = max(significant_digits, max_digits or 0, *(len(bound.as_tuple().digits) for bound in bounds))
    compared = []
    if minimum is not None:
        low = _past_rounding(minimum, digits) if exclusive_minimum and exponent else minimum
        compared.append((low, ABOVE if exclusive_minimum else AT_LEAST))
    if maximum is not None:
        high = -_past_rounding(-maximum, digits) if exclusive_maximum and exponent else maximum
        compared.append((high, BELOW if exclusive_maximum else AT_MOST))
    scientific = exponent and not plain and multiple_of is None and max_digits is None and decimal_places is None
    whole = 0 if scientific else max((bound.adjusted() + 2 for bound in bounds), default=0)
    zeros = 0 if scientific else max((-bound.adjusted() for bound in bounds), default=0)
    constraints = [_plain(max(digits, whole), max(zeros, _LEADING_ZEROS))]
    constraints += [compare_plain(bound, orders) for bound, orders in compared]
    if scientific:
        written_scientific = [_scientific(digits), *(compare_scientific(bound, orders) for bound, orders in compared)]
        return any_of_all([constraints, written_scientific])
    if multiple_of is not None:
        constraints.append(_multiples(*_as_fraction(multiple_of)))
    if max_digits is not None or decimal_places is not None:
        constraints.append(_digit_limits(max_digits, decimal_places))
    return intersect(*constraints)


@lru_cache(maxsize=64)
def plain_spellings(
    minimum: Decimal | None, maximum: Decimal | None, above: bool, below: bool, multiple_of: Decimal | None
) -> Dfa:
    """Every plain spelling, however long, of the numbers in a range (``above`` and ``below``: its ends excluded).

    Texts that are no numbers are accepted too: the language is meant to be taken away from one of numbers. Raises
    ``CompileBudgetError`` when ``multiple_of`` needs too many states.
    """
    constraints = [] if multiple_of is None else [_multiples(*_as_fraction(multiple_of))]
    if minimum is not None:
        constraints.append(compare_plain(minimum, ABOVE if above else AT_LEAST))
    if maximum is not None:
        constraints.append(compare_plain(maximum, BELOW if below else AT_MOST))
    return intersect(*constraints) if constraints else crawl(0, lambda _: [(b"-.0123456789", 0)], lambda _: True)


def _greatest_magnitude(other: int, max_digits: int) -> int:
    """The greatest magnitude on a side without a bound, where ``other`` is the magnitude at which the side begins."""
    length = len(str(max(other, 0)))
    return int(10 ** (max_digits if length <= max_digits else length + 1) - 1)


def _bounded_integers(low: int, high: int, step: int) -> Dfa:
    """The multiples of ``step`` from ``low`` to ``high``, in canonical spelling."""
    if (high - low) // step < _LISTED:
        return from_literals(str(number).encode() for number in range(-(-low // step) * step, high + 1, step))
    bounded = intersect(_whole(), compare_plain(Decimal(low), AT_LEAST), compare_plain(Decimal(high), AT_MOST))
    return bounded if step == 1 else intersect(bounded, _multiples(step, 0))


def _past_rounding(bound: Decimal, digits: int) -> Decimal:
    """The decimal beyond which a text of that many digits is read as a float greater than ``bound``.

    That is the middle between ``bound`` and the next float, rounded down to three digits more than a text has: no text
    tells the two apart. For zero it is zero, since no text here is so near to zero that a float would round it.
    """
    if not bound:
        return bound
    value = float(bound)
    following = nextafter(value, float("inf"))
    if isinf(value) or isinf(following):
        return bound
    halfway = EXACT.divide(EXACT.add(Decimal(value), Decimal(following)), Decimal(2))
    return max(bound, Context(prec=digits + 3, rounding=ROUND_FLOOR).plus(halfway))


@lru_cache(maxsize=64)
def _whole() -> Dfa:
    """``-?[1-9][0-9]*`` and ``0``."""

    def follow(place: str) -> Iterator[tuple[bytes, str]]:
        match place:
            case "start":
                yield from ((b"-", "minus"), (b"0", "zero"), (DIGITS[1:], "digits"))
            case "minus":
                yield DIGITS[1:], "digits"
            case "digits":
                yield DIGITS, "digits"

    return crawl("start", follow, lambda place: place in ("zero", "digits"))


@lru_cache(maxsize=64)
def _plain(significant: int, leading: int) -> Dfa:
    """Plain decimals of at most ``significant`` digits, after at most ``leading`` zeros behind the point.

    A state is (phase, significant digits so far, zeros between the point and the first of them).
    """

    def follow(state: tuple[str, int, int]) -> Iterator[tuple[bytes, tuple[str, int, int]]]:
        phase, count, zeros = state
        if phase == "start":
            yield b"-", ("minus", 0, 0)
        if phase in ("start", "minus"):
            yield b"0", ("zero", 0, 0)
            yield DIGITS[1:], ("whole", 1, 0)
            return
        if phase in ("zero", "whole"):
            yield b".", ("point", count, 0)
        if phase == "whole" and count < significant:
            yield DIGITS, ("whole", count + 1, 0)
        if phase in ("point", "fraction"):
            if count < significant:
                yield DIGITS[1:], ("fraction", count + 1, 0)
            if 0 < count < significant:
                yield b"0", ("fraction", count + 1, 0)
            elif count == 0 and zeros < leading:
                yield b"0", ("fraction", 0, zeros + 1)

    return crawl(("start", 0, 0), follow, lambda state: state[0] in ("zero", "whole", "fraction"))


@lru_cache(maxsize=64)
def _scientific(significant: int) -> Dfa:
    """Scientific spellings of the finite floats other than zero, at most ``significant`` digits.

    The greatest float is 1.7976931348623157e308, the least positive one 5e-324, as Python prints them.
    """
    greatest, least = Decimal("1.7976931348623157e308"), Decimal("5e-324")
    return intersect(
        _scientific_shape(significant),
        compare_scientific(greatest, AT_MOST),
        compare_scientific(-greatest, AT_LEAST),
        union(compare_scientific(least, AT_LEAST), compare_scientific(-least, AT_MOST)),
    )


def _scientific_shape(significant: int) -> Dfa:
    """One digit other than zero before the point; ``e`` or ``E``; a sign (``+`` may be left out); an exponent.

    An exponent of one digit may be spelled with a zero before it, and the exponent zero has no minus. A state is (part,
    digits of the part so far).
    """

    def follow(state: tuple[str, int]) -> Iterator[tuple[bytes, tuple[str, int]]]:
        part, count = state
        match part:
            case "start" | "minus":
                yield b"-" * (part == "start"), ("minus", 0)
                yield DIGITS[1:], ("whole", 1)
            case "whole":
                yield b".", ("point", 1)
            case "point" | "fraction" if count < significant:
                yield DIGITS, ("fraction", count + 1)
            case "e":
                yield b"+", ("power", 0)
                yield b"-", ("negative", 0)
            case "zero" | "negative zero":
                yield DIGITS[part != "zero" :], ("power", 3)
        if part in ("whole", "fraction"):
            yield b"eE", ("e", 0)
        if part in ("e", "power", "negative") and count == 0:
            yield b"0", ("negative zero" if part == "negative" else "zero", 1)
            yield DIGITS[1:], ("power", 1)
        elif part == "power" and count < 3:
            yield DIGITS, ("power", count + 1)

    return crawl(("start", 0), follow, lambda state: state[1] > 0 and state[0] in ("power", "zero"))


def _as_fraction(step: Decimal) -> tuple[int, int]:
    """``step`` as an integer and a number of decimal places: 0.05 is (5, 2)."""
    _, digits, exponent = step.normalize(EXACT).as_tuple()
    number = int("".join(map(str, digits)))
    places = max(0, -int(exponent))
    return number * 10 ** (int(exponent) + places), places


@lru_cache(maxsize=64)
def _multiples(step: int, places: int) -> Dfa:
    """Plain decimals that are multiples of ``step / 10**places``.

    With ``step = rest * 10**power``, a number is a multiple when it ends in ``power`` zeros (fraction written to
    ``places``) and what stands before them is a multiple of ``rest``. A state is (digits after the point or -1, zeros
    at the end counted up to ``power``, remainder of what stands before them), so a step of a million takes 7 states.
    Remainders are kept only as far as the places still to come leave them apart: before the point of a multiple of
    2.125 (2125 / 1000), the remainder by 17. Raises ``CompileBudgetError`` when there are too many.
    """
    power = next(count for count in range(step) if step % 10 ** (count + 1))
    rest = step // 10**power
    moduli = [rest // gcd(rest, 10**coming) for coming in range(places, -1, -1)]

    def append(zeros: int, remainder: int, digit: int) -> tuple[int, int]:
        if digit:
            return 0, (remainder * 10 ** (zeros + 1) + digit) % rest
        return (zeros + 1, remainder) if zeros < power else (zeros, remainder * 10 % rest)

    def follow(state: tuple[int, int, int]) -> Iterator[tuple[bytes, tuple[int, int, int]]]:
        after, zeros, remainder = state
        if after == places:
            yield b"0", state
            return
        yield b"-", state
        if after < 0:
            yield b".", (0, zeros, remainder)
        for digit in range(10):
            following = after + (after >= 0)
            count, left = append(zeros, remainder, digit)
            left %= moduli[max(following, 0)]
            if following < places or not places or not left:
                yield DIGITS[digit : digit + 1], (following, count, left)

    def accepting(state: tuple[int, int, int]) -> bool:
        after, zeros, remainder = state
        for _ in range(places - max(after, 0)):
            zeros, remainder = append(zeros, remainder, 0)
        return remainder == 0 and zeros == power

    return crawl((-1, power, 0), follow, accepting)


@lru_cache(maxsize=64)
def _digit_limits(max_digits: int | None, decimal_places: int | None) -> Dfa:
    """Plain decimals within Pydantic's digit limits.

    A digit after the point that is not zero makes all digits up to it count. Zero itself counts as one digit before the
    point. A state is (digits before the point, digits after it or -1, whether all of them are zero).
    """
    whole_limit = None if max_digits is None else max(0, max_digits - (decimal_places or 0))

    def fits(whole: int, after: int) -> bool:
        """Whether a digit other than zero may be the ``after``-th of the fraction."""
        within = max_digits is None or whole + after <= max_digits
        return within and (decimal_places is None or after <= decimal_places)

    def follow(state: tuple[int, int, bool]) -> Iterator[tuple[bytes, tuple[int, int, bool]]]:
        whole, after, zero = state
        if after >= 0:
            free = fits(whole, after + 1)
            yield b"0", (whole, after + free, zero)
            if free:
                yield DIGITS[1:], (whole, after + 1, False)
            return
        yield b"-", state
        yield b".", (whole, 0, zero)
        if zero:
            yield b"0", state
        if whole_limit is None:
            yield DIGITS[zero:], (0, after, False)
        elif whole < whole_limit:
            yield DIGITS[zero:], (whole + 1, after, False)

    return crawl((0, -1, True), follow, lambda state: not (state[2] and whole_limit == 0))
