"""The benchmark of thresholds runs, and says of each what it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import likeness


def test_a_line_for_each_threshold(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    likeness.main(others=1)
    printed = capsys.readouterr().out
    assert all(f"│ {threshold} " in printed for threshold in likeness.THRESHOLDS)
