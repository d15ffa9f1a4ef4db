r"""The keys of undeclared members: all keys that a rule of the object admits, less the declared names.

Where the keys are a leaf whose every beginning goes on without end, they are that leaf, shared by all objects, less the
spellings of the names (``Difference``); only where they are not, a table for this object alone is made::

    string, "a" is declared                 <key but "a">
    string{0,2}, "a" is declared            a leaf of its own: keys of up to two characters that are not "a"
    string /^x/, "a" is declared            </^x/>, as "a" is not among them
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from schema_compiler.grammar.ir import Difference, Expression, Leaf
from schema_compiler.grammar.leaves import counted
from schema_compiler.regular.automata.operations import intersect
from schema_compiler.regular.automata.properties import is_endless
from schema_compiler.regular.regex.language import CountedStrings
from schema_compiler.regular.text.json_strings import exclude, string_literal
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings, text_name
from schema_compiler.schema.algebra.witness import only_text
from schema_compiler.schema.ir import ANY_STRING, Number, String

__all__ = ["undeclared_key"]


@lru_cache(maxsize=256)
def undeclared_key(names: String | Number, declared: frozenset[str]) -> Expression:
    """A key in ``names``, however spelled, that is not one of the ``declared`` ones.

    Raises ``PatternError`` for a pattern that cannot be read, ``UnsupportedSchemaError`` for an unknown format,
    ``CompileBudgetError`` where an automaton grows too large.
    """
    if isinstance(names, String):
        names, forbidden = _without_forbidden_texts(names)
        declared |= forbidden
    strings, leaf_name, key = _any_key(names)
    admits_all = names == ANY_STRING
    excluded = [name for name in declared if admits_all or strings.dfa.accepts(string_literal(name))]
    if not excluded:
        return key
    if isinstance(key, Leaf) and is_endless(key.dfa) and not any(map(_has_control_character, excluded)):
        return Difference(key, frozenset(map(string_literal, excluded)))
    undeclared = intersect(strings.dfa, exclude(sorted(excluded)))
    return counted(leaf_name, undeclared, strings.minimum, strings.maximum)


def _without_forbidden_texts(names: String) -> tuple[String, frozenset[str]]:
    """``names`` less the patterns that only forbid one text each, ``!/^name$/``; and these texts."""
    texts = {pattern: only_text(pattern) for pattern in names.patterns if pattern.negated}
    patterns = tuple(pattern for pattern in names.patterns if texts.get(pattern) is None)
    return replace(names, patterns=patterns), frozenset(text for text in texts.values() if text is not None)


@lru_cache(maxsize=256)
def _any_key(names: String | Number) -> tuple[CountedStrings, str, Expression]:
    """All keys in ``names``: as strings, the name of their leaf, and that leaf."""
    strings = CountedStrings(numeral(names)) if isinstance(names, Number) else counted_strings(names)
    leaf_name = "key" if isinstance(names, Number) else text_name(names, "key")
    return strings, leaf_name, counted(leaf_name, strings.dfa, strings.minimum, strings.maximum)


def _has_control_character(name: str) -> bool:
    r"""Whether JSON spells the name in several ways that ``string_literal`` does not tell: ``\u001f``, ``\u001F``."""
    return any(character < " " for character in name)
