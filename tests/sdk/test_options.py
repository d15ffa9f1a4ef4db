"""Options are spelled once: every one has a meaning and a default, and no other name is taken."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from sdk import Extractor, cli
from sdk.generation.samplers import sampler_of
from sdk.options import DEFAULTS, PROMPT_DEFAULTS, Options, PromptOptions, TaskOptions, documentation
from tests.fakes import ScriptedModel


def test_every_option_has_a_default_and_a_meaning():
    assert DEFAULTS.keys() == TaskOptions.__annotations__.keys()
    assert PROMPT_DEFAULTS.keys() == PromptOptions.__annotations__.keys()
    assert Options.__annotations__.keys() - DEFAULTS.keys() == {"on_text", "trace"}
    assert all(documentation(option).endswith((".", ".)")) for option in Options.__annotations__)


@pytest.mark.parametrize("call", ["run", "extract", "run_batch", "run_samples", "extract_batch", "stream", "sample"])
def test_unknown_options_are_refused_by_name(call):
    extractor = Extractor(ScriptedModel(b"1"))
    texts = ["a text"] if "batch" in call else "a text"
    counts = (1,) if call == "run_samples" else ()
    with pytest.raises(TypeError, match=r"expected options out of .*max_tokens.*; found bogus, other"):
        list(getattr(extractor, call)(int, texts, *counts, bogus=1, other=2))


def test_unknown_numbers_are_refused_by_name():
    with pytest.raises(TypeError, match=r"expected options out of temperature, .*; found top_q"):
        sampler_of(top_q=1)  # type: ignore[call-arg]  # on purpose


def test_the_command_line_says_what_they_mean():
    text = CliRunner().invoke(cli.app, ["extract", "--help"], env={"COLUMNS": "400"}).output
    for option in ("instructions", "max_tokens", "temperature", "seed"):
        assert documentation(option) in text
    assert f"[default: {DEFAULTS['max_tokens']}]" in text
