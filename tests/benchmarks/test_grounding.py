"""The comparison with brute force, on few documents; and what it counts."""

from __future__ import annotations

import pytest

from tests.benchmarks import grounding


def test_few_documents(capsys: pytest.CaptureFixture[str]):
    grounding.main(documents=42, characters=0, seed=5)
    printed = capsys.readouterr().out
    assert "no difference" in printed
    assert "42" in printed


def test_a_value_that_no_document_has_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(grounding, "listed", lambda compiled, _: _listed(compiled, "other words 1 2 3 1/2/2024 17"))
    with pytest.raises(AssertionError):
        grounding.main(documents=42, characters=0, seed=5)


_listed = grounding.listed
