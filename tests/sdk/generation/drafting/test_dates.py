"""Dates are found in the spellings people use, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk.generation.drafting.dates import iso_dates


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 3 March 2024", ["2024-03-03"]),
        ("the 3rd of march, 2024, or 21st Dec. 99", ["2024-03-03", "2099-12-21"]),
        ("March 3, 2024 and MAY 14 2023", ["2024-03-03", "2023-05-14"]),
        ("2024/3/13 2024-03-13", ["2024-03-13"]),
        ("25/12/2018 8:13", ["2018-12-25"]),
        ("01-02-19", ["2019-02-01", "2019-01-02"]),
        ("30-JAN-2018", ["2018-01-30"]),
        ("1.25.2020", ["2020-01-25"]),
        ("99/99/2018, 2018/13/13, 12.50, 555-0142, 3/4, 1/2-2020, 123/10/2018, 25/12/20181", []),
    ],
)
def test_spellings(text, dates):
    assert iso_dates(text.encode()) == [day.encode() for day in dates]


SPELLINGS = ["%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d"]


@given(st.dates(), st.sampled_from(SPELLINGS))
def test_any_date_in_any_spelling_is_among_those_found(day, spelling):
    text = day.strftime(spelling.replace("%Y", f"{day.year:04d}"))
    assert day.isoformat().encode() in iso_dates(f"Due: {text}.".encode())


@given(st.binary())
def test_any_bytes_will_do(document):
    assert all(len(day) == 10 for day in iso_dates(document))
