"""Short texts that complete a document: terminals from the parser, spelled by the lexer.

The unfinished lexeme becomes the nearest terminal that fits, then the parser says which terminals are still missing.
Each is spelled as short as longest match allows; where two cannot stand side by side (``if`` and a NAME), the
shortest ignored terminal goes between them. The result completes the document; it need not be the shortest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

import numpy as np

from schema_compiler.errors import GrammarError
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.lexed.parser import Parser, Place, first_taken

__all__ = ["Completion"]


class Completion(Generic[Place]):
    """Finds closings; what it learns about the lexer is kept."""

    def __init__(self, lexer: Lexer, parser: Parser[Place]) -> None:
        self._lexer = lexer
        self._parser = parser
        self._spellings: dict[int, dict[int, tuple[bytes, int]]] = {}

    def closing(self, threads: Iterable[tuple[Place, int]]) -> bytes:
        """A text that completes any of the threads. Raises ``GrammarError`` when none can be found."""
        found = [text for place, configuration in threads for text in self._closings(place, configuration)]
        if not found:
            raise GrammarError("expected a text that completes the document, found none that this search can reach")
        return min(found, key=lambda text: (len(text), text))

    def _closings(self, place: Place, configuration: int) -> Iterator[bytes]:
        if self._lexer.fresh[configuration]:
            yield from self._spelled(place, configuration, b"")
            return
        for _, following, text, after in self._lexemes(place, configuration):
            yield from self._spelled(following, after, text)

    def _spelled(self, place: Place, configuration: int, begun: bytes) -> Iterator[bytes]:
        """What the parser misses, behind ``begun``; nothing where that cannot be spelled or does not parse."""
        text = begun
        for terminal in self._parser.ending(place):
            step = self._step(place, configuration, terminal)
            following = self._parser.feed(place, terminal)
            if step is None or following is None:
                return
            text, configuration, place = text + step[0], step[1], following
        if self._parser.takes(place, self._lexer.end):
            yield text

    def _step(self, place: Place, configuration: int, terminal: int) -> tuple[bytes, int] | None:
        """The shortest way to a terminal, behind an ignored one if need be: its text, and the configuration then."""
        ways: list[tuple[bytes, int]] = []
        for taken, _, text, after in self._lexemes(place, configuration):
            if taken == terminal:
                return text, after
            if self._parser.ignores(place, taken):
                onward = (lexeme for lexeme in self._lexemes(place, after) if lexeme[0] == terminal)
                ways.extend((text + more, then) for _, _, more, then in onward)
        return min(ways, key=lambda way: len(way[0]), default=None)

    def _lexemes(self, place: Place, configuration: int) -> Iterator[tuple[int, Place, bytes, int]]:
        """What the lexeme may become: a terminal that the parser takes, its place then, the text, the configuration."""
        for kind, (text, after) in self._spelling(configuration).items():
            if taken := first_taken(self._parser, place, self._lexer.kinds[kind]):
                yield (*taken, text, after)

    def _spelling(self, configuration: int) -> dict[int, tuple[bytes, int]]:
        """For each kind of lexeme its shortest text from a configuration, and the configuration behind it."""
        if configuration not in self._spellings:
            self._spellings[configuration] = dict(self._search(configuration))
        return self._spellings[configuration]

    def _search(self, configuration: int) -> Iterator[tuple[int, tuple[bytes, int]]]:
        texts = {configuration: b""}
        queue = [configuration]
        known: set[int] = set()
        for here in queue:
            kind = int(self._lexer.label[here])
            if kind >= 0 and kind not in known:
                known.add(kind)
                yield kind, (texts[here], int(self._lexer.after[here]))
            row = self._lexer.table[here]
            for byte in np.flatnonzero(row >= 0).tolist():
                target = int(row[byte])
                if target not in texts:
                    texts[target] = texts[here] + bytes((byte,))
                    queue.append(target)
