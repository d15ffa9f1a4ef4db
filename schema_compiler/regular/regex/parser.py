r"""Reads the notation of regular expressions in three dialects: ``^a+`` is START, then ``a`` repeated from once on.

``ecma`` is what JSON Schema asks for (ECMA-262 with the ``u`` flag), read leniently: escapes that people write without
need (``\-``, ``\@``), Python's ``(?P<name>...)``, ``\A`` and ``\Z`` are understood: they have one plausible meaning.
``rust`` is Pydantic's default engine, ``python`` the ``re`` module. Only what a pattern matches is kept: groups vanish,
lazy quantifiers equal greedy ones. What is not regular is refused by name, with its position in the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from schema_compiler.regular.regex.classes import Flags, Reader, bracket, escape, fold_case, word
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.regular.regex.syntax import (
    EMPTY,
    END,
    START,
    Chars,
    Choice,
    Edge,
    Look,
    Regex,
    Repeat,
    choice,
    sequence,
    word_edges,
)
from schema_compiler.regular.text.codepoints import ANY, CodePoints

__all__ = ["Parsed", "parse"]

_DEPTH_LIMIT = 150
"""How deep groups may nest. Each takes four calls of the parser, and Python allows a thousand by default."""
_NEWLINE = CodePoints.chars("\n")
_ECMA_NEWLINES = CodePoints.chars("\n\r\u2028\u2029")
_FLAG_NAMES = {"i": "ignore_case", "m": "multiline", "s": "dot_all", "x": "verbose", "a": "ascii"}
_WITHOUT_EFFECT = "uU"
"""Inline flags to skip: Unicode is always on, and swapping greedy and lazy does not change what matches."""
_REFUSED_GROUPS = {
    "?>": "an atomic group",
    "?(": "a conditional group",
    "?|": "a branch reset group",
    "?P=": "a backreference",
    "?P>": "a subroutine call",
    "?&": "a subroutine call",
    "?R": "recursion",
}
_PLAIN = re.compile(r"(?:[\w !\"#%&',/:;<=>@`~-](?![*+?{]))+", re.ASCII)
"""Characters that stand for themselves in all dialects, unless a quantifier follows or the ``x`` flag is set.

Runs of these are most of what patterns consist of, and are read in one step.
"""
_QUANTIFIERS = frozenset("*+?{")
_COUNTS = re.compile(r"\{(\d*)(,?)(\d*)\}")
_FLAGS = r"\(\?[a-zA-Z-]+\)"
_ANCHOR = r"\^|\$|\\[AbBzZ]"
_LEADING = re.compile(rf"(?:{_FLAGS}|\(\?#[^)]*\))*")
"""What may stand before flags for the whole pattern, in Python."""
_UNREPEATED: Mapping[Dialect, re.Pattern[str]] = {
    "ecma": re.compile(rf"{_FLAGS}|{_ANCHOR}|\(\?<[=!]"),
    "python": re.compile(rf"{_FLAGS}|{_ANCHOR}"),
    "rust": re.compile(_FLAGS),
}
"""What no quantifier may follow."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The meaning of a pattern; ``asks_unicode``: it depends on the version of Unicode."""

    regex: Regex
    asks_unicode: bool


@lru_cache(maxsize=1024)
def parse(pattern: str, dialect: Dialect, *, flags: str = "") -> Parsed:
    """Read ``pattern``; ``flags`` are letters of inline flags that hold for the whole pattern.

    Raises ``PatternError`` where the pattern is malformed or not regular.
    """
    switched = {_FLAG_NAMES[letter]: True for letter in flags if letter not in _WITHOUT_EFFECT}
    parser = _Parser(Reader(pattern, dialect, Flags(**switched)))
    term = parser.alternatives(0)
    if parser.reader.at < len(pattern):
        parser.reader.fail("unbalanced ')'")
    return Parsed(term, parser.reader.asks_unicode)


