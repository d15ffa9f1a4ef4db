"""Accept sequences of every length against the exact answer, and what a token of Python costs.

Soundness and completeness: over the whole vocabulary, in states along the documents of three languages and a few random
tokens beyond, how many legal tokens a mask drops, and how many illegal ones it keeps. The exact answer is ``accept``,
which reads a token byte by byte, and is itself compared with ``re`` and Lark's parser on a sample of tokens. The
engine without a lexer is exact too, for another language: it cuts text into terminals in every way, so ``ifx`` may be
``if x``.

``python -m tests.benchmarks.grammars.lexed`` writes the table into CONTRIBUTING.md.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import perf_counter

import lark
import numpy as np
import numpy.typing as npt
from rich.table import Table

from schema_compiler import Vocabulary, compile_grammar
from schema_compiler.engine.matcher import Matcher
from schema_compiler.lexed.compile import CompiledLexed, compile_lexed
from schema_compiler.lexed.indentation import Indentation
from tests.benchmarks.cases import SHARED, TokenizerFolder
from tests.schema_compiler.lexed.languages import ARITHMETIC, JSON, PYTHON, Language
from tests.schema_compiler.lexed.oracle import Oracle

__all__ = ["Counts", "compared", "section", "tables", "write"]

_Flags = npt.NDArray[np.bool_]

LIMITS = (1, 2, 3, None)
LANGUAGES = (JSON, ARITHMETIC, PYTHON)
CONTRIBUTING = Path(__file__).parents[3] / "CONTRIBUTING.md"
BEGIN, END = "<!-- lexed: python -m tests.benchmarks.grammars.lexed -->\n", "<!-- end of lexed -->\n"


@dataclass(frozen=True, slots=True)
class Counts:
    """One language: ``systems``, by name, have (legal tokens dropped, illegal tokens kept) for each state.

    ``legal``: how many tokens are legal in each state. ``asked``, ``differing``: tokens put to the naive oracle too.
    """

    language: str
    legal: list[int]
    systems: dict[str, list[tuple[int, int]]]
    asked: int
    differing: int


def compared(language: Language, vocabulary: Vocabulary, *, states: int = 8, sample: int = 40) -> Counts:
    """Masks of all systems in random states, against the exact answer."""
    compiled = {_name(limit): compile_lexed(language.grammar, vocabulary, lookahead=limit) for limit in LIMITS}
    scannerless = compile_grammar(language.grammar, vocabulary)
    oracle = Oracle(language.grammar, language.lexemes)
    counts = Counts(language.name, [], {name: [] for name in [*compiled, "no lexer"]}, 0, 0)
    asked = differing = 0
    for seed in range(states):
        source = random.Random(seed)
        tokens = _text(compiled[_name(None)], source, language)
        exact = _led(compiled[_name(None)].matcher(), tokens)
        legal = np.array([exact.fork().accept(number) for number in range(len(vocabulary))])
        counts.legal.append(int(legal.sum()))
        for name, matcher in [
            *((name, each.matcher()) for name, each in compiled.items()),
            ("no lexer", scannerless.matcher()),
        ]:
            mask = _flags(_led(matcher, tokens), vocabulary)
            counts.systems[name].append((int((legal & ~mask).sum()), int((mask & ~legal).sum())))
        for number in _sample(legal, vocabulary, source, sample):
            text = b"".join(vocabulary.tokens[token] or b"" for token in [*tokens, number]).decode()
            asked += 1
            differing += oracle.legal(text) != legal[number]
    return Counts(counts.language, counts.legal, counts.systems, asked, differing)


def _name(limit: int | None) -> str:
    return "no limit" if limit is None else f"k = {limit}"


def _text(compiled: CompiledLexed, source: random.Random, language: Language) -> list[int]:
    """The tokens of a document's beginning, and up to three random legal ones of ASCII characters."""
    document = source.choice(language.documents).encode()
    tokens = compiled.vocabulary.tokenize(document[: source.randrange(len(document))])
    matcher = _led(compiled.matcher(), tokens)
    for _ in range(source.randrange(4)):
        plain = [
            number
            for number in np.flatnonzero(_flags(matcher, compiled.vocabulary)).tolist()
            if _plain(compiled.vocabulary, number)
        ]
        tokens.append(source.choice(plain))
        matcher.accept(tokens[-1])
    return tokens


def _plain(vocabulary: Vocabulary, number: int) -> bool:
    text = vocabulary.tokens[number]
    return text is not None and text.isascii()


