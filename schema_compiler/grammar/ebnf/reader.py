r"""Reads Lark's notation (its reference page "Grammar"): one pass for tokens, one by recursive descent.

    start: pair ("," pair)*         // rules are in lower case, terminals in capitals
    pair: NAME "=" (NUMBER | "nil"i)
        | "(" pair ")"              a line that begins with | goes on with the rule above
    NAME: ("a".."z")+
    %import common.NUMBER
    %ignore " "

As in Lark, a first alternative that is left out is the empty text (a line break right after the colon, then ``|``).
What changes the language and is not supported is refused by name: templates, ``%extend``, ``%override``,
``%declare``, and imports from elsewhere than ``common``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

from schema_compiler.grammar.ebnf.syntax import (
    Choice,
    Definition,
    Import,
    Location,
    Name,
    Pattern,
    Range,
    Repeat,
    Sequence,
    Source,
    Term,
    Text,
)

__all__ = ["read"]

_TOKENS: Final = r"""
    (?P<comment> (?://|\#)[^\n]* )
    | (?P<newline> \n )
    | (?P<blank> [ \t\r\f]+ )
    | (?P<string> "(?:\\.|[^"\\\n])*"i? )
    | (?P<regex> /(?:\\.|[^/\\])+/[imslux]* )
    | (?P<number> \d+ )
    | (?P<directive> %[a-z]+ )
    | (?P<name> _*[A-Za-z][A-Za-z0-9_]* )
    | (?P<mark> -> | \.\. | [-:|()\[\]*+?!~.,{}] )
"""
"""The tokens of the notation, each in a group that is named like its kind."""
_ESCAPE: Final = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[nrtf\"\\])"
"""An escape sequence in a quoted text."""
_COUNTS: Final = {"?": (0, 1), "*": (0, None), "+": (1, None)}
"""The minimum and maximum of each sign of repetition."""
_END: Final = "the end"
"""The kind of the token behind the last one."""

_DEPTH_LIMIT: Final = 100
"""How deep brackets may be nested.

Reading and lowering recurse, with up to four frames of the interpreter's thousand for each bracket; 240 brackets still
pass, 260 raise ``RecursionError`` (measured). The limit leaves callers more than half of the stack.
"""


def read(text: str) -> Source:
    """The grammar that ``text`` is. Raises ``GrammarError``, with line and column, where it is malformed."""
    return _Reader(list(_without_idle_breaks(list(_tokens(text))))).source()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    location: Location


def _tokens(text: str) -> Iterator[_Token]:
    pattern = re.compile(_TOKENS, re.VERBOSE)
    at, line, start = 0, 1, 0
    while at < len(text):
        location = Location(line, at - start + 1)
        match = pattern.match(text, at)
        if match is None:
            raise location.error(_explain_unexpected(text[at]))
        assert match.lastgroup is not None
        if match.lastgroup not in ("blank", "comment"):
            yield _Token(match.lastgroup, match[0], location)
        breaks = match[0].count("\n")
        if breaks:
            line, start = line + breaks, at + match[0].rindex("\n") + 1
        at = match.end()
    yield _Token(_END, "", Location(line, at - start + 1))


def _explain_unexpected(char: str) -> str:
    """What is wrong where a character begins no token."""
    match char:
        case '"':
            return "the text is not closed: expected '\"' on the same line"
        case "/":
            return "the pattern is not closed: expected '/'"
        case "'":
            return 'expected texts in double quotes, found "\'"'
        case _:
            return f"unexpected {char!r}"


def _without_idle_breaks(tokens: list[_Token]) -> Iterator[_Token]:
    """The tokens without the line breaks that end nothing: those within brackets, and those before a ``|``."""
    depth = 0
    for index, token in enumerate(tokens):
        if token.kind == "newline":
            following = next(other.text for other in tokens[index:] if other.kind != "newline")
            if depth > 0 or following == "|":
                continue
        elif token.kind == "mark":
            depth += (token.text in "([") - (token.text in ")]")
        yield token


class _Reader:
    """Reads tokens by recursive descent; ``_here`` is the next one."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._definitions: dict[str, Definition] = {}
        self._imports: dict[str, Import] = {}
        self._ignored: list[Term] = []

    def source(self) -> Source:
        """The whole grammar."""
        while self._here.kind != _END:
            match self._here.kind:
                case "newline":
                    self._next()
                case "directive":
                    self._read_directive()
                    self._expect_line_end()
                case _:
                    self._read_definition()
                    self._expect_line_end()
        return Source(self._definitions, self._imports, tuple(self._ignored))

    # Statements

    def _read_definition(self) -> None:
        while self._here.text in ("?", "!"):
            self._next()
        name = self._name()
        if self._here.text == "{":
            self._fail("templates are not supported")
        priority = self._take(".")
        if priority:
            self._take("-")
            self._expect("number")
        if not self._take(":"):
            self._fail("expected ':' after the name of a rule or terminal")
        self._add(name, Definition(name.text, self._choice(0), name.location, priority))

    def _add(self, name: _Token, entry: Definition | Import) -> None:
        if name.text in self._definitions or name.text in self._imports:
            self._fail(f"{name.text} is defined twice", name)
        if isinstance(entry, Definition):
            self._definitions[name.text] = entry
        else:
            self._imports[name.text] = entry

    def _read_directive(self) -> None:
        directive = self._next()
        match directive.text:
            case "%ignore":
                self._ignored.append(self._choice(0))
            case "%import":
                self._read_import()
            case other:
                self._fail(f"{other} is not supported", directive)

    def _read_import(self) -> None:
        library = self._next()
        if library.text != "common":
            self._fail("only imports from common are supported", library)
        if self._take("("):
            while not self._take(")"):
                name = self._name()
                self._add(name, Import(name.text, name.location))
                self._take(",")
            return
        if not self._take("."):
            self._fail("expected '.' and the name of a common terminal")
        name = self._name()
        local = self._name() if self._take("->") else name
        self._add(local, Import(name.text, name.location))

    def _expect_line_end(self) -> None:
        if self._here.kind not in ("newline", _END):
            self._fail("expected the end of the line")

    # Terms

    def _choice(self, depth: int) -> Term:
        if depth > _DEPTH_LIMIT:
            self._fail(f"brackets nested deeper than {_DEPTH_LIMIT}")
        options = [self._sequence(depth)]
        while self._take("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self, depth: int) -> Term:
        items: list[Term] = []
        while self._here.kind in ("string", "regex", "name") or self._here.text in ("(", "["):
            items.append(self._repetition(depth))
        if self._take("->"):
            self._name()
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _repetition(self, depth: int) -> Term:
        item = self._atom(depth)
        if self._here.kind == "mark" and self._here.text in _COUNTS:
            return Repeat(item, *_COUNTS[self._next().text])
        if self._take("~"):
            minimum = self._here
            least = most = int(self._expect("number").text)
            if self._take(".."):
                most = int(self._expect("number").text)
            if most < least:
                self._fail(f"expected at most to be no less than at least, found {least} to {most}", minimum)
            return Repeat(item, least, most)
        return item

    def _atom(self, depth: int) -> Term:
        token = self._next()
        match token.kind:
            case "string":
                return self._text(token)
            case "regex":
                body, _, flags = token.text[1:].rpartition("/")
                if "l" in flags:
                    self._fail("the flag l (locale) is not supported", token)
                return Pattern(body, flags, token.location)
            case "name":
                self._check_name(token)
                if self._here.text == "{":
                    self._fail("templates are not supported")
                return Name(token.text, token.location)
            case _:
                inner = self._choice(depth + 1)
                if not self._take(")" if token.text == "(" else "]"):
                    self._fail(f"expected the bracket that closes {token.text!r}")
                return inner if token.text == "(" else Repeat(inner, 0, 1)

    def _text(self, token: _Token) -> Text | Range:
        value, ignore_case = self._unquote(token)
        if not self._take(".."):
            return Text(value, ignore_case, token.location)
        last, _ = self._unquote(self._expect("string"))
        if len(value) != 1 or len(last) != 1 or last < value:
            self._fail(f"expected a range between two characters, found {value!r} to {last!r}", token)
        return Range(value, last, token.location)

    def _unquote(self, token: _Token) -> tuple[str, bool]:
        """The text between the quotes, and whether its case is ignored."""
        body, _, flag = token.text[1:].rpartition('"')
        value = re.sub(_ESCAPE, lambda escape: _character(escape[0]), body)
        if any(0xD800 <= ord(char) <= 0xDFFF for char in value):
            self._fail(f"a lone surrogate is no text: {token.text}", token)
        return value, flag == "i"

    # Tokens

    @property
    def _here(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        token = self._here
        self._at += token.kind != _END
        return token

    def _take(self, mark: str) -> bool:
        """Go on behind the mark, if it is next."""
        if self._here.kind == "mark" and self._here.text == mark:
            self._at += 1
            return True
        return False

    def _expect(self, kind: str) -> _Token:
        """The next token, which must be of this kind."""
        if self._here.kind != kind:
            self._fail(f"expected a {kind}")
        return self._next()

    def _name(self) -> _Token:
        token = self._expect("name")
        self._check_name(token)
        return token

    def _check_name(self, token: _Token) -> None:
        if not (token.text.isupper() or token.text.islower()):
            self._fail(
                f"expected a name all in lower case (a rule) or all in capitals (a terminal), {token.text}", token
            )

    def _fail(self, message: str, token: _Token | None = None) -> NoReturn:
        """Raise ``GrammarError`` at the token; without one at the next token, which the message then quotes."""
        where = token or self._here
        found = "" if token else f", found {where.text.strip() or where.kind!r}"
        raise where.location.error(message + found)


def _character(escape: str) -> str:
    """The character that an escape sequence stands for."""
    if escape[1] in "xuU":
        return chr(int(escape[2:], 16))
    return {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}.get(escape[1], escape[1])
