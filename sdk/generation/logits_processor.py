"""The grammar for those who keep transformers' own loop: a logits processor for ``model.generate``.

    compiled = compile_type(Receipt, vocabulary_of(tokenizer, size=model.config.vocab_size))
    model.generate(**prompt, logits_processor=[GrammarLogitsProcessor(compiled)])

Each row of the batch has a matcher of its own, looked up by the tokens that the row has generated, so that beam
search may move rows about, and rows that have ended may leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schema_compiler import CompiledGrammar, Matcher
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
        self._matchers: dict[tuple[int, ...], Matcher] = {}

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Scores ``[B, V]`` with minus infinity for what may not follow; ``input_ids``: int64 ``[B, length]``.

        ``V`` may exceed the vocabulary; ids beyond it are removed. A row that has ended keeps its scores, since what
        ``generate`` pads it with is no part of the text.
        """
        import torch

        if self._prompt_length is None:
            self._prompt_length = input_ids.shape[1]
        texts = [tuple(row) for row in input_ids[:, self._prompt_length :].tolist()]
        self._matchers = {text: self._matcher(text) for text in texts}
        allowed = self._table.allowed([self._matchers[text].mask() for text in texts], scores.device)
        ended = torch.tensor([self._matchers[text].is_ended() for text in texts], device=scores.device)
        wide = torch.nn.functional.pad(allowed, (0, scores.shape[1] - allowed.shape[1]))
        return scores.masked_fill(~(wide | ended[:, None]), float("-inf"))

    def _matcher(self, text: tuple[int, ...]) -> Matcher:
        """A matcher after ``text``: a fork of the one before its last token, where the step before had that text."""
        previous = self._matchers.get(text[:-1]) if text else None
        if previous is None:
            matcher, token_ids = self._compiled.matcher(), text
        else:
            matcher, token_ids = previous.fork(), text[-1:]
        for token_id in token_ids:
            if matcher.is_ended():
                break
            taken = matcher.accept(token_id)
            assert taken, f"token {token_id} was generated although the mask removed it"
        return matcher
