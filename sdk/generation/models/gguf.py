"""Models in GGUF files, which llama.cpp and its relatives read: turned into what transformers loads, once.

A GGUF file holds everything in one: configuration, weights in blocks of few bits, tokenizer, chat template.
transformers reads the architectures that it knows, de-quantising the weights. That takes a quarter of a minute for
a small model, so the dense weights and the tokenizer are kept in a cache folder, which later processes map into memory:

    ~/.cache/extraction-sdk/models/4c1d2a…-2/      config.json, model.safetensors, tokenizer.json, …

The folder's name is a digest of the file and the version of this conversion. It appears whole, by one rename, under
a file lock: two processes that start together convert once, and none ever sees half a model.

How text is cut before merges apply, a byte-level tokenizer's pre-tokenizer, a file only *names*
(``tokenizer.ggml.pre``). transformers cuts by GPT-2's rule under each name that it does not know; then the model
gets tokens that it was not trained on, in silence. So the names are told apart here: those that transformers knows,
those whose rule is restored here, and others, which are refused.

Source of the names and their rules: llama.cpp's ``llama-vocab.cpp``.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema_compiler.files import replace_atomically
from sdk.errors import ModelError, ModelNotFoundError, TokenizerError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["cache_folder", "converted_gguf"]

_CONVERSION = 3
"""The version of ``_convert``: raised whenever it writes something else, so that old folders are not used."""

_FLOAT32_FILE = 0
"""The ``general.file_type`` of files whose weights all have 32 bits."""

_GPT2_RULE = frozenset({"gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "granite-docling", "gigachat", "mellum"})
"""Names for GPT-2's own rule, which transformers takes where it knows no other."""

_SINGLE_DIGITS = frozenset(
    {"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"}
)
"""Names for GPT-2's rule after every digit has been set apart."""


_WHOLE_WORDS = frozenset(
    {"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano", "tekken"}
)
"""Names for vocabularies in which a word that is a token stays whole, whatever the merges would make of it."""

_COMPOSED = frozenset({"qwen2", "qwen35", "deepseek-r1-qwen"})
"""Names for vocabularies of texts in Unicode's composed form (NFC), into which other texts are brought."""


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/extraction-sdk``; the XDG rules ignore a value that is not absolute."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (root if root.is_absolute() else Path.home() / ".cache") / "extraction-sdk"


def converted_gguf(file: Path) -> Path:
    """The folder with the model of a GGUF file as transformers loads it; the first call converts it.

    On disk it takes 4 bytes a weight, or 2 where the file says that its weights have fewer than 32 bits: then the
    numbers of blocks are rounded to float16, by a 4,000th part, which is far less than the steps between them.
    Raises ``ModelNotFoundError`` for a file that is not there, ``ModelError`` for one that is no GGUF file, is broken
    or holds an architecture that transformers does not read, and ``TokenizerError`` where it has no tokenizer, or
    one whose rules are not known.
    """
    if not file.is_file():
        raise ModelNotFoundError(f"expected a GGUF file, found no file {str(file)!r}")
    folder = cache_folder() / "models" / f"{_digest(file)}-{_CONVERSION}"
    if not folder.exists():
        _convert_once(file, folder)
    return folder


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:32]


def _convert_once(file: Path, folder: Path) -> None:
    from filelock import FileLock

    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(folder.name + ".lock")):
        if folder.exists():  # another process converted it while this one waited
            return
        with replace_atomically(folder) as scratch:
            scratch.mkdir()
            _convert(file, scratch)


def _convert(file: Path, folder: Path) -> None:
    """Write the GGUF file's model and tokenizer to ``folder``.

    The tokenizer comes first, since it is read in a moment. A model read from GGUF refuses to be saved, so its dense
    weights move into a fresh one.
    """
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    metadata = _metadata(file)
    _check_tokenizer(file, metadata)
    source = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    try:
        tokenizer = AutoTokenizer.from_pretrained(**source)
        _restore_rules(tokenizer, metadata.get("tokenizer.ggml.pre"))
        tokenizer.save_pretrained(folder)
        quantized, loading = AutoModelForCausalLM.from_pretrained(
            **source, dtype=torch.float32, output_loading_info=True
        )
        if loading["missing_keys"]:
            raise ValueError(f"the file lacks the weights {', '.join(sorted(loading['missing_keys'])[:3])}, …")
        dense = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(**source), dtype=torch.float32)
        dense.load_state_dict(quantized.state_dict())
    except (OSError, ValueError, KeyError, IndexError, RuntimeError, NotImplementedError) as error:
        raise ModelError(
            f"transformers cannot read the model in {str(file)!r} (architecture "
            f"{metadata.get('general.architecture')!r}): {error}"
        ) from error
    dense.generation_config = quantized.generation_config
    if metadata.get("general.file_type", _FLOAT32_FILE) != _FLOAT32_FILE:
        dense.half()
    dense.save_pretrained(folder)


def _metadata(file: Path) -> dict[str, Any]:
    """The file's keys; arrays as their lengths. Raises ``ModelError``."""
    from transformers.integrations.gguf import read_gguf_metadata

    try:
        metadata: dict[str, Any]
        metadata, _ = read_gguf_metadata(str(file))
    except Exception as error:  # the reader unpacks bytes as they come, so that a broken file raises anything
        raise ModelError(
            f"expected a whole GGUF file, found one that cannot be read: {str(file)!r}: {error}"
        ) from error
    return metadata


def _check_tokenizer(file: Path, metadata: dict[str, Any]) -> None:
    """Raise ``TokenizerError`` unless text can be cut as the model was trained."""
    if not metadata.get("tokenizer.ggml.tokens"):
        raise TokenizerError(
            f"expected a GGUF file with a tokenizer (tokenizer.ggml.tokens), found none in {str(file)!r}"
        )
    if metadata.get("tokenizer.ggml.model") != "gpt2":  # SentencePiece has no pre-tokenizer
        return
    name = metadata.get("tokenizer.ggml.pre")
    known = _GPT2_RULE | _SINGLE_DIGITS | _rules_of_transformers()
    if name not in known:
        raise TokenizerError(
            f"{str(file)!r}: expected one of the pre-tokenizers {', '.join(sorted(known))}; found "
            f"{name!r}, whose rule is not known, so that text would be cut into other tokens than the model was "
            "trained on. Load the model from its folder in transformers' format instead"
        )


def _rules_of_transformers() -> frozenset[str]:
    from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS

    return frozenset(GGUF_PRE_TOKENIZER_SPLITS)


def _restore_rules(tokenizer: PreTrainedTokenizerBase, name: str | None) -> None:
    """Give a tokenizer the rules that the name of its pre-tokenizer stands for and transformers leaves out."""
    from tokenizers import normalizers, pre_tokenizers

    backend = tokenizer.backend_tokenizer
    if name in _SINGLE_DIGITS:
        backend.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        )
    if name in _WHOLE_WORDS:
        backend.model.ignore_merges = True
    if name in _COMPOSED:
        backend.normalizer = normalizers.NFC()
