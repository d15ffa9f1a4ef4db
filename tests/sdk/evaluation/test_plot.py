"""Pictures of confidence: drawn, of the kind that was asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sdk.errors import MissingExtraError
from sdk.evaluation import measure
from sdk.evaluation.plot import plot_confidence

CONFIDENCE = measure([(0.95, True), (0.90, False), (0.80, True), (0.60, False)])


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_pictures_are_drawn(tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")
    plot_confidence(CONFIDENCE, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"extraction-sdk\[plots\]"):
        plot_confidence(CONFIDENCE, tmp_path / "a.png")
