"""How values are made comparable: dates and amounts in any spelling, texts as they are."""

from __future__ import annotations

import pytest

from tests.benchmarks.quality import _compared, _evaluation, _print_confidence, _Row


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"date": "25/12/2018"}, {"date": "2018-12-25"}),
        ({"date": "2018-12-25"}, {"date": "2018-12-25"}),
        ({"date": "25/12/2018 8:13:39 PM"}, {"date": "2018-12-25"}),
        ({"date": "one day"}, {"date": "one day"}),
        ({"total": "RM 9.00"}, {"total": "9"}),
        ({"total": "9.0"}, {"total": "9"}),
        ({"total": 9.5}, {"total": "9.5"}),
        ({"total": "1,234.50"}, {"total": "1234.5"}),
        ({"company": "Ace", "address": ""}, {"company": "Ace"}),
    ],
)
def test_spellings(value, expected):
    assert _compared(value) == expected


def test_values_are_right_in_any_spelling():
    gold = [{"company": "Ace Books Ltd.", "date": "2018-12-25", "total": "9", "address": "1 Long Road"}]
    row = _Row([{"company": "ACE BOOKS LTD", "date": "25/12/2018", "total": "9.00", "address": "2 Long Road"}])
    fields = _evaluation(row, gold).fields
    assert {name: scores.normalised for name, scores in fields.items()} == {
        "company": 1.0,
        "date": 1.0,
        "total": 1.0,
        "address": 0.0,
    }
    assert fields["address"].token_f1 == pytest.approx(2 / 3)


def test_confidence_is_learned_on_one_half(capsys):
    from rich.console import Console

    gold = [{"company": "Ace"}] * 40
    values = [{"company": "Ace" if number % 4 else "Bee"} for number in range(40)]
    sure = [{("company",): 0.9 if number % 4 else 0.8} for number in range(40)]
    _print_confidence(Console(width=300), "ours", _Row(values, sure), gold)
    assert "AUROC 1.000, ECE 0.275" in capsys.readouterr().out
