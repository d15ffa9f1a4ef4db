"""Models of many kinds say in any company what they say by themselves, or are refused.

A part of ``python -m tests.benchmarks.architectures``, which has all kinds and settings.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.architectures import DOCUMENTS, Kind, check, kinds

RUNS = {
    "phi3_longrope": "batches",
    "gpt_oss": "batches",
    "deepseek_v3": "batches",
    "gemma4_text": "batches",
    "gpt_neo": "one by one",
    "llama4_text_nochunk": "one by one",
    "qwen3_5_text": "one by one",
    "mamba": "one by one, prompts whole",
    "recurrent_gemma": "one by one, prompts whole",
    "t5": "refused",
    "xlnet": "refused",
    "roberta_encoder": "refused",
}
"""One kind for each way in which transformers once gave other words than the model's, or crashed."""


@pytest.fixture(params=RUNS)
def kind(request: pytest.FixtureRequest) -> Kind:
    found = next((kind for kind in kinds() if kind.name == request.param), None)
    if found is None:
        pytest.skip("../shared/cases/architectures.jsonl is absent")
    return found


def test_models_say_what_they_say_by_themselves_or_are_refused(kind: Kind, tmp_path: Path):
    torch.set_num_threads(1)
    outcome = check(kind, tmp_path / kind.name, settings=("prefix", "all"), documents=DOCUMENTS[1:5])
    assert outcome.memory == RUNS[kind.name], outcome.detail
    verdict = "refused" if outcome.memory == "refused" else "equal"
    assert set(outcome.verdicts.values()) == {verdict}, outcome.detail
    if verdict == "refused":
        assert kind.model_type in outcome.detail.lower()
