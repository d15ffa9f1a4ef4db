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
from sdk.evaluation import Calibrator
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


@pytest.mark.usefixtures("scripted", "folder")
def test_what_cannot_be_read_again_is_on_the_line():
    arguments = ["extract", "--type", "people_of_the_test:Person", "one.txt", "-"]
    result = CliRunner().invoke(cli.app, arguments, input="Ann Miller, 34")
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert "document" not in first
    assert second["document"] == "Ann Miller, 34"


@pytest.mark.usefixtures("scripted", "folder")
def test_a_document_closed_early_is_an_error():
    arguments = ["extract", "--type", "people_of_the_test:Person", "--max-tokens", "24", "one.txt"]
    result = CliRunner().invoke(cli.app, arguments)
    assert json.loads(result.stdout)["error"]["type"] == "BudgetExceededError"


def _write(path, *lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


SPAN = {"start": 11, "end": 21, "text": "Ann Miller"}
RESULTS = [
    {
        "source": "one.txt",
        "value": {"name": "Ann Miller", "age": 34},
        "fields": [
            {"path": ["name"], "confidence": 0.9, "evidence": [SPAN]},
            {"path": ["age"], "confidence": 0.4, "alternatives": [{"text": "43", "probability": 0.3}]},
        ],
    },
    {"source": "empty.txt", "error": {"type": "EmptyTextError", "message": "no <text>"}},
    {"source": "gone.txt", "value": {"name": "Bob", "age": 1}},
    {"source": "-", "value": {"name": "Bob", "age": 1}, "document": "Bob is 1"},
]


def test_a_report_of_results(folder):
    _write(folder / "results.jsonl", *RESULTS)
    arguments = ["report", "results.jsonl", "-o", "report.html"]
    assert CliRunner().invoke(cli.app, arguments, catch_exceptions=False).exit_code == 0
    html = (folder / "report.html").read_text()
    assert html.count("<article") == 4
    assert "no &lt;text&gt;" in html
    assert "the document of &#39;gone.txt&#39; cannot be read" in html
    assert '<i id="d0-m0-0"></i>Ann Miller</a>' in html
    assert "results.jsonl</h1>" in html
    assert CliRunner().invoke(cli.app, [*arguments, "--limit", "1", "--title", "<t>"]).exit_code == 0
    html = (folder / "report.html").read_text()
    assert html.count("<article") == 1
    assert "the first 1 of 4 documents" in html
    assert "&lt;t&gt;</h1>" in html


def test_a_report_of_a_document_that_has_changed(folder):
    (folder / "one.txt").write_text("Another text")
    _write(folder / "results.jsonl", RESULTS[0])
    assert CliRunner().invoke(cli.app, ["report", "results.jsonl", "-o", "report.html"]).exit_code == 0
    html = (folder / "report.html").read_text()
    assert "is not the one that was read" in html
    assert "Another text" not in html
    assert ">Ann Miller</div>" in html


def test_an_evaluation_of_results(folder):
    pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")
    _write(folder / "results.jsonl", *RESULTS)
    _write(folder / "other.jsonl", {"id": "one.txt", "value": {"name": "Anne", "age": 34}})
    gold = [{"id": name, "value": {"name": "ann miller", "age": 35}} for name in ("one.txt", "empty.txt", "two.txt")]
    _write(folder / "gold.jsonl", *gold)
    command = ["evaluate", "results.jsonl", "--gold", "gold.jsonl", "--type", "people_of_the_test:Person"]
    more = ["--compare", "other.jsonl", "--plot", "confidence.png", "--calibrate", "calibrator.json"]
    done = CliRunner().invoke(cli.app, [*command, *more], catch_exceptions=False)
    words = done.stdout.split()
    assert done.exit_code == 0
    assert " ".join(words[:23]) == (
        "results.jsonl: 3 documents of gold 1 with an error: empty.txt 1 without a result: two.txt "
        "2 not in gold, left out: gone.txt, -"
    )
    name = words.index("name")
    assert words[name : name + 7] == ["name", "3", "0.000", "0.333", "0.333", "2", "0"]
    assert "other.jsonl: 3 documents of gold" in done.stdout
    assert (folder / "confidence.png").read_bytes().startswith(b"\x89PNG")
    assert Calibrator.load(folder / "calibrator.json").count == 2


@pytest.mark.parametrize(
    ("gold", "more", "said"),
    [
        ([{"id": "a", "value": {"name": "x"}}], [], "the gold value of 'a' is not of the type: age: Field required"),
        ([{"id": "a", "value": {"name": "x", "age": 1}}] * 2, [], "found 'a' twice"),
        ([{"id": "a"}], [], "gold.jsonl, line 1"),
        ([{"id": "a", "value": {"name": "x", "age": 1}}], ["--plot", "x.png"], "found none in results.jsonl"),
        ([], ["--compare", "nothing.jsonl"], "nothing.jsonl"),
    ],
)
def test_what_cannot_be_evaluated(folder, gold, more, said):
    _write(folder / "results.jsonl", {"id": "a", "value": {"name": "x", "age": 1}})
    _write(folder / "gold.jsonl", *gold)
    command = [sys.executable, "-m", "sdk", "evaluate", "results.jsonl", "--gold", "gold.jsonl"]
    done = subprocess.run(
        [*command, "--type", "people_of_the_test:Person", *more],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert said in done.stderr


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
    line = json.loads(done.stdout)
    assert (line["source"], line["value"]) == ("one.txt", {"name": "Ann Miller", "age": 34})
    assert {tuple(one["path"]): 0 < one["confidence"] <= 1 for one in line["fields"]} == {
        ("name",): True,
        ("age",): True,
    }
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
