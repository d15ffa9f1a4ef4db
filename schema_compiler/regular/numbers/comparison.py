"""Comparing numbers by their spelling: the numbers on one side of a bound, as automata.

From left to right, the digits of a number are compared with those of the bound; the first that differ decide, if both
numbers have equally many digits before the point. So while a text is read, it is enough to remember the sign, how many
digits came before the point, and the order so far (less, equal, greater). For "at least 25"::

    text    digits so far   before the point    the number is
    3       greater         one: fewer          less
    24      less            two                 less
    25.0    equal           two                 equal: accepted
    31      greater         two                 greater: accepted
    100     less            three: more         greater: accepted

Scientific spellings ``d.ddde±xx`` are compared by exponent first, then by mantissa, each in this way.

The automata take for granted that a text is a number without leading zeros; of other texts they accept whatever comes
of it. They are meant to be intersected with the well-formed numbers (see ``decimals``).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from functools import lru_cache
from typing import TypeAlias

from schema_compiler.regular.automata.dfa import Dfa, crawl

__all__ = ["ABOVE", "AT_LEAST", "AT_MOST", "BELOW", "DIGITS", "EXACT", "compare_plain", "compare_scientific"]

_Order: TypeAlias = int
"""-1 less, 0 equal, 1 greater than the bound."""
_Orders: TypeAlias = frozenset[_Order]
_Scientific: TypeAlias = tuple[bool, str, int, _Order, _Order]
"""A state of ``compare_scientific``."""

DIGITS = b"0123456789"
AT_LEAST, AT_MOST = frozenset({0, 1}), frozenset({-1, 0})
ABOVE, BELOW = frozenset({1}), frozenset({-1})
EXACT = Context(prec=2000)
"""Arithmetic on bounds without rounding: a float, or the middle of two, is a decimal of fewer than 800 digits.

