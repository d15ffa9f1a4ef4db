"""Measures of confidence, against scikit-learn's and by hand."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sdk.evaluation import measure

JUDGED = st.lists(st.tuples(st.integers(0, 40).map(lambda n: n / 40) | st.floats(0, 1), st.booleans()), min_size=1)
BY_HAND = [(0.95, True), (0.90, False), (0.80, True), (0.60, False)]


def test_by_hand() -> None:
    found = measure(BY_HAND)
    assert found.accuracy == 0.5
    assert found.auroc == 0.75
    assert found.brier == pytest.approx((0.05**2 + 0.9**2 + 0.2**2 + 0.6**2) / 4)
    assert [(band.low, band.count, band.accuracy) for band in found.bands] == [
        (0.6, 1, 0.0),
        (0.8, 1, 1.0),
        (0.9, 2, 0.5),
    ]
    assert found.ece == pytest.approx((0.6 + 0.2 + 2 * abs(0.5 - 0.925)) / 4)
    assert found.curve == [(0.25, 0.0), (0.5, 0.5), (0.75, pytest.approx(1 / 3)), (1.0, 0.5)]
    assert found.accuracy_at(0.5) == 0.5
    assert found.accuracy_at(0.2) == 1.0


def test_equals_are_kept_together() -> None:
    found = measure([(0.5, True), (0.5, False), (0.5, False), (1.0, True)])
    assert found.curve == [(0.25, 0.0), (1.0, 0.5)]
    assert found.accuracy_at(0.5) == 0.5


@given(JUDGED)
@settings(deadline=None)
def test_brier_and_auroc_are_those_of_scikit_learn(judged: list[tuple[float, bool]]) -> None:
    from sklearn.metrics import brier_score_loss, roc_auc_score

    sure, right = zip(*judged, strict=True)
    found = measure(judged)
    assert found.brier == pytest.approx(brier_score_loss(right, sure, pos_label=True))
    assert (found.auroc is None) == (len(set(right)) == 1)
    if found.auroc is not None:
        assert found.auroc == pytest.approx(roc_auc_score(right, sure))


@given(JUDGED)
@settings(deadline=None)
def test_bands_are_those_of_scikit_learn(judged: list[tuple[float, bool]]) -> None:
    """Except for confidences on an edge, which scikit-learn puts below it."""
    from sklearn.calibration import calibration_curve

    assume(all((one * 10) % 1 > 1e-9 for one, _ in judged))
    sure, right = zip(*judged, strict=True)
    shares, means = calibration_curve(right, sure, n_bins=10, strategy="uniform", pos_label=True)
    bands = measure(judged).bands
    assert [band.accuracy for band in bands] == pytest.approx(list(shares))
    assert [band.confidence for band in bands] == pytest.approx(list(means))


@given(JUDGED)
@settings(deadline=None)
def test_curves_end_with_all_values(judged: list[tuple[float, bool]]) -> None:
    found = measure(judged)
    assert found.curve[-1] == (1.0, pytest.approx(1 - found.accuracy))
    for covered, risk in found.curve:
        kept = sorted(judged, reverse=True)[: round(covered * len(judged))]
        assert risk == pytest.approx(sum(not right for _, right in kept) / len(kept))
    assert sum(band.count for band in found.bands) == len(judged)


@pytest.mark.parametrize("judged", [[], [(1.5, True)], [(float("nan"), True)]])
def test_what_is_no_confidence_is_refused(judged: list[tuple[float, bool]]) -> None:
    with pytest.raises(ValueError, match="expected"):
        measure(judged)
    with pytest.raises(ValueError, match=r"expected a coverage in \(0, 1\]"):
        measure(BY_HAND).accuracy_at(0)
