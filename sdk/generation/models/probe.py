"""How a model can be run so that it says what it says by itself: found out by trying, when the model is loaded.

A configuration does not tell whether a model minds what else is in a pass, where a text is cut in two, or what it read
before. So a short text is read in all these ways, and the logits are compared with the model's own, without a cache:

    whole; cut in two; token by token; beside another text; after another text; with a draft taken back

The first kind of memory of ``MEMORIES`` for which all agree is the model's. Where none does, or the model's words
depend on what comes after them, it is refused. The finding is kept on disk by configuration.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import torch

from schema_compiler.files import replace_atomically
from sdk.errors import ModelError
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.models.long_rope import LongRopeSlots, switch_length
from sdk.generation.models.single_slot import SingleSlot
from sdk.generation.models.uncached_slot import UncachedSlot
from sdk.generation.slots import Chunk, Slots

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["MEMORIES", "MemoryKind", "fingerprint", "memory_of", "slots_of"]

MemoryKind: TypeAlias = Literal["batches", "one by one", "one by one, prompts whole", "one by one, without a cache"]
"""How sequences run: many in a pass; one at a time; one at a time, and several tokens only at the beginning; one at a
time, and each pass reads the whole text."""

MEMORIES: tuple[MemoryKind, ...] = get_args(MemoryKind)

_VERSION = 3
"""Raised whenever slots or probe change, so that findings of old ones are not used."""

_LENGTH = 24
"""Tokens of the text beyond the model's windows: enough for two cuts and a draft; chosen, not measured."""

_STEPS = 5
"""Tokens read one by one behind a text: some kinds go wrong in few of their steps (measured: Zamba-2)."""

_LONGEST_WINDOW = 512
"""The longest window that the text is made to exceed, since the first load pays for reading it about ten times.

Windows known from the configuration's ``sliding_window`` are right at any length; this is for those of other names,
which are 256 or fewer where transformers has them.
"""

_NOISE = 1e-4
"""The difference of logits, relative to their deviation, that counts as rounding in float32.

Over the kinds of ``tests.benchmarks.architectures``, right ones differ by 3e-6 at most, and wrong ones by 3e-4
(Zamba-2, growing with each step) or 2e-2 and more. Where the model itself makes more noise, ``_NOISE_FACTOR`` times
that counts.
"""

_NOISE_FACTOR = 8.0
"""How much more than reading a shorter text any other difference may be; chosen, not measured."""

_DEPENDENT = 0.5
"""The difference from which on a word depends on what follows it, in any number format; independent logits have 1.4."""


def slots_of(module: PreTrainedModel, memory: MemoryKind, count: int, free_tokens: int = 32) -> Slots:
    """New, empty memory of this kind: for ``count`` sequences where these are batched, else for one.

    ``free_tokens``: see ``Slots``, of slots that can be taken back.
    """
    if memory == "one by one, without a cache":
        return UncachedSlot(module, free_tokens)
    if memory == "batches":
        switch = switch_length(module)
        if switch is None:
            return KeyValueSlots(module, count, free_tokens)
        return LongRopeSlots(module, count, switch, free_tokens)
    return SingleSlot(module, extends=memory == "one by one")


def memory_of(module: PreTrainedModel, token_ids: Sequence[int], *, name: str, cache_folder: Path) -> MemoryKind:
    """The first kind of memory with which the model is right.

    ``token_ids``: tokens to make texts of. ``name``: of the model, for messages. ``cache_folder``: where findings are.
    Raises ``ModelError`` when the model reads what follows a word, or no memory gives the model's own words.
    """
    path = cache_folder / f"{fingerprint(module)}.json"
    try:
        finding = json.loads(path.read_text())
        known = finding["memory"] in MEMORIES or isinstance(finding["refused"], str)
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        finding = _probe(module, token_ids)
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_atomically(path) as scratch:
            scratch.write_text(json.dumps(finding))
    if finding["memory"] is None:
        raise ModelError(
            f"expected a causal language model whose words do not depend on what else is read; {name!r} "
            f"({type(module).__name__}) is not one: {finding['refused']}"
        )
    memory: MemoryKind = finding["memory"]
    return memory


def fingerprint(module: PreTrainedModel) -> str:
    """Of what findings about a model depend on: configuration, layers, number format, device, versions."""
    import transformers

    settings = [
        _VERSION,
        torch.__version__,
        transformers.__version__,
        type(module).__name__,
        module.config._attn_implementation,
        module.config.to_json_string(use_diff=False),
        str(module.dtype),
        module.device.type,
        sorted({type(part).__name__ for part in module.modules()}),
    ]
    return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]


