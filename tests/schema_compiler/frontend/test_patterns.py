"""Patterns for dates within bounds and for addresses, against dates and against Pydantic's URL parser."""

from __future__ import annotations

import datetime as dt
import operator
import re
from collections.abc import Callable

import pydantic as p
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_compiler.frontend.patterns import addresses, date_bounds

COMPARISONS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}


@pytest.mark.parametrize(("name", "holds"), COMPARISONS.items())
@given(bound=st.dates(), days=st.integers(-400, 400), other=st.dates())
def test_dates_beyond_a_bound(
    name: str, holds: Callable[[dt.date, dt.date], bool], bound: dt.date, days: int, other: dt.date
) -> None:
    near = dt.date.fromordinal(min(max(bound.toordinal() + days, 1), dt.date.max.toordinal()))
    pattern = date_bounds({name: bound})[name]
    for date in (bound, near, other):
        assert bool(re.search(pattern, date.isoformat())) == holds(date, bound)


def test_only_dates_are_bounds_of_dates() -> None:
    assert date_bounds({"ge": dt.datetime(2024, 1, 1), "le": None, "now_op": "past"}) == {}


@given(text=st.from_regex(addresses(["redis", "a+b"], many=False), fullmatch=True))
def test_every_address_is_a_url(text: str) -> None:
    assert p.TypeAdapter(p.AnyUrl).validate_python(text).scheme in ("redis", "a+b")


@given(text=st.from_regex(addresses(["postgres"], many=True), fullmatch=True))
def test_every_address_of_many_hosts_is_a_url(text: str) -> None:
    assert all(host["host"] for host in p.TypeAdapter(p.PostgresDsn).validate_python(text).hosts())
