"""Grammars of users against Lark's own Earley parser, which reads the same notation and tries every split.

For each grammar: all short texts over its alphabet are in both languages or in neither, every token of a small
vocabulary is in the mask exactly if it is accepted, and whatever is begun can be completed to a text that Lark takes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import product

import pytest

from schema_compiler import CompileBudgetError, CompiledGrammar, GrammarError, Vocabulary, compile_grammar
from schema_compiler.engine.matcher import Matcher
from tests.vocabularies import byte_vocabulary

lark = pytest.importorskip("lark")

ARITHMETIC = r"""
start: sum
?sum: sum "+" product -> add
    | sum "-" product -> subtract
    | product
product: product "*" atom | atom
atom: NUMBER | "-" atom | "(" sum ")"
NUMBER: /[0-9]+(\.[0-9]+)?/
%ignore " "
"""
JSON = r"""
?start: value
?value: object | array | STRING | NUMBER | "true" | "null"
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: STRING ":" value
STRING: /"[ab]*"/
NUMBER: "-"? ("0" | "1".."9" "0".."9"*)
%ignore /[ \n]+/
"""
SQL = r"""
start: "select"i columns "from"i NAME [where]
columns: "*" | NAME ("," NAME)*
where: "where"i condition
condition: condition ("and"i | "or"i) condition | NAME ("=" | "<") VALUE | "(" condition ")"
NAME: /[ab]/
VALUE: /1|'b*'/
%ignore / +/
"""
GRAMMARS = {
    "arithmetic": (ARITHMETIC, "1+*(. "),
    "json": (JSON, '[]1,"a '),
    "nested": ('start: list\nlist: "(" list* ")" | "[" [list ("," list)*] "]"\n', "()[],"),
    "ambiguous": ('start: e\ne: e "+" e | e "*" e | "n" | "n" "n"\n', "n+*"),
    "everything": ('start: s\ns: s s | "a" | "b" s | \n', "abc"),
    "cyclic": ('start: a\na: b | "x"\nb: a | b "y" | a "z"\n', "xyz"),
    "indirect": ('start: a\na: b "x" | "y"\nb: c "z" | a\nc: a "w" | "v"\n', "xyzwv"),
    "hidden": ('start: a\na: n a "x" | "y"\nn: "z" | \n', "xyz"),
    "deeply hidden": ('start: a\na: n* m b "x" | "y"\nb: m a | "w" a n\nn: "z"\nm: n?\n', "xyzw"),
    "nullable cycle": ('start: a\na: a a b | b\nb: "y" | a "x" | \n', "xyz"),
    "repeated": ('start: a~2..3 "b"~2 ("c" | a)+ [a "d"]\na: "a" "e"?\n', "abcde"),
    "left-recursive repetition": ('start: a\na: a* "x" | a+ "y" | "z"\n', "xyz"),
    "terminals": ('start: A | B A\nA: "a"i+ C?\nB: ("b" | C)~2\nC: "c".."d"\n', "aAbcd"),
    "even length": ('start: a?\na: "x" a "x" | "y" a "y" | "x" "x" | "y" "y"\n', "xy"),
    "dangling else": ('start: s\ns: "i" s | "i" s "e" s | "x"\n', "iex"),
    "ignored in front": ('start: a\na: a "x" | "x"\n%ignore " "\n%ignore /;y*;/\n', "x ;y"),
    "a word that is ignored": ('start: w+\nw: /a+/\n%ignore "a"\n%ignore "-"\n', "a-b"),
}
COMMON = ["INT", "SIGNED_NUMBER", "FLOAT", "CNAME", "WORD", "WS", "NEWLINE", "C_COMMENT", "SQL_COMMENT"]
MOST_TEXTS = 900


@cache
def oracle(grammar: str) -> Callable[[str], bool]:
    """Whether Lark takes a text."""
    parser = lark.Lark(grammar, parser="earley", lexer="dynamic_complete")

    @cache
    def accepts(text: str) -> bool:
        try:
            parser.parse(text)
        except lark.exceptions.UnexpectedInput:
            return False
        return True

    return accepts


def accepts(compiled: CompiledGrammar, text: str) -> bool:
    matcher = compiled.matcher()
    return all(matcher.accept(byte) for byte in text.encode()) and matcher.is_complete()


def texts(alphabet: str) -> list[str]:
    """All texts over the alphabet, the shortest first, up to a number."""
    found: list[str] = []
    length = 0
    while len(found) + len(alphabet) ** length <= MOST_TEXTS:
        found += map("".join, product(alphabet, repeat=length))
        length += 1
    return found


def small_vocabulary(alphabet: str, seed: int) -> Vocabulary:
    source = random.Random(seed)
    made = ["".join(source.choices(alphabet, k=source.randint(2, 5))) for _ in range(150)]
    return Vocabulary([*(bytes((byte,)) for byte in range(256)), *(text.encode() for text in made), None], [406])


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_same_short_texts_as_lark(name: str):
    grammar, alphabet = GRAMMARS[name]
    compiled = compile_grammar(grammar, byte_vocabulary())
    in_lark = oracle(grammar)
    for text in texts(alphabet):
        assert accepts(compiled, text) == in_lark(text), text


@pytest.mark.parametrize("name", [*GRAMMARS, "sql"])
def test_masks_are_what_is_accepted_and_lead_to_texts_of_lark(name: str):
    grammar, alphabet = GRAMMARS.get(name, (SQL, "*ab=<1'( "))
    vocabulary = small_vocabulary(alphabet, seed=1)
    compiled, source = compile_grammar(grammar, vocabulary), random.Random(name)
    for _ in range(3):
        matcher, text = compiled.matcher(), b""
        for _ in range(6):
            legal = legal_tokens(matcher, vocabulary)
            completions = {text + (vocabulary.tokens[token] or b"") + closing for token, closing in legal.items()}
            for completed in source.sample(sorted(completions), min(3, len(completions))):
                assert oracle(grammar)(completed.decode()), completed
            assert matcher.is_complete() == oracle(grammar)(text.decode(errors="replace")), text
            if not legal:
                break
            token = source.choice(list(legal))
            matcher.accept(token)
            text += vocabulary.tokens[token] or b""


def legal_tokens(matcher: Matcher, vocabulary: Vocabulary) -> dict[int, bytes]:
    """The closing after each token that is accepted; the mask must be of these, and of EOS if complete."""
    mask = matcher.mask()
    found: dict[int, bytes] = {}
    for token in range(len(vocabulary)):
        accepted = matcher.accept(token)
        assert accepted == bool(mask[token >> 5] >> (token & 31) & 1), vocabulary.tokens[token]
        if accepted:
            if token not in vocabulary.eos_token_ids:
                found[token] = matcher.closing()
            matcher.rollback(1)
    return found


@pytest.mark.parametrize("text", ["select a from b", "SELECT a,b FROM b where a=1 or(a<'b' and b=1)", "select*from a"])
def test_sql(text: str):
    compiled = compile_grammar(SQL, byte_vocabulary())
    assert accepts(compiled, text)
    assert oracle(SQL)(text)
    assert not accepts(compiled, text + "select")


def test_masks_of_a_long_ambiguous_text_stay_cheap():
    compiled = compile_grammar(GRAMMARS["ambiguous"][0], byte_vocabulary())
    text = "".join(random.Random(0).choices(["n+", "n*", "nn*"], k=150)) + "n"
    assert accepts(compiled, text)


@pytest.mark.parametrize("name", COMMON)
def test_common_terminals(name: str):
    """Each against Lark's definition of the same name."""
    grammar = f"start: {name}\n%import common.{name}\n"
    compiled = compile_grammar(grammar, byte_vocabulary())
    for text in texts("1.e+_a \r\n") + texts("/*-a\n") + ["12", "-3.5e+10", "/* a * b */", "-- a", "aB_1"]:
        assert accepts(compiled, text) == oracle(grammar)(text), text


