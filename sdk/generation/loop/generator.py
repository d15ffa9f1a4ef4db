"""A model with what its runs share: mask rows on the device, memories of prompt prefixes, spellings.

It decides how sequences are drafted and how many share a pass; the loop itself is ``generate``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from sdk.generation.drafting.drafter import DocumentDrafter, Drafter, NoDrafts
from sdk.generation.drafting.speller import Speller
from sdk.generation.loop.loop import Step, generate
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.loop.sequence import Sequence as TextSequence
from sdk.generation.masking import MaskTable
from sdk.generation.models.model import Model

__all__ = ["Drafting", "Generator"]

Drafting: TypeAlias = Literal["document", "grammar", "off"]
"""Where guesses of the next tokens come from: grammar, answer so far and document; the first two of them; nowhere."""


class Generator:
    """Runs sequences on a model. Shared by threads: each run has slots of its own.

    ``drafting`` and ``share_prefixes`` change how long runs take, and never what they give.
    """

    def __init__(self, model: Model, *, drafting: Drafting = "document", share_prefixes: bool = True) -> None:
        self.model = model
        self._drafting = drafting
        self._share_prefixes = share_prefixes
        self._table = MaskTable(len(model.vocabulary))
        self._prefixes = Prefixes()
        self._speller = Speller(model.encode, model.vocabulary)

    def drafter(self, document: str) -> Drafter:
        """A new sequence's policy, for the document it is about."""
        if self._drafting == "off":
            return NoDrafts()
        text = document.encode(errors="ignore") if self._drafting == "document" else b""
        return DocumentDrafter(text, self.model.vocabulary, self._speller)

    def shared(self, prompt: Sequence[int], other: Sequence[int]) -> int:
        """How many tokens two prompts begin with in common; at least one is left to be computed."""
        if not self._share_prefixes:
            return 0
        different = (index for index, (mine, its) in enumerate(zip(prompt, other, strict=False)) if mine != its)
        return min(next(different, len(other)), len(prompt) - 1)

    def run(self, sequences: Iterable[TextSequence], max_batch: int) -> Iterator[Step]:
        """Run ``sequences``, at most ``max_batch`` at a time; see ``generate``."""
        slots = self.model.slots(max_batch)
        return generate(slots, sequences, table=self._table, prefixes=self._prefixes)
