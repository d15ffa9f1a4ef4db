"""The grammar for those who keep transformers' own loop: a logits processor for ``model.generate``.

    compiled = compile_type(Receipt, vocabulary_of(tokenizer, size=model.config.vocab_size))
    model.generate(**prompt, logits_processor=[GrammarLogitsProcessor(compiled)])

Each row of the batch has a matcher of its own, looked up by the tokens that the row has generated, so that beam
search may move rows about, and rows that have ended may leave. Beam search also keeps rows where fewer legal tokens
than beams are left:

    3 beams, documents "yes" and "no"       y, n, and a third row with a token that the mask removed

Such a row has the score minus infinity for good. It is dead: whatever follows it stays so, and no row that is legal
sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schema_compiler import CompiledGrammar, Matcher
from sdk.errors import GenerationError
from sdk.generation.masking import MaskTable

if TYPE_CHECKING:
    import torch

__all__ = ["GrammarLogitsProcessor"]


class GrammarLogitsProcessor:
    """Removes the tokens that ``compiled`` does not admit. One processor serves one call of ``generate``."""

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._compiled = compiled
        self._table = MaskTable(len(compiled.vocabulary))
        self._prompt_length: int | None = None
        self._matchers: dict[tuple[int, ...], Matcher | None] = {}

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Scores ``[B, V]`` with minus infinity for what may not follow; ``input_ids``: int64 ``[B, length]``.

        ``V`` may exceed the vocabulary; ids beyond it are removed. A row that has ended keeps its scores, since what
        ``generate`` pads it with is no part of the text; so does a dead one, since without a finite score it could not
        be normalised. Raises ``GenerationError`` when all rows are dead, which a processor of another call finds.
        """
        import torch

        if self._prompt_length is None:
            self._prompt_length = input_ids.shape[1]
        texts = [tuple(row) for row in input_ids[:, self._prompt_length :].tolist()]
        self._matchers = {text: self._matcher(text) for text in texts}
        matchers = [self._matchers[text] for text in texts]
        living = [matcher for matcher in matchers if matcher is not None]
        if not living:
            raise GenerationError(
                f"expected rows that begin like legal documents, found none among {len(texts)} of {len(texts[0])} "
                "tokens; a processor serves one call of generate"
            )
        masks = [(living[0] if matcher is None else matcher).mask() for matcher in matchers]
        allowed = self._table.allowed(masks, scores.device)
        free = torch.tensor([matcher is None or matcher.is_ended() for matcher in matchers], device=scores.device)
        wide = torch.nn.functional.pad(allowed, (0, scores.shape[1] - allowed.shape[1]))
        return scores.masked_fill(~(wide | free[:, None]), float("-inf"))

    def _matcher(self, text: tuple[int, ...]) -> Matcher | None:
        """A matcher after ``text``: a fork of the one before its last token, where the step before had that text.

        ``None`` for a text that no legal document begins with.
        """
        if text and text[:-1] in self._matchers:
            previous = self._matchers[text[:-1]]
            matcher, token_ids = previous and previous.fork(), text[-1:]
        else:
            matcher, token_ids = self._compiled.matcher(), text
        for token_id in token_ids:
            if matcher is None or matcher.is_ended():
                break
            if not matcher.accept(token_id):
                return None
        return matcher
