"""Short texts that complete a document: terminals from the parser, spelled by the lexer.

The unfinished lexeme becomes the nearest terminal that fits, then the parser says which terminals are still missing.
Each is spelled as short as longest match allows; where two cannot stand side by side (``if`` and a NAME), the
shortest ignored terminal goes between them. The result completes the document; it need not be the shortest::

    x = (1.      1.  becomes 1.0, a NUMBER      missing  ")" ";"      closing  0);
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

import numpy as np

from schema_compiler.errors import GrammarError
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.lexed.parser import Parser, ParserState, first_taken

__all__ = ["LexedCompletion"]


class LexedCompletion(Generic[ParserState]):
    """Finds closings; what it learns about the lexer is kept."""

    def __init__(self, lexer: Lexer, parser: Parser[ParserState]) -> None:
        self._lexer = lexer
        self._parser = parser
        self._spellings: dict[int, dict[int, tuple[bytes, int]]] = {}

    def closing(self, threads: Iterable[tuple[ParserState, int]]) -> bytes:
        """A text that completes one of the threads: (state of the parser, configuration of the lexer).

        Raises ``GrammarError`` when none can be found.
        """
        closings = [text for state, configuration in threads for text in self._closings(state, configuration)]
        if not closings:
            raise GrammarError("expected a text that completes the document, found none that this search can reach")
        return min(closings, key=lambda text: (len(text), text))

    def _closings(self, state: ParserState, configuration: int) -> Iterator[bytes]:
        """For each way to end the unfinished lexeme, if there is one, a text that completes the document."""
        if self._lexer.fresh[configuration]:
            yield from self._complete(state, configuration, b"")
            return
        for _, following, text, after in self._lexemes(state, configuration):
            yield from self._complete(following, after, text)

    def _complete(self, state: ParserState, configuration: int, begun: bytes) -> Iterator[bytes]:
        """``begun`` and what the parser misses behind it; nothing where that cannot be spelled or does not parse."""
        text = begun
        for terminal in self._parser.completion(state):
            lexeme = self._shortest_lexeme(state, configuration, terminal)
            following = self._parser.feed(state, terminal)
            if lexeme is None or following is None:
                return
            text, configuration, state = text + lexeme[0], lexeme[1], following
        if self._parser.takes(state, self._lexer.end):
            yield text

    def _shortest_lexeme(self, state: ParserState, configuration: int, terminal: int) -> tuple[bytes, int] | None:
        """The shortest text of a terminal, behind an ignored one if need be, and the configuration behind it."""
        separated: list[tuple[bytes, int]] = []
        for taken, _, text, after in self._lexemes(state, configuration):
            if taken == terminal:
                return text, after
            if self._parser.ignores(state, taken):
                onward = (lexeme for lexeme in self._lexemes(state, after) if lexeme[0] == terminal)
                separated.extend((text + more, behind) for _, _, more, behind in onward)
        return min(separated, key=lambda lexeme: len(lexeme[0]), default=None)

    def _lexemes(self, state: ParserState, configuration: int) -> Iterator[tuple[int, ParserState, bytes, int]]:
        """What the lexeme may become: a terminal that the parser takes, its state then, the text, the configuration."""
        for kind, (text, after) in self._shortest_spellings(configuration).items():
            if taken := first_taken(self._parser, state, self._lexer.kinds[kind]):
                yield (*taken, text, after)

    def _shortest_spellings(self, configuration: int) -> dict[int, tuple[bytes, int]]:
        """For each kind of lexeme its shortest text from a configuration, and the configuration behind it."""
        if configuration not in self._spellings:
            self._spellings[configuration] = dict(self._search(configuration))
        return self._spellings[configuration]

    def _search(self, configuration: int) -> Iterator[tuple[int, tuple[bytes, int]]]:
        """The spellings from a configuration, shorter ones first (breadth-first search)."""
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
