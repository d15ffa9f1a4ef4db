r"""User grammars, lowered to the rules of the engine: without a lexer, and exact.

Lark first cuts a text into terminals, the longest match first, and parses what it cut. Here a text belongs to the
language if *any* way to cut it does (as with Lark's ``lexer="dynamic_complete"``), which is what a language means and
what makes every mask exact. Where a lexer would reserve keywords, the terminal has to say so (``terminals``).

What may be ignored between terminals is one leaf, before the first and after every terminal::

    start: "a" B        %start ::= <ignored> start
    B: /b+/             start ::= "a" <ignored> <B> <ignored>
    %ignore " "

Inside a JSON string every terminal is spelled as JSON spells it, so the *decoded* text obeys the grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, assert_never

from schema_compiler.errors import GrammarError
from schema_compiler.grammar.ebnf.reader import read
from schema_compiler.grammar.ebnf.syntax import (
    Atom,
    Choice,
    Definition,
    Name,
    Pattern,
    Range,
    Repeat,
    Sequence,
    Source,
    Term,
    Text,
    atoms_in,
    names_in,
)
from schema_compiler.grammar.ebnf.terminals import Terminals
from schema_compiler.grammar.ir import EMPTY, NEVER, Expression, Grammar, Literal, Reference, choice, repeat, sequence
from schema_compiler.grammar.leaves import leaf
from schema_compiler.grammar.passes.left_recursion import without_left_recursion
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.text.json_strings import TextLanguage, escaped, raw, string_literal

__all__ = ["INSIDE_JSON", "PLAIN", "Spelling", "TextGrammar", "text_grammar"]

DEFAULT_START: Final = "start"
"""The rule that a text derives from, unless another one is named: Lark's own default."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How characters become bytes: of whole languages, and of a single text (if that has only one spelling)."""

    language: Callable[[TextLanguage], Dfa]
    text: Callable[[str], bytes]


PLAIN: Final = Spelling(raw, str.encode)
"""As UTF-8."""
INSIDE_JSON: Final = Spelling(escaped, lambda text: string_literal(text)[1:-1])
"""As JSON spells them between the quotes of a string."""


@dataclass(frozen=True, slots=True)
class TextGrammar:
    """The rules, ready for the engine, and ``notes`` for the author, such as "SPARE is not used"."""

    grammar: Grammar
    notes: tuple[str, ...]


@lru_cache(maxsize=64)
def text_grammar(text: str, *, start: str = DEFAULT_START, spelling: Spelling = PLAIN, prefix: str = "") -> TextGrammar:
    """The grammar that ``text`` is in Lark's notation; its rules are named ``prefix`` and their own name.

    Raises ``GrammarError`` where it is malformed, a name is undefined, a terminal is not regular, or ``start`` derives
    no text, and ``CompileBudgetError`` when a terminal's automaton grows too large.
    """
    lowering = _Lowering(read(text), start, spelling, prefix)
    whole = lowering.grammar()
    pruned = prune(whole)
    dead = [name for name in whole.reachable() if pruned.rules[name] is NEVER]
    if pruned.rules[pruned.start] is NEVER:
        raise lowering.error_for_dead(start)
    return TextGrammar(prune(without_left_recursion(pruned)), tuple(lowering.notes(dead)))


