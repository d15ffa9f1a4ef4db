"""All sections: ``python -m tests.benchmarks.grammars [SECTION ...]``, by default all.

A section is a module here with a function ``tables``, which yields what to print.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from tests.benchmarks.cases import SHARED, TokenizerFolder
from tests.benchmarks.grammars import index, lexed, sampling

SECTIONS = {
    "index": lambda: index.tables(TokenizerFolder(SHARED / "tokenizers" / "llama-3.1").vocabulary()),
    "lexed": lambda: lexed.tables(TokenizerFolder(SHARED / "tokenizers" / "llama-3.1").vocabulary()),
    "sampling": sampling.tables,
}


def main(sections: Annotated[list[str] | None, typer.Argument(help=", ".join(SECTIONS))] = None) -> None:
    """Print the sections."""
    console = Console(width=120)
    unknown = sorted(set(sections or ()) - SECTIONS.keys())
    if unknown:
        raise typer.BadParameter(f"expected some of {', '.join(SECTIONS)}, found {', '.join(unknown)}")
    for name in sections or SECTIONS:
        for table in SECTIONS[name]():
            console.print(table)


if __name__ == "__main__":
    typer.run(main)
