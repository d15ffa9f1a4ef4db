"""Calibrators: what they learn, what they keep, and what they refuse."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.errors import CalibrationError, MissingExtraError
from sdk.evaluation import Calibrator, measure

JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1)


@given(JUDGED, st.floats(0, 1))
@settings(deadline=None)
def test_it_is_scikit_learns_isotonic_regression(judged: list[tuple[float, bool]], confidence: float) -> None:
    from sklearn.isotonic import IsotonicRegression

    least = 1 / (len(judged) + 2)
    fitted = IsotonicRegression(y_min=least, y_max=1 - least, out_of_bounds="clip")
    fitted.fit([one for one, _ in judged], [float(right) for _, right in judged])
    assert Calibrator.fit(judged)(confidence) == pytest.approx(fitted.predict([confidence])[0], abs=1e-9)


@given(JUDGED, st.floats(0, 1), st.floats(0, 1))
@settings(deadline=None)
def test_it_keeps_the_order_and_is_never_certain(judged: list[tuple[float, bool]], one: float, other: float) -> None:
    calibrator = Calibrator.fit(judged)
    low, high = sorted([one, other])
    assert 0 < calibrator(low) <= calibrator(high) < 1


def test_by_hand() -> None:
    assert Calibrator.fit([(0.9, True)] * 3 + [(0.9, False)])(0.2) == pytest.approx(0.75)
    calibrator = Calibrator((0.5, 0.7), (0.2, 0.6), 10)
    assert [calibrator(one) for one in (0.0, 0.5, 0.6, 0.7, 1.0)] == pytest.approx([0.2, 0.2, 0.4, 0.6, 0.6])


def test_it_makes_confidence_mean_what_it_says() -> None:
    """A model whose values are right half as often as it says, judged on other values than it was fitted to."""
    dice = random.Random(7)
    checked, others = (
        [(sure, dice.random() < sure / 2) for sure in (dice.random() for _ in range(2_000))] for _ in range(2)
    )
    calibrator = Calibrator.fit(checked)
    before, after = measure(others), measure((calibrator(sure), right) for sure, right in others)
    assert before.ece > 0.2
    assert after.ece < 0.05
    assert after.brier < before.brier


def test_it_is_kept_in_a_small_file(tmp_path: Path) -> None:
    calibrator = Calibrator.fit([(0.1, False), (0.4, True), (0.6, False), (0.9, True)])
    calibrator.save(tmp_path / "calibrator.json")
    assert Calibrator.load(tmp_path / "calibrator.json") == calibrator
    assert json.loads((tmp_path / "calibrator.json").read_text())["kind"] == "isotonic calibration"
    assert [one.name for one in tmp_path.iterdir()] == ["calibrator.json"]


GOOD = {
    "kind": "isotonic calibration",
    "version": 1,
    "count": 2,
    "confidences": [0.1, 0.9],
    "probabilities": [0.2, 0.7],
}


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "temperature"},
        {"version": 2},
        {"count": 0},
        {"confidences": []},
        {"confidences": [0.9, 0.1]},
        {"probabilities": [0.7, 0.2]},
        {"probabilities": [0.2, 1.2]},
        {"probabilities": [0.2]},
        {"more": 1},
    ],
)
def test_other_files_are_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    file = tmp_path / "calibrator.json"
    file.write_text(json.dumps(GOOD))
    assert Calibrator.load(file)(0.5) == pytest.approx(0.45)
    file.write_text(json.dumps(GOOD | other))
    with pytest.raises(CalibrationError):
        Calibrator.load(file)


def test_what_is_no_json_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no")
    with pytest.raises(CalibrationError, match="holds no calibration"):
        Calibrator.load(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        Calibrator.load(tmp_path / "y")


@pytest.mark.parametrize("judged", [[], [(1.5, True)], [(float("nan"), False)]])
def test_nothing_can_be_learned_of_these(judged: list[tuple[float, bool]]) -> None:
    with pytest.raises(CalibrationError, match=r"expected confidences in \[0, 1\]"):
        Calibrator.fit(judged)


def test_use_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.isotonic", None)
    assert Calibrator((0.0, 1.0), (0.1, 0.9), 5)(0.5) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"expected a confidence in \[0, 1\]"):
        Calibrator((0.0, 1.0), (0.1, 0.9), 5)(2)
    with pytest.raises(MissingExtraError, match=r"extraction-sdk\[evaluation\]"):
        Calibrator.fit([(0.5, True)])
