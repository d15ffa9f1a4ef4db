"""The programs that draw pictures run as they are, and draw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ["sampling_bias", "engine_mechanisms", "accept_sequences"])
def test_pictures_are_drawn(name, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    picture = tmp_path / f"{name}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert shown.endswith(f"{picture}\n")
