r"""How dates, times and numbers are spelled in documents: all that is known of it, as data.

A spelling is a regular expression with named parts. The union of all of a kind, as an automaton, says which pieces of a
document may be read; the parts of the spelling that matches a piece say what is read. So nothing is guessed, and a
spelling that is missing is a row that is missing here::

    1 March 2024      day 1, month 3, year 2024
    01/02/2024        day 1, month 2 or day 2, month 1, unless ``day_first`` tells
    (1.234,50)        -1234.50
    1,234             1234, or 1.234 with the decimal comma

Digits may be of any script. Months have their English names. A year of two digits is one of 1969 to 2068, as POSIX
reads it. Times without a date are not read; a date without a time is midnight where a time is asked for, as Pydantic
has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache

from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.regex.language import regex_string
from schema_compiler.schema.ir import ReadingKind

__all__ = ["candidates", "read_dates", "read_datetimes", "read_numbers"]

_MONTHS = (
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
_MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_WEEKDAYS = "(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"

_ANY_NAME = r"[A-Za-z]{3,9}\.?"
"""What stands for the names of months and days in automata."""

_DAY, _MONTH, _YEAR = r"(?P<day>\d{1,2})", r"(?P<month>\d{1,2})", r"(?P<year>\d{4})"
_SHORT_YEAR = r"(?P<year>\d{4}|\d{2})"
_NAME = rf"(?P<name>{'|'.join(_MONTH_NUMBERS)})\.?"
_ORDINAL_DAY = rf"{_DAY}(?:[sS][tT]|[nN][dD]|[rR][dD]|[tT][hH])?"
_SEPARATED_YEAR = r"(?P<year>\d{4}|['\u2019]?\d{2})"

_DATES = (
    rf"{_YEAR}-{_MONTH}-{_DAY}",  # 2024-03-01
    rf"{_YEAR}/{_MONTH}/{_DAY}",
    rf"{_YEAR}\. ?{_MONTH}\. ?{_DAY}\.?",
    rf"{_YEAR} ?\u5e74 ?{_MONTH} ?\u6708 ?{_DAY} ?\u65e5",  # 2024年3月1日
    rf"{_DAY}\. ?{_MONTH}\. ?{_SHORT_YEAR}",  # 01.03.2024
    rf"(?:{_WEEKDAYS}\.?,? )?{_ORDINAL_DAY}(?: [oO][fF])?[ -]?{_NAME},?[ -]?{_SEPARATED_YEAR}",  # 1 March 2024
    rf"(?:{_WEEKDAYS}\.?,? )?{_NAME}[ -]?{_ORDINAL_DAY}(?:, ?|[ -]){_SEPARATED_YEAR}",  # MAR 1, 2024
    rf"{_YEAR}[ -]{_NAME}[ -]{_DAY}",  # 2024-Mar-01
)
"""The spellings of dates that can be read in one way."""
_EITHER_ORDER = tuple(
    rf"(?P<first>\d{{1,2}}){separator}(?P<second>\d{{1,2}}){separator}{_SHORT_YEAR}" for separator in ("/", "-", " ")
)
"""The spellings of dates that begin with the day or with the month."""

_CLOCK = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second_>\d{2})(?:[.,](?P<fraction>\d{1,6}))?)?"
    r"(?: ?(?P<half>[apAP])\.?[mM]\.?)?(?: ?(?P<zone>[zZ]|[uU][tT][cC]|[gG][mM][tT]|[+-]\d{2}:?\d{2}))?"
)
_BETWEEN = r"(?:[tT ]|,? (?:[aA][tT] )?)"
"""What may stand between a date and its time."""

_SYMBOLS = "$\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u0e3f\u17db\u20a0-\u20c0\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6"
"""The signs of currencies."""
_CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
    "CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG "
    "HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA "
    "MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD "
    "RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD "
    "UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL RM Rs Rp kr Kr z\u0142 K\u010d Ft "
    "US\\$ S\\$ A\\$ HK\\$ R\\$"
)
"""The codes of ISO 4217, and what is written instead of them."""
_CURRENCY = rf"(?:[{_SYMBOLS}]|(?:{'|'.join(_CODES.split())})\.?)"
_BLANK = "[ \u00a0\u2009\u202f]"

_NUMBERS = (
    (r"\d+", "", ""),
    (r"\d*\.\d+", "", "."),
    (r"\d*,\d+", "", ","),
    (r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", ",", "."),
    (r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?", ",", "."),  # 12,34,567.50
    (r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", ".", ","),
    (rf"\d{{1,3}}(?:{_BLANK}\d{{3}})+(?:\.\d+)?", " \u00a0\u2009\u202f", "."),
    (rf"\d{{1,3}}(?:{_BLANK}\d{{3}})+,\d+", " \u00a0\u2009\u202f", ","),
    (r"\d{1,3}(?:['\u2019]\d{3})+(?:\.\d+)?", "'\u2019", "."),
)
"""The spellings of numbers without a sign, each with the marks between its groups of digits and its decimal mark."""
_SIGN = "[-+\u2212]"
_AMOUNTS = (
    rf"(?:(?P<sign>{_SIGN}){_BLANK}?)?(?:{_CURRENCY}{_BLANK}?)?(?P<digits>{{}})(?:{_BLANK}?(?:{_CURRENCY}|%))?",
    rf"{_CURRENCY}{_BLANK}?(?P<sign>{_SIGN})(?P<digits>{{}})",
    rf"(?:{_CURRENCY}{_BLANK}?)?(?P<digits>{{}})(?P<sign>-)",  # 15.90-
    rf"(?P<sign>\()(?:{_CURRENCY}{_BLANK}?)?(?P<digits>{{}})(?:{_BLANK}?{_CURRENCY})?\)",  # (5.00)
    rf"{_CURRENCY}{_BLANK}?(?P<sign>\()(?P<digits>{{}})\)",
)
"""Where sign and currency stand beside a number: a percentage is read as its number, brackets as a minus."""


@dataclass(frozen=True, slots=True)
class _Spelling:
    """A regular expression, and for numbers the marks between groups and before decimals."""

    pattern: re.Pattern[str]
    groups: str = ""
    decimal: str = ""


@cache
def candidates(kind: ReadingKind) -> Dfa:
    """An automaton of JSON strings, with quotes, among which are all whose text is a spelling of ``kind``.

    ``kind``: dates, datetimes or numbers. The automaton knows no names, and not which sign asks for which other, which
    spares it thousands of states; whether a piece is a spelling is then asked of the spellings.
    """
    if kind == "number":
        shapes = "|".join(digits for digits, _, _ in _NUMBERS)
        sign = rf"(?:{_SIGN}|\()"
        before = rf"(?:{sign}{_BLANK}?)?(?:{_CURRENCY}{_BLANK}?)?{sign}?"
        return regex_string(rf"{before}(?:{shapes})(?:{_BLANK}?(?:{_CURRENCY}|%))?[-)]?", "python")
    spellings = _dates() if kind == "date" else _datetimes()
    nameless = (
        spelling.pattern.pattern.replace(_NAME, _ANY_NAME).replace(_WEEKDAYS, _ANY_NAME) for spelling in spellings
    )
    return regex_string("|".join(re.sub(r"\(\?P<\w+>", "(?:", regex) for regex in nameless), "python")


def read_dates(piece: str, day_first: bool | None) -> Iterator[date]:
    """The dates that a piece may be."""
    for match in _matches(piece, _dates()):
        yield from _dates_of(match, day_first)


def read_datetimes(piece: str, day_first: bool | None) -> Iterator[datetime]:
    """The dates with a time that a piece may be; a date alone is its midnight."""
    for match in _matches(piece, _datetimes()):
        clock = _time_of(match) if match["hour"] else time()
        if clock is not None:
            yield from (datetime.combine(day, clock) for day in _dates_of(match, day_first))


def read_numbers(piece: str) -> Iterator[Decimal]:
    """The numbers that a piece may be."""
    for spelling in _numbers():
        match = spelling.pattern.fullmatch(piece)
        if match:
            digits = match["digits"].translate(dict.fromkeys(map(ord, spelling.groups)))
            number = Decimal(digits.replace(spelling.decimal, ".") if spelling.decimal else digits)
            yield -number if (match["sign"] or "+") in "-\u2212(" else number


def _matches(piece: str, spellings: tuple[_Spelling, ...]) -> Iterator[re.Match[str]]:
    return (match for spelling in spellings if (match := spelling.pattern.fullmatch(piece)))


@cache
def _dates() -> tuple[_Spelling, ...]:
    return tuple(_Spelling(re.compile(regex, re.IGNORECASE)) for regex in (*_DATES, *_EITHER_ORDER))


@cache
def _datetimes() -> tuple[_Spelling, ...]:
    spellings = (f"(?:{regex})(?:{_BETWEEN}{_CLOCK})?" for regex in (*_DATES, *_EITHER_ORDER))
    return tuple(_Spelling(re.compile(regex, re.IGNORECASE)) for regex in spellings)


@cache
def _numbers() -> tuple[_Spelling, ...]:
    return tuple(
        _Spelling(re.compile(amount.format(digits)), groups, decimal)
        for digits, groups, decimal in _NUMBERS
        for amount in _AMOUNTS
    )


def _dates_of(match: re.Match[str], day_first: bool | None) -> Iterator[date]:
    parts = match.groupdict()
    digits = parts["year"].lstrip("'\u2019")
    year = int(digits)
    if len(digits) == 2:
        year += 2000 if year < 69 else 1900
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        orders = {True: [(second, first)], False: [(first, second)], None: [(second, first), (first, second)]}
        months_and_days = dict.fromkeys(orders[day_first])
    else:
        month = _MONTH_NUMBERS[parts["name"].lower()] if "name" in parts else int(parts["month"])
        months_and_days = {(month, int(parts["day"])): None}
    for month, day in months_and_days:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _time_of(match: re.Match[str]) -> time | None:
    """The time that the parts of a match say; ``None`` where there is none such."""
    hour, half, zone = int(match["hour"]), match["half"], (match["zone"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half.lower() == "p")
    fraction = (match["fraction"] or "").ljust(6, "0")
    try:
        return time(hour, int(match["minute"]), int(match["second_"] or 0), int(fraction), _zone_of(zone))
    except ValueError:
        return None


def _zone_of(zone: str) -> timezone | None:
    if not zone:
        return None
    if zone[0] not in "+-":
        return UTC
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return timezone(-offset if zone[0] == "-" else offset)
