"""Receipts to typed rows: the shortest useful program.

$ python examples/receipts.py
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from sdk import Extractor


class Receipt(BaseModel):
    """A receipt."""

    company: str = Field(description="name of the company that issued the receipt")
    total: Decimal = Field(description="total amount paid")
    paid_by: Literal["cash", "card"] = Field(description="how it was paid")


def main() -> None:
    extractor = Extractor()
    for path in sorted(Path(__file__).with_name("documents").glob("receipt-*.txt")):
        receipt = extractor.extract(Receipt, path.read_text())
        print(f"{path.name}: {receipt!r}")


if __name__ == "__main__":
    main()
