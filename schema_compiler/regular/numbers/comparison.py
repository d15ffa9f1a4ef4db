"""Comparing numbers by their spelling: the numbers on one side of a bound, as automata.

While the digits go by, it is enough to remember whether what was read is less than, equal to or greater than the same
prefix of the bound, and how many digits came before the point. For ``at least 25``::

    "3" is greater so far, and "31" is greater, but "3" alone has fewer digits: less

Scientific spellings ``d.ddde±xx`` are compared by exponent first, then by mantissa, each by the same comparison again.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from functools import lru_cache

from schema_compiler.regular.automata.dfa import Dfa, crawl

__all__ = ["ABOVE", "AT_LEAST", "AT_MOST", "BELOW", "DIGITS", "EXACT", "Orders", "ordered", "ordered_scientific"]

Order = int  # -1 less, 0 equal, 1 greater
Orders = frozenset[Order]
_Scientific = tuple[bool, str, int, Order, Order]

DIGITS = b"0123456789"
AT_LEAST, AT_MOST = frozenset({0, 1}), frozenset({-1, 0})
ABOVE, BELOW = frozenset({1}), frozenset({-1})
EXACT = Context(prec=2000)


@lru_cache(maxsize=64)
def ordered(bound: Decimal, orders: Orders) -> Dfa:
    """Plain decimals that compare with ``bound`` as one of ``orders``; says nothing about their shape.

    A state is (negative, place, order so far). Place ``n >= 0``: n digits before the point, counted up to one more
    than the bound has. Place ``~i``: i digits after the point, counted up to those of the bound.
    """
    whole, fraction = _parts(abs(bound))

    def at_point(place: int, order: Order) -> Order:
        return order if place == len(whole) else -1 if place < len(whole) else 1

    def follow(state: tuple[bool, int, Order]) -> Iterator[tuple[bytes, tuple[bool, int, Order]]]:
        negative, place, order = state
        if place < 0:
            at = ~place
            for digits, result in _compared(order, fraction[at] if at < len(fraction) else 0):
                yield digits, (negative, ~min(at + 1, len(fraction)), result)
            return
        if place == 0 and not negative:
            yield b"-", (True, 0, 0)
        if place > 0:
            yield b".", (negative, ~0, at_point(place, order))
        for digits, result in _compared(order, whole[place]) if place < len(whole) else [(DIGITS, 1)]:
            yield digits, (negative, min(place, len(whole)) + 1, result)

    def accepting(state: tuple[bool, int, Order]) -> bool:
        negative, place, order = state
        magnitude = at_point(place, order) if place >= 0 else order
        if magnitude == 0 and (len(fraction) if place >= 0 else len(fraction) - ~place):
            magnitude = -1
        if negative:
            return (-1 if bound > 0 else -magnitude) in orders
        return (1 if bound < 0 else magnitude) in orders

    return crawl((False, 0, 0), follow, accepting)


@lru_cache(maxsize=64)
def ordered_scientific(bound: Decimal, orders: Orders) -> Dfa:
    """Scientific spellings that compare with ``bound`` as one of ``orders``; says nothing about their shape.

    A state is (negative, part, digits of the part, their order so far, order of the mantissa); once all that follows
    has the same outcome, it is (outcome, "known", 0, 0, 0).
    """
    exponent = bound.adjusted() if bound else 0
    whole, fraction = _parts(abs(bound).scaleb(-exponent, EXACT))
    mantissa = whole + fraction
    power = [int(digit) for digit in str(abs(exponent))] if exponent else []

    def outcome(negative: bool, order: Order) -> bool:
        """The verdict on a number, given its sign and how its magnitude compares."""
        if negative:
            return (-order if bound < 0 else -1) in orders
        return (order if bound > 0 else 1) in orders

    def known(negative: bool, order: Order) -> _Scientific:
        return outcome(negative, order), "known", 0, 0, 0

    def signed(negative: bool) -> _Scientific:
        is_open = bound < 0 if negative else bound > 0
        return (negative, "mantissa", 0, 0, 0) if is_open else known(negative, 0)

    def raised(negative: bool, sign: str, order: Order) -> _Scientific:
        if exponent and (exponent < 0) == (sign == "+"):
            return known(negative, 1 if sign == "+" else -1)
        return negative, sign, 0, 0, order

    def unsigned(state: _Scientific) -> Iterator[tuple[bytes, _Scientific]]:
        return ((read.replace(b"-", b""), target) for read, target in follow(state))

    def follow(state: _Scientific) -> Iterator[tuple[bytes, _Scientific]]:
        negative, part, place, order, before = state
        match part:
            case "start":
                yield b"-", signed(True)
                yield from unsigned(signed(False))
            case "known":
                yield b"-+.eE" + DIGITS, state
            case "mantissa":
                yield b".", state
                for digits, result in _compared(order, mantissa[place] if place < len(mantissa) else 0):
                    yield digits, (negative, part, min(place + 1, len(mantissa)), result, 0)
                yield b"eE", (negative, "exponent", 0, 0, order or (-1 if place < len(mantissa) else 0))
            case "exponent":
                yield b"-", raised(negative, "-", before)
                yield b"+", raised(negative, "+", before)
                yield from unsigned(raised(negative, "+", before))
            case _ if place == len(power):
                yield DIGITS[place == 0 :], known(negative, 1 if part == "+" else -1)
            case _:
                for digits, result in _compared(order, power[place]):
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


def _compared(order: Order, expected: int) -> list[tuple[bytes, Order]]:
    """The order after one more digit, where the bound has ``expected``."""
    if order:
        return [(DIGITS, order)]
    return [(DIGITS[:expected], -1), (DIGITS[expected : expected + 1], 0), (DIGITS[expected + 1 :], 1)]


def _parts(magnitude: Decimal) -> tuple[list[int], list[int]]:
    """The digits before the point (at least one) and after it (without zeros at the end)."""
    whole, _, fraction = f"{magnitude:f}".partition(".")
    return [int(digit) for digit in whole], [int(digit) for digit in fraction.rstrip("0")]
