r"""Whether several string languages share a text, without building the automaton of what they share.

The question comes up for keys that match two patterns, or for strings in two branches of ``oneOf``. Mostly a short
text, the witness, answers it, or the first characters do::

    /^name:/ and /^title:/          no: the texts begin differently, which the patterns say themselves
    /a/, /b/ and not /^x/           yes: "ab"

So the automata run side by side, byte by byte, only as far as the answer needs, and first where the least is
left to read (best-first search). A negated pattern runs as the pattern itself, which must then not accept. Source:
emptiness checking on the fly, as in model checkers (Courcoubetis et al., Memory-Efficient Algorithms for the
Verification of Temporal Properties, 1992).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from typing import TypeAlias

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.operations import PRODUCT_BUDGET
from schema_compiler.regular.automata.properties import byte_classes, fewest_characters
from schema_compiler.regular.formats import format_string
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.regex.parser import parse
from schema_compiler.regular.regex.syntax import END, START, Chars, Sequence
from schema_compiler.regular.text.json_strings import any_string
from schema_compiler.schema.ir import String

__all__ = ["begin_differently", "holds_plainly", "is_shared", "only_text"]

_QUOTE = ord('"')
_DEAD = -1
"""What a ``Dfa`` has in the place of a next state where no text of its language goes on."""
_States: TypeAlias = tuple[int, ...]
"""The state of each automaton, or ``_DEAD``."""


def begin_differently(patterns: Iterable[Pattern]) -> bool:
    """Whether two of the patterns write out first characters that differ. Raises ``PatternError``."""
    beginnings = [_first_characters(pattern) for pattern in patterns if not pattern.negated]
    return any(not left.startswith(right) and not right.startswith(left) for left, right in combinations(beginnings, 2))


def holds_plainly(pattern: Pattern, text: str) -> bool | None:
    """Whether ``pattern`` holds for ``text``; ``None`` if its first characters do not tell. Raises ``PatternError``."""
    if text.startswith(_first_characters(pattern)) or (pattern.negated and not _is_inverted(pattern)):
        return None
    return pattern.negated


def only_text(pattern: Pattern) -> str | None:
    """The only text that matches ``pattern`` (if negated: that does not), where it is written out, as in ``^name$``.

    ``None`` for all other patterns. Raises ``PatternError``.
    """
    parsed = parse(pattern.regex, pattern.dialect)
    text = _first_characters(pattern)
    parts = parsed.regex.parts if isinstance(parsed.regex, Sequence) else ()
    is_whole = len(parts) == len(text) + 2 and (parts[0], parts[-1]) == (START, END) and not parsed.asks_unicode
    return text if is_whole else None


def is_shared(string: String) -> bool:
    """Whether some text satisfies lengths, patterns and formats together.

    Raises ``PatternError`` for a pattern that cannot be read, ``UnsupportedSchemaError`` for an unknown format, and
    ``CompileBudgetError`` where it takes too long to tell.
    """
    has_only_patterns = not (string.min_length or string.formats or string.excluded)
    if has_only_patterns and all(holds_plainly(pattern, "") for pattern in string.patterns):
        return True
    wanted = [pattern_string(pattern) for pattern in string.patterns if not _is_inverted(pattern)]
    wanted += map(format_string, string.formats)
    unwanted = [pattern_string(replace(one, negated=False)) for one in string.patterns if _is_inverted(one)]
    unwanted += map(format_string, string.excluded)
    return _Product(wanted or [any_string()], unwanted).has_text(string.min_length, string.max_length)


def _is_inverted(pattern: Pattern) -> bool:
    """Whether ``pattern`` is negated, and its language is exactly the complement of the pattern without negation.

    It is not where the pattern depends on the version of Unicode: then both leave out the code points in doubt.
    """
    return pattern.negated and not parse(pattern.regex, pattern.dialect).asks_unicode


@lru_cache(maxsize=1024)
def _first_characters(pattern: Pattern) -> str:
    """The characters that ``pattern`` writes out behind a leading ``^``: every matching text begins with them."""
    term = parse(pattern.regex, pattern.dialect).regex
    characters = ""
    if isinstance(term, Sequence) and term.parts[:1] == (START,):
        for part in term.parts[1:]:
            if not isinstance(part, Chars) or len(part.members.ranges) != 1:
                break
            low, high = part.members.ranges[0]
            if low != high:
                break
            characters += chr(low)
    return characters


class _Product:
    """The product of automata of quoted strings: the ``wanted`` must accept, the ``unwanted`` must not.

    Its states are found while a search walks it; a text that leaves a wanted language is not followed.
    """

    def __init__(self, wanted: list[Dfa], unwanted: list[Dfa]) -> None:
        self._dfas = [*wanted, *unwanted]
        self._wanted = len(wanted)
        self._symbols: list[int] = []
        self._transitions: list[dict[int, list[int]]] = [{} for _ in self._dfas]

    def has_text(self, minimum: int, maximum: int | None) -> bool:
        """Whether a text of ``minimum`` to ``maximum`` characters is in all wanted languages and in no unwanted one.

        Best-first search: goes on where the sum of the fewest characters left in each wanted language is least. Raises
        ``CompileBudgetError`` where it takes too long to tell.
        """
        start = self._read((0,) * len(self._dfas), _QUOTE)
        if not self._goes_on(start):
            return False
        queue = [(0, 0, start, 0)]
        seen = {(start, 0)}
        while queue:
            _, _, states, length = heappop(queue)
            is_between = self._is_between_characters(states)
            if is_between and length >= minimum and self._may_end(states):
                return True
            if is_between:
                length = length + 1 if maximum is not None else min(length + 1, minimum)
            for target in self._targets(states, first=1 if is_between else 0):
                fewest = self._fewest_characters(target)
                if (target, length) not in seen and (maximum is None or length + max(fewest) <= maximum):
                    seen.add((target, length))
                    if len(seen) > PRODUCT_BUDGET:
                        what = f"whether several patterns share a text takes more than {PRODUCT_BUDGET} states to tell"
                        raise CompileBudgetError(f"{what}, the limit")
                    heappush(queue, (sum(fewest) + max(minimum - length, 0), len(seen), target, length))
        return False

    def _fewest_characters(self, states: _States) -> list[int]:
        """The fewest characters that complete a text of each wanted language."""
        return [int(fewest_characters(self._dfas[number])[states[number]]) for number in range(self._wanted)]

    def _may_end(self, states: _States) -> bool:
        """Whether the text may end here: a quote completes it."""
        ended = self._read(states, _QUOTE)
        accepted = [state >= 0 and bool(dfa.accepting[state]) for dfa, state in zip(self._dfas, ended, strict=True)]
        return all(accepted[: self._wanted]) and not any(accepted[self._wanted :])

    def _targets(self, states: _States, first: int) -> list[_States]:
        """The states to which the symbols from number ``first`` on lead; number 0 is the quote, which ends a text."""
        if not self._symbols:
            self._symbols = _symbols(self._dfas)
        targets = [self._targets_of(number, state)[first:] for number, state in enumerate(states)]
        return [target for target in dict.fromkeys(zip(*targets, strict=True)) if self._goes_on(target)]

    def _goes_on(self, states: _States) -> bool:
        """Whether no wanted language has been left."""
        return min(states[: self._wanted]) >= 0

    def _is_between_characters(self, states: _States) -> bool:
        """Whether the last character is complete; all automata that are not dead agree on it."""
        return bool(self._dfas[0].boundary[states[0]])

    def _targets_of(self, number: int, state: int) -> list[int]:
        """For each symbol, where the automaton of this number goes from ``state``; kept."""
        transitions = self._transitions[number]
        if state not in transitions:
            dead = [_DEAD] * len(self._symbols)
            transitions[state] = dead if state < 0 else self._dfas[number].table[state, self._symbols].tolist()
        return transitions[state]

    def _read(self, states: _States, byte: int) -> _States:
        return tuple(
            _DEAD if state < 0 else int(dfa.table[state, byte]) for dfa, state in zip(self._dfas, states, strict=True)
        )


def _symbols(dfas: Iterable[Dfa]) -> list[int]:
    """The quote, and one byte of each class of other bytes that none of the automata tells apart."""
    numbers = np.zeros(256, np.intp)
    numbers[_QUOTE] = -1
    for dfa in dfas:
        classes = byte_classes(dfa)
        numbers = np.unique(numbers * (classes.max() + 1) + classes, return_inverse=True)[1]
    firsts = np.unique(numbers, return_index=True)[1].tolist()
    return [_QUOTE, *(byte for byte in firsts if byte != _QUOTE)]
