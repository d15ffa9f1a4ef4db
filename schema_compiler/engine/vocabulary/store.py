"""A vocabulary's trie and leaf scans on disk, so that a new process starts where the last one stopped.

The file is named by the vocabulary's fingerprint: a hash of every token's text, the EOS ids and ``VERSION``, never
of names or sizes. It holds flat arrays and a digest of them. It is written to the side and renamed, so readers see
a whole file or none; a file that is damaged, or made by another version, is ignored and written anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.trie import Int32Array, Trie
from schema_compiler.engine.vocabulary.leaves import Leaves, StoredScan
from schema_compiler.files import replace_atomically

__all__ = ["VERSION", "load", "save"]

VERSION = 4
"""Counts changes of the file's form and of what scans mean."""

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]

_MAGIC = b"schema-compiler vocabulary".ljust(32)
_DIGEST_SIZE = 32
_TRIE = ("byte", "first_child", "token_ids", "token_start")


def save(path: Path, leaves: Leaves) -> None:
    """Write the trie and the scans made so far, atomically. Raises ``OSError`` when the folder is not writable."""
    arrays = {name: getattr(leaves.trie, name) for name in _TRIE} | dict(_pack(list(leaves.scans())))
    content = b"".join(_encode(name, array) for name, array in arrays.items())
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_atomically(path) as scratch:
        scratch.write_bytes(_MAGIC + _digest(path, content) + content)


def load(path: Path, width: int) -> Leaves | None:
    """The leaves, with their trie, of a vocabulary of ``width`` tokens; ``None`` when there is no sound file."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC) + _DIGEST_SIZE
    content = memoryview(data)[head:]
    if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : head] != _digest(path, content):
        return None
    arrays = dict(_decode(content))
    trie = Trie(width, *(arrays[name] for name in _TRIE))
    return Leaves(trie, _unpack(arrays))


def _digest(path: Path, content: bytes | memoryview) -> bytes:
    """Of the content and of the fingerprint it is filed under, so that a renamed file is not believed either."""
    return hashlib.blake2b(content, key=path.stem.encode()[:64], digest_size=_DIGEST_SIZE).digest()


def _encode(name: str, array: npt.NDArray[Any]) -> bytes:
    """Name, type, length, then the numbers, all on 64-byte boundaries."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    header = f"{name} {little.dtype.str} {little.size}".encode().ljust(64)
    body = little.tobytes()
    return header + body + bytes(-len(body) % 64)


def _decode(content: memoryview) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    offset = 0
    while offset < len(content):
        name, kind, size = bytes(content[offset : offset + 64]).decode().split()
        offset += 64
        array = np.frombuffer(content, np.dtype(kind), int(size), offset)
        offset += array.nbytes + -array.nbytes % 64
        yield name, array


def _pack(scans: Sequence[StoredScan]) -> Arrays:
    """All scans in a few flat arrays; sizes say where each one's part ends."""
    token_sets = [scan.token_set for scan in scans]
    return {
        "digests": np.frombuffer(b"".join(scan.digest for scan in scans), np.uint8),
        "states": np.array([scan.state for scan in scans], np.int32),
        "nullable": np.array([scan.nullable for scan in scans], np.uint8),
        "is_row": np.array([token_set.dtype == np.uint32 for token_set in token_sets], np.uint8),
        **_concatenate("token_sets", [token_set.view(np.int32) for token_set in token_sets]),
        **_concatenate("exits", [scan.exits for scan in scans]),
        **_concatenate("nodes", [scan.nodes for scan in scans]),
    }


def _unpack(arrays: Arrays) -> Iterator[StoredScan]:
    token_sets, exits, nodes = (_split(arrays, name) for name in ("token_sets", "exits", "nodes"))
    digests = arrays["digests"].tobytes()
    size = len(digests) // max(len(token_sets), 1)
    for index, token_set in enumerate(token_sets):
        yield StoredScan(
            digests[index * size : (index + 1) * size],
            nodes[index],
            int(arrays["states"][index]),
            token_set.view(np.uint32) if arrays["is_row"][index] else token_set,
            exits[index],
            bool(arrays["nullable"][index]),
        )


def _concatenate(name: str, parts: Sequence[Int32Array]) -> Arrays:
    sizes = np.array([part.size for part in parts], np.int64)
    return {name: np.concatenate([_NO_IDS, *parts]), f"{name}_sizes": sizes}


def _split(arrays: Arrays, name: str) -> list[Int32Array]:
    sizes = arrays[f"{name}_sizes"]
    return np.split(arrays[name], np.cumsum(sizes)[:-1]) if sizes.size else []


_NO_IDS = np.empty(0, np.int32)
