"""The search for an order: it finds one whenever there is one, and never takes other data for another order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.orders import accepted_in_some_order


@dataclass(frozen=True)
class ListReader:
    """Reads the documents of a list."""

    documents: tuple[str, ...]
    text: str = ""

    def read(self, text: str) -> ListReader | None:
        longer = self.text + text
        return (
            ListReader(self.documents, longer)
            if any(document.startswith(longer) for document in self.documents)
            else None
        )

    def is_complete(self) -> bool:
        return self.text in self.documents


VALUES = st.recursive(
    st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner),
    max_leaves=8,
)


def admits(documents: list[Any], data: Any, schema: Any = None) -> bool:
    return accepted_in_some_order(ListReader(tuple(map(json.dumps, documents))), data, schema)


@given(VALUES, st.randoms())
def test_any_order_is_found(data: Any, random: Any) -> None:
    """Whatever order the engine wants, and whatever order the data come in."""
    assert admits([_shuffled(data, random)], data)


@given(VALUES, VALUES)
def test_other_data_is_not_an_order(data: Any, other: Any) -> None:
    assert admits([other], data) is (json.dumps(data, sort_keys=True) == json.dumps(other, sort_keys=True))


def test_members_that_shut_out_others_come_last() -> None:
    """After ``a`` no ``b`` can come, though the schema declares it first."""
    schema = {"properties": {"a": {}, "b": {}, "c": {}}}
    documents = [{"b": 1, "c": 2, "a": 3}, {"a": 3, "c": 2, "d": 4}]
    assert admits(documents, {"a": 3, "b": 1, "c": 2}, schema)


def test_a_document_must_end_where_the_data_do() -> None:
    assert not admits([12], 1)
    assert not admits([{"a": 1, "b": 2}], {"a": 1})


def _shuffled(data: Any, random: Any) -> Any:
    match data:
        case dict():
            names = list(data)
            random.shuffle(names)
            return {name: _shuffled(data[name], random) for name in names}
        case list():
            return [_shuffled(item, random) for item in data]
        case _:
            return data
