"""Evaluations as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.table import Table
from rich.text import Text

from sdk.evaluation.confidence import Confidence
from sdk.evaluation.difference import Difference
from sdk.evaluation.evaluation import Evaluation, Scores

__all__ = ["confidence_tables", "difference_table", "field_table"]


def field_table(evaluation: Evaluation) -> Table:
    """The scores of each field, and their means."""
    table = _table("field", "values", "exact", "normalised", "token F1", "missed", "spurious")
    for name, scores in evaluation.fields.items():
        table.add_row(Text(name), *_scores(scores))
    table.add_section()
    table.add_row("micro", *_scores(evaluation.micro))
    table.add_row("macro", *_scores(evaluation.macro))
    return table


def confidence_tables(confidence: Confidence) -> Iterator[Table]:
    """What confidence is worth as a whole, and how right values are in each band."""
    table = _table("confidence of", "AUROC", "ECE", "Brier", "accuracy", "at 50 % coverage")
    auroc = "-" if confidence.auroc is None else f"{confidence.auroc:.3f}"
    table.add_row(
        f"{confidence.count:,} values",
        auroc,
        f"{confidence.ece:.3f}",
        f"{confidence.brier:.3f}",
        f"{confidence.accuracy:.3f}",
        f"{confidence.accuracy_at(0.5):.3f}",
    )
    yield table
    bands = _table("band", "values", "confidence", "right")
    for band in confidence.bands:
        bands.add_row(
            f"{band.low:.1f} to {band.high:.1f}", f"{band.count:,}", f"{band.confidence:.3f}", f"{band.accuracy:.3f}"
        )
    yield bands


def difference_table(differences: Mapping[str, Difference]) -> Table:
    """Two sets of results side by side; shares and counts are of values that are right (normalised)."""
    table = _table("field", "values", "first", "second", "only first", "only second", "p")
    for name, one in differences.items():
        table.add_row(Text(name), *_difference(one))
    if differences:
        table.add_section()
        table.add_row("all", *_difference(sum(differences.values(), Difference(0, 0, 0, 0))))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", overflow="fold")
    return table


def _scores(scores: Scores) -> list[str]:
    shares = (f"{share:.3f}" for share in (scores.exact, scores.normalised, scores.token_f1))
    return [f"{scores.count:,}", *shares, f"{scores.missed:,}", f"{scores.spurious:,}"]


def _difference(one: Difference) -> list[str]:
    counts = (f"{count:,}" for count in (one.only_first, one.only_second))
    return [f"{one.count:,}", f"{one.first:.3f}", f"{one.second:.3f}", *counts, f"{one.p_value:.3f}"]
