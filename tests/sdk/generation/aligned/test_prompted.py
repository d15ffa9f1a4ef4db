"""Slots that jump between prefixes say what the model says about each."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.generation.aligned import Prompted
from tests.fakes import EOS, FakeSlots, RandomModel, byte_vocabulary

MODEL = RandomModel(seed=1, vocabulary=byte_vocabulary())


class CheckedSlots(FakeSlots):
    """Refuses what slots without rewinding cannot do."""

    def rewind(self, slot: int, length: int) -> None:
        assert self.rewinds or length in (0, len(self.texts[slot]))
        super().rewind(slot, length)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_jumps_between_prefixes(data):
    count, rewinds = data.draw(st.integers(1, 3)), data.draw(st.booleans())
    extends = rewinds or data.draw(st.booleans())
    prompt = [*b"a prompt"[: data.draw(st.integers(0, 8))], EOS]
    temperature = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
    prompted = Prompted(CheckedSlots(MODEL, count, rewinds=rewinds, extends=extends), prompt, temperature)
    prefixes = st.lists(st.integers(97, 99), max_size=4).map(tuple)
    for asked in data.draw(st.lists(st.lists(prefixes, min_size=1, max_size=5), max_size=6)):
        answers = prompted(asked)
        assert len(answers) == len(asked)
        for prefix, logs in zip(asked, answers, strict=True):
            wanted = (MODEL.logits(list(prefix)).double() / temperature).log_softmax(-1)
            assert np.allclose(logs, wanted.numpy())
            assert logs.dtype == np.float64


def test_a_slot_reads_only_what_it_does_not_remember():
    slots = FakeSlots(MODEL, 2)
    prompted = Prompted(slots, [*b"prompt", EOS])
    read = []
    forward = slots.forward

    def counted(chunks):
        read.append([len(chunk.token_ids) for chunk in chunks])
        return forward(chunks)

    slots.forward = counted
    prompted([()])
    prompted([(97,), (98,)])
    prompted([(97, 97), (98, 97)])
    prompted([(97, 98), (98, 97, 99)])
    assert read == [[6], [1], [1, 2], [1, 1], [1, 1]]


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("inf"), float("nan")])
def test_a_temperature_is_positive(temperature):
    with pytest.raises(ValueError, match="temperature"):
        Prompted(FakeSlots(MODEL, 1), [EOS], temperature)


def test_half_precision_logits_are_normalised_in_double():
    class Half(FakeSlots):
        def forward(self, chunks):
            return [logits.to(torch.bfloat16).float() for logits in super().forward(chunks)]

    (logs,) = Prompted(Half(MODEL, 1), [EOS])([()])
    assert np.exp(logs).sum() == pytest.approx(1.0, abs=1e-12)