def test_a_quoted_string_ends_at_its_quote():
    compiled = compile_grammar("start: ESCAPED_STRING\n%import common.ESCAPED_STRING\n", byte_vocabulary())
    assert accepts(compiled, r'"a\"\\"')
    assert not accepts(compiled, '"a"b"')


def test_imports_take_lists_and_other_names():
    text = "start: N WS WORD\n%import common.INT -> N\n%import common (WS, WORD)\n"
    assert accepts(compile_grammar(text, byte_vocabulary()), "12 ab")


def test_escapes_in_strings_and_patterns():
    grammar = r'start: "é\u00e9\n\x41\\\"" /a\/[^\/]/ /[a-c]/i /. b/xs "SS"i'
    compiled = compile_grammar(grammar, byte_vocabulary())
    for text in ('éé\nA\\"a/xC\nbSs', 'éé\nA\\"a/xC\nb', 'éé\nA\\"a//C\nbSs'):
        assert accepts(compiled, text) == oracle(grammar)(text), text


def test_keywords_that_a_terminal_excludes():
    compiled = compile_grammar(r"start: /(?!(?:if|else)$)[a-z]+/", byte_vocabulary())
    assert [accepts(compiled, word) for word in ("if", "iff", "else", "i")] == [False, True, False, True]


def test_another_start():
    assert accepts(compile_grammar('start: "a"\nother: "b"\n', byte_vocabulary(), start="other"), "b")