def _probe(module: PreTrainedModel, token_ids: Sequence[int]) -> dict[str, str | None]:
    """``memory``, or why the model is ``refused``."""
    if _selects(module):
        why = "it attends to the tokens that score best in an index, where rounding decides between many that tie"
        return {"memory": None, "refused": why}
    numbers = random.Random(0)
    length = _LENGTH + max((window for window in _windows(module) if window <= _LONGEST_WINDOW), default=0)
    text, other = (numbers.choices(token_ids, k=count) for count in (length, length // 2 + 1))
    try:
        rows, other_rows = _alone(module, text), _alone(module, other)
        noise = max(_difference(_alone(module, text[:end])[-1], rows[end - 1]) for end in (length // 3, length - 1))
    except Exception as error:  # whatever the model raises here, it would raise in the middle of a run
        return {"memory": None, "refused": f"reading a text raises {_told(error)}"}
    if not noise < (_DEPENDENT if module.dtype != torch.float32 else 100 * _NOISE):
        return {"memory": None, "refused": f"its logits depend on the tokens that follow (difference {noise:.2g})"}
    tolerance = max(_NOISE, _NOISE_FACTOR * noise)
    reasons = []
    for memory in MEMORIES:
        if memory == "batches" and not KeyValueSlots.fits(module):
            reasons.append(f"{memory}: its layers are not full or sliding-window attention over slots")
            continue
        reason = _fault(slots_of(module, memory, 2), text, other, rows, other_rows, tolerance)
        if reason is None:
            return {"memory": memory, "refused": None}
        reasons.append(f"{memory}: {reason}")
    return {"memory": None, "refused": "; ".join(reasons)}


def _fault(
    slots: Slots,
    text: Sequence[int],
    other: Sequence[int],
    rows: torch.Tensor,
    other_rows: torch.Tensor,
    tolerance: float,
) -> str | None:
    """What is wrong with slots, if anything. ``rows`` and ``other_rows``: the model's own logits, ``[length, V]``."""
    cut = len(text) // 3
    last = len(text) - _STEPS

    def read(slot: int, start: int, end: int, source: Sequence[int] = text) -> tuple[Chunk, torch.Tensor]:
        return Chunk(slot, source[start:end]), (rows if source is text else other_rows)[end - 1 : end]

    def wrong(*reads: tuple[Chunk, torch.Tensor]) -> bool:
        results = slots.forward([chunk for chunk, _ in reads])
        return any(not _difference(result, own) < tolerance for result, (_, own) in zip(results, reads, strict=True))

    try:
        if wrong(read(0, 0, last)):
            return "a text read whole differs"
        if any(wrong(read(0, place, place + 1)) for place in range(last, len(text))):
            return "a token read behind a text differs"
        slots.rewind(0, 0)
        if wrong(read(0, 0, len(other), other)):
            return "a text read after another differs"
        slots.rewind(0, 0)
        if wrong(read(0, 0, cut)):
            return "a text read after another differs"
        memory = slots.save(0)
        if slots.extends and wrong(read(0, cut, last)):
            return "a text cut in two differs"
        slots.rewind(0, 0)
        slots.load(0, memory)
        if wrong(read(0, cut, cut + 1)):
            return "a token read behind a copy of what was remembered differs"
        if slots.rewinds:
            slots.forward([Chunk(0, other[:3], keep=3)])
            slots.rewind(0, cut + 1)
            draft = text[cut + 1 : cut + 4]
            (result,) = slots.forward([Chunk(0, draft, keep=3)])
            if not _difference(result, rows[cut + 1 : cut + 4]) < tolerance:
                return "a draft read after one that was taken back differs"
            slots.rewind(0, cut + 1)
        if slots.branches:
            tree = [*other[:2], *text[cut + 2 : cut + 4]]
            (result,) = slots.forward([Chunk(0, [text[cut + 1], *tree], keep=5, parents=(-1, 0, -1, 2))])
            if not _difference(result[[0, 3, 4]], rows[cut + 1 : cut + 4]) < tolerance:
                return "a text read beside another that begins alike differs"
            slots.rewind(0, cut + 1)
        if slots.count > 1:
            if wrong(read(0, cut + 1, last), read(1, 0, 2, other)):
                return "a text read beside another differs"
            if wrong(read(0, last, last + 1), read(1, 2, len(other), other)):
                return "a text read beside another differs"
    except Exception as error:  # see _probe
        return f"reading a text raises {_told(error)}"
    return None


def _alone(module: PreTrainedModel, text: Sequence[int]) -> torch.Tensor:
    """The model's own logits of a text, without a cache: float32 ``[length, V]``."""
    with torch.inference_mode():
        ids = torch.tensor([list(text)], device=module.device)
        logits: torch.Tensor = module(input_ids=ids, use_cache=False, return_dict=True).logits[0].float()
        return logits


def _difference(found: torch.Tensor, own: torch.Tensor) -> float:
    """The largest distance of two rows of logits, relative to the deviation of the second."""
    found, own = found.float().view(-1, own.shape[-1]), own.float().view(-1, own.shape[-1])
    distances = (found - own).norm(dim=-1) / (own - own.mean(-1, keepdim=True)).norm(dim=-1).clamp_min(1e-30)
    return float(distances.max())


def _selects(module: PreTrainedModel) -> bool:
    """Whether attention is to the best tokens of an index (DeepSeek-V3.2): many scores of it are 0, and tie."""
    return getattr(module.config.get_text_config(decoder=True), "index_topk", None) is not None


def _windows(module: PreTrainedModel) -> list[int]:
    """The lengths that the configuration gives for windows and chunks, by the names that transformers uses."""
    settings: Mapping[str, object] = module.config.get_text_config(decoder=True).to_dict()
    names = ("window", "local", "chunk", "block")
    return [
        value
        for name, value in settings.items()
        if any(part in name for part in names) and isinstance(value, int) and not isinstance(value, bool)
    ]


def _told(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:200] if text else 'without a message'}"
