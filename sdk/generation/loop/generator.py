"""A model with what its runs share: masks on the device, memories of prompt prefixes, spellings of forced texts.

    generator = Generator(model)
    for step in generator.run(sequences, max_batch=16): ...

The loop itself is ``generate``; here its policies are put together: how drafts are made, what sequences share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from sdk.generation.choosing.chooser import Chooser, ValueChooser
from sdk.generation.drafting.drafter import DocumentDrafter, Drafter, NoDrafts
from sdk.generation.drafting.speller import Speller
from sdk.generation.loop.loop import Step, generate
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.masking import MaskTable
from sdk.generation.models.model import Model

__all__ = ["Drafting", "Generator"]

Drafting: TypeAlias = Literal["document", "grammar", "off"]
"""Where drafts come from. ``"document"``: the grammar, the answer so far and the document that it is about.

``"grammar"``: the first two of these. ``"off"``: there are no drafts.
"""


class Generator:
    """Runs text sequences on a model. Shared by threads: each run has slots of its own.

    ``drafting`` and ``share_prefixes`` (whether the beginning that prompts have in common is computed once) change how
    long runs take, and never what they give.
    """

    def __init__(self, model: Model, *, drafting: Drafting = "document", share_prefixes: bool = True) -> None:
        self.model = model
        self._drafting = drafting
        self._share_prefixes = share_prefixes
        self._table = MaskTable(len(model.vocabulary))
        self._prefixes = Prefixes()
        self._speller = Speller(model.encode, model.vocabulary)

    def drafter(self, document: str) -> Drafter:
        """A new sequence's drafter; ``document``: the text that the sequence is about."""
        if self._drafting == "off":
            return NoDrafts()
        text = document.encode(errors="ignore") if self._drafting == "document" else b""
        return DocumentDrafter(text, self.model.vocabulary, self._speller)

    def chooser(self, null_bias: float) -> Chooser:
        """What chooses whole values where the grammar lists them."""
        return ValueChooser(self.model.vocabulary, self._speller, null_bias)

    def shared(self, prompt: Sequence[int], other: Sequence[int]) -> int:
        """How many tokens of ``prompt`` to share with ``other``: those they begin with in common.

        At least one token of ``prompt`` is not shared, since the sequence needs the logits after its last one.
        """
        if not self._share_prefixes:
            return 0
        pairs = enumerate(zip(prompt, other, strict=False))
        differences = (index for index, (token_id, other_id) in pairs if token_id != other_id)
        return min(next(differences, len(other)), len(prompt) - 1)

    def run(self, sequences: Iterable[TextSequence], max_batch: int) -> Iterator[Step]:
        """Run ``sequences``, at most ``max_batch`` at a time; see ``generate``."""
        slots = self.model.slots(max_batch)
        return generate(slots, sequences, table=self._table, prefixes=self._prefixes)