def test_a_terminal_that_is_too_large_is_named():
    with pytest.raises(CompileBudgetError, match="terminal A: a pattern expands"):
        compile_grammar("start: A\nA: /(a{1000}){1000}/\n", byte_vocabulary())


def test_notes():
    text = 'start: "a" | endless | EMPTY\nendless: "b" endless\nEMPTY: /a^/\nSPARE.2: "c"\n'
    compiled = compile_grammar(text, byte_vocabulary())
    assert compiled.notes == (
        "terminal EMPTY matches no text",
        "rule endless derives no text",
        "SPARE is not used",
        "the priority of SPARE changes nothing: every way to cut a text is legal",
    )


MISTAKES = {
    'start: "a" ;': ("unexpected ';'", 1, 12),
    'start: "a': ("the text is not closed", 1, 8),
    'start: "a" "b\n  | "c"\n': ("the text is not closed", 1, 12),
    "start: A\nA: /b\n": ("the pattern is not closed", 2, 4),
    "start: 'a'\n": ("double quotes", 1, 8),
    'start: "a"\n  "b"\n': ("expected a name", 2, 3),
    'start: ("a"\n': ("expected the bracket that closes '('", 2, 1),
    "start: b\n": ("b is not defined", 1, 8),
    'a: "x"\n': ("there is no rule start", 1, 1),
    'start: "a"\nstart: "b"\n': ("start is defined twice", 2, 1),
    'start: "a"\n\nWord: "b"\n': ("all in lower case", 3, 1),
    'start: A\nA: "a" B\nB: A?\n': ("terminal A is defined by itself", 3, 4),
    'start: A\nA: b\nb: "b"\n': ("rule b cannot be part of a terminal", 2, 4),
    "start: /a(/\n": ("rule start: group without a closing ')' at position 1 of pattern 'a('", 1, 8),
    "start: A\nA: B\nB: /a\\/*+/x\n": ("terminal B: a quantifier after a quantifier", 3, 4),
    'start: "a"\n%ignore /[/\n': ("%ignore: character class without a closing ']' at position 1 of", 2, 9),
    "start: A\nA: /(?=a)b/\n": ("rule start derives no text: terminal A matches none", 2, 1),
    'start: b\nb: /b$c/ "d"\n': ("rule start derives no text: /b$c/ matches none", 2, 4),
    "start: /(a)\\1/\n": ("backreference", 1, 8),
    'start: "b".."a"\n': ("range between two characters", 1, 8),
    'start: "a"~3..2\n': ("found 3 to 2", 1, 12),
    'start: x{"a"}\n': ("templates are not supported", 1, 9),
    'x{a}: a\nstart: "a"\n': ("templates are not supported", 1, 2),
    "%import python.NAME\nstart: NAME\n": ("only imports from common", 1, 9),
    "%import common.NOTHING\nstart: NOTHING\n": ("there is no common terminal NOTHING", 1, 16),
    '%declare A\nstart: "a"\n': ("%declare is not supported", 1, 1),
    'start: "a" start\n': ("start derives no text", 1, 1),
    'start "a"\n': ("expected ':'", 1, 7),
    'start: "\\ud800"\n': ("lone surrogate", 1, 8),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_found_with_their_location(text: str):
    message, line, column = MISTAKES[text]
    with pytest.raises(GrammarError) as caught:
        compile_grammar(text, byte_vocabulary())
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
