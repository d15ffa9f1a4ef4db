"""Public fakes: a byte-level vocabulary, and models whose logits are written down or drawn at random.

They are what the SDK's ``Model`` protocol asks for and nothing more, so tests of the loop run in milliseconds and
say exactly what the "model" wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from schema_compiler import Vocabulary

__all__ = ["EOS", "RandomModel", "ScriptedModel", "byte_vocabulary"]

EOS = 256


def byte_vocabulary(longer: Iterable[bytes] = ()) -> Vocabulary:
    """Token ``b`` is byte ``b`` for b < 256, token 256 is EOS, then the ``longer`` tokens."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None, *longer], [EOS])


@dataclass
class _Decoder:
    model: ScriptedModel | RandomModel
    fed: list[int] = field(default_factory=list)
    calls: int = 0

    def forward(self, token_ids: Sequence[int]) -> torch.Tensor:
        assert token_ids, "a forward pass needs at least one token"
        if self.calls:
            self.fed.extend(token_ids)
        self.calls += 1
        return self.model.logits(self.fed)


@dataclass
class ScriptedModel:
    """Wants to write ``script``, byte by byte, then to end; where the mask forbids it, the lowest allowed token."""

    script: bytes
    vocabulary: Vocabulary = field(default_factory=byte_vocabulary)
    context_tokens: int | None = None
    name: str = "scripted"
    decoders: list[_Decoder] = field(default_factory=list)

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        return list("\n".join(str(message["content"]) for message in messages).encode())

    def decoder(self) -> _Decoder:
        self.decoders.append(_Decoder(self))
        return self.decoders[-1]

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

    def decoder(self) -> _Decoder:
        return _Decoder(self)

    def logits(self, fed: list[int]) -> torch.Tensor:
        generator = torch.Generator().manual_seed(hash((self.seed, *fed)) % 2**63)
        return torch.randn(len(self.vocabulary), generator=generator)
