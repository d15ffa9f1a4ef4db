"""What Lark's notation becomes, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from schema_compiler.errors import GrammarError, PatternError
from schema_compiler.lexed.compile import compile_lexed
from schema_compiler.lexed.indentation import Indentation
from schema_compiler.lexed.lark_tables import read_lark
from tests.fakes import byte_vocabulary


def test_terminals_stand_in_order_of_precedence():
    grammar = read_lark('start: A | B | "if" | NAME\nA.2: /a+/\nB: /bb?/\nNAME: /[a-z]+/\n%ignore " "', "start")
    assert [terminal.name for terminal in grammar.terminals] == ["A", "IF", "__IGNORE_0", "NAME", "B"]
    assert [terminal.ignored for terminal in grammar.terminals] == [False, False, True, False, False]


def test_priority_decides_between_equal_lengths_only():
    matcher = compile_lexed('start: A ";" | NAME "."\nA.2: /ab/\nNAME: /[a-z]+/', byte_vocabulary()).matcher()
    assert [matcher.accept(byte) for byte in b"ab."] == [True, True, False]
    matcher = compile_lexed('start: A ";" | NAME "."\nA.2: /ab/\nNAME: /[a-z]+/', byte_vocabulary()).matcher()
    assert all(matcher.accept(byte) for byte in b"abc.")


def test_case_is_ignored_where_the_grammar_says_so():
    matcher = compile_lexed('start: "select"i NAME\nNAME: /[a-z]+/i\n%ignore " "', byte_vocabulary()).matcher()
    assert all(matcher.accept(byte) for byte in b"SeLeCt A")


def test_lark_s_own_strings_end_at_the_first_quote_that_is_not_escaped():
    grammar = 'start: (ESCAPED_STRING ";")*\n%import common.ESCAPED_STRING\n%ignore " "'
    matcher = compile_lexed(grammar, byte_vocabulary()).matcher()
    assert all(matcher.accept(byte) for byte in rb'"a\"b;" ; "\\";')
    assert not matcher.accept(ord("a"))


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("start: (", "line 1 column"),
        ("start: other", "'other' used but not defined"),
        ("start: a | b\na: X\nb: X\nX: /x/", "Reduce/Reduce collision"),
        ("start: A\nA: /x*/", "zero-width"),
        ("start: A\nA: /(/", "Cannot compile token A"),
        ("start: a\na: a X\nX: /x/", "'start' never ends"),
    ],
)
def test_grammars_refused(grammar: str, message: str):
    with pytest.raises(GrammarError, match=message.replace("(", r"\(")):
        compile_lexed(grammar, byte_vocabulary())


def test_other_refusals():
    with pytest.raises(PatternError, match="greedy quantifier behind a lazy one in terminal A"):
        compile_lexed("start: A\nA: /a.*?b+/", byte_vocabulary())
    with pytest.raises(ValueError, match="lookahead of at least 1, or None, found 0"):
        compile_lexed("start: /a/", byte_vocabulary(), lookahead=0)
    with pytest.raises(ValueError, match="expected lexer to be 'basic' or 'contextual', found 'earley'"):
        compile_lexed("start: /a/", byte_vocabulary(), lexer="earley")
    with pytest.raises(GrammarError, match=r"expected terminal NONE to match some text, found /\(\?!a\)a/"):
        compile_lexed('start: NONE | "b"\nNONE: /(?!a)a/', byte_vocabulary())
    with pytest.raises(GrammarError, match="name of a terminal, found '_NEWLINE'"):
        compile_lexed("start: /a/", byte_vocabulary(), indentation=Indentation())


def test_files_may_import_files(tmp_path: Path):
    (tmp_path / "names.lark").write_text("NAME: /[a-z]+/\n")
    main = tmp_path / "main.lark"
    main.write_text('start: NAME "!"\n%import .names.NAME\n')
    matcher = compile_lexed(main, byte_vocabulary()).matcher()
    assert all(matcher.accept(byte) for byte in b"hey!")
    with pytest.raises(GrammarError, match=r"absent\.lark"):
        compile_lexed(tmp_path / "absent.lark", byte_vocabulary())


def test_a_missing_lark_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "lark", None)
    with pytest.raises(GrammarError, match="install the extra 'grammars'"):
        read_lark("start: /a/", "start")
