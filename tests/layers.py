"""The import graph among folders: `python -m tests.layers` prints a line for each folder, with what it imports.

    schema_compiler.regular.text: schema_compiler.errors, schema_compiler.regular.automata

A folder's modules count together; modules beside folders count by themselves, as layers of their own. Every import
counts, also those inside functions and for types only. Which layers there are, and their order, is in `pyproject.toml`
(`lint-imports` checks it); here it is only asked whether they can be ordered at all.
"""

from __future__ import annotations

import sys
from graphlib import CycleError, TopologicalSorter

import grimp

__all__ = ["folder_graph"]

PACKAGES = ("schema_compiler", "sdk")


def folder_graph() -> dict[str, set[str]]:
    """Each folder, or module beside folders, with those that it imports, the ground first where there is no cycle."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    packages = {module.rpartition(".")[0] for module in graph.modules} - {""}
    parents = {package.rpartition(".")[0] for package in packages}

    def folder(module: str) -> str:
        above = module.rpartition(".")[0]
        return module if module in packages or above in parents else above

    imports: dict[str, set[str]] = {folder(module): set() for module in graph.modules}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            if folder(imported) != folder(module):
                imports[folder(module)].add(folder(imported))
    return imports


def main() -> None:
    """Print the graph, the ground first, or the folders of a cycle."""
    imports = folder_graph()
    try:
        order = list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        sys.exit(f"a cycle: {' -> '.join(error.args[1])}")
    for folder in order:
        print(f"{folder}: {', '.join(sorted(imports[folder])) or '-'}")
    print(f"\n{len(order)} folders, {sum(map(len, imports.values()))} imports among them, no cycle")


if __name__ == "__main__":
    main()