def _led(matcher: Matcher, tokens: list[int]) -> Matcher:
    for token in tokens:
        assert matcher.accept(token)
    return matcher


def _flags(matcher: Matcher, vocabulary: Vocabulary) -> _Flags:
    return np.unpackbits(matcher.mask().view(np.uint8), count=len(vocabulary), bitorder="little").astype(np.bool_)


def _sample(legal: _Flags, vocabulary: Vocabulary, source: random.Random, count: int) -> list[int]:
    """Legal and illegal tokens of ASCII characters, as many of both as there are."""
    sides = [
        [number for number in np.flatnonzero(side).tolist() if _plain(vocabulary, number)] for side in (legal, ~legal)
    ]
    return [number for side in sides for number in source.sample(side, min(len(side), count // 2))]


@dataclass(frozen=True, slots=True)
class Timing:
    """One limit: seconds to compile; microseconds a token, mask and step, the first time a text is read and the second.

    ``early``, ``late``: means of the first time, over the first and the second half of the text.
    """

    name: str
    compile: float
    early: float
    late: float
    again: float
    states: int


def timed(vocabulary: Vocabulary, limit: int | None, tokens: list[int]) -> Timing:
    """Python by Lark's own grammar, its blocks included."""
    grammar = Path(lark.__file__).parent / "grammars" / "python.lark"
    start = perf_counter()
    compiled = compile_lexed(grammar, vocabulary, start="file_input", indentation=Indentation(), lookahead=limit)
    built = perf_counter() - start
    (first, numbers), (second, _) = (_read(compiled.matcher(), tokens) for _ in range(2))
    half = len(tokens) // 2
    return Timing(_name(limit), built, fmean(first[:half]), fmean(first[half:]), fmean(second), len(numbers))


def _read(matcher: Matcher, tokens: list[int]) -> tuple[list[float], set[int]]:
    times, numbers = [], set()
    for token in tokens:
        start = perf_counter()
        matcher.mask()
        assert matcher.accept(token)
        times.append((perf_counter() - start) * 1e6)
        numbers.add(matcher.state_id)
    return times, numbers


def tables(vocabulary: Vocabulary) -> Iterator[Table | str]:
    """Soundness and completeness, then times."""
    counts = [compared(language, vocabulary) for language in LANGUAGES]
    title = f"Legal tokens dropped / illegal ones kept, means over states, {len(vocabulary):,} tokens"
    table = Table("", *(each.language for each in counts), title=title, title_justify="left")
    for row in _rows(counts):
        table.add_row(*row)
    yield table
    tokens = vocabulary.tokenize(Path(textwrap.__file__).read_bytes())[:2000]
    title = f"{len(tokens):,} tokens of Python, mask and step"
    columns = ("", "compile s", "1st half µs", "2nd half µs", "again µs", "states")
    table = Table(*columns, title=title, title_justify="left")
    for timing in (timed(vocabulary, limit, tokens) for limit in LIMITS):
        times = (f"{value:.1f}" for value in (timing.compile, timing.early, timing.late, timing.again))
        table.add_row(timing.name, *times, str(timing.states))
    yield table


def _rows(counts: list[Counts]) -> Iterator[list[str]]:
    """States and legal tokens, a row for each system, and what the naive oracle says."""
    yield ["states", *(str(len(each.legal)) for each in counts)]
    yield ["legal tokens", *(f"{fmean(each.legal):,.0f}" for each in counts)]
    for name in counts[0].systems:
        pairs = [zip(*each.systems[name], strict=True) for each in counts]
        yield [name, *(" / ".join(f"{fmean(values):,.1f}" for values in pair) for pair in pairs)]
    yield ["put to the naive oracle / differing", *(f"{each.asked} / {each.differing}" for each in counts)]


def section(vocabulary: Vocabulary) -> str:
    """The first table, as it stands in CONTRIBUTING.md."""
    counts = [compared(language, vocabulary) for language in LANGUAGES]
    lines = [["", *(each.language for each in counts)], ["---", *("---:" for _ in counts)], *_rows(counts)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write(vocabulary: Vocabulary) -> None:
    """Put the table between its marks."""
    before, _, rest = CONTRIBUTING.read_text().partition(BEGIN)
    CONTRIBUTING.write_text(before + BEGIN + section(vocabulary) + END + rest.partition(END)[2])


if __name__ == "__main__":
    write(TokenizerFolder(SHARED / "tokenizers" / "llama-3.1").vocabulary())
