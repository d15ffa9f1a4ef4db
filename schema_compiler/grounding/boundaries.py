r"""Where a piece of a document may begin and end: at characters, words, lines or sentences.

The rules are those of UAX #29 (Unicode Text Segmentation) in simple, with one aim: what people copy from a document can
be copied whole, and is not cut in the middle::

    TOTAL (RM): 1,234.50, write to a.b@c.d    words  TOTAL  (RM):  RM  1,234.50  1,234.50,  write  to  a.b@c.d

- ``anywhere``: between any two characters as users see them: not before a combining mark, not inside an emoji that is
  joined of several, a flag, or a syllable of Hangul.
- ``word``: one or more whole words. A word is a run of letters, marks, digits and connectors such as ``_``.
  Punctuation between two of those joins them where both together are one thing: ``.`` ``@`` ``'`` ``-`` and ``&``
  between any, ``,`` and ``:`` between digits, ``/`` where a digit is on either side. A character of a script that is
  written without blanks (Han, Hiragana, Thai, Lao, Khmer, Myanmar, Tibetan) and a symbol such as an emoji is a word by
  itself. A piece may also take in the punctuation that stands before the first word, or behind the last one, between
  two blanks.
- ``line``: one whole line, without the white space at its ends. ``lines``: one or more.
- ``sentence``: one or more whole sentences. One ends behind ``.``, ``!``, ``?`` and the like, with the quotes and
  brackets that close there, before a blank (behind ``。`` and its kind, anywhere), unless a small letter follows; and
  at an empty line, a heading's end, say. Abbreviations are not known.

A piece neither begins nor ends with white space, except with ``anywhere``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.trie import Int32Array
from schema_compiler.grounding.reading_text import ReadingText, flags_of
from schema_compiler.schema.ir import Within

__all__ = ["Boundaries", "boundaries", "meet_boundaries"]

_Flags = npt.NDArray[np.bool_]

_MARKS = frozenset({"Mn", "Mc", "Me"})
_JOINER = "\u200d"
_EXTENDING = (("\u200c", _JOINER), ("\uff9e", "\uff9f"), ("\U0001f3fb", "\U0001f3ff"), ("\U000e0020", "\U000e007f"))
"""The ranges of other characters that extend the one before: joiners, sound marks, skin tones, tags of flags."""
_LINKERS = frozenset(
    "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6"
    "\U00010a3f\U00011133\U000113d0\U0001193e\U00011a47\U00011a99\U00011f42"
)
"""The marks that link a consonant of an Indic script to the one before (the property InCB=Linker)."""
_REGIONAL = ("\U0001f1e6", "\U0001f1ff")
"""The letters of flags, two of which make one."""
_LEADING_JAMO = (("\u1100", "\u115f"), ("\ua960", "\ua97c"))
_OTHER_JAMO = (("\u1160", "\u11ff"), ("\ud7b0", "\ud7fb"))
_SYLLABLES = (("\uac00", "\ud7a3"),)
"""The parts of Hangul's syllables, and those that are one character."""

