"""Blocks by indentation: Lark's Python grammar against Python itself and Lark's own indenter."""

from __future__ import annotations

import ast
import bisect
import heapq
import inspect
import string
import textwrap
from functools import cache
from pathlib import Path
from types import ModuleType

import lark
import numpy as np
import pytest
from lark.indenter import PythonIndenter

from schema_compiler.engine.matcher import Matcher
from schema_compiler.lexed.compile import CompiledLexed, compile_lexed
from schema_compiler.lexed.indentation import Indentation
from tests.fakes import EOS, byte_vocabulary

GRAMMAR = Path(lark.__file__).parent / "grammars" / "python.lark"

TOKENS = (
    b"\n    ",
    b"\n\n",
    b":\n        ",
    b"):\n    return ",
    b"    ",
    b"(\n",
    b")\n",
    b" = 1\nif",
    b'"""\n',
    b"else:",
)


@cache
def python(lookahead: int | None = None) -> CompiledLexed:
    return compile_lexed(
        GRAMMAR,
        byte_vocabulary(TOKENS),
        start="file_input",
        indentation=Indentation(),
        lexer="contextual",
        lookahead=lookahead,
    )


@cache
def lark_parser() -> lark.Lark:
    return lark.Lark(GRAMMAR.read_text(), parser="lalr", postlex=PythonIndenter(), start="file_input")


def read(text: str) -> Matcher | None:
    matcher = python().matcher()
    return matcher if all(matcher.accept(byte) for byte in text.encode()) else None


@pytest.mark.parametrize("module", [bisect, heapq, string, textwrap], ids=lambda module: module.__name__)
def test_modules_of_the_standard_library(module: ModuleType):
    matcher = read(inspect.getsource(module))
    assert matcher is not None
    assert matcher.is_complete()


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n    y = 1\nz = 2\n",
        "if x:\n    y = 1\n  z = 2\n",
        "if x:\n    y = 1\n      z = 2\n",
        "if x:\ny = 1\n",
        "x = 1\n  y = 2\n",
        "if x:\n  if y:\n    z\n  else:\n    w\n",
        "if x:\n  if y:\n    z\nelse:\n  w\n",
        "if x:\n  if y:\n    z\n else:\n  w\n",
        "if x: y\nelse: z\n",
        "def f(a,\n  b):\n    return [a,\n\n b]\n",
        "class A:\n    # note\n\n    x = 1\n\n# note\n\nclass B: pass\n",
        "x = (1,\n",
        "x = 'a\n",
        'x = """a\n  b"""\n',
        'def f():\n  """a\nb"""\n  return f"{x!r}"\n',
        "try:\n    x\nfinally:\n    y\n",
        "try:\n    x\ny\n",
        "for i in range(3): print(i); continue\n",
        "x = 1 if y else\n",
        "not_in = a not in b\n",
        "match = case = 1\n",
        "async def f():\n    async with a as b:\n        await c\n",
        "lambda *a, k=1, **b: (yield)\n",
        "@d\ndef f() -> int: ...\n",
    ],
)
def test_verdicts_are_those_of_python(text: str):
    matcher = read(text)
    whole = matcher is not None and matcher.is_complete()
    assert whole == _python_parses(text) == _lark_parses(text)


def _python_parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _lark_parses(text: str) -> bool:
    try:
        lark_parser().parse(text)
    except lark.exceptions.LarkError:
        return False
    return True


def columns(text: str) -> set[int]:
    """In which columns the next line may begin."""
    found = set()
    for column in range(12):
        matcher = read(text + "\n" + " " * column)
        if matcher is not None and matcher.accept(ord("x")):
            found.add(column)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1", {0}),
        ("if x:", set(range(1, 12))),
        ("if x:\n    y", {0, 4}),
        ("if x:\n    if y:\n       z", {0, 4, 7}),
        ("if x:\n    if y:", set(range(5, 12))),
        ("f(a,", set(range(12))),
        ("if x:\n    f(a,", set(range(12))),
        ("try:\n    y", {4}),
    ],
)
def test_the_next_line_begins_where_a_block_stands(text: str, expected: set[int]):
    assert columns(text) == expected


@pytest.mark.parametrize("lookahead", [None, 1])
def test_masks_and_steps_agree(lookahead: int | None):
    matcher = python(lookahead).matcher()
    for byte in b"def f(a):\n    if a:\n        return (1,\n 2)\n    else":
        mask = np.unpackbits(matcher.mask().view(np.uint8), bitorder="little").astype(bool)[: EOS + 1 + len(TOKENS)]
        accepted = np.array([matcher.fork().accept(number) for number in range(mask.size)])
        assert not (accepted & ~mask).any()
        assert lookahead is not None or (accepted == mask).all()
        assert matcher.accept(byte)


@pytest.mark.parametrize(
    "text", ["if x", "if x:\n    y = [(1,", "try:\n  x", "class A:\n  def f(self):\n    'a", "# note", "x = 1\n"]
)
def test_closings_make_python(text: str):
    matcher = read(text)
    assert matcher is not None
    assert _python_parses(text + matcher.closing().decode())
