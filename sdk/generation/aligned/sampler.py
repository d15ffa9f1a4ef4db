"""ASAp as one of the generation loop's samplers.

    sampler = ASAp(ExpectedFutureGrammaticality(), vocabulary.eos_token_ids)

One sampler serves all draws from one prompt, one after another or at once, and no other prompt. A position is found in
the trie by the tokens of output before it. Positions behind a wrong guess of a draft may have no node; the loop does
not use them, and any legal token does there. Nothing is learned where only EOS is legal: the document is over, and
the loop would not ask the model, except in a draft.

Source: Park et al., "Grammar-Aligned Decoding" (arXiv 2405.21047), algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.attempt import draw_token
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality, Node
from sdk.generation.samplers import Positions

if TYPE_CHECKING:
    import torch

__all__ = ["ASAp"]


@dataclass(frozen=True, slots=True, eq=False)
class ASAp:
    """Adaptive sampling with approximate expected futures; what it learns goes into ``futures``.

    ``eos_token_ids``: those of the model's vocabulary. ``temperature`` > 0 divides the logits.
    """

    futures: ExpectedFutureGrammaticality
    eos_token_ids: frozenset[int]
    temperature: float = 1.0

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a temperature that is not positive and finite."""
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"expected temperature to be a positive, finite number, found {self.temperature}")

    def __call__(self, positions: Positions) -> torch.Tensor:
        """See ``Sampler``."""
        import torch

        probabilities = (positions.logits.cpu().double() / self.temperature).softmax(-1).numpy()
        allowed = positions.allowed.cpu().numpy()
        chosen = []
        for row, output in enumerate(positions.outputs):
            token_ids = np.flatnonzero(allowed[row])
            uniform = float(positions.uniforms[row])
            chosen.append(self._choose(self.futures.find(output), token_ids, probabilities[row, token_ids], uniform))
        if self.futures.is_full:
            self.futures.trim()
        return torch.tensor(chosen, device=positions.logits.device)

    def _choose(
        self,
        node: Node | None,
        token_ids: npt.NDArray[np.intp],
        probabilities: npt.NDArray[np.float64],
        uniform: float,
    ) -> int:
        """A token for one position, and at its node the share of probability that the mask leaves is recorded.

        ``token_ids`` and ``probabilities`` are ``[k]``: the legal tokens, and the model's probabilities.
        """
        ones = np.ones(len(token_ids))
        estimates = ones if node is None else node.estimates(token_ids)
        # the loop cannot start anew, so where no token has a weight any legal one has to do
        draw = draw_token(token_ids, probabilities, estimates, uniform) or draw_token(token_ids, ones, ones, uniform)
        assert draw is not None, "a mask has a token"
        if node is not None and not self.eos_token_ids.issuperset(token_ids.tolist()):
            node.look(float(probabilities.sum()))
            self.futures.visit(node, draw.token, float(probabilities[token_ids == draw.token][0]))
            self.futures.settle(node)
        return draw.token