class _Lowering:
    """Lowers one grammar; ``prefix`` and a rule's name make the name of the lowered rule."""

    def __init__(self, source: Source, start: str, spelling: Spelling, prefix: str) -> None:
        self._source = source
        self._terminals = Terminals(source)
        self._start = start
        self._spelling = spelling
        self._prefix = prefix
        self._leaves: dict[Term, Expression] = {}

    def grammar(self) -> Grammar:
        """All rules, and a start rule in front of them, which reads what is ignored at the beginning."""
        self._check_names()
        first = f"{self._prefix}%{self._start}"
        rules = {self._prefix + rule.name: self._expression(rule.body) for rule in self._rules.values()}
        return Grammar(first, {first: sequence(self._ignored, Reference(self._prefix + self._start)), **rules})

    @cached_property
    def _rules(self) -> Mapping[str, Definition]:
        return {rule.name: rule for rule in self._source.definitions.values() if not rule.is_terminal}

    @cached_property
    def _ignored(self) -> Expression:
        """Any number of texts that are ignored."""
        if not self._source.ignored:
            return EMPTY
        return self._leaf("ignored", Repeat(Choice(self._source.ignored), 0, None))

    def _expression(self, term: Term) -> Expression:
        match term:
            case Name(name) if name in self._rules:
                return Reference(self._prefix + name)
            case Name() | Text() | Pattern() | Range():
                return sequence(self._terminal(term), self._ignored)
            case Sequence(items):
                return sequence(*map(self._expression, items))
            case Choice(options):
                return choice(*map(self._expression, options))
            case Repeat(item, minimum, maximum):
                return repeat(self._expression(item), minimum, maximum)
            case _:
                assert_never(term)

    def _terminal(self, term: Atom) -> Expression:
        if term not in self._leaves:
            self._leaves[term] = self._lower_terminal(term)
        return self._leaves[term]

    def _lower_terminal(self, term: Atom) -> Expression:
        """A literal where the terminal has one spelling, else a leaf."""
        definition = self._source.definitions.get(term.name) if isinstance(term, Name) else None
        body = definition.body if definition else term
        if isinstance(body, Text) and not body.ignore_case and _has_one_spelling(body.value):
            return Literal(self._spelling.text(body.value)) if body.value else EMPTY
        return self._leaf(_title(term), term)

    def _leaf(self, name: str, term: Term) -> Expression:
        return leaf(name, self._spelling.language(self._terminals.language(term)))

    # Diagnostics

    def _check_names(self) -> None:
        if self._start not in self._rules:
            raise GrammarError(f"there is no rule {self._start} to start with, found {sorted(self._rules)}", 1, 1)
        for definition in self._source.definitions.values():
            for name in names_in(definition.body):
                if name.name not in self._source.definitions and name.name not in self._source.imports:
                    raise name.location.error(f"{name.name} is not defined")

    def error_for_dead(self, name: str) -> GrammarError:
        """The error of a rule that derives no text, at the first terminal that matches none if there is one."""
        location, why = self._source.definitions[name].location, ""
        if atom := next(self._matching_nothing(), None):
            location = self._source.definitions[atom.name].location if isinstance(atom, Name) else atom.location
            why = f": {_describe(atom)} matches none"
        return location.error(f"rule {name} derives no text{why}")

    def _matching_nothing(self) -> Iterator[Atom]:
        """The terminals of used rules that match no text."""
        used = self._used()
        for rule in self._rules.values():
            if rule.name in used:
                yield from (atom for atom in atoms_in(rule.body) if self._leaves.get(atom) is NEVER)

    def notes(self, dead: list[str]) -> Iterator[str]:
        """What the author should know; ``dead``: the lowered rules that derive no text."""
        used = self._used()
        for atom in self._matching_nothing():
            yield f"{_describe(atom)} matches no text"
        for name in dead:
            yield f"rule {name.removeprefix(self._prefix)} derives no text"
        for definition in self._source.definitions.values():
            if definition.name not in used:
                yield f"{definition.name} is not used"
            if definition.priority:
                yield f"the priority of {definition.name} changes nothing: every way to cut a text is legal"

    def _used(self) -> set[str]:
        """The names that the start rule, or what is ignored, leads to."""
        waiting = [self._start, *(name.name for term in self._source.ignored for name in names_in(term))]
        used: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in used and name in self._source.definitions:
                used.add(name)
                waiting.extend(inner.name for inner in names_in(self._source.definitions[name].body))
        return used


def _has_one_spelling(text: str) -> bool:
    r"""Whether JSON, too, spells the text in one way: the digits of ``\u001f`` come in two cases."""
    return not any(char < " " and char not in "\b\t\n\f\r" for char in text)


def _describe(term: Atom) -> str:
    return f"terminal {term.name}" if isinstance(term, Name) else _title(term)


def _title(term: Atom) -> str:
    match term:
        case Name(name):
            return name
        case Text(value):
            return repr(value)
        case Pattern(regex, flags):
            return f"/{regex}/{flags}"
        case Range(first, last):
            return f"{first}..{last}"
        case _:
            assert_never(term)