_WITHOUT_BLANKS = (
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u0f00", "\u0fff"),  # Tibetan
    ("\u1000", "\u109f"),  # Myanmar
    ("\u1780", "\u17ff"),  # Khmer
    ("\u2e80", "\u2fdf"),  # radicals
    ("\u3005", "\u3007"),
    ("\u3040", "\u309f"),  # Hiragana
    ("\u3400", "\u4dbf"),  # Han
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
"""The blocks of scripts that are written without blanks between words."""

_JOINING = frozenset(".@'\u2019-\u2010\u2011\u00ad&\u00b7")
"""What joins two words, of any kind."""
_JOINING_DIGITS = frozenset(",:\u066b\u066c")
"""What joins digits on both sides."""
_JOINING_A_DIGIT = frozenset("/\u2044")
"""What joins a digit on either side to another word."""

_SENTENCE_END = re.compile(
    "(?:[.!?\u2026\u203d\u061f\u06d4\u0964\u0965]+[\"')\\]}\u00bb\u201d\u2019\u203a]*(?=\\s|$)"
    "|[\u3002\uff01\uff1f\uff61\uff0e]+[\"')\\]}\u00bb\u201d\u2019\u300d\u300f\uff09\u3011]*)"
)
"""The terminators of sentences, with what closes behind them; those of the second kind need no blank behind them."""

_SPACE, _WORD, _ALONE, _OTHER = 0, 1, 2, 3
"""The kinds of characters for words: white space, parts of words, words by themselves, punctuation."""


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """Where pieces begin and end: bool ``[characters + 1]``.

    ``bounds``: int32 ``[characters + 1]``, the character before which a piece that begins at a character must end;
    ``None``: no piece need.
    """

    starts: _Flags
    ends: _Flags
    bounds: Int32Array | None = None


def boundaries(text: ReadingText, within: Within) -> Boundaries:
    """The boundaries of the pieces of ``text``; see the module's docstring."""
    match within:
        case "anywhere":
            cuts = np.append(_begins_character(text), True)
            return Boundaries(cuts & (np.arange(cuts.size) < len(text)), cuts & (np.arange(cuts.size) > 0))
        case "word":
            return _words(text)
        case "line":
            return _segments(text, text.breaks > 0, bounded=True)
        case "lines":
            return _segments(text, text.breaks > 0, bounded=False)
        case "sentence":
            return _segments(text, _between_sentences(text), bounded=False)
        case _:
            assert_never(within)


def meet_boundaries(left: Boundaries, right: Boundaries) -> Boundaries:
    """The boundaries of the pieces that obey both."""
    bounds = [one.bounds for one in (left, right) if one.bounds is not None]
    return Boundaries(left.starts & right.starts, left.ends & right.ends, np.minimum.reduce(bounds) if bounds else None)


def _in_ranges(text: ReadingText, ranges: tuple[tuple[str, str], ...]) -> _Flags:
    flags = np.zeros(len(text), np.bool_)
    for low, high in ranges:
        flags |= (text.codes >= ord(low)) & (text.codes <= ord(high))
    return flags


def _in_categories(text: ReadingText, names: frozenset[str]) -> _Flags:
    return flags_of(text.codes, lambda character: unicodedata.category(character) in names)


def _begins_character(text: ReadingText) -> _Flags:
    """Whether a character as users see it begins at each code point (UAX #29, grapheme clusters, in simple)."""
    begins = np.ones(len(text), np.bool_)
    if len(text) < 2 or text.codes.max() < 0x300:
        return begins
    extends = _in_categories(text, _MARKS) | _in_ranges(text, _EXTENDING)
    alone = _in_categories(text, frozenset({"Cc", "Cf", "Zl", "Zp"})) & ~extends | (text.breaks > 0)
    joined = text.codes == ord(_JOINER)
    leading, other = _in_ranges(text, _LEADING_JAMO), _in_ranges(text, _OTHER_JAMO)
    whole = _in_ranges(text, _SYLLABLES)
    attached = extends[1:] & ~alone[:-1]
    attached |= leading[:-1] & (leading | other | whole)[1:]
    attached |= (other | whole)[:-1] & other[1:]
    attached |= _second_of_pairs(_in_ranges(text, (_REGIONAL,)))[1:]
    linkers = flags_of(text.codes, _LINKERS.__contains__)
    blocks = {ord(linker) >> 7 for linker in _LINKERS}
    linked = flags_of(text.codes, lambda one: unicodedata.category(one) == "Lo" and ord(one) >> 7 in blocks)
    attached |= linkers[:-1] & linked[1:]
    begins[1:] = ~attached
    bases = _first_of_each(begins)[:-1]
    pictures = _in_categories(text, frozenset({"So"}))
    begins[1:] &= ~(joined[:-1] & pictures[1:] & pictures[bases])
    return begins


def _first_of_each(begins: _Flags) -> npt.NDArray[np.intp]:
    """For each code point the place of the one that begins its character."""
    return np.maximum.accumulate(np.where(begins, np.arange(begins.size), 0))


def _second_of_pairs(flags: _Flags) -> _Flags:
    """Every second one of each run of ``flags``."""
    places = np.arange(flags.size)
    run_start = np.maximum.accumulate(np.where(flags, 0, places + 1))
    second: _Flags = flags & ((places - run_start) % 2 == 1)
    return second


def _words(text: ReadingText) -> Boundaries:
    size = len(text)
    if not size:
        return Boundaries(np.zeros(1, np.bool_), np.zeros(1, np.bool_))
    begins = _begins_character(text)
    kinds = _with_joined_words(text, _kinds(text, begins), begins)
    kinds = np.concatenate(([_SPACE], kinds, [_SPACE]))  # character i is at i + 1
    cuts = np.append(begins, True)
    before, after = kinds[:-1], kinds[1:]
    is_word_before, is_word_after = (before == _WORD) | (before == _ALONE), (after == _WORD) | (after == _ALONE)
    edges = cuts & ((before != _WORD) | (after != _WORD))
    starts = edges & is_word_after
    ends = edges & is_word_before
    leading, trailing = _outer_punctuation(kinds[1:-1])
    starts[:-1] |= cuts[:-1] & leading
    ends[1:] |= cuts[1:] & trailing
    return Boundaries(starts, ends)


def _kinds(text: ReadingText, begins: _Flags) -> npt.NDArray[np.int8]:
    """The kind of each character, that of what extends it being the same."""
    kinds = np.full(len(text), _OTHER, np.int8)
    categories = ("L", "M", "N")
    kinds[flags_of(text.codes, lambda one: unicodedata.category(one)[0] in categories)] = _WORD
    kinds[_in_categories(text, frozenset({"Pc", "Co", "Cn"}))] = _WORD
    kinds[_in_categories(text, frozenset({"So"}))] = _ALONE
    kinds[_in_ranges(text, _WITHOUT_BLANKS) & (kinds == _WORD) & ~_in_categories(text, frozenset({"Nd"}))] = _ALONE
    kinds[flags_of(text.codes, str.isspace)] = _SPACE
    return kinds[_first_of_each(begins)]


def _with_joined_words(text: ReadingText, kinds: npt.NDArray[np.int8], begins: _Flags) -> npt.NDArray[np.int8]:
    """``kinds``, with punctuation that joins two words made part of one, and what extends it."""
    first = np.flatnonzero(begins)
    if first.size < 3:
        return kinds
    codes, own = text.codes[first], kinds[first]
    digits = _in_categories(text, frozenset({"Nd"}))[first]
    invisible = _in_categories(text, frozenset({"Cf"}))[first] & (codes != 0x200B)
    joins = flags_of(codes, _JOINING.__contains__) | invisible
    joins_digits = flags_of(codes, _JOINING_DIGITS.__contains__)
    joins_a_digit = flags_of(codes, _JOINING_A_DIGIT.__contains__)
    left, middle, right = slice(None, -2), slice(1, -1), slice(2, None)
    joined = joins[middle] | (joins_digits[middle] & digits[left] & digits[right])
    joined |= joins_a_digit[middle] & (digits[left] | digits[right])
    joined &= (own[left] == _WORD) & (own[right] == _WORD) & (own[middle] == _OTHER)
    own[middle][joined] = _WORD
    result: npt.NDArray[np.int8] = own[np.cumsum(begins) - 1]
    return result


def _outer_punctuation(kinds: npt.NDArray[np.int8]) -> tuple[_Flags, _Flags]:
    """The punctuation before the first word, and that behind the last one, of each run between two blanks."""
    return _before_first_word(kinds), _before_first_word(kinds[::-1])[::-1]


def _before_first_word(kinds: npt.NDArray[np.int8]) -> _Flags:
    places = np.arange(kinds.size)
    is_word = (kinds == _WORD) | (kinds == _ALONE)
    last_word = np.maximum.accumulate(np.where(is_word, places, -1))
    last_space = np.maximum.accumulate(np.where(kinds == _SPACE, places, -1))
    next_word = np.minimum.accumulate(np.where(is_word, places, kinds.size)[::-1])[::-1]
    next_space = np.minimum.accumulate(np.where(kinds == _SPACE, places, kinds.size)[::-1])[::-1]
    flags: _Flags = (kinds == _OTHER) & (last_word <= last_space) & (next_word < next_space)
    return flags


def _between_sentences(text: ReadingText) -> _Flags:
    """The blanks between two sentences, and the first character of one that follows another without a blank."""
    between = text.breaks > 1
    read = text.text
    for match in _SENTENCE_END.finditer(read):
        following = match.end()
        while following < len(read) and read[following].isspace():
            following += 1
        if following < len(read) and not read[following].islower():
            between[match.end()] = True
    return between


def _segments(text: ReadingText, between: _Flags, *, bounded: bool) -> Boundaries:
    """The boundaries of the segments that ``between`` parts; ``bounded``: a piece is one of them.

    White space at the ends of a segment is no part of it.
    """
    size = len(text)
    starts, ends = np.zeros((2, size + 1), np.bool_)
    bounds = np.full(size + 1, size, np.int32)
    solid = np.flatnonzero(~flags_of(text.codes, str.isspace))
    if solid.size:
        segments = np.cumsum(between)[solid]
        changes = np.flatnonzero(np.diff(segments)) + 1
        first = solid[np.append(0, changes)]
        behind = solid[np.append(changes - 1, solid.size - 1)] + 1
        starts[first] = ends[behind] = True
        bounds[first] = behind
    return Boundaries(starts, ends, bounds if bounded else None)
