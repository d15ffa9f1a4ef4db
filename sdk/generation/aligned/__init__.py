"""Sampling that a mask does not bias: from a model's own distribution, given that the document is legal."""

from __future__ import annotations

from sdk.generation.aligned.answers import LogProbabilities
from sdk.generation.aligned.attempt import DocumentDraw, Method
from sdk.generation.aligned.conditional import Conditional, Language
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality
from sdk.generation.aligned.prompted import Prompted
from sdk.generation.aligned.sampler import ASAp
from sdk.generation.aligned.samples import Estimate, Samples, effective_draws, estimated
from sdk.generation.aligned.storage import load_futures, save_futures

__all__ = [
    "ASAp",
    "Conditional",
    "DocumentDraw",
    "Estimate",
    "ExpectedFutureGrammaticality",
    "Language",
    "LogProbabilities",
    "Method",
    "Prompted",
    "Samples",
    "effective_draws",
    "estimated",
    "load_futures",
    "save_futures",
]
