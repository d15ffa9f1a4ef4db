"""Public fakes: a byte-level vocabulary, and models whose logits are written down or drawn at random.

They are what the SDK's ``Model`` protocol asks for and nothing more, so tests of the loop run in milliseconds and
say exactly what the "model" wanted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from schema_compiler import Vocabulary
from sdk.generation.models.model import Thought
from sdk.generation.slots import Chunk, Memory

__all__ = ["EOS", "FakeSlots", "RandomModel", "ScriptedModel", "byte_vocabulary"]

EOS = 256


def byte_vocabulary(longer: Iterable[bytes] = ()) -> Vocabulary:
    """Token ``b`` is byte ``b`` for b < 256, token 256 is EOS, then the ``longer`` tokens."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None, *longer], [EOS])


@dataclass
class FakeSlots:
    """Slots that remember tokens and ask the model for logits; ``calls`` counts forward passes.

    A prompt is one token, or ends with EOS; what comes after it is the answer.
    """

    model: ScriptedModel | RandomModel
    count: int
    rewinds: bool = True
    extends: bool = True
    branches: bool = True
    free_tokens: int = 100
    calls: int = 0
    texts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        self.calls += 1
        return [self._logits(chunk) for chunk in chunks]

    def rewind(self, slot: int, length: int) -> None:
        del self.texts[slot][length:]

    def save(self, slot: int) -> Memory:
        return Memory(len(self.texts[slot]), 8 * len(self.texts[slot]), list(self.texts[slot]))

    def load(self, slot: int, memory: Memory) -> None:
        self.texts[slot] = list(memory.content)

    def _logits(self, chunk: Chunk) -> torch.Tensor:
        assert len(chunk.token_ids) >= chunk.keep > len(chunk.parents), "a forward pass needs at least one token"
        before = self.texts[chunk.slot]
        assert self.extends or not before or len(chunk.token_ids) == 1, "such slots take one token, or all at once"
        line = len(chunk.token_ids) - len(chunk.parents)
        texts = [[*before, *chunk.token_ids[: count + 1]] for count in range(line)]
        for parent, token_id in zip(chunk.parents, chunk.token_ids[line:], strict=True):
            assert self.branches
            texts.append([*texts[line + parent], token_id])
        before += chunk.token_ids
        return torch.stack([self.model.logits(_answer(text)) for text in texts[-chunk.keep :]])


def _answer(text: Sequence[int]) -> list[int]:
    return list(text[max((place for place, token_id in enumerate(text) if token_id == EOS), default=0) + 1 :])


@dataclass
class ScriptedModel:
    """Wants to write ``script``, byte by byte, then to end; where the mask forbids it, the lowest allowed token."""

    script: bytes
    vocabulary: Vocabulary = field(default_factory=byte_vocabulary)
    context_tokens: int | None = None
    name: str = "scripted"
    made: list[FakeSlots] = field(default_factory=list)

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        return [*"\n".join(str(message["content"]) for message in messages).encode(), EOS]

    def think(self, messages: Sequence[Mapping[str, object]]) -> Thought | None:  # noqa: ARG002
        return None

    def encode(self, text: str) -> list[int]:
        return self.vocabulary.tokenize(text.encode())

    def slots(self, count: int) -> FakeSlots:
        self.made.append(FakeSlots(self, count))
        return self.made[-1]

    def logits(self, fed: list[int]) -> torch.Tensor:
        written = b"".join(self.vocabulary.tokens[token_id] or b"" for token_id in fed)
        logits = torch.zeros(len(self.vocabulary))
        logits[self.script[len(written)] if len(written) < len(self.script) else EOS] = 10.0
        return logits


@dataclass
class RandomModel:
    """Logits drawn at random, always the same for the same seed and the same tokens before."""

    seed: int
    vocabulary: Vocabulary = field(default_factory=byte_vocabulary)
    context_tokens: int | None = None
    name: str = "random"

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        return [len(messages)]

    def think(self, messages: Sequence[Mapping[str, object]]) -> Thought | None:  # noqa: ARG002
        return None

    def encode(self, text: str) -> list[int]:
        return self.vocabulary.tokenize(text.encode())

    def slots(self, count: int) -> FakeSlots:
        return FakeSlots(self, count)

    def logits(self, fed: list[int]) -> torch.Tensor:
        generator = torch.Generator().manual_seed(hash((self.seed, *fed)) % 2**63)
        return torch.randn(len(self.vocabulary), generator=generator)
