"""Files and folders that appear whole or not at all, although other processes read and write them.

    with replace_atomically(path) as scratch:      # /cache/numbers.npz.k3x9/numbers.npz
        scratch.write_bytes(content)               # then renamed to /cache/numbers.npz

A rename within a file system is atomic (POSIX ``rename``): a reader sees the old content or the new one, and a
writer that is interrupted leaves the old one as it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["replace_atomically"]


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """A path in a new folder beside ``path``; the file or folder written there takes its place when the block ends.

    The folder of ``path`` has to exist. A file takes the place of an older one; a folder only that of none or of an
    empty one. When the block raises, what it wrote is deleted and ``path`` stays as it was.
    Raises ``OSError`` when the folder is not writable, or nothing was written.
    """
    folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f"{path.name}."))
    try:
        scratch = folder / path.name
        yield scratch
        os.replace(scratch, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
