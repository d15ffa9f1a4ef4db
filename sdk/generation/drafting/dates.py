"""The dates of a document in the spelling of ISO 8601, which is how types ask for them.

    3 March 2024, 12/25/18, 2024.03.03  ->  2024-03-03, 2018-12-25, 2024-03-03

A model that copies a date into such a field writes text that stands nowhere in the document, but can be foreseen.
Where either number may be the month, both readings are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["iso_dates"]

# Parts of the patterns below. A month's name is known by three letters, a number by having no digit beside it.
_MONTHS = (b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec")
_NAME = rb"(" + b"|".join(_MONTHS) + rb")[a-z]*\.?"
_DAY = rb"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = rb"(\d{4}|\d\d)(?!\d)"
_GAP = rb"[-/., ]{1,2}"


def iso_dates(document: bytes) -> list[bytes]:
    """The dates of ``document``, each once, as ``YYYY-MM-DD``; years of two digits are of this century."""
    return [b"%04d-%02d-%02d" % date for date in dict.fromkeys(_dates(document)) if _is_possible(*date)]


def _dates(document: bytes) -> Iterator[tuple[int, int, int]]:
    """What may be a year, a month and a day: 3 March 2024; March 3, 2024; 2024-03-03; 3/3/2024, read both ways."""
    for day, name, year in re.findall(rb"(?i)" + _DAY + rb"(?: of)?" + _GAP + _NAME + _GAP + _YEAR, document):
        yield _full_year(year), _MONTHS.index(name.lower()) + 1, int(day)
    for name, day, year in re.findall(rb"(?i)" + _NAME + b" " + _DAY + _GAP + _YEAR, document):
        yield _full_year(year), _MONTHS.index(name.lower()) + 1, int(day)
    for year, _, month, day in re.findall(rb"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)", document):
        yield int(year), int(month), int(day)
    for first, _, second, year in re.findall(_DAY + rb"([-/. ])(\d{1,2})\2" + _YEAR, document):
        yield _full_year(year), int(second), int(first)
        yield _full_year(year), int(first), int(second)


def _full_year(year: bytes) -> int:
    return int(year) + 2000 if len(year) == 2 else int(year)


def _is_possible(_: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
