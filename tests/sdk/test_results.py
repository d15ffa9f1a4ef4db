"""Results on lines: what is written is read again, and what is no result is refused by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema_compiler import Span
from sdk.errors import ResultsError
from sdk.fields import Alternative
from sdk.results import Failure, Result, read_results

FULL = Result(
    "a.txt",
    {"shop": "Ace\n\u2028", "items": [{"price": 9.5}]},
    document="Ace\n\u2028 9.5",
    evidence={("shop",): (Span(0, 3, "Ace"),)},
    confidence={("shop",): 0.5, ("items", 0, "price"): 0.1235},
    alternatives={("shop",): (Alternative('"Bob"', 0.25),)},
)


@pytest.mark.parametrize(
    "result", [FULL, Result("null"), Result("", []), Result("b", error=Failure("InputError", "no")), Result("c", 1.5)]
)
def test_a_line_is_read_as_what_was_written(result: Result) -> None:
    line = result.line()
    assert "\n" not in line
    assert list(read_results([line, "\n"], "")) == [result]


def test_what_is_empty_is_left_out() -> None:
    assert Result("a", {"x": None}).line() == '{"source": "a", "value": {"x": null}}'
    assert json.loads(FULL.line())["fields"][0] == {
        "path": ["shop"],
        "confidence": 0.5,
        "alternatives": [{"text": '"Bob"', "probability": 0.25}],
        "evidence": [{"start": 0, "end": 3, "text": "Ace"}],
    }


def test_other_programs_may_call_the_document_id() -> None:
    (result,) = read_results(['{"id": "7", "value": 1, "split": "test"}'], "")
    assert (result.source, result.value) == ("7", 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Invalid JSON"),
        ('{"value": 1}', "['id']: Field required"),
        ('{"id": "1"}', "either a value or an error"),
        ('{"id": "1", "value": 1, "error": {"type": "E", "message": ""}}', "either a value or an error"),
        ('{"id": "1", "value": 1, "fields": [{"path": ["a"], "confidence": 1.5}]}', "['fields'][0]['confidence']"),
        ('{"id": "1", "value": "\\ud800"}', "Invalid JSON"),
    ],
)
def test_other_lines_are_refused(line: str, said: str) -> None:
    with pytest.raises(ResultsError) as error:
        list(read_results(['{"id": "0", "value": 1}', "", line], "gold.jsonl"))
    assert str(error.value).startswith("gold.jsonl, line 3")
    assert said in str(error.value)


def test_the_document_is_read_and_checked(tmp_path: Path) -> None:
    result = Result("a.txt", {"shop": "Ace"}, evidence={("shop",): (Span(0, 3, "Ace"),)})
    with pytest.raises(ResultsError, match=r"'a\.txt' cannot be read"):
        result.text(tmp_path)
    (tmp_path / "a.txt").write_text("Ace Books")
    assert result.text(tmp_path) == "Ace Books"
    (tmp_path / "a.txt").write_text("The Ace")
    with pytest.raises(ResultsError, match="expected 'Ace' from character 0 to 3, found 'The'"):
        result.text(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"\xff")
    with pytest.raises(ResultsError, match="cannot be read"):
        result.text(tmp_path)
