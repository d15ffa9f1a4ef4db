r"""Regular expressions to automata over code points.

A term is compiled to a program of a few instructions (Thompson, 1968), and the program is run on all texts at once:
a DFA state is the set of *threads* that are alive. Two additions make assertions exact wherever they stand:

- Which edges hold depends on the next character, so a state keeps its threads as they are *before* following edges,
  with the kind of the character just read, and follows edges when it knows what comes next (or that nothing does).
- A thread that passes a look-ahead takes along an *obligation*: the state of a second run, of the look-ahead's body
  from here on, that must (or must not) have matched by the end of the text. Obligations are states like any other, so
  look-aheads nest, stand in loops, and contain anchors.

Search semantics: the program may start anywhere and, once it matches, reads on to the end of the text. A thread that
has matched and owes nothing accepts whatever follows; it replaces all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias, assert_never

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar import regex
from schema_compiler.grammar.codepoints import ANY, CodePoints, partition
from schema_compiler.grammar.explore import explore
from schema_compiler.grammar.minimize import minimize
from schema_compiler.grammar.text import TextLanguage

__all__ = ["is_found", "search"]

PROGRAM_BUDGET = 50_000
VISIT_BUDGET = 1_500_000

_START = _END = -1  # in place of a class: no character before, none after


@dataclass(frozen=True, slots=True)
class _Char:
    """Read a character of set number ``members``."""

    members: int
    following: int


@dataclass(slots=True)
class _Split:
    """Go on at every target; filled in late for loops."""

    targets: list[int]


@dataclass(frozen=True, slots=True)
class _Edge:
    """Go on if the neighbours are in these sets."""

    before: int
    at_start: bool
    after: int
    at_end: bool
    following: int


@dataclass(frozen=True, slots=True)
class _Look:
    """Go on, owing the run that starts at ``body``."""

    body: int
    negative: bool
    following: int


@dataclass(frozen=True, slots=True)
class _Match:
    """Everything has been read that had to be."""


_Instruction: TypeAlias = _Char | _Split | _Edge | _Look | _Match


@dataclass(frozen=True, slots=True)
class _State:
    """Threads before following edges: (instruction, obligations). ``before``: the kind of the last character."""

    before: int
    threads: frozenset[_Thread]


_Obligation: TypeAlias = tuple[bool, int]  # negative?, the number of the state of the run
_Thread: TypeAlias = tuple[int, frozenset[_Obligation]]

_MATCH = 0
_NOTHING_OWED: frozenset[_Obligation] = frozenset()
_DEAD, _MATCHED = 0, 1  # numbers of the states that never and that already match


@dataclass(slots=True)
class _Program:
    """Instructions, written from the end of the term to its start: each knows what follows it."""

    code: list[_Instruction] = field(default_factory=lambda: [_Match()])
    sets: dict[CodePoints, int] = field(default_factory=dict)

    def emit(self, instruction: _Instruction) -> int:
        self.code.append(instruction)
        if len(self.code) > PROGRAM_BUDGET:
            raise CompileBudgetError(f"a pattern expands to more than {PROGRAM_BUDGET} positions, the limit")
        return len(self.code) - 1

    def number(self, members: CodePoints) -> int:
        return self.sets.setdefault(members, len(self.sets))

    def compile(self, term: regex.Regex, following: int) -> int:
        """The first instruction of ``term``, which goes on at ``following``."""
        match term:
            case regex.Chars(members):
                return self.emit(_Char(self.number(members), following))
            case regex.Sequence(parts):
                for part in reversed(parts):
                    following = self.compile(part, following)
                return following
            case regex.Choice(options):
                return self.emit(_Split([self.compile(option, following) for option in options]))
            case regex.Repeat(body, minimum, maximum):
                return self.repeat(body, minimum, maximum, following)
            case regex.Edge(before, at_start, after, at_end):
                return self.emit(_Edge(self.number(before), at_start, self.number(after), at_end, following))
            case regex.Look(body, negative):
                return self.emit(_Look(self.compile(body, _MATCH), negative, following))
            case _:
                assert_never(term)

    def repeat(self, body: regex.Regex, minimum: int, maximum: int | None, following: int) -> int:
        if max(minimum, maximum or 0) > PROGRAM_BUDGET:
            raise CompileBudgetError(
                f"a pattern repeats something {minimum} times or more, the limit is {PROGRAM_BUDGET}"
            )
        entry = following
        if maximum is None:
            loop = _Split([following])
            entry = self.emit(loop)
            loop.targets.append(self.compile(body, entry))
        else:
            for _ in range(maximum - minimum):
                entry = self.emit(_Split([self.compile(body, entry), following]))
        for _ in range(minimum):
            entry = self.compile(body, entry)
        return entry


class _Runner:
    """Runs a program on classes of characters. Characters that no edge tells apart are of one kind.

    States are known by number, so that obligations are cheap to compare.
    """

    def __init__(self, program: _Program, alphabet: CodePoints) -> None:
        self.classes, self._contains = partition([*program.sets, ANY], alphabet)
        self._code = program.code
        # what an instruction reads, and where that leads; a match reads everything
        sets = [_mask(row) for row in self._contains.tolist()]
        chars = [instruction if isinstance(instruction, _Char) else _Char(-1, _MATCH) for instruction in program.code]
        self._reads = [sets[char.members] for char in chars]
        self._following = [char.following for char in chars]
        edges = [instruction for instruction in program.code if isinstance(instruction, _Edge)]
        self._kinds_before = self._kinds({edge.before for edge in edges})
        self._kinds_after = self._kinds({edge.after for edge in edges})
        self._states = [_State(0, frozenset()), _State(0, frozenset({(_MATCH, _NOTHING_OWED)}))]
        self._numbers = {state: number for number, state in enumerate(self._states)}
        self._steps: dict[int, dict[int, int]] = {}
        self._closures: dict[tuple[_Thread, int, int], frozenset[_Thread]] = {}
        self._payments: dict[tuple[int, _Thread], _Thread | None] = {}
        self._visits = 0

    def _kinds(self, sets: Iterable[int]) -> list[tuple[int, int]]:
        """The classes that belong to the same of ``sets``: the first of them, and all of them as bits."""
        kinds: dict[bytes, list[int]] = {}
        for number, column in enumerate(self._contains[sorted(sets)].T):
            kinds.setdefault(column.tobytes(), []).append(number)
        return [(numbers[0], sum(1 << number for number in numbers)) for numbers in kinds.values()]

    def begin(self, entry: int, before: int = _START) -> int:
        """The state of a run that begins at the instruction ``entry``, after a character of kind ``before``."""
        return self._number(_State(before, frozenset({(entry, _NOTHING_OWED)})))

    def _number(self, state: _State) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number

    def step(self, state: int) -> dict[int, int]:
        """The next states, each with the classes that lead to it as bits."""
        if state not in self._steps:
            targets: dict[int, int] = {}
            for target, classes in self._step(self._states[state]):
                targets[target] = targets.get(target, 0) | classes
            self._steps[state] = targets
        return self._steps[state]

    def _step(self, state: _State) -> Iterator[tuple[int, int]]:
        for kind_after, among in self._kinds_after:
            threads = self._closed(state, kind_after)
            owing = any(owed for _, owed in threads)
            for classes, arrived in self._grouped(threads, among):
                for kind_before, members in self._kinds_before:
                    if not classes & members:
                        continue
                    if not owing:
                        yield self._settled(kind_before, arrived), classes & members
                        continue
                    for number in _bits(classes & members):
                        yield self._settled(kind_before, self._paying(number, arrived)), 1 << number

    def _grouped(self, threads: Iterable[_Thread], among: int) -> list[tuple[int, frozenset[_Thread]]]:
        """The classes ``among`` which the same threads read, and where these threads then are."""
        following: dict[int, set[_Thread]] = {}
        for at, owed in threads:
            following.setdefault(self._reads[at], set()).add((self._following[at], owed))
        groups: list[tuple[int, frozenset[_Thread]]] = [(among, frozenset())]
        for reads, arrived in following.items():
            inside = [(classes & reads, before | arrived) for classes, before in groups if classes & reads]
            groups = inside + [(classes & ~reads, before) for classes, before in groups if classes & ~reads]
        return groups

    def _settled(self, before: int, threads: frozenset[_Thread]) -> int:
        """The state of these threads after a character of kind ``before``."""
        if (_MATCH, _NOTHING_OWED) in threads:
            return _MATCHED
        return self._number(_State(before, threads)) if threads else _DEAD

    def _paying(self, number: int, threads: frozenset[_Thread]) -> frozenset[_Thread]:
        """The threads after a character of class ``number``, obligations moved on as well."""
        moved = (self._paid(number, thread) for thread in threads)
        return frozenset(thread for thread in moved if thread is not None)

    def _paid(self, number: int, thread: _Thread) -> _Thread | None:
        """One of them, if its obligations can still be paid; always the same object, since many states hold it."""
        key = (number, thread)
        if key not in self._payments:
            owed = self._owed_after(number, thread[1])
            self._payments[key] = None if owed is None else (thread[0], owed)
        return self._payments[key]

    def _owed_after(self, number: int, owed: frozenset[_Obligation]) -> frozenset[_Obligation] | None:
        """What is still owed after a character of class ``number``; None when it can no longer be paid."""
        if not owed:
            return owed
        moved = {(negative, self._after(state, number)) for negative, state in owed}
        if (False, _DEAD) in moved or (True, _MATCHED) in moved:
            return None
        return frozenset(moved - {(False, _MATCHED), (True, _DEAD)})

    def _after(self, state: int, number: int) -> int:
        return next(target for target, classes in self.step(state).items() if classes >> number & 1)

    def ends(self, state: int) -> bool:
        """Whether the text may end here."""
        return any(
            isinstance(self._code[at], _Match) and all(self.ends(run) != negative for negative, run in owed)
            for at, owed in self._closed(self._states[state], _END)
        )

    def _closed(self, state: _State, after: int) -> frozenset[_Thread]:
        """The threads that read or have matched, once edges are followed with ``after`` coming next."""
        self._visit(len(state.threads))
        return frozenset().union(*(self._closure(thread, state.before, after) for thread in state.threads))

    def _closure(self, thread: _Thread, before: int, after: int) -> frozenset[_Thread]:
        """What becomes of one thread."""
        key = (thread, before, after)
        if key not in self._closures:
            self._closures[key] = frozenset(self._waiting(thread, before, after))
        return self._closures[key]

    def _waiting(self, thread: _Thread, before: int, after: int) -> Iterator[_Thread]:
        queue = [thread]
        seen = {thread}
        for at, owed in queue:
            match self._code[at]:
                case _Char() | _Match():
                    yield at, owed
                    continue
                case _Split(targets):
                    reached = [(target, owed) for target in targets]
                case _Edge() as edge:
                    reached = [(edge.following, owed)] if self._holds(edge, before, after) else []
                case _Look(body, negative, following):
                    reached = [(following, owed | {(negative, self.begin(body, before))})]
            fresh = [other for other in dict.fromkeys(reached) if other not in seen]
            seen.update(fresh)
            queue.extend(fresh)
        self._visit(len(queue))

    def _visit(self, count: int) -> None:
        self._visits += count
        if self._visits > VISIT_BUDGET:
            raise CompileBudgetError(f"an automaton for a pattern needs more than {VISIT_BUDGET} steps, the limit")

    def _holds(self, edge: _Edge, before: int, after: int) -> bool:
        left = edge.at_start if before == _START else bool(self._contains[edge.before, before])
        return left and (edge.at_end if after == _END else bool(self._contains[edge.after, after]))


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << number for number, flag in enumerate(flags) if flag)


def _started(term: regex.Regex, alphabet: CodePoints) -> tuple[_Runner, int]:
    """A runner, and its first state, for the texts that ``term`` matches somewhere."""
    program = _Program()
    anywhere = regex.Repeat(regex.Chars(ANY), 0, None)
    entry = program.compile(term if _is_anchored(term) else regex.sequence((anywhere, term)), _MATCH)
    runner = _Runner(program, alphabet)
    return runner, runner.begin(entry)


def _is_anchored(term: regex.Regex) -> bool:
    """Whether ``term`` plainly matches at the start of a text only."""
    match term:
        case regex.Edge():
            return term == regex.START
        case regex.Sequence(parts):
            return bool(parts) and _is_anchored(parts[0])
        case regex.Choice(options):
            return all(map(_is_anchored, options))
        case _:
            return False


def search(term: regex.Regex, *, alphabet: CodePoints = ANY, negated: bool = False) -> TextLanguage:
    """The texts over ``alphabet`` that ``term`` matches somewhere (``negated``: nowhere).

    Raises ``CompileBudgetError`` when the program or the automaton grows beyond its budget.
    """
    runner, start = _started(term, alphabet)

    def follow(state: int) -> Iterable[tuple[Sequence[int], int]]:
        steps = runner.step(state).items()
        return [(_bits(classes), target) for target, classes in steps if negated or target != _DEAD]

    table, states = explore(start, follow, width=len(runner.classes))
    accepting = np.array([runner.ends(state) != negated for state in states], np.bool_)
    minimal, origin = minimize(table, accepting, accepting.astype(np.int_))
    return TextLanguage(runner.classes, minimal, accepting[origin])


def is_found(
    term: regex.Regex, minimum: int, maximum: int | None, *, alphabet: CodePoints = ANY, negated: bool = False
) -> bool:
    """Whether ``term`` matches (``negated``: does not match) some text of ``minimum`` to ``maximum`` characters.

    Follows the texts length by length, so it sees no more of the automaton than the shortest answer needs.
    """
    runner, start = _started(term, alphabet)
    reached = frozenset({start})
    seen: set[frozenset[int]] = set()
    length = 0
    while reached and (maximum is None or length <= maximum):
        if length >= minimum:
            if any(runner.ends(state) != negated for state in reached):
                return True
            if reached in seen:
                return False
            seen.add(reached)
        steps = (target for state in reached for target in runner.step(state))
        reached = frozenset(target for target in steps if negated or target != _DEAD)
        length += 1
    return False
