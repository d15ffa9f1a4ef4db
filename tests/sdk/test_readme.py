"""What the README shows is what a reader gets."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import sdk
from schema_compiler import Span
from sdk.errors import EmptyTextError
from sdk.extraction import Alternative

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PROGRAM, OUTPUT = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", README, re.DOTALL).groups()
COMMAND, LINE = re.search(r"```\n\$ cd examples\n\$ (.*?)\n(.*?)```", README, re.DOTALL).groups()
COMMANDS = [line.removeprefix("$ ") for line in re.search(r"```\n(\$ python.*?)```", README, re.DOTALL)[1].splitlines()]
MORE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1:]


@pytest.fixture
def readme_names(extractor, monkeypatch):
    """The README's programs run on the model that the tests have loaded already."""
    monkeypatch.setattr(sdk, "extract", extractor.extract)
    monkeypatch.setattr(sdk, "Extractor", lambda: extractor)
    monkeypatch.setattr(sdk, "call_tool", lambda text, tools: sdk.tools.call_tool(text, tools, extractor=extractor))
    return {}


def test_the_first_program_prints_what_is_shown(readme_names, extractor):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(PROGRAM, "README.md", "exec", dont_inherit=True), readme_names)
    assert printed.getvalue() == OUTPUT
    extractor_program, batch_program, grammar_program, piece_program, sure_program, refused_program = MORE[:6]
    sampling_program, evaluation_program, tool_program = MORE[6:]
    exec(compile(extractor_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert readme_names["extraction"].value.rent > 0
    exec(compile(batch_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert readme_names["rents"][:2] == [950, 1200]
    assert isinstance(readme_names["rents"][2], EmptyTextError)
    assert readme_names["partial"].extraction.value == extractor.extract(readme_names["Lease"], readme_names["text"])
    exec(compile(grammar_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert re.fullmatch("[a-z]+ [=<>] [0-9]+", readme_names["query"].condition)
    exec(compile(piece_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert readme_names["bill"].value.day == date(2024, 4, 3)
    assert readme_names["bill"].evidence["day",] == (Span(start=16, end=26, text="03/04/2024"),)
    exec(compile(sure_program, "README.md", "exec", dont_inherit=True), readme_names)
    longer = readme_names["longer"]
    assert longer.confidence["shop",] == pytest.approx(0.91, abs=0.01)
    assert longer.alternatives["shop",] == (Alternative('"2 Hill Road, London"', pytest.approx(0.06, abs=0.01)),)
    exec(compile(refused_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert extractor.extract(readme_names["Checked"], "Total 15.90\nAce Books").shop == "Ace Books"
    exec(compile(sampling_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert sum(value.probability for value in readme_names["samples"].values) == pytest.approx(1.0)
    exec(compile(evaluation_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert readme_names["evaluation"].fields["day"].exact == 1.0
    assert 0 < readme_names["calibrator"](0.98) < 1
    exec(compile(tool_program, "README.md", "exec", dont_inherit=True), readme_names)
    assert readme_names["call"].arguments == {"minutes": 12}
    assert readme_names["call"].run() == "The timer rings in 12 minutes."


def test_the_command_prints_what_is_shown():
    """On the embedded model, in the folder of the examples."""
    python, *arguments = shlex.split(COMMAND)
    assert python == "python"
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT / "examples",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown, printed = json.loads(LINE), json.loads(done.stdout)
    assert len(shown["fields"]) == len(printed["fields"])
    for expected, field in zip(shown["fields"], printed["fields"], strict=True):
        assert field.pop("confidence") == pytest.approx(expected.pop("confidence"), abs=0.01)  # other processors
    assert printed == shown


def test_results_are_reported_and_evaluated(tmp_path):
    """The commands as they stand, in a copy of the folder of the examples."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    python = f"{shlex.quote(sys.executable)} -m sdk"
    done = subprocess.run(
        " && ".join(command.replace("python -m sdk", python) for command in COMMANDS),
        shell=True,
        cwd=tmp_path / "examples",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "examples" / "report.html").read_text().count("<article") == 2
    assert done.stdout.startswith("results.jsonl: 2 documents of gold\n")
    assert "company" in done.stdout
