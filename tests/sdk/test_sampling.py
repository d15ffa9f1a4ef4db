"""``Extractor.sample``: distinct values with the model's own probabilities."""

from __future__ import annotations

import math
from collections import Counter
from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, BaseModel

from schema_compiler import Vocabulary
from sdk import Extractor
from sdk.errors import EmptyTextError, FuturesError, InputError
from sdk.generation.aligned import ASAp, ExpectedFutureGrammaticality, load_futures, save_futures
from sdk.generation.samplers import Greedy
from tests.fakes import RandomModel, byte_vocabulary

WORDS = [b'"', b"a", b"b", b"ab", b"ba", b'{"kind": "', b'"}', b"c"]
VOCABULARY = Vocabulary([*WORDS, None], [len(WORDS)])
LABELS = ["ab", "aba", "b", "cab"]


class Thing(BaseModel):
    kind: Literal["ab", "aba", "b", "cab"]


@pytest.fixture
def extractor() -> Extractor:
    """Its model has few tokens, with dead ends: after a quote alone, no token spells the brace."""
    return Extractor(RandomModel(seed=3, vocabulary=VOCABULARY))


@pytest.fixture
def byte_extractor() -> Extractor:
    """Its model can spell anything, as the generation loop asks for."""
    return Extractor(RandomModel(seed=5, vocabulary=byte_vocabulary(WORDS[3:7])))


def exact(extractor: Extractor) -> dict[str, float]:
    """By enumeration: every way to spell each document."""
    masses = {}
    for label in LABELS:
        text = f'{{"kind": "{label}"}}'.encode()
        waiting, masses[label] = [((), b"", 0.0)], 0.0
        while waiting:
            tokens, done, log = waiting.pop()
            if done == text:
                masses[label] += math.exp(log)
                continue
            logs = extractor.model.logits(list(tokens)).double().log_softmax(-1)
            waiting += [
                ((*tokens, token), done + word, log + float(logs[token]))
                for token, word in enumerate(extractor.model.vocabulary.tokens)
                if word and text.startswith(done + word)
            ]
    return {label: mass / sum(masses.values()) for label, mass in masses.items()}


@pytest.mark.parametrize("method", ["exact", "asap", "masked"])
def test_values_come_with_the_models_probabilities(extractor, method):
    truth = exact(extractor)
    samples = extractor.sample(Thing, "a text", n=400, method=method, seed=0, attempts=1000)
    assert {value.value.kind for value in samples.values} == set(LABELS)
    for value in samples.values:
        assert isinstance(value.value, Thing)
        assert value.text == f'{{"kind": "{value.value.kind}"}}'
        assert abs(value.probability - truth[value.value.kind]) < 4 * value.standard_error + 1e-9
        assert value.at_least - 1e-9 <= truth[value.value.kind] <= value.at_most + 1e-9
    assert [value.probability for value in samples.values] == sorted(
        (value.probability for value in samples.values), reverse=True
    )
    assert len(samples.draws) == 400
    assert 1 < samples.effective_draws <= 400 + 1e-6
    assert samples.forward_passes <= samples.prefixes


def test_best_is_the_value_that_the_model_finds_most_probable(extractor):
    samples = extractor.sample(Thing, "a text", n=50, method="best", seed=0)
    assert len(samples.values) == 1
    assert samples.best == samples.values[0]
    assert samples.best.log_model == max(draw.log_model for draw in samples.draws)


def test_a_validator_is_part_of_the_condition(extractor):
    def no_c(text: str) -> str:
        assert "c" not in text, "no c"
        return text

    class Checked(BaseModel):
        kind: Annotated[Literal["ab", "aba", "b", "cab"], AfterValidator(no_c)]

    truth = exact(extractor)
    rest = 1 - truth["cab"]
    samples = extractor.sample(Checked, "a text", n=300, method="exact", seed=0)
    assert {value.value.kind for value in samples.values} <= {"ab", "aba", "b"}
    for value in samples.values:
        assert value.at_least - 1e-9 <= truth[value.value.kind] / rest <= value.at_most + 1e-9


def test_what_was_learned_is_kept_for_the_same_question_only(extractor, tmp_path):
    first = extractor.sample(Thing, "a text", n=100, method="exact", seed=0)
    save_futures(first.futures, tmp_path / "futures.npz")
    futures = load_futures(tmp_path / "futures.npz")
    second = extractor.sample(Thing, "a text", n=100, method="exact", seed=1, futures=futures)
    assert sum(draw.attempts for draw in second.draws) < sum(draw.attempts for draw in first.draws)
    assert second.legal_mass[1] <= first.legal_mass[1]
    with pytest.raises(FuturesError):
        extractor.sample(Thing, "a text", n=1, futures=futures, temperature=0.5)
    with pytest.raises(FuturesError):
        extractor.sample(Literal["a", "b"], "a text", n=1, futures=futures)


def test_the_same_seed_gives_the_same_samples(extractor):
    once, again = (extractor.sample(Thing, "a text", n=20, seed=5) for _ in range(2))
    assert once.draws == again.draws
    assert once.values == again.values


def test_options_that_are_wrong_are_refused(extractor):
    with pytest.raises(ValueError, match="n to be at least 1, found 0"):
        extractor.sample(Thing, "a text", n=0)
    with pytest.raises(ValueError, match="temperature"):
        extractor.sample(Thing, "a text", temperature=0.0)
    with pytest.raises(TypeError, match="top_k"):
        extractor.sample(Thing, "a text", top_k=3)
    with pytest.raises(EmptyTextError):
        extractor.sample(Thing, " ")


def test_asap_in_the_loop_comes_closer_with_every_draw_of_a_batch(byte_extractor):
    truth, futures = exact(byte_extractor), ExpectedFutureGrammaticality()
    sampler = ASAp(futures, byte_extractor.model.vocabulary.eos_token_ids)
    shares = []
    for round_ in range(2):
        answers = byte_extractor.run_samples(
            Thing, "a text", 250, max_batch=8, sampler=sampler, seed=1000 * round_, max_tokens=20
        )
        counts = Counter(answer.value.kind for answer in answers)
        shares.append({label: counts[label] / counts.total() for label in LABELS})
    assert {answer.finish_reason for answer in answers} == {"complete"}
    masked = [
        a.value.kind for a in byte_extractor.run_samples(Thing, "a text", 250, temperature=1.0, seed=0, max_tokens=20)
    ]
    off = {label: abs(masked.count(label) / 400 - truth[label]) for label in LABELS}
    assert max(off.values()) > 0.1, "masking is far from the model"
    assert shares[1] == pytest.approx(truth, abs=0.08)


def test_a_sampler_takes_the_place_of_numbers(byte_extractor):
    assert byte_extractor.run(Thing, "a text", sampler=Greedy()).text == byte_extractor.run(Thing, "a text").text
    with pytest.raises(ValueError, match="found both"):
        byte_extractor.run(Thing, "a text", sampler=Greedy(), temperature=1.0)


def test_unknown_methods_are_refused_with_the_known_ones(extractor):
    with pytest.raises(ValueError, match="asap, exact, masked, best, found 'bogus'"):
        extractor.sample(Literal["a", "b"], "a text", n=1, method="bogus")


def test_documents_are_text(extractor):
    with pytest.raises(InputError, match="as str, found bytes"):
        extractor.extract(int, b"12")
