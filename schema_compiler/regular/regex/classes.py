r"""Escapes and bracket expressions: the parts of a pattern that mean one character out of a set.

The dialects agree on the notation and differ in what it means: ``\d`` is ASCII in ECMA-262 and any decimal digit of
Unicode in Rust and Python; only Rust nests classes and has set operations (``[a-z&&[^aeiou]]``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from schema_compiler.errors import PatternError
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.regular.text import categories
from schema_compiler.regular.text.codepoints import ANY, NONE, CodePoints

__all__ = ["Flags", "Reader", "bracket", "escape", "fold_case", "word"]

# What escapes and POSIX classes mean, by the documents of the dialects: ECMA-262, sections WhiteSpace, LineTerminator
# and CharacterClassEscape; the syntax page of Rust's `regex` crate; the page of Python's `re`

_ASCII_DIGIT = CodePoints.of((0x30, 0x39))
_ASCII_WORD = CodePoints.of((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_ASCII_LETTER = CodePoints.of((0x41, 0x5A), (0x61, 0x7A))
_ASCII_SPACE = CodePoints.of((0x09, 0x0D), (0x20, 0x20))
_BLANKS = CodePoints.of((0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
                        (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000))  # fmt: skip
_ECMA_SPACE = CodePoints.of((0x09, 0x0D), (0xFEFF, 0xFEFF)) | _BLANKS
_RUST_SPACE = CodePoints.of((0x09, 0x0D), (0x85, 0x85)) | _BLANKS
_POSIX = {
    "alnum": _ASCII_DIGIT | _ASCII_LETTER,
    "alpha": _ASCII_LETTER,
    "ascii": CodePoints.of((0, 0x7F)),
    "blank": CodePoints.chars("\t "),
    "cntrl": CodePoints.of((0, 0x1F), (0x7F, 0x7F)),
    "digit": _ASCII_DIGIT,
    "graph": CodePoints.of((0x21, 0x7E)),
    "lower": CodePoints.of((0x61, 0x7A)),
    "print": CodePoints.of((0x20, 0x7E)),
    "punct": CodePoints.of((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": _ASCII_SPACE,
    "upper": CodePoints.of((0x41, 0x5A)),
    "word": _ASCII_WORD,
    "xdigit": CodePoints.of((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_HEX_LENGTHS = {"x": 2, "u": 4, "U": 8}
_OPERATORS: dict[str, Callable[[CodePoints, CodePoints], CodePoints]] = {
    "&&": CodePoints.__and__,
    "--": CodePoints.__sub__,
    "~~": CodePoints.__xor__,
}


@dataclass(frozen=True, slots=True)
class Flags:
    """What inline flags switch on: ``i``, ``m``, ``s``, ``x`` and Python's ``a``."""

    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    verbose: bool = False
    ascii: bool = False


