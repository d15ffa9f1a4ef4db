"""The spellings of dates, times and numbers, as data; and the automata that find them."""

from __future__ import annotations

import pytest

from schema_compiler.grounding.spellings import candidates, read_dates, read_datetimes, read_numbers
from schema_compiler.regular.text.json_strings import string_literal

DATES = {
    ("2024-03-01", None): ["2024-03-01"],
    ("2024/3/1", None): ["2024-03-01"],
    ("01/03/2024", True): ["2024-03-01"],
    ("01/03/2024", False): ["2024-01-03"],
    ("01/03/2024", None): ["2024-03-01", "2024-01-03"],
    ("13/03/2024", None): ["2024-03-13"],
    ("13/03/2024", False): [],
    ("03-03-24", None): ["2024-03-03"],
    ("1 March 2024", None): ["2024-03-01"],
    ("1st of march 2024", None): ["2024-03-01"],
    ("MAR 1, 2024", None): ["2024-03-01"],
    ("March 1st 2024", None): ["2024-03-01"],
    ("01-Mar-24", None): ["2024-03-01"],
    ("1 Sept. ’99", None): ["1999-09-01"],
    ("Friday, 1 March 2024", None): ["2024-03-01"],
    ("01.03.2024", None): ["2024-03-01"],
    ("1. 3. 2024", False): ["2024-03-01"],
    ("2024年3月1日", None): ["2024-03-01"],
    ("٠١/٠٣/٢٠٢٤", True): ["2024-03-01"],
    ("29/02/2023", None): [],
    ("1 Marsh 2024", None): [],
    ("0000-01-01", None): [],
    ("20240301", None): [],
    ("", None): [],
}
DATETIMES = {
    "2024-03-01T10:30:00Z": ["2024-03-01T10:30:00+00:00"],
    "2024-03-01 10:30:00.25 +0830": ["2024-03-01T10:30:00.250000+08:30"],
    "1 Mar 2024 at 12:05 am": ["2024-03-01T00:05:00"],
    "01/03/2024, 1.30 P.M.": ["2024-03-01T13:30:00", "2024-01-03T13:30:00"],
    "2024-03-01": ["2024-03-01T00:00:00"],
    "2024-03-01 25:00": [],
    "2024-03-01 13:00 pm": [],
    "10:30": [],
}
NUMBERS = {
    "17": ["17"],
    "1,234.50": ["1234.50"],
    "1.234,50": ["1234.50"],
    "1 234,50": ["1234.50"],
    "1\u202f234\u202f567": ["1234567"],
    "12,34,567.5": ["1234567.5"],
    "1'234.5": ["1234.5"],
    "1,234": ["1.234", "1234"],
    "0.5": ["0.5"],
    ".5": ["0.5"],
    "5,0": ["5.0"],
    "RM 15.90": ["15.90"],
    "RM15.90": ["15.90"],
    "$5": ["5"],
    "5 €": ["5"],
    "US$ 5": ["5"],
    "-5": ["-5"],
    "\u22125": ["-5"],
    "+5": ["5"],
    "- 5": ["-5"],
    "-$5": ["-5"],
    "$-5": ["-5"],
    "(5.00)": ["-5.00"],
    "($5.00)": ["-5.00"],
    "15.90-": ["-15.90"],
    "12.5%": ["12.5"],
    "٣٤": ["34"],
    "1,23": ["1.23"],
    "1,23,4": [],
    "(5.00": [],
    "1.2.3": [],
    "five": [],
    " 5": [],
    "": [],
}


@pytest.mark.parametrize(("spelling", "dates"), DATES.items())
def test_dates(spelling: tuple[str, bool | None], dates: list[str]) -> None:
    piece, day_first = spelling
    assert [one.isoformat() for one in read_dates(piece, day_first)] == dates
    assert candidates("date").accepts(string_literal(piece)) or not dates


@pytest.mark.parametrize(("piece", "datetimes"), DATETIMES.items())
def test_datetimes(piece: str, datetimes: list[str]) -> None:
    assert [one.isoformat() for one in read_datetimes(piece, None)] == datetimes
    assert candidates("datetime").accepts(string_literal(piece)) or not datetimes


@pytest.mark.parametrize(("piece", "numbers"), NUMBERS.items())
def test_numbers(piece: str, numbers: list[str]) -> None:
    assert [str(one) for one in read_numbers(piece)] == numbers
    assert candidates("number").accepts(string_literal(piece)) or not numbers
