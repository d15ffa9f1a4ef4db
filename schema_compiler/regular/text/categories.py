r"""Character classes from the Unicode data of the running Python.

The standard library knows the general category and the case mappings of every code point, but no scripts; so
``\p{Lu}`` is here and ``\p{Greek}`` is refused. Everything is computed on first use (the category table takes a
hundredth of a second) and kept.

The engine that judges the text may know a later version of Unicode. What it calls a letter can differ only for code
points that are unassigned here; patterns that ask for categories therefore leave these out (see ``regex.language``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np

from schema_compiler.regular.text.codepoints import ANY, LAST, CodePoints

__all__ = ["category", "fold_python", "fold_simple", "python_digit", "python_space", "python_word", "rust_word"]

_IDEOGRAPHS = (0x20000, 0x40000)
"""Planes 2 and 3: what is assigned there is "other letters", so one quick test per code point tells the category."""
_TAGS = (0xE0000, 0xE1000)
"""The only other part beyond the ideographs with assigned code points, besides those for private use."""
_PRIVATE = ((0xF0000, 0xFFFFE), (0x100000, 0x10FFFE))
"""Planes 15 and 16, for private use; their last two code points are unassigned for ever."""

_LONG_NAMES = {
    "letter": "L", "casedletter": "LC", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt",
    "modifierletter": "Lm", "otherletter": "Lo", "mark": "M", "combiningmark": "M", "nonspacingmark": "Mn",
    "spacingmark": "Mc", "enclosingmark": "Me", "number": "N", "decimalnumber": "Nd", "digit": "Nd",
    "letternumber": "Nl", "othernumber": "No", "punctuation": "P", "punct": "P", "connectorpunctuation": "Pc",
    "dashpunctuation": "Pd", "openpunctuation": "Ps", "closepunctuation": "Pe", "initialpunctuation": "Pi",
    "finalpunctuation": "Pf", "otherpunctuation": "Po", "symbol": "S", "mathsymbol": "Sm", "currencysymbol": "Sc",
    "modifiersymbol": "Sk", "othersymbol": "So", "separator": "Z", "spaceseparator": "Zs", "lineseparator": "Zl",
    "paragraphseparator": "Zp", "other": "C", "control": "Cc", "cntrl": "Cc", "format": "Cf", "privateuse": "Co",
    "unassigned": "Cn",
}  # fmt: skip
"""The names of general categories and their aliases in Unicode's PropertyValueAliases.txt, in lower case."""


