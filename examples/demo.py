"""Every document in ``examples/documents`` to an instance of a Pydantic model, in a table: ``make demo`` runs this.

The first run converts the embedded model, once. All values are what the model wrote; nothing is corrected.
"""

from __future__ import annotations

import time
from pathlib import Path

from contract import Lease
from pydantic import BaseModel, Field
from receipts import Receipt
from rich.console import Console
from rich.table import Table
from transformers.utils import logging

from sdk import Extractor


class Job(BaseModel):
    """A job offer."""

    title: str = Field(description="job title")
    company: str = Field(description="name of the company")
    salary: int = Field(description="yearly salary")
    contact: str = Field(description="name of the contact person", pattern=r"^[A-Z]\w+ [A-Z]\w+$")


class Message(BaseModel):
    sender: str = Field(description="name of the sender")
    phone: str = Field(description="phone number", pattern=r"^\d{3}-\d{4}$")
    urgent: bool
    topic: str = Field(description="what the message is about")


TASKS: list[tuple[str, type[BaseModel]]] = [
    ("receipt-bookshop", Receipt),
    ("receipt-cafe", Receipt),
    ("lease", Lease),
    ("job", Job),
    ("message", Message),
]


def main() -> None:
    logging.disable_progress_bar()
    console = Console()
    console.print("Loading the model; the first time, it is converted, which takes half a minute.")
    started = time.perf_counter()
    extractor = Extractor()
    console.print(f"{extractor.model.name} loaded in {time.perf_counter() - started:.1f} s")
    table = Table("document", "value", "tokens", "seconds", show_lines=True)
    for name, wanted in TASKS:
        text = Path(__file__).with_name("documents").joinpath(f"{name}.txt").read_text()
        extraction = extractor.run(wanted, text)
        table.add_row(name, fields(extraction.value), str(extraction.output_tokens), f"{extraction.seconds:.1f}")
    console.print(table)


def fields(instance: BaseModel) -> str:
    """The model's name, then a line for each field."""
    return "\n".join([type(instance).__name__, *(f"  {name} = {value!r}" for name, value in instance)])


if __name__ == "__main__":
    main()