The number is chosen so that there is room for bounds that are longer.
"""


@lru_cache(maxsize=64)
def compare_plain(bound: Decimal, orders: _Orders) -> Dfa:
    """The numbers in plain spelling (``-12.5``) that compare with ``bound`` as one of ``orders``.

    A state is (negative, place, order so far). Place ``n >= 0``: n digits before the point, counted up to one more
    than the bound has. Place ``~i``: i digits after the point, counted up to those of the bound. Raises
    ``CompileBudgetError`` for a bound of more than some thousand digits.
    """
    whole, fraction = _digits(abs(bound))

    def at_point(place: int, order: _Order) -> _Order:
        """The order of the parts before the point, once they end after ``place`` digits."""
        return order if place == len(whole) else -1 if place < len(whole) else 1

    def follow(state: tuple[bool, int, _Order]) -> Iterator[tuple[bytes, tuple[bool, int, _Order]]]:
        negative, place, order = state
        if place < 0:
            at = ~place
            for digits, result in _compare_digit(order, fraction[at] if at < len(fraction) else 0):
                yield digits, (negative, ~min(at + 1, len(fraction)), result)
            return
        if place == 0 and not negative:
            yield b"-", (True, 0, 0)
        if place > 0:
            yield b".", (negative, ~0, at_point(place, order))
        for digits, result in _compare_digit(order, whole[place]) if place < len(whole) else [(DIGITS, 1)]:
            yield digits, (negative, min(place, len(whole)) + 1, result)

    def accepting(state: tuple[bool, int, _Order]) -> bool:
        negative, place, order = state
        magnitude = at_point(place, order) if place >= 0 else order
        if magnitude == 0 and (len(fraction) if place >= 0 else len(fraction) - ~place):
            magnitude = -1
        if negative:
            return (-1 if bound > 0 else -magnitude) in orders
        return (1 if bound < 0 else magnitude) in orders

    return crawl((False, 0, 0), follow, accepting)


@lru_cache(maxsize=64)
def compare_scientific(bound: Decimal, orders: _Orders) -> Dfa:
    """The numbers, zero apart, in scientific spelling (``-1.25e+1``) that compare with ``bound`` as one of ``orders``.

    A state is (negative, part, digits of the part, their order so far, order of the mantissa), where a part is "start",
    "mantissa", "exponent" (before its sign), or the sign of the exponent whose digits are read. Once all that can
    follow has the same outcome, the state is (outcome, "known", 0, 0, 0). A bound of more than 2,000 digits is rounded
    to so many (``EXACT``).
    """
    exponent = bound.adjusted() if bound else 0
    whole, fraction = _digits(abs(bound).scaleb(-exponent, EXACT))
    mantissa = whole + fraction
    power = [int(digit) for digit in str(abs(exponent))] if exponent else []

    def outcome(negative: bool, order: _Order) -> bool:
        """The verdict on a number, given its sign and how its magnitude compares."""
        if negative:
            return (-order if bound < 0 else -1) in orders
        return (order if bound > 0 else 1) in orders

    def known(negative: bool, order: _Order) -> _Scientific:
        return outcome(negative, order), "known", 0, 0, 0

    def after_sign(negative: bool) -> _Scientific:
        is_open = bound < 0 if negative else bound > 0
        return (negative, "mantissa", 0, 0, 0) if is_open else known(negative, 0)

    def after_exponent_sign(negative: bool, sign: str, order: _Order) -> _Scientific:
        if exponent and (exponent < 0) == (sign == "+"):
            return known(negative, 1 if sign == "+" else -1)
        return negative, sign, 0, 0, order

    def without_minus(state: _Scientific) -> Iterator[tuple[bytes, _Scientific]]:
        """What follows ``state``, except for a minus: where the sign before it has been left out."""
        return ((read.replace(b"-", b""), target) for read, target in follow(state))

    def follow(state: _Scientific) -> Iterator[tuple[bytes, _Scientific]]:
        negative, part, place, order, before = state
        match part:
            case "start":
                yield b"-", after_sign(True)
                yield from without_minus(after_sign(False))
            case "known":
                yield b"-+.eE" + DIGITS, state
            case "mantissa":
                yield b".", state
                for digits, result in _compare_digit(order, mantissa[place] if place < len(mantissa) else 0):
                    yield digits, (negative, part, min(place + 1, len(mantissa)), result, 0)
                yield b"eE", (negative, "exponent", 0, 0, order or (-1 if place < len(mantissa) else 0))
            case "exponent":
                yield b"-", after_exponent_sign(negative, "-", before)
                yield b"+", after_exponent_sign(negative, "+", before)
                yield from without_minus(after_exponent_sign(negative, "+", before))
            case _ if place == len(power):
                yield DIGITS[place == 0 :], known(negative, 1 if part == "+" else -1)
            case _:
                for digits, result in _compare_digit(order, power[place]):
                    yield digits.lstrip(b"0") if place == 0 else digits, (negative, part, place + 1, result, before)
        if place == 0 and part in ("+", "-"):
            yield b"0", state

    def accepting(state: _Scientific) -> bool:
        negative, part, place, order, before = state
        if part not in ("+", "-"):
            return part == "known" and negative
        compared = order if place == len(power) else -1
        return outcome(negative, (compared if part == "+" else -compared) or before)

    return crawl((False, "start", 0, 0, 0), follow, accepting)


def _compare_digit(order: _Order, expected: int) -> list[tuple[bytes, _Order]]:
    """The order after one more digit, where the bound has the digit ``expected``: digits by the order they lead to."""
    if order:
        return [(DIGITS, order)]
    return [(DIGITS[:expected], -1), (DIGITS[expected : expected + 1], 0), (DIGITS[expected + 1 :], 1)]


def _digits(magnitude: Decimal) -> tuple[list[int], list[int]]:
    """The digits before the point (at least one) and after it (without zeros at the end)."""
    whole, _, fraction = f"{magnitude:f}".partition(".")
    return [int(digit) for digit in whole], [int(digit) for digit in fraction.rstrip("0")]
