"""The documents in ``examples`` and the types wanted of them, as ``examples/demo.py`` has them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from unittest.mock import patch

from pydantic import BaseModel

__all__ = ["example_documents"]

_FOLDER = Path(__file__).parents[1] / "examples"


def example_documents() -> list[tuple[type[BaseModel], str]]:
    """Types and texts; documents of the same type stand together."""
    with patch.object(sys, "path", [str(_FOLDER), *sys.path]):  # the examples import each other
        tasks = runpy.run_path(str(_FOLDER / "demo.py"))["TASKS"]
    return [(wanted, (_FOLDER / "documents" / f"{name}.txt").read_text()) for name, wanted in tasks]
