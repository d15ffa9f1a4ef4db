"""How far samplers are from the model's own distribution over legal documents: Kullback-Leibler divergence, in nats.

Languages are small enough to enumerate, so all but the last two lines are computed and hold no sampling noise: for
every document, the probability that the sampler draws it next. The line for rejection is that of the shares among its
draws; the one below it says what any 1,000 independent draws from the enumerated distribution give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Literal

import numpy as np
import numpy.typing as npt
from rich.table import Table

from schema_compiler import compile_type
from sdk.errors import ModelNotFoundError
from sdk.generation.aligned import Conditional, ExpectedFutureGrammaticality, Language, LogProbabilities, Prompted
from sdk.generation.models.loading import load_model
from tests.toys import TOYS, Distribution, divergence, drawn, exact, proposed

__all__ = ["Subject", "embedded", "lines", "tables"]

_TITLE = "Kullback-Leibler divergence from the model's distribution over legal documents, in nats"

_DRAWS = (1, 10, 100, 1000)

_LABELS = Literal["red", "tan", "teal", "blue", "gold", "grey"]

_QUESTION = "The sea was calm and the sky was clear. Which colour do they have? Answer with one word in double quotes."


@dataclass(slots=True)
class Subject:
    """A model, asked about each prefix once, and a language of few documents."""

    name: str
    model: LogProbabilities
    language: Language
    known: dict[tuple[int, ...], npt.NDArray[np.float64]] = field(default_factory=dict)

    def __call__(self, prefixes: Sequence[tuple[int, ...]]) -> list[npt.NDArray[np.float64]]:
        """The model's answers."""
        missing = [prefix for prefix in dict.fromkeys(prefixes) if prefix not in self.known]
        if missing:
            self.known.update(zip(missing, self.model(missing), strict=True))
        return [self.known[prefix] for prefix in prefixes]


def embedded() -> Subject:
    """The embedded model, asked for one of six words; each can be spelled in many ways."""
    model = load_model()
    compiled = compile_type(_LABELS, model.vocabulary)
    prompt = model.chat([{"role": "user", "content": _QUESTION}])
    language = Language(compiled.matcher, model.vocabulary.eos_token_ids, budget=16)
    return Subject(model.name, Prompted(model.slots(16), prompt), language)


def tables(seeds: int = 10) -> Iterator[Table | str]:
    """A table for the toy models and the embedded one; means over ``seeds``."""
    table = Table(title=_TITLE, title_justify="left")
    subjects = [Subject(toy.name, toy, toy.language) for toy in TOYS]
    try:
        subjects.append(embedded())
    except ModelNotFoundError as error:
        yield f"without the embedded model: {error}"
    columns = [dict(lines(subject, seeds)) for subject in subjects]
    table.add_column("sampler")
    for subject in subjects:
        table.add_column(subject.name, justify="right")
    for line in columns[0]:
        table.add_row(line, *(column[line] for column in columns))
    yield table


def lines(subject: Subject, seeds: int) -> Iterator[tuple[str, str]]:
    """Names and figures, from top to bottom."""
    wanted, legal = exact(subject, subject.language)
    yield "legal documents", f"{len(wanted):,}"
    yield "share of the model's probability on them", f"{legal:.2g}"
    masked = proposed(subject, subject.language, wanted, ExpectedFutureGrammaticality())
    yield "plain masking", f"{divergence(masked, wanted):.4f}"
    curves = [list(_asap(subject, wanted, seed)) for seed in range(seeds)]
    for count, *values in zip(_DRAWS, *curves, strict=True):
        yield f"ASAp after {count:,} draw{'s' * (count > 1)}", f"{fmean(values):.4f}"
    count = _DRAWS[-1]
    runs = [Conditional(subject, subject.language).draw(count, "exact", seed=seed) for seed in range(seeds)]
    yield f"{count:,} draws by rejection", _spread([divergence(drawn(draws), wanted) for draws in runs])
    yield f"{count:,} independent draws", _spread(_noise(wanted, count, 200))
    yield "attempts a draw, of the first", f"{fmean(draws[0].attempts for draws in runs):.1f}"
    yield f"attempts a draw, of {count:,}", f"{fmean(draw.attempts for draws in runs for draw in draws):.2f}"


def _asap(subject: Subject, wanted: Distribution, seed: int) -> Iterator[float]:
    """The divergence of the next draw, after so many."""
    conditional, made = Conditional(subject, subject.language), 0
    for count in _DRAWS:
        conditional.draw(count - made, "asap", seed=1000 * seed + made, batch=1)
        made = count
        yield divergence(proposed(subject, subject.language, wanted, conditional.futures), wanted)


def _noise(wanted: Distribution, count: int, repeats: int) -> list[float]:
    """What the shares among ``count`` draws from ``wanted`` itself are off by."""
    random = np.random.default_rng(0)
    shares = np.array(list(wanted.values()))
    samples = random.multinomial(count, shares / shares.sum(), size=repeats) / count
    return [divergence(dict(zip(wanted, sample.tolist(), strict=True)), wanted) for sample in samples]


def _spread(values: Sequence[float]) -> str:
    return f"{fmean(values):.4f} ± {stdev(values):.4f}"
