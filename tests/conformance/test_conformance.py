"""The suites as ratchets: what passes may only become more, what is refused or wrong only less."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.suites import SUITES, maskbench
from tests.conformance.verdicts import Case, Result, judge, tally

RATCHETS: dict[str, dict[str, int]] = json.loads((Path(__file__).parent / "ratchets.json").read_text())
"""Per suite the number of cases that pass, and of those judged wrongly that are still to be mended."""
SAMPLE = 56
"""Every how-many-th schema of MaskBench is run by default: about sixty in all."""


def check(name: str, results: list[Result], capsys: pytest.CaptureFixture[str]) -> None:
    """No crash, no more wrong and no fewer passed than on record."""
    counts = tally(results)
    with capsys.disabled():
        print(f"\n{name}: {dict(sorted(counts.items()))}")
    assert not [(result.case.name, result.message) for result in results if result.outcome == "crash"]
    assert counts["wrong"] <= RATCHETS[name]["wrong"], [result.case.name for result in results if result.wrong]
    assert counts["passed"] >= RATCHETS[name]["passed"]


@pytest.mark.parametrize("name", SUITES)
def test_suite(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole suites, spaced separators."""
    check(name, [judge(case) for case in SUITES[name]()], capsys)


def test_sample_of_maskbench(capsys: pytest.CaptureFixture[str]) -> None:
    """Some real-world schemas, flexible white space; the command runs all."""
    cases: list[Case] = list(maskbench(stride=SAMPLE))
    check("maskbench", [judge(case, whitespace="flexible") for case in cases], capsys)
