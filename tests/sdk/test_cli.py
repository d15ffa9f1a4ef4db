"""The command line, through its real entry point, on the embedded model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sdk import Extractor, cli
from sdk.errors import TypeNameError
from tests.fakes import ScriptedModel

MODULE = """
from pydantic import BaseModel

class Person(BaseModel):
    name: str
    age: int
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "people_of_the_test.py").write_text(MODULE)
    (tmp_path / "one.txt").write_text("My name is Ann Miller. I am 34 years old.")
    (tmp_path / "empty.txt").write_text(" ")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(b'{"name": "Ann Miller", "age": 34}')
    monkeypatch.setattr(cli, "_load_quietly", lambda *_: Extractor(model))


@pytest.mark.usefixtures("scripted", "folder")
def test_a_line_for_each_document_and_exit_code_1_for_an_error():
    arguments = ["extract", "--type", "people_of_the_test:Person", "one.txt", "empty.txt", "missing.txt", "-"]
    result = CliRunner().invoke(cli.app, arguments, input="Ann Miller, 34")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["source"] for line in lines] == ["one.txt", "empty.txt", "missing.txt", "-"]
    assert lines[0]["value"] == lines[3]["value"] == {"name": "Ann Miller", "age": 34}
    assert [lines[1]["error"]["type"], lines[2]["error"]["type"]] == ["EmptyTextError", "FileNotFoundError"]
    assert "missing.txt: " in result.stderr
    assert result.exit_code == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Person", "expected --type module:Name"),
        ("no_such_module_here:Person", "cannot be imported"),
        ("people_of_the_test:Nobody", "no 'Nobody'"),
    ],
)
def test_a_type_that_is_not_there(name, said):
    with pytest.raises(TypeNameError, match=said):
        cli.load_type(name)


def test_the_real_command(folder):
    command = [sys.executable, "-m", "sdk", "extract", "--type", "people_of_the_test:Person", "--max-tokens", "60"]
    done = subprocess.run([*command, "one.txt"], capture_output=True, text=True, cwd=folder, check=True)
    assert json.loads(done.stdout) == {"source": "one.txt", "value": {"name": "Ann Miller", "age": 34}}
    assert "Traceback" not in done.stderr


def test_explain_and_a_wrong_type_as_commands(folder):
    command = [sys.executable, "-m", "sdk", "explain", "--type"]
    done = subprocess.run(
        [*command, "people_of_the_test:Person"], capture_output=True, text=True, cwd=folder, check=True
    )
    assert '"name"' in done.stdout
    wrong = subprocess.run([*command, "people_of_the_test:X"], capture_output=True, text=True, cwd=folder, check=False)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("error: --type people_of_the_test:X")
