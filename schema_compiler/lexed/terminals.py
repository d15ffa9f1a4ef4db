r"""The languages of terminals, as automata over bytes.

A terminal's pattern is Python's, its text UTF-8. Longest match makes greedy quantifiers mean what they say; a lazy one
asks for the shortest match instead, so the automaton of such a pattern stops where it first accepts. Example::

    /\/\*.*?\*\//s   /* a */ b */   matches  /* a */
"""

from __future__ import annotations

import re

import numpy as np

from schema_compiler.errors import GrammarError, PatternError
from schema_compiler.lexed.lark_tables import Terminal
from schema_compiler.regular.automata.dfa import Dfa, canonical, empty
from schema_compiler.regular.regex.language import regex_text

__all__ = ["language"]


def language(terminal: Terminal) -> Dfa:
    """The texts of a terminal; empty for one that is only declared, as those of blocks are.

    A look-ahead sees no further than the lexeme. Raises ``GrammarError`` for a pattern that matches no text,
    ``PatternError`` for one that is not regular, or has a greedy quantifier behind a lazy one (where that match ends is
    not a matter of length), and ``CompileBudgetError`` for one whose automaton is too large.
    """
    if terminal.regex is None:
        return empty()
    dfa = regex_text(terminal.regex, "python")
    if dfa.is_empty:
        raise GrammarError(f"expected terminal {terminal.name} to match some text, found /{terminal.regex}/")
    quantifiers = list(re.finditer(r"[*+?}]\??", _quantifiers_alone(terminal.regex)))
    lazy = [len(quantifier[0]) == 2 for quantifier in quantifiers]
    if not any(lazy):
        return dfa
    if not all(lazy[lazy.index(True) :]):
        message = f"a greedy quantifier behind a lazy one in terminal {terminal.name} is not supported"
        raise PatternError(message, terminal.regex, 0)
    return _first_matches(dfa)


def _quantifiers_alone(regex: str) -> str:
    """The pattern with escapes, sets and group openings blanked: what is left of ``*+?}`` are quantifiers."""
    return re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[^)]", lambda other: " " * len(other[0]), regex, flags=re.S)


def _first_matches(dfa: Dfa) -> Dfa:
    """The texts that have no accepted text as a proper beginning."""
    table = np.where(dfa.accepting[:, None], -1, dfa.table).astype(np.int32)
    return canonical(table, dfa.accepting, dfa.boundary)
