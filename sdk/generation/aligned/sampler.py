"""ASAp as one of the generation loop's samplers.

    sampler = ASAp(ExpectedFutureGrammaticality(), vocabulary.eos_token_ids)

One sampler serves all draws from a prompt, one after another or at once, and no other prompt. A place is found in the
trie by the tokens of output before it. A draft's places that the loop will not use may have no node; any legal token
does for them. Nothing is learned where only EOS is legal: the document is over there, and only a draft asks the model
what it thinks of that.

Source: Park et al., "Grammar-Aligned Decoding" (arXiv 2405.21047), algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.futures import ExpectedFutureGrammaticality, Node
from sdk.generation.aligned.walk import choose
from sdk.generation.samplers import Positions

if TYPE_CHECKING:
    import torch

__all__ = ["ASAp"]


@dataclass(frozen=True, slots=True, eq=False)
class ASAp:
    """Adaptive sampling with approximate expected futures; what it learns goes into ``futures``.

    ``eos_token_ids``: the model's. ``temperature`` > 0 divides the logits.
    """

    futures: ExpectedFutureGrammaticality
    eos_token_ids: frozenset[int]
    temperature: float = 1.0

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a temperature that is not positive."""
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"expected temperature to be a positive, finite number, found {self.temperature}")

    def __call__(self, positions: Positions) -> torch.Tensor:
        """See ``Sampler``."""
        import torch

        probabilities = (positions.logits.cpu().double() / self.temperature).softmax(-1).numpy()
        allowed = positions.allowed.cpu().numpy()
        chosen = []
        for place, output in enumerate(positions.outputs):
            token_ids = np.flatnonzero(allowed[place])
            uniform = float(positions.uniforms[place])
            chosen.append(self._next(self.futures.find(output), token_ids, probabilities[place, token_ids], uniform))
        if self.futures.is_full:
            self.futures.trim()
        return torch.tensor(chosen, device=positions.logits.device)

    def _next(
        self,
        node: Node | None,
        token_ids: npt.NDArray[np.intp],
        probabilities: npt.NDArray[np.float64],
        uniform: float,
    ) -> int:
        plain = np.ones(len(token_ids))
        known = plain if node is None else node.estimates(token_ids)
        # the loop cannot start anew, so where nothing promises a legal end any legal token has to do
        choice = choose(token_ids, probabilities, known, uniform) or choose(token_ids, plain, plain, uniform)
        assert choice is not None, "a mask has a token"
        if node is not None and not self.eos_token_ids.issuperset(token_ids.tolist()):
            node.look(float(probabilities.sum()))
            self.futures.visit(node, choice.token, float(probabilities[token_ids == choice.token][0]))
            self.futures.settle(node)
        return choice.token
