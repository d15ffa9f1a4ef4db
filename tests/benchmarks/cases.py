"""MaskBench's cases, and the tokenizer that turns their instances into token ids.

A case is a JSON Schema with instances that are valid or not. Instances are serialised with
``json.dumps(data, ensure_ascii=False)`` and tokenised by the model's own tokenizer, so every engine sees the token
ids that a language model would produce:

    {"a": 1}  ->  5018 64 794 220 16 92   (Llama 3.1)

Source: MaskBench, part of JSONSchemaBench (arXiv 2501.10868); its instances stand in the order of declaration.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tokenizers import Encoding, Tokenizer

from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from sdk.generation.models.tokenizer import vocabulary_of

__all__ = ["SHARED", "Case", "Instance", "TokenizerFolder", "read_lines"]

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Instance:
    """One document: its data, and whether the schema admits it."""

    data: Any
    valid: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A schema (parsed, and as JSON text) with its instances."""

    id: str
    schema: Any
    schema_text: str
    instances: tuple[Instance, ...]

    @classmethod
    def from_line(cls, line: str) -> Case:
        """A case from its line in the data file."""
        raw = json.loads(line)
        instances = tuple(Instance(test["data"], test["valid"]) for test in raw["tests"])
        return cls(raw["id"], raw["schema"], json.dumps(raw["schema"], ensure_ascii=False), instances)


def read_lines(path: Path, *, limit: int | None, offset: int, stride: int) -> Iterator[str]:
    """Every ``stride``-th case of a gzipped file of JSON lines from number ``offset`` on, at most ``limit``."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        chosen = islice(lines, offset, None, stride)
        yield from chosen if limit is None else islice(chosen, limit)


class TokenizerFolder:
    """A tokenizer read from a folder with ``tokenizer.json`` and ``tokenizer_config.json``.

    Has the three attributes of a transformers tokenizer that ``vocabulary_of`` reads, so that a measured process need
    not import transformers: it would count as memory of the engine.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / "tokenizer.json"
        self.backend_tokenizer = Tokenizer.from_file(str(self.file))
        eos = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))["eos_token"]
        name = eos if isinstance(eos, str) else eos["content"]
        eos_token_id = self.backend_tokenizer.token_to_id(name)
        assert eos_token_id is not None, f"{name} is not in {self.file}"
        self.eos_token_id = eos_token_id
        self.all_special_ids = [self.eos_token_id]

    def vocabulary(self) -> Vocabulary:
        """The tokens' bytes."""
        vocabulary: Vocabulary = vocabulary_of(self)
        return vocabulary

    def encode(self, text: str) -> Encoding:
        """The tokens of a text, no special ones added."""
        return self.backend_tokenizer.encode(text, add_special_tokens=False)

    def tokens(self, data: Any) -> list[int]:
        """The token ids of a serialised instance."""
        return self.encode(json.dumps(data, ensure_ascii=False)).ids
