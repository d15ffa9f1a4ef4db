"""How long modules and functions are: `python -m tests.sizes [FOLDER]` prints the longest, and the median function.

Lines are counted from `def` (decorators aside) to the last statement, docstrings and blank lines included; methods
count, functions inside functions do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

__all__ = ["functions"]

ROOT = Path(__file__).parents[1]


def functions(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and qualified name of each function of a module, and of each method of its classes."""
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text()))]
    for prefix, scope in waiting:
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{prefix}{node.name}"
            elif isinstance(node, ast.ClassDef):
                waiting.append((f"{prefix}{node.name}.", node))


def main(folder: Annotated[Path, typer.Argument(help="Where schema_compiler and sdk lie.")] = ROOT) -> None:
    """Print the longest modules and functions, and the median function."""
    paths = sorted(path for top in ("schema_compiler", "sdk") for path in (folder / top).rglob("*.py"))
    modules = sorted(
        ((len(path.read_text().splitlines()), str(path.relative_to(folder))) for path in paths), reverse=True
    )
    found = sorted(
        ((lines, f"{path.relative_to(folder)}: {name}") for path in paths for lines, name in functions(path)),
        reverse=True,
    )
    table = Table()
    for heading in ("lines", "longest modules", "lines", "longest functions"):
        table.add_column(heading, overflow="fold")
    for (module_lines, module), (lines, function) in zip(modules[:5], found[:5], strict=True):
        table.add_row(str(module_lines), module, str(lines), function)
    console = Console()
    console.print(table)
    count, middle = len(found), median(lines for lines, _ in found)
    console.print(
        f"{len(modules)} modules, {sum(lines for lines, _ in modules):,} lines; {count} functions, median {middle:g}"
    )


if __name__ == "__main__":
    typer.run(main)
