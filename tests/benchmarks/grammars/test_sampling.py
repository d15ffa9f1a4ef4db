"""What the table has to show: masks are biased, ASAp less and less, rejection not at all."""

from __future__ import annotations

import pytest

from tests.benchmarks.grammars.sampling import Subject, lines
from tests.toys import TOYS


@pytest.mark.parametrize("toy", TOYS, ids=[toy.name for toy in TOYS])
def test_figures_fall_towards_those_of_independent_draws(toy):
    figures = dict(lines(Subject(toy.name, toy, toy.language), seeds=3))
    assert int(figures["legal documents"]) > 10
    asap = [float(figures[f"ASAp after {count} draws"]) for count in ("10", "100", "1,000")]
    assert asap == sorted(asap, reverse=True)
    assert asap[-1] < 0.01 < 0.1 < float(figures["plain masking"])
    rejection, independent = (
        [float(part) for part in figures[f"1,000 {kind}"].split(" ± ")]
        for kind in ("draws by rejection", "independent draws")
    )
    assert abs(rejection[0] - independent[0]) < 4 * independent[1]
    assert float(figures["attempts a draw, of 1,000"]) < 1.1
