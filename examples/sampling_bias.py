"""What a mask does to a model's distribution, and two ways to undo it. Draws a picture; takes seconds, needs no model.

    python sampling_bias.py [FOLDER]          # pip install 'extraction-sdk[plots]'

The language has bit strings of length 5: after a first 0 only 0 may come, after a first 1 anything. The model likes to
start with 0 but rarely writes another. A mask looks one token ahead: half of all texts begin with 0, and all of those
are then forced into the one document 00000, which the model itself would write about once in 20,000 times.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
from matplotlib.figure import Figure

from schema_compiler import Vocabulary, compile_regex
from sdk.generation.aligned import Conditional, ExpectedFutureGrammaticality, Language

VOCABULARY = Vocabulary([b"0", b"1", None], eos_token_ids=[2])
LANGUAGE = Language(compile_regex("00000|1[01]{4}", VOCABULARY).matcher, VOCABULARY.eos_token_ids, budget=5)
DOCUMENTS = [(0, 0, 0, 0, 0), *((1, *rest) for rest in product((0, 1), repeat=4))]

# what comes after nothing, after a 0 and after a 1: the probabilities of 0, of 1 and of the end
FOLLOWS = {(): (0.5, 0.49, 0.01), (0,): (0.1, 0.8, 0.1), (1,): (0.45, 0.5, 0.05)}

DRAWS = [1, 3, 10, 30, 100, 300, 1000]
SEEDS = 5


def model(prefixes):
    """Log-probabilities of the next token, by the last token only."""
    return [np.log(FOLLOWS[prefix[-1:]]) for prefix in prefixes]


def true_shares() -> dict[tuple[int, ...], float]:
    """The model's own probability of each document, given that its text is one of them."""
    masses = {
        document: math.prod(FOLLOWS[document[:place][-1:]][token] for place, token in enumerate(document))
        for document in DOCUMENTS
    }
    return {document: mass / sum(masses.values()) for document, mass in masses.items()}


def shares_of_next_draw(futures: ExpectedFutureGrammaticality) -> dict[tuple[int, ...], float]:
    """With which probability ASAp draws each document next; without estimates, that is plain masking."""
    return {document: math.prod(steps(document, futures)) for document in DOCUMENTS}


def steps(document, futures):
    """The probability of each token of the document, by weights of probability times estimate."""
    for place, token in enumerate(document):
        prefix = document[:place]
        legal = {other[place] for other in DOCUMENTS if other[:place] == prefix}
        weights = {each: FOLLOWS[prefix[-1:]][each] * futures.estimate((*prefix, each)) for each in legal}
        yield weights[token] / sum(weights.values())


def divergence(shares, wanted) -> float:
    """Kullback-Leibler divergence of ``shares`` from ``wanted``, in nats."""
    return max(0.0, sum(share * math.log(share / wanted[document]) for document, share in shares.items() if share))


def asap_curve(seed: int, wanted) -> list[float]:
    """The bias of the next draw, after each number of draws."""
    conditional, drawn, curve = Conditional(model, LANGUAGE), 0, []
    for count in DRAWS:
        conditional.draw(count - drawn, "asap", seed=seed * 10_000 + drawn, batch=1)
        drawn = count
        curve.append(divergence(shares_of_next_draw(conditional.futures), wanted))
    return curve


def rejection_curve(seed: int, wanted) -> list[float]:
    """How far the shares of the exact draws so far are from what they estimate, after each number of draws."""
    draws = Conditional(model, LANGUAGE).draw(DRAWS[-1], "exact", seed=seed)
    return [
        divergence({d: n / count for d, n in Counter(draw.tokens for draw in draws[:count]).items()}, wanted)
        for count in DRAWS
    ]


def main() -> None:
    wanted, masked = true_shares(), shares_of_next_draw(ExpectedFutureGrammaticality())
    asap = [fmean(values) for values in zip(*(asap_curve(seed, wanted) for seed in range(SEEDS)), strict=True)]
    exact = [fmean(values) for values in zip(*(rejection_curve(seed, wanted) for seed in range(SEEDS)), strict=True)]

    figure = Figure(figsize=(13, 5), layout="constrained")
    bars, curves = figure.subplots(1, 2)
    places = np.arange(len(DOCUMENTS))
    bars.bar(places - 0.2, list(wanted.values()), 0.4, label="the model, given the grammar")
    bars.bar(places + 0.2, list(masked.values()), 0.4, label="plain masking")
    bars.set_xticks(places, ["".join(map(str, document)) for document in DOCUMENTS], rotation=90)
    bars.set(ylabel="probability", title="A mask moves probability to where the model would not go")
    bars.legend(loc="upper center")
    curves.axhline(divergence(masked, wanted), color="C1", label="plain masking")
    curves.plot(DRAWS, asap, "o-", color="C2", label="ASAp, the next draw")
    curves.plot(DRAWS, exact, "s--", color="C0", label="rejection, the draws so far (sampling error only)")
    curves.set_xscale("log")
    curves.set_yscale("log")
    curves.set_ylim(bottom=1e-5)
    curves.set(xlabel="draws", ylabel="Kullback-Leibler divergence, nats", title="What is left of the bias")
    curves.legend(loc="lower left")

    path = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()) / "sampling_bias.png"
    figure.savefig(path, dpi=120)
    print(f"00000: the model {wanted[DOCUMENTS[0]]:.5f}, plain masking {masked[DOCUMENTS[0]]:.3f}")
    for count, after, shares in zip(DRAWS, asap, exact, strict=True):
        print(f"after {count:>5,} draws: ASAp {after:.5f} nats, shares of exact draws {shares:.5f} nats")
    print(path)


if __name__ == "__main__":
    main()
