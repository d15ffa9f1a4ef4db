"""Fields by their paths."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk.fields import FieldPath, field_values, path_text

KEYS = st.text(max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "$"),
        (("total",), "total"),
        (("items", 2, "price"), "items[2].price"),
        ((0, "name"), "[0].name"),
        (("unit price",), '["unit price"]'),
        (("a", 'say "é"'), 'a["say \\"é\\""]'),
        (("straße", "x.y", ""), 'straße["x.y"][""]'),
    ],
)
def test_paths_in_words(path: FieldPath, text: str) -> None:
    assert path_text(path) == text


@given(VALUES)
def test_each_path_leads_to_its_value_and_no_two_are_written_alike(value: Any) -> None:
    fields = list(field_values(value))
    for path, found in fields:
        reached = value
        for step in path:
            reached = reached[step]
        assert reached == found
        assert not (isinstance(found, dict | list) and found)
    assert len({path_text(path) for path, _ in fields}) == len(fields)
