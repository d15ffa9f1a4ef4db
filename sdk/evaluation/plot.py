"""What confidence is worth, as a picture: the reliability diagram, and risk over coverage."""

from __future__ import annotations

from pathlib import Path

from sdk.errors import MissingExtraError
from sdk.evaluation.confidence import Confidence

__all__ = ["plot_confidence"]

_INK, _SOFT = "#1b5fa8", "#8a8a83"
"""The colours of what was measured, and of what it is to be compared with."""


def plot_confidence(confidence: Confidence, path: str | Path) -> None:
    """Write a picture of the kind that the name of ``path`` says, such as ``.png`` or ``.svg``.

    Raises ``MissingExtraError`` without matplotlib (the extra ``plots``), ``ValueError`` for another kind, ``OSError``.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("to draw a picture", "matplotlib", "plots") from error
    figure = Figure(figsize=(9, 4), layout="constrained")
    reliability, risk = figure.subplots(1, 2)
    reliability.plot([0, 1], [0, 1], color=_SOFT, linewidth=1, linestyle="--")
    reliability.bar(
        [band.low for band in confidence.bands],
        [band.accuracy for band in confidence.bands],
        width=[band.high - band.low for band in confidence.bands],
        align="edge",
        color=_INK,
        alpha=0.3,
        edgecolor="white",
    )
    reliability.plot(
        [band.confidence for band in confidence.bands],
        [band.accuracy for band in confidence.bands],
        color=_INK,
        marker="o",
        markersize=4,
        clip_on=False,
    )
    reliability.set(
        xlabel="confidence", ylabel="share of right values", xlim=(0, 1), ylim=(0, 1), title=f"ECE {confidence.ece:.3f}"
    )
    risk.plot(*zip(*confidence.curve, strict=True), color=_INK, clip_on=False)
    risk.axhline(1 - confidence.accuracy, color=_SOFT, linewidth=1, linestyle="--")
    area = "" if confidence.auroc is None else f"AUROC {confidence.auroc:.3f}"
    risk.set(xlabel="coverage", ylabel="share of wrong values", xlim=(0, 1), ylim=(0, None), title=area)
    for axes in (reliability, risk):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
