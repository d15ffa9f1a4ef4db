"""The house stands: data walks downhill among its folders, and no module is outside the layers."""

from __future__ import annotations

import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests import layers, sizes
from tests.layers import PACKAGES, folder_graph

ROOT = Path(__file__).parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


def test_folders_import_without_cycles() -> None:
    """Whatever imports count: at the top, inside functions, for types only."""
    order = list(TopologicalSorter(folder_graph()).static_order())
    assert (
        order.index("schema_compiler.regular.automata") < order.index("schema_compiler.compiler") < order.index("sdk")
    )


def test_every_package_of_folders_has_exhaustive_layers() -> None:
    """So `lint-imports` fails on a module that is in no layer."""
    containers = {
        name for one in CONTRACTS if one["type"] == "layers" and one["exhaustive"] for name in one["containers"]
    }
    holding = {
        ".".join(folder.relative_to(ROOT).parts)
        for top in PACKAGES
        for folder in [ROOT / top, *(ROOT / top).rglob("*/")]
        if any((inner / "__init__.py").exists() for inner in folder.iterdir() if inner.is_dir())
    }
    assert holding <= containers


def test_the_commands_print_the_graph_and_the_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    """As `python -m tests.layers` and `python -m tests.sizes` do."""
    layers.main()
    assert capsys.readouterr().out.endswith("no cycle\n")
    sizes.main()
    assert "functions, median" in capsys.readouterr().out
