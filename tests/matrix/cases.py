"""The whole matrix, page by page of Pydantic's documentation."""

from __future__ import annotations

from tests.matrix.case import Case
from tests.matrix.extra_types import EXTRA
from tests.matrix.models import MODELS
from tests.matrix.network import NETWORK
from tests.matrix.pydantic_types import PYDANTIC
from tests.matrix.standard import STANDARD

__all__ = ["CASES", "PAGES"]

PAGES: dict[str, list[Case]] = {
    "Standard library": STANDARD,
    "Pydantic": PYDANTIC,
    "Network": NETWORK,
    "pydantic-extra-types": EXTRA,
    "Models and fields": MODELS,
}
"""Cases by page."""

CASES = [case for cases in PAGES.values() for case in cases]
"""All of them."""
