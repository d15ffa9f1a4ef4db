"""A lease to a nested model: dates, amounts and yes-or-no questions come out as what they are.

$ python examples/contract.py
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from sdk import Extractor


class Money(BaseModel):
    amount: int
    currency: Literal["pounds", "euros"]


class Lease(BaseModel):
    """A lease contract."""

    landlord: str
    tenant: str
    begins: date
    rent: Money = Field(description="monthly rent")


def main() -> None:
    text = Path(__file__).with_name("documents").joinpath("lease.txt").read_text()
    extraction = Extractor().run(Lease, text)
    lease: Lease = extraction.value
    print(lease)
    print(f"The first year costs {12 * lease.rent.amount} {lease.rent.currency}, from {lease.begins:%d %B %Y}.")
    print(
        f"{extraction.output_tokens} tokens in {extraction.seconds:.1f} s, finish reason {extraction.finish_reason!r}"
    )


if __name__ == "__main__":
    main()
