"""String schemas: patterns, formats and lengths together."""

from __future__ import annotations

import pytest

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.text.json_strings import any_string, string_literal
from schema_compiler.schema.algebra.strings import counted_strings, text_name
from schema_compiler.schema.ir import String


@pytest.mark.parametrize(
    ("schema", "lengths", "matching", "others"),
    [
        (String(), (0, None), ["", "é"], []),
        (String(2, 5), (2, 5), ["", "a"], []),
        (String(2, 500, patterns=(Pattern("^[a-z]{1,64}$"),)), (2, 64), ["abc"], ["aB"]),
        (String(patterns=(Pattern("^a"), Pattern("b$", negated=True))), (0, None), ["a", "abc"], ["ab", "c"]),
        (String(formats=("hostname",), max_length=300), (0, 253), ["a.example"], ["-a"]),
        (String(excluded=("date",)), (0, None), ["", "2024"], ["2024-02-29"]),
        (String(formats=("date",), patterns=(Pattern("^2024"),)), (0, None), ["2024-02-29"], ["2023-02-28"]),
    ],
)
def test_all_demands_hold(
    schema: String, lengths: tuple[int, int | None], matching: list[str], others: list[str]
) -> None:
    strings = counted_strings(schema)
    assert (strings.minimum, strings.maximum) == lengths
    assert [text for text in (*matching, *others) if strings.dfa.accepts(string_literal(text))] == matching


def test_an_unconstrained_string_shares_its_automaton() -> None:
    assert counted_strings(String(3, 9)).dfa is any_string()


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        (String(2, 5), "string"),
        (String(formats=("date",), excluded=("time",)), "date & not time"),
        (String(patterns=(Pattern("^a"), Pattern("b", negated=True))), "/^a/ & not /b/"),
        (String(formats=("date",), patterns=(Pattern("^2"),)), "date & /^2/"),
    ],
)
def test_names_of_texts(schema: String, name: str) -> None:
    assert text_name(schema, "string") == name