class _Parser:
    """Recursive descent over one pattern."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._unrepeated = _UNREPEATED[reader.dialect]

    def alternatives(self, depth: int) -> Regex:
        """Everything up to the end of the group; its inline flags end with it."""
        if depth > _DEPTH_LIMIT:
            self.reader.fail(f"groups nested deeper than {_DEPTH_LIMIT}")
        flags = self.reader.flags
        options = [self.branch(depth)]
        while self.reader.take("|"):
            options.append(self.branch(depth))
        self.reader.flags = flags
        return choice(options)

    def branch(self, depth: int) -> Regex:
        """One alternative: everything up to a bar or the end of the group."""
        parts: list[Regex] = []
        while True:
            self.reader.skip_blanks()
            start = self.reader.at
            if not self.reader.flags.verbose and (plain := _PLAIN.match(self.reader.text, start)):
                self.reader.at = plain.end()
                parts += [self._literal(ord(char)) for char in plain.group()]
                continue
            if self.reader.peek() in ("", "|", ")"):
                return sequence(parts)
            parts.append(self.quantify(self.atom(depth), start))

    def atom(self, depth: int) -> Regex:
        """What a quantifier is about: a group, a set, an anchor, or one character."""
        reader = self.reader
        at = reader.at
        if self.bounds() is not None:
            reader.at = at
            reader.fail("nothing to repeat")
        match reader.next():
            case "(":
                return self.group(depth)
            case "[":
                return Chars(bracket(reader))
            case ".":
                return Chars(self._dot())
            case "^":
                return Edge(self._newlines(), True, ANY, True) if reader.flags.multiline else START
            case "$":
                return self._dollar()
            case "\\":
                return self.backslash()
            case char:
                return self._literal(ord(char))

    def backslash(self) -> Regex:
        """An assertion, a set or a character after a backslash."""
        reader = self.reader
        match reader.peek():
            case "A":
                reader.next()
                return START
            case "z" | "Z":
                reader.next()
                return END
            case "b" | "B" as letter:
                reader.next()
                return self._word_edge(letter == "b")
            case _:
                item = escape(reader)
                return Chars(item) if isinstance(item, CodePoints) else self._literal(item)

    def group(self, depth: int) -> Regex:
        """A group whose ``(`` has been read."""
        reader = self.reader
        start = reader.at - 1
        for opening, name in _REFUSED_GROUPS.items():
            if reader.take(opening):
                reader.at = start
                reader.fail(f"{name} '({opening}' is not supported")
        if (behind := reader.take("?<=")) or reader.take("?<!"):
            return self.look_behind(depth, start, negative=not behind)
        negative = reader.take("?!")
        look = negative or reader.take("?=")
        scoped = reader.flags
        if not look and (reader.take("?P<") or reader.take("?<")):
            reader.until(">")
        elif not look and not reader.take("?:") and reader.take("?"):
            scoped = self.inline_flags()
            if reader.take(")"):
                if reader.dialect == "python" and not _LEADING.fullmatch(reader.text, 0, start):
                    reader.at = start
                    reader.fail("inline flags for what follows, but not at the start")
                reader.flags = scoped
                return EMPTY
            if not reader.take(":"):
                reader.fail("expected ':' or ')' after inline flags")
        outer, reader.flags = reader.flags, scoped
        body = self.alternatives(depth + 1)
        reader.flags = outer
        if not reader.take(")"):
            reader.at = start
            reader.fail("group without a closing ')'")
        return Look(body, negative) if look else body

    def look_behind(self, depth: int, start: int, *, negative: bool) -> Regex:
        """A condition on the one character before, whose opening has been read; longer ones are refused."""
        body = self.alternatives(depth + 1)
        if not isinstance(body, Chars) or not self.reader.take(")"):
            self.reader.at = start
            self.reader.fail("look-behind at anything but one character is not supported")
        return Edge(~body.members, True, ANY, True) if negative else Edge(body.members, False, ANY, True)

    def inline_flags(self) -> Flags:
        """The flags that hold after the letters of a ``(?``; letters after a minus switch off."""
        reader = self.reader
        flags, on = reader.flags, True
        if reader.peek() == ")":
            reader.fail("expected inline flags, found none")
        while reader.peek() not in ("", ":", ")"):
            letter = reader.peek()
            if letter == "-":
                on = False
            elif letter in _FLAG_NAMES and (letter != "a" or reader.dialect == "python"):
                flags = replace(flags, **{_FLAG_NAMES[letter]: on})
            elif letter not in _WITHOUT_EFFECT or (letter == "u" and not on):
                reader.fail(f"inline flag {letter!r} is not supported")
            reader.at += 1
        return flags

    def quantify(self, term: Regex, begin: int) -> Regex:
        """``term``, which was read from ``begin`` on, with the quantifiers that follow it."""
        reader = self.reader
        repeated = False
        while True:
            reader.skip_blanks()
            start = reader.at
            bounds = self.bounds()
            if bounds is None:
                return term
            if self._unrepeated.match(reader.text, begin):
                reader.at = start
                reader.fail("nothing to repeat")
            if repeated and reader.dialect != "rust":
                reader.at = start
                reader.fail("a quantifier after a quantifier (possessive quantifiers are not supported)")
            minimum, maximum = bounds
            if maximum is not None and maximum < minimum:
                reader.at = start
                reader.fail(f"repetition of at least {minimum} and at most {maximum} times")
            reader.take("?")
            repeated = True
            term = Repeat(term, minimum, maximum)

    def bounds(self) -> tuple[int, int | None] | None:
        """The bounds of a quantifier, which is consumed; None where there is no quantifier."""
        reader = self.reader
        if reader.peek() not in _QUANTIFIERS:
            return None
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if reader.take(sign):
                return bounds
        counts = _COUNTS.match(reader.text, reader.at)
        low, comma, high = counts.groups() if counts else ("", "", "")
        if counts is None or not (low or (comma and reader.dialect == "python")):
            if reader.dialect == "rust" and reader.peek() == "{":
                reader.fail("a brace that begins no repetition")
            return None
        reader.at = counts.end()
        minimum = int(low or 0)
        return minimum, (int(high) if high else None) if comma else minimum

    def _literal(self, code: int) -> Regex:
        return Chars(fold_case(self.reader, CodePoints.one(code)))

    def _newlines(self) -> CodePoints:
        """What ends a line, for ``.`` and multi-line anchors."""
        return _ECMA_NEWLINES if self.reader.dialect == "ecma" else _NEWLINE

    def _dot(self) -> CodePoints:
        return ANY if self.reader.flags.dot_all else ~self._newlines()

    def _dollar(self) -> Regex:
        """``$``, which in Python also matches before a newline that ends the text."""
        if self.reader.flags.multiline:
            return Edge(ANY, True, self._newlines(), True)
        if self.reader.dialect == "python":
            return Choice((END, Look(sequence((Chars(_NEWLINE), END)), negative=False)))
        return END

    def _word_edge(self, boundary: bool) -> Regex:
        r"""``\b`` or ``\B``; Python's ``\B`` does not match in the empty text."""
        members = word(self.reader)
        if boundary or self.reader.dialect != "python":
            return word_edges(members, boundary=boundary)
        other = ~members
        return Choice(
            (Edge(members, False, members, False), Edge(other, True, other, False), Edge(other, False, other, True))
        )
