"""Estimates of future grammaticality in a file, so that a later process goes on where this one stopped.

The file is an ``npz`` archive of flat arrays with an entry for each node, parents first, and a header with the file's
version and the key that says what the numbers are about:

    parent  -1   0   0   1        token  -1   5   8   3        estimate  0.4  0.1  1.0  0.1   …
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from schema_compiler.files import replace_atomically
from sdk.errors import FuturesError
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality, Node

__all__ = ["load_futures", "save_futures"]

_VERSION = 1
"""Counts changes of the file's form; files of another version are refused."""


def save_futures(futures: ExpectedFutureGrammaticality, path: Path) -> None:
    """Write ``futures`` to ``path``, whole or not at all. Raises ``OSError`` when the folder is not writable."""
    nodes = list(futures.nodes())
    numbers = {id(node): number for number, node in enumerate(nodes)}
    arrays = {
        "version": np.array(_VERSION),
        "key": np.array(futures.key),
        "max_nodes": np.array(futures.max_nodes),
        "parent": np.array([-1 if node.parent is None else numbers[id(node.parent)] for node in nodes], np.int64),
        "token": np.array([node.token for node in nodes], np.int64),
        "visits": np.array([node.visits for node in nodes], np.int64),
        "probability": np.array([node.probability for node in nodes], np.float64),
        "kept": np.array([node.kept for node in nodes], np.float64),
        "estimate": np.array([node.estimate for node in nodes], np.float64),
    }
    with replace_atomically(path) as scratch, scratch.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # the stubs take a keyword for allow_pickle


def load_futures(path: Path, *, key: str | None = None) -> ExpectedFutureGrammaticality:
    """Read a file of ``save_futures``; ``key``: what the numbers have to be about, ``None`` for anything.

    Raises ``OSError`` when there is no file, and ``FuturesError`` when it is damaged, of another version, or about
    something else.
    """
    with path.open("rb") as file:
        try:
            arrays = dict(np.load(file, allow_pickle=False))
            version = int(arrays["version"])
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise FuturesError(f"{path} does not hold estimates: {error}") from error
    if version != _VERSION:
        raise FuturesError(f"expected {path} to be of version {_VERSION}, found {version}")
    if key is not None and arrays["key"] != key:
        raise FuturesError(f"expected {path} to be about {key!r}, found {str(arrays['key'])!r}")
    futures = ExpectedFutureGrammaticality(key=str(arrays["key"]), max_nodes=int(arrays["max_nodes"]))
    columns = (arrays[name].tolist() for name in ("parent", "token", "visits", "probability", "kept", "estimate"))
    nodes: list[Node] = []
    for parent, token, visits, probability, kept, estimate in zip(*columns, strict=True):
        node = futures.root if parent < 0 else futures.adopt(nodes[parent], token, probability)
        node.visits, node.kept, node.estimate = visits, kept, estimate
        nodes.append(node)
    return futures
