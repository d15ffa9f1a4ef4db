"""A lexed language on one screen: a Lark grammar in, a compiled language out.

    text --source--> terminals and LALR tables --pattern--> automata --lexer--> configurations
         --store (with a vocabulary)--> rows --engine (with the parser)--> masks

Use it where longest match and keyword priority define the language, as for Python or SQL. Where they do not (JSON,
arithmetic), a grammar compiled without a lexer admits every split into terminals, and is the simpler tool.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary import Vocabulary
from schema_compiler.errors import GrammarError
from schema_compiler.lexed.engine import LexedEngine
from schema_compiler.lexed.lexer import Lexer, lexer_of
from schema_compiler.lexed.parser import LrParser
from schema_compiler.lexed.source import LexedGrammar, read_lark
from schema_compiler.lexed.stack import Stack
from schema_compiler.lexed.store import MaskStore
from schema_compiler.lexed.terminals import language

__all__ = ["CompiledLexed", "compile_lexed"]

BUDGET = 1 << 28
"""How many bytes an engine may grow to before later matchers start on an empty one, by its own estimate."""


@dataclass(slots=True, eq=False)
class CompiledLexed:
    """A lexed language ready to constrain a language model; shared by threads."""

    grammar: LexedGrammar
    vocabulary: Vocabulary
    lookahead: int | None
    _lexer: Lexer
    _store: MaskStore
    _engine: LexedEngine[Stack] = field(init=False)

    def __post_init__(self) -> None:
        self._engine = self._made()

    def _made(self) -> LexedEngine[Stack]:
        return LexedEngine(self._lexer, LrParser(self.grammar), self._store, self.vocabulary, self.lookahead)

    def matcher(self) -> Matcher:
        """A new cursor at the start of a text."""
        if self._engine.size > BUDGET:
            self._engine = self._made()
        return Matcher(self._engine)


def compile_lexed(
    grammar: str | Path, vocabulary: Vocabulary, *, start: str = "start", lookahead: int | None = None
) -> CompiledLexed:
    """Compile a grammar in Lark's notation, as text or from a file.

    The lexer takes the longest match, then the higher priority, then strings before patterns. ``lookahead``: how many
    terminals a mask checks against the parser (the k of SynCode's accept sequences); a token that goes on beyond them
    is admitted unseen. ``None``: all, and masks are exact. ``Matcher.accept`` is exact in either case.
    A token is legal when the unfinished lexeme it leaves can still become a terminal that the parser takes.
    ``Matcher.closing`` completes the document, but need not be the shortest text that does.
    Raises ``GrammarError``, ``PatternError`` or ``CompileBudgetError``.
    """
    if lookahead is not None and lookahead < 1:
        raise GrammarError(f"expected a lookahead of at least 1, or None, found {lookahead}")
    source = read_lark(grammar, start)
    lexer = lexer_of([language(terminal) for terminal in source.terminals])
    return CompiledLexed(source, vocabulary, lookahead, lexer, MaskStore(lexer, vocabulary.trie))
