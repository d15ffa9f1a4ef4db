"""A lexed language on one screen: a Lark grammar in, a compiled language out.

    text --lark_tables--> terminals and LALR tables --terminals--> automata --lexer--> configurations
         --mask_store (with a vocabulary)--> token sets --engine (with the parser)--> masks

Use it where longest match and keyword priority define the language, as for Python or SQL. Where they do not (JSON,
arithmetic), a grammar compiled without a lexer admits every split into terminals, and is the simpler tool.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import BoundedEngine
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.lexed.engine import LexedEngine
from schema_compiler.lexed.indentation import Columns, Indentation, IndentingParser
from schema_compiler.lexed.lark_tables import LexedGrammar, read_lark
from schema_compiler.lexed.lexer import Lexer, lexer_of
from schema_compiler.lexed.mask_store import MaskStore
from schema_compiler.lexed.parser import LrParser, Parser, ParserState
from schema_compiler.lexed.terminals import language

__all__ = ["CompiledLexed", "compile_lexed"]


class CompiledLexed:
    """A lexed language ready to constrain a language model; shared by threads."""

    def __init__(self, grammar: LexedGrammar, vocabulary: Vocabulary, engine: Callable[[], LexedEngine[Any]]) -> None:
        self.grammar = grammar
        self.vocabulary = vocabulary
        self._engines = BoundedEngine(engine)

    def matcher(self) -> Matcher:
        """A new cursor at the start of a text."""
        return Matcher(self._engines.current())


def compile_lexed(
    grammar: str | Path,
    vocabulary: Vocabulary,
    *,
    start: str = "start",
    indentation: Indentation | None = None,
    lexer: Literal["basic", "contextual"] = "basic",
    lookahead: int | None = None,
) -> CompiledLexed:
    """Compile a grammar in Lark's notation, as text or from a file.

    The lexer takes the longest match, then the higher priority, then strings before patterns. ``lexer``: as in Lark,
    ``"basic"`` reserves keywords everywhere, ``"contextual"`` only where the parser takes them (the longest match is
    over all terminals all the same). ``indentation``: the names of the terminals that make up blocks, for grammars that
    Lark reads with an ``Indenter``.
    ``lookahead``: how many terminals a mask checks against the parser (the k of SynCode's accept sequences); a token
    that goes on beyond them is admitted unseen. ``None``: all, and masks are exact. ``Matcher.accept`` is exact in
    either case.
    A token is legal when some terminal that the parser takes can come of what it leaves of the last lexeme, or behind
    ignored ones; that all these ways end in a document is the grammar's business.
    ``Matcher.closing`` completes the document, but need not be the shortest text that does.
    Raises ``GrammarError`` for a grammar that cannot be read (lark missing and terminals without texts included),
    ``PatternError`` for a terminal, ``CompileBudgetError``, and ``ValueError`` for an argument that is none of those.
    """
    if lexer not in ("basic", "contextual"):
        raise ValueError(f"expected lexer to be 'basic' or 'contextual', found {lexer!r}")
    if lookahead is not None and lookahead < 1:
        raise ValueError(f"expected a lookahead of at least 1, or None, found {lookahead}")
    tables = read_lark(grammar, start)
    languages = [language(terminal) for terminal in tables.terminals]
    ignored = {number for number, terminal in enumerate(tables.terminals) if terminal.ignored}
    contextual = lexer == "contextual"
    if indentation is None:
        whole_lexer = lexer_of(languages, ignored, contextual=contextual)
        return _compiled(tables, whole_lexer, lambda: LrParser(tables), vocabulary, lookahead)
    columns = Columns(tables.number(indentation.newline), indentation.columns)
    ignored = {columns.split_number(number) for number in ignored}
    block_lexer = lexer_of(columns.split(languages), ignored, contextual=contextual)
    return _compiled(tables, block_lexer, lambda: IndentingParser(tables, indentation), vocabulary, lookahead)


def _compiled(
    tables: LexedGrammar,
    lexer: Lexer,
    parser: Callable[[], Parser[ParserState]],
    vocabulary: Vocabulary,
    lookahead: int | None,
) -> CompiledLexed:
    store = MaskStore(lexer, vocabulary.trie)
    return CompiledLexed(tables, vocabulary, lambda: LexedEngine(lexer, parser(), store, vocabulary, lookahead))
