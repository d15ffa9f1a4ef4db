"""Which bytes each token of a tokenizer stands for.

The compiler works on bytes, so a token's text must be exact, and the same wherever it stands. A tokenizer's *decoder*
tells it, in one of two ways that are exact:

* byte-level BPE (GPT-2 and most since): each character of a token's name is one byte, in an alphabet that makes
  all 256 bytes printable. ``Ġhello`` is `` hello``, ``Ċ`` a line feed.
* SentencePiece with byte fallback (Llama 2, Gemma, Mistral): the name is the text, ``▁`` for a space, and
  ``<0x0A>`` for one byte. Decoders drop the first space of a whole text; in the middle of a text, where generated
  tokens stand, ``▁hello`` is `` hello``.

Anything else (WordPiece's ``##``, unigram models without byte fallback) joins tokens by rules that look at their
neighbours, and is refused by name. Special tokens and ids beyond the tokenizer stand for no text.

Sources: GPT-2's ``bytes_to_unicode``; Kudo and Richardson, "SentencePiece" (2018), for byte fallback.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from schema_compiler import Vocabulary
from sdk.errors import TokenizerError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["vocabulary_of"]

_Speller: TypeAlias = Callable[[str], bytes]
"""From the name of a token to its bytes."""


def vocabulary_of(
    tokenizer: PreTrainedTokenizerBase,
    *,
    eos_token_ids: Collection[int] = (),
    size: int | None = None,
    cache_folder: Path | None = None,
) -> Vocabulary:
    """The vocabulary of a transformers tokenizer.

    ``eos_token_ids``: ids that end a text besides the tokenizer's own (a model's generation config may name
    several). ``size``: the width of the model's output layer, where it is not the tokenizer's size; ids beyond the
    tokenizer stand for no text, tokens beyond the output layer cannot be generated. ``cache_folder``: see
    ``Vocabulary``.

    Raises ``TokenizerError`` when the tokenizer's tokens do not stand for exact bytes, or none ends a text.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise TokenizerError(
            f"expected a tokenizer of the tokenizers library, found {type(tokenizer).__name__}, which has none inside"
        )
    spell = _speller(backend)
    added = backend.get_added_tokens_decoder()
    texts = {token_id: token.content.encode() for token_id, token in added.items()}
    texts |= {token_id: spell(name) for name, token_id in backend.get_vocab(with_added_tokens=False).items()}
    special = {token_id for token_id, token in added.items() if token.special}.union(tokenizer.all_special_ids)
    width = size if size is not None else 1 + max(texts)
    tokens = [None if token_id in special else texts.get(token_id) for token_id in range(width)]
    return Vocabulary(tokens, _eos_ids(tokenizer, eos_token_ids, width), cache_folder=cache_folder)


def _eos_ids(tokenizer: PreTrainedTokenizerBase, others: Collection[int], width: int) -> frozenset[int]:
    own = () if tokenizer.eos_token_id is None else (tokenizer.eos_token_id,)
    ids = frozenset(token_id for token_id in (*own, *others) if token_id < width)
    if not ids:
        raise TokenizerError(f"{type(tokenizer).__name__} names no end-of-sequence token that the model can produce")
    return ids


def _speller(backend: Any) -> _Speller:
    """How names of tokens spell bytes, by the decoder's steps."""
    steps = list(_steps(json.loads(backend.decoder.__getstate__()))) if backend.decoder is not None else []
    kinds = {step["type"] for step in steps}
    if kinds == {"ByteLevel"}:
        return _byte_level
    if "ByteFallback" in kinds and kinds <= {"Replace", "Metaspace", "ByteFallback", "Fuse", "Strip"}:
        return _byte_fallback
    raise TokenizerError(
        "expected byte-level BPE or SentencePiece with byte fallback, whose tokens stand for exact bytes; found the "
        f"model {type(backend.model).__name__} with the decoder {' + '.join(sorted(kinds)) or 'None'}"
    )


def _steps(decoder: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A decoder's steps in order, those of nested sequences too."""
    if decoder["type"] == "Sequence":
        for step in decoder["decoders"]:
            yield from _steps(step)
    else:
        yield decoder


@cache
def _alphabet() -> dict[str, int]:
    """GPT-2's alphabet: printable Latin-1 characters stand for themselves, the others for U+0100 onwards."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + rank): byte for rank, byte in enumerate(others)}


def _byte_level(name: str) -> bytes:
    """The bytes of a name in GPT-2's alphabet; a name outside it is plain text, as the decoder itself takes it."""
    alphabet = _alphabet()
    if all(character in alphabet for character in name):
        return bytes(alphabet[character] for character in name)
    return name.encode()


def _byte_fallback(name: str) -> bytes:
    """The bytes of a name as SentencePiece writes it."""
    if re.fullmatch(r"<0x[0-9A-F]{2}>", name):
        return bytes([int(name[3:5], 16)])
    return name.replace("▁", " ").encode()