@dataclass(slots=True)
class Reader:
    """A pattern while it is read: ``at`` is the index of the next character, ``flags`` are those that hold there.

    ``asks_unicode``: the meaning of what has been read depends on the version of Unicode.
    """

    text: str
    dialect: Dialect
    flags: Flags = Flags()
    at: int = 0
    asks_unicode: bool = False

    def peek(self, length: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.text[self.at : self.at + length]

    def next(self) -> str:
        """The next character, consumed; ``PatternError`` at the end."""
        if self.at == len(self.text):
            self.fail("the pattern ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def take(self, expected: str) -> bool:
        """Consume ``expected`` if it comes next."""
        is_next = self.text.startswith(expected, self.at)
        self.at += len(expected) * is_next
        return is_next

    def until(self, end: str) -> str:
        """Everything up to ``end``, both consumed; ``PatternError`` where there is no ``end``."""
        stop = self.text.find(end, self.at)
        if stop < 0:
            self.fail(f"expected a closing {end!r}")
        start, self.at = self.at, stop + len(end)
        return self.text[start:stop]

    def skip_blanks(self) -> None:
        """Skip ``(?#...)``, and white space and comments where the ``x`` flag makes them insignificant."""
        while self.at < len(self.text):
            if not self.flags.verbose and self.text[self.at] != "(":
                return
            if self.dialect != "rust" and self.take("(?#"):
                self.until(")")
            elif not self.flags.verbose:
                return
            elif self.take("#"):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.peek().isspace():
                self.at += 1
            else:
                return

    def fail(self, message: str) -> NoReturn:
        """Raise ``PatternError`` for the current position."""
        raise PatternError(message, self.text, self.at)


def fold_case(reader: Reader, members: CodePoints) -> CodePoints:
    """``members`` and, under the ``i`` flag, the characters that differ from them only by case."""
    if not reader.flags.ignore_case:
        return members
    if reader.dialect != "python":
        return categories.fold_simple(members)
    if reader.flags.ascii:
        letters = (members & _ASCII_LETTER).ranges
        return members | CodePoints.of(*((low ^ 0x20, high ^ 0x20) for low, high in letters))
    return categories.fold_python(members)


def word(reader: Reader) -> CodePoints:
    r"""The word characters of ``\w`` and ``\b``."""
    return _perl_class(reader, "w")


def _perl_class(reader: Reader, letter: str) -> CodePoints:
    r"""``\d``, ``\w`` or ``\s``."""
    if reader.dialect == "ecma" or reader.flags.ascii:
        spaces = _ECMA_SPACE if reader.dialect == "ecma" else _ASCII_SPACE
        return {"d": _ASCII_DIGIT, "w": _ASCII_WORD, "s": spaces}[letter]
    if reader.dialect == "python":
        return {"d": categories.python_digit, "w": categories.python_word, "s": categories.python_space}[letter]()
    if letter == "s":
        return _RUST_SPACE
    reader.asks_unicode = True
    return categories.rust_word() if letter == "w" else categories.category("Nd") or NONE


def escape(reader: Reader, *, bracketed: bool = False) -> int | CodePoints:
    """What stands after a backslash: a code point (maybe a surrogate) or a set.

    ``bracketed``: in a bracket expression. Raises ``PatternError`` for an escape that is unknown or not regular.
    """
    start = reader.at
    char = reader.next()
    if char.lower() in "dws":
        members = fold_case(reader, _perl_class(reader, char.lower()))
        return ~members if char.isupper() else members
    if char in "pP" and reader.dialect != "python":
        return _property(reader, negated=char == "P")
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char == "b" and bracketed:
        return 0x08
    if char == "a" and reader.dialect != "ecma":
        return 0x07
    if char == "c" and reader.dialect == "ecma" and reader.peek().isascii() and reader.peek().isalpha():
        return ord(reader.next()) % 32
    if char in _HEX_LENGTHS:
        return _hexadecimal(reader, char)
    if char == "0":
        return _octal(reader)
    reader.at = start
    if char.isdigit() or char == "k":
        reader.fail(f"backreference \\{char} is not supported: it is not regular")
    if char.isascii() and char.isalpha():
        reader.fail(f"escape \\{char} is not known")
    return ord(reader.next())


def _hexadecimal(reader: Reader, kind: str) -> int:
    r"""``\xHH``, ``\uHHHH``, ``\UHHHHHHHH`` or braces; two surrogates of ECMA-262 make one code point."""
    if kind in "xu" and reader.dialect != "python" and reader.take("{"):
        return _code_point(reader, reader.until("}"))
    digits = reader.peek(_HEX_LENGTHS[kind])
    if len(digits) < _HEX_LENGTHS[kind]:
        reader.fail(f"expected {_HEX_LENGTHS[kind]} hex digits, found {digits!r}")
    reader.at += len(digits)
    code = _code_point(reader, digits)
    low = reader.peek(6)
    if kind == "u" and 0xD800 <= code < 0xDC00 and low[:2] == "\\u" and low[2:4].lower() in ("dc", "dd", "de", "df"):
        reader.at += 6
        return 0x10000 + ((code & 0x3FF) << 10 | _code_point(reader, low[2:]) & 0x3FF)
    return code


def _octal(reader: Reader) -> int:
    r"""``\0``, and in Python up to two more octal digits."""
    digits = "0"
    while reader.dialect == "python" and len(digits) < 3 and reader.peek() in tuple("01234567"):
        digits += reader.next()
    if reader.peek().isdigit() and reader.dialect != "python":
        reader.fail("octal escapes are not supported")
    return int(digits, 8)


def _code_point(reader: Reader, digits: str) -> int:
    """The code point with these hex digits."""
    if not digits or any(digit not in "0123456789abcdef" for digit in digits.lower()) or int(digits, 16) > 0x10FFFF:
        reader.fail(f"{digits!r} is not the number of a code point")
    return int(digits, 16)


def _property(reader: Reader, *, negated: bool) -> CodePoints:
    r"""``\pL``, ``\p{Lu}``, ``\p{gc=Lu}`` or ``\p{^Lu}``, read after its ``p``."""
    start = reader.at
    name = reader.until("}") if reader.take("{") else reader.next()
    caret = name.startswith("^")
    key, separator, value = name.lstrip("^").replace(":", "=").partition("=")
    known_key = not separator or key.lower().replace("_", "") in ("gc", "generalcategory")
    members = categories.category(value if separator else key) if known_key else None
    if members is None:
        reader.at = start
        reader.fail(f"Unicode property {name!r} is not supported: only general categories are")
    reader.asks_unicode = True
    members = fold_case(reader, members)
    return ~members if negated != caret else members


def bracket(reader: Reader) -> CodePoints:
    """A bracket expression whose ``[`` has been read; reads its ``]``. ``PatternError`` where it is malformed."""
    start = reader.at
    negated = reader.take("^")
    left: CodePoints | None = None
    operator = ""
    items: list[CodePoints] = []
    first = reader.dialect != "ecma"
    while True:
        if reader.dialect == "rust":
            reader.skip_blanks()
        if reader.at == len(reader.text):
            reader.at = start
            reader.fail("character class without a closing ']'")
        if not first and reader.take("]"):
            break
        first = False
        if reader.dialect == "rust" and reader.peek(2) in _OPERATORS:
            members = CodePoints.union(items)
            left = members if left is None else _OPERATORS[operator](left, members)
            operator, items = reader.peek(2), []
            reader.at += 2
        else:
            items.append(_item(reader))
    members = CodePoints.union(items)
    result = members if left is None else _OPERATORS[operator](left, members)
    return ~result if negated else result


def _item(reader: Reader) -> CodePoints:
    """A character, a range, a class escape, or (Rust) a nested class."""
    if reader.dialect == "rust" and reader.take("[:"):
        return _posix(reader)
    if reader.dialect == "rust" and reader.take("["):
        return bracket(reader)
    low = _bracket_member(reader)
    ahead = reader.peek(2)
    if isinstance(low, CodePoints) or len(ahead) < 2 or ahead[0] != "-" or ahead[1] == "]":
        return _members(reader, low)
    if reader.dialect == "rust" and ahead == "--":
        return _members(reader, low)
    start = reader.at
    reader.at += 1
    high = _bracket_member(reader)
    if isinstance(high, CodePoints):
        return _members(reader, low) | CodePoints.chars("-") | high
    if high < low:
        reader.at = start
        reader.fail(f"range from U+{low:04X} down to U+{high:04X}")
    return fold_case(reader, CodePoints.of((low, high)))


def _bracket_member(reader: Reader) -> int | CodePoints:
    """A character or an escape, maybe one end of a range."""
    return escape(reader, bracketed=True) if reader.take("\\") else ord(reader.next())


def _members(reader: Reader, item: int | CodePoints) -> CodePoints:
    """What a character or an escape stands for where it is no end of a range."""
    return item if isinstance(item, CodePoints) else fold_case(reader, CodePoints.one(item))


def _posix(reader: Reader) -> CodePoints:
    """``[:alpha:]`` or ``[:^alpha:]``, the ``[:`` read."""
    name = reader.until(":]")
    members = _POSIX.get(name.lstrip("^"))
    if members is None:
        reader.fail(f"POSIX class {name!r} is not known: expected one of {', '.join(_POSIX)}")
    members = fold_case(reader, members)
    return ANY - members if name.startswith("^") else members