def _text(low: int, high: int) -> str:
    """All code points from ``low`` to before ``high``."""
    return np.arange(low, high, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


@cache
def _categories() -> dict[str, list[tuple[int, int]]]:
    """The ranges of each general category, inclusive, in order."""
    names = np.full(LAST + 1, "Cn", "S2")
    for low, high in ((0, _IDEOGRAPHS[0]), _TAGS):
        names[low:high] = np.frombuffer("".join(map(unicodedata.category, _text(low, high))).encode(), "S2")
    names[slice(*_IDEOGRAPHS)][np.fromiter(map(str.isalpha, _text(*_IDEOGRAPHS)), np.bool_)] = "Lo"
    for low, high in _PRIVATE:
        names[low:high] = "Co"
    codes = names.view("<u2")
    starts = np.concatenate([[0], np.flatnonzero(codes[1:] != codes[:-1]) + 1])
    ends = np.append(starts[1:], LAST + 1) - 1
    ranges: dict[str, list[tuple[int, int]]] = {}
    for name, low, high in zip(names[starts].astype(str).tolist(), starts.tolist(), ends.tolist(), strict=True):
        ranges.setdefault(name, []).append((low, high))
    return ranges


@cache
def _one_category(name: str) -> CodePoints:
    return CodePoints.of(*_categories()[name])


@cache
def category(name: str) -> CodePoints | None:
    r"""The set that ``\p{name}`` means: a general category, short or long, or ``Any``, ``ASCII``, ``Assigned``.

    Case, spaces, hyphens and underscores do not matter. None when the name is none of these.
    """
    plain = "".join(char for char in name if char not in "_- ").lower()
    if plain == "any":
        return ANY
    if plain == "ascii":
        return CodePoints.of((0, 0x7F))
    if plain == "assigned":
        return ~_one_category("Cn")
    short = _LONG_NAMES.get(plain, plain.capitalize())
    if short.lower() in ("lc", "l&"):
        return _any_of("Lu", "Ll", "Lt")
    members = [known for known in _categories() if known == short or (len(short) == 1 and known[0] == short)]
    return _any_of(*members) if members else None


def _any_of(*names: str) -> CodePoints:
    """The members of any of these categories, by their short names."""
    return CodePoints.of(*(span for name in names for span in _one_category(name).ranges))


@cache
def rust_word() -> CodePoints:
    r"""``\w`` of Rust's regex crate: UTS #18's Alphabetic, M, Nd, Pc and Join_Control.

    Beyond letters, letter numbers and marks, Alphabetic has the circled and squared Latin letters.
    """
    enclosed = CodePoints.of((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
    joiners = CodePoints.of((0x200C, 0x200D))
    return _any_of("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Mn", "Mc", "Me", "Nd", "Pc") | enclosed | joiners


def _python_class(test: Callable[[str], bool]) -> CodePoints:
    """The characters for which a method of ``str`` holds; none of them is beyond the ideographs."""
    return CodePoints.where(np.fromiter(map(test, _text(0, _IDEOGRAPHS[1])), np.bool_))


@cache
def python_word() -> CodePoints:
    r"""``\w`` of Python's ``re``."""
    return _python_class(str.isalnum) | CodePoints.chars("_")


@cache
def python_digit() -> CodePoints:
    r"""``\d`` of Python's ``re``."""
    return _python_class(str.isdecimal)


@cache
def python_space() -> CodePoints:
    r"""``\s`` of Python's ``re``."""
    return _python_class(str.isspace)


def fold_simple(members: CodePoints) -> CodePoints:
    """All characters that equal a member under Unicode's simple case folding (Rust, ECMA-262 with ``u``)."""
    return _with_partners(members, _simple_partners())


def fold_python(members: CodePoints) -> CodePoints:
    """All characters that Python's ``re.IGNORECASE`` takes for a member."""
    return _with_partners(members, _python_partners())


_Partners: TypeAlias = tuple[CodePoints, dict[int, frozenset[int]]]
"""The characters that are equal to others but for case, and for each of them all that are equal to it."""


def _with_partners(members: CodePoints, partners: _Partners) -> CodePoints:
    cased, groups = partners
    touched = {code for low, high in (members & cased).ranges for code in range(low, high + 1)}
    return members | CodePoints.of(*((other, other) for code in touched for other in groups[code]))


def _group_by_key(keys: dict[int, str]) -> _Partners:
    """Characters with equal keys are partners; groups of one are left out."""
    groups: dict[str, set[int]] = {}
    for code, key in keys.items():
        groups.setdefault(key, set()).add(code)
    group_of = {code: frozenset(group) for group in groups.values() if len(group) > 1 for code in group}
    return CodePoints.of(*((code, code) for code in group_of)), group_of


@cache
def _cased_characters() -> list[str]:
    """Every character that a case mapping changes, or changes another one to."""
    blocks = (_text(low, low + 0x100) for low in range(0, 0x20000, 0x100))
    cased = "".join(block for block in blocks if not block == block.lower() == block.upper() == block.casefold())
    changed = {char for char in cased if not char == char.lower() == char.upper() == char.casefold()}
    return sorted(changed | {to for char in changed for to in (char.lower(), char.upper()) if len(to) == 1})


@cache
def _simple_partners() -> _Partners:
    """Partners have one case folding."""
    return _group_by_key({ord(char): char.casefold() for char in _cased_characters()})


@cache
def _python_partners() -> _Partners:
    """``re`` compares lower cases, and takes characters for equal whose lower cases have one upper case."""
    return _group_by_key({ord(char): char.lower()[0].upper() for char in _cased_characters()})
