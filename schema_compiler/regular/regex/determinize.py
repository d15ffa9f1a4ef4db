r"""Regular expressions to automata over code points.

A term is compiled to a program of a few instructions (Thompson, 1968), and the program is run on all texts at once
(subset construction): a *thread* is a place in the program that a text can have reached, and a state of the automaton
is a set of threads. Two additions make assertions exact wherever they stand:

- Which edges hold (see ``syntax``) depends on the next character. So a state keeps its threads as they are *before*
  they follow edges, with the kind of the character just read; they follow edges when it is known what comes next, or
  that nothing does.
- A thread that passes a look-ahead takes along a *pending look-ahead*: the state of a second run, of the look-ahead's
  body from here on, that must (or must not) have matched by the end of the text. It is a state like any other, so
  look-aheads nest, stand in loops, and contain anchors::

      ^(?=.*\d)[a-z\d]*$     after "a": one thread in the loop, its pending look-ahead a run of ".*\d" that goes on
                              after "a1": the run has matched, nothing is pending

A pattern is searched for: the program may start anywhere and, once it matches, reads on to the end of the text. A
thread that has matched with nothing pending accepts whatever follows; it replaces all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.explore import STATE_BUDGET
from schema_compiler.regular.automata.minimize import minimize_rows
from schema_compiler.regular.regex import syntax
from schema_compiler.regular.regex.program import MATCH, Char, Edge, Look, Match, Program, Split
from schema_compiler.regular.text.codepoints import ANY, CodePoints, partition
from schema_compiler.regular.text.json_strings import TextLanguage

__all__ = ["is_found", "search"]

VISIT_BUDGET = 1_500_000
"""The most instructions that are visited for one pattern: states within ``STATE_BUDGET`` can have many threads each.

Chosen, not measured; five patterns that exceed it are refused after 2 to 6 seconds each, on a busy CPU core.
"""

_MANY = 256
"""So many bits of a mask are faster found in its text of digits than cleared one by one.

As measured, the two take the same time for 256 bits of a mask, whether it has 4,096 bits or 50,000; for 16 bits of
16,384 clearing is four times as fast, for 4,096 of them the text is 2.5 times as fast.
"""

_START = _END = -1
"""In place of the number of a class: there is no character before, or none after."""

_Pending: TypeAlias = frozenset[tuple[bool, int]]
"""Pending look-aheads: whether each is negative, and the number of the state that its run is in."""
_Threads: TypeAlias = dict[int, int]
"""By the number of a set of pending look-aheads, the instructions of the threads that have these, as bits."""
_State: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""The kind of the last character, and the items of the threads before they follow edges, in order."""
_Closure: TypeAlias = tuple[int, list[tuple[_Pending, int]]]
"""The classes that are read, as bits, and the instructions that read them by the look-aheads passed on the way."""

_NONE_PENDING = 0
"""The number of the empty set of pending look-aheads."""
_DEAD, _MATCHED = 0, 1
"""The numbers of the states from which no text and every text is accepted."""


class _Runner:
    """Runs a program on classes of characters. Classes that no edge tells apart are of one *kind*, named by its first.

    States, and sets of pending look-aheads, are known by number, so that they are cheap to compare; sets of
    instructions and sets of classes are the bits of an integer.
    """

    def __init__(self, program: Program, alphabet: CodePoints) -> None:
        self.classes, self._inside = partition(program.sets, alphabet)
        self._code = program.code
        sets = [0] * len(program.sets)
        for number, inside in enumerate(self._inside):
            for members in _bits(inside):
                sets[members] |= 1 << number
        # the classes that an instruction reads, and the instruction that follows; a match reads everything
        self._reads, self._following = [0] * len(program.code), [0] * len(program.code)
        self._reads[MATCH] = (1 << len(self.classes)) - 1
        readers = [0] * len(sets)
        for at, instruction in enumerate(program.code):
            if isinstance(instruction, Char):
                readers[instruction.members] |= 1 << at
                self._reads[at], self._following[at] = sets[instruction.members], instruction.following
        self._readers = [_union(readers, inside) | 1 << MATCH for inside in self._inside]
        edges = [instruction for instruction in program.code if isinstance(instruction, Edge)]
        self._kind_before = [0] * len(self.classes)
        self._arrivals: list[dict[int, int]] = [{}] * len(self.classes)  # one for each kind: next states by readers
        for first, members in self._kinds(edge.before for edge in edges):
            arrivals: dict[int, int] = {}
            for number in _bits(members):
                self._kind_before[number], self._arrivals[number] = first, arrivals
        self._kinds_after = self._kinds(edge.after for edge in edges)
        self._pending: list[_Pending] = [frozenset()]
        self._pending_numbers = {self._pending[_NONE_PENDING]: _NONE_PENDING}
        self._states: list[_State] = [(0, ()), (0, ((_NONE_PENDING, 1 << MATCH),))]
        self._numbers = {state: number for number, state in enumerate(self._states)}
        self._steps: dict[int, list[int]] = {}
        self._closures: dict[tuple[int, int], dict[int, _Closure]] = {}  # by the kinds before and after
        self._pending_after: dict[tuple[int, int], int] = {}
        self._endings: dict[int, int] = {}
        self._visits = 0

    def _kinds(self, sets: Iterable[int]) -> list[tuple[int, int]]:
        """Classes that ``sets`` do not tell apart are of one kind: of each kind the first, and all of them as bits."""
        told_apart = sum([1 << members for members in set(sets)])
        kinds: dict[int, list[int]] = {}
        for number, inside in enumerate(self._inside):
            kinds.setdefault(inside & told_apart, []).append(number)
        return [(numbers[0], sum([1 << number for number in numbers])) for numbers in kinds.values()]

    def begin(self, entry: int, before: int = _START) -> int:
        """The state of a run that begins at the instruction ``entry``, after a character of kind ``before``."""
        return self._number((before, ((_NONE_PENDING, 1 << entry),)))

    def _number(self, state: _State) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number

    def step(self, state: int) -> list[int]:
        """The number of the next state for each class."""
        row = self._steps.get(state)
        if row is None:
            row = self._steps[state] = [_DEAD] * len(self.classes)
            for kind_after, among in self._kinds_after:
                reads, threads = self._follow_edges(self._states[state], kind_after)
                plain = threads.pop(_NONE_PENDING, 0)
                if threads:
                    self._step_pending(row, _bits(reads & among), plain, threads)
                else:
                    self._step_plain(row, _bits(reads & among), plain)
        return row

    def _step_plain(self, row: list[int], classes: Iterable[int], plain: int) -> None:
        """Fill in the next states for ``classes``, where all threads are ``plain``: nothing is pending."""
        for number in classes:
            reading = plain & self._readers[number]
            arrivals = self._arrivals[number]
            target = arrivals.get(reading)
            if target is None:
                threads = {_NONE_PENDING: self._advance(reading)}
                target = arrivals[reading] = self._state_of(self._kind_before[number], threads)
            row[number] = target

    def _step_pending(self, row: list[int], classes: Iterable[int], plain: int, waiting: _Threads) -> None:
        """Fill in the next states for ``classes``, where ``plain`` threads and others with pending look-aheads read."""
        targets: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        for number in classes:
            readers = self._readers[number]
            reading = [(_NONE_PENDING, plain & readers)]
            for pending, among in waiting.items():
                if among & readers and (still_pending := self._advance_pending(pending, number)) >= 0:
                    reading.append((still_pending, among & readers))
            key = (self._kind_before[number], tuple(reading))
            target = targets.get(key)
            if target is None:
                threads = {_NONE_PENDING: 0}
                for pending, among in reading:
                    threads[pending] = threads.get(pending, 0) | self._advance(among)
                target = targets[key] = self._state_of(key[0], threads)
            row[number] = target

    def _advance(self, instructions: int) -> int:
        """The instructions that follow when these have read a character, as bits."""
        following = 0
        for at in _bits(instructions):
            following |= 1 << self._following[at]
        return following

    def _state_of(self, before: int, threads: _Threads) -> int:
        """The number of the state with these threads after a character of kind ``before``."""
        if threads[_NONE_PENDING] >> MATCH & 1:
            return _MATCHED
        parts = tuple(sorted([(pending, among) for pending, among in threads.items() if among]))
        return self._number((before, parts)) if parts else _DEAD

    def _advance_pending(self, pending: int, number: int) -> int:
        """What is still pending after a character of class ``number``; -1 when a look-ahead has failed."""
        key = (pending, number)
        if key not in self._pending_after:
            runs = {(negative, self.step(state)[number]) for negative, state in self._pending[pending]}
            failed = (False, _DEAD) in runs or (True, _MATCHED) in runs
            still_pending = runs - {(False, _MATCHED), (True, _DEAD)}
            self._pending_after[key] = -1 if failed else self._pending_number(still_pending)
        return self._pending_after[key]

    def _pending_number(self, look_aheads: Iterable[tuple[bool, int]]) -> int:
        pending = frozenset(look_aheads)
        number = self._pending_numbers.setdefault(pending, len(self._pending))
        if number == len(self._pending):
            self._pending.append(pending)
        return number

    def ends(self, state: int) -> bool:
        """Whether the text may end here."""
        before, threads = self._states[state]
        ending = self._endings.get(before)
        if ending is None:
            ending = self._endings[before] = self._ending(before)
        for pending, among in threads:
            if among & ending and all(self.ends(run) != negative for negative, run in self._pending[pending]):
                return True
        return False

    def _ending(self, before: int) -> int:
        """The instructions, as bits, that match when the text ends here, after a character of kind ``before``."""
        ending = [True]
        for instruction in self._code[1:]:
            match instruction:
                case Split(targets):  # a loop ends where what follows it does, since its body comes back to it
                    ends = any(ending[target] for target in targets if target < len(ending))
                case Edge() as edge:
                    ends = ending[edge.following] and self._holds(edge, before, _END)
                case Look(body, negative, following):
                    ends = ending[following] and ending[body] != negative
                case _:
                    ends = False
            ending.append(ends)
        return sum([1 << number for number, ends in enumerate(ending) if ends])

    def _follow_edges(self, state: _State, after: int) -> tuple[int, _Threads]:
        """The threads that read next (or have matched) when a character of kind ``after`` comes, and what they read."""
        before, waiting = state
        closures = self._closures.setdefault((before, after), {})
        reads = 0
        threads: _Threads = {}
        for pending, among in waiting:
            numbers = _bits(among)
            self._visit(2 * len(numbers))  # once here, once when they advance
            for at in numbers:
                if at == MATCH or isinstance(self._code[at], Char):
                    reads |= self._reads[at]
                    threads[pending] = threads.get(pending, 0) | 1 << at
                    continue
                closure = closures.get(at)
                if closure is None:
                    closure = closures[at] = self._closure(at, before, after)
                reads |= closure[0]
                for passed, reached in closure[1]:
                    total = self._pending_number(self._pending[pending] | passed) if passed else pending
                    threads[total] = threads.get(total, 0) | reached
        return reads, threads

    def _closure(self, start: int, before: int, after: int) -> _Closure:
        """The instructions that a thread at ``start`` reaches without reading, between characters of these kinds."""
        queue = [(start, self._pending[_NONE_PENDING])]
        seen = set(queue)
        reads = 0
        threads: dict[_Pending, int] = {}
        for at, passed in queue:
            reached = []
            match self._code[at]:
                case Char() | Match():
                    threads[passed] = threads.get(passed, 0) | 1 << at
                    reads |= self._reads[at]
                case Split(targets):
                    reached = [(target, passed) for target in targets]
                case Edge() as edge:
                    if self._holds(edge, before, after):
                        reached = [(edge.following, passed)]
                case Look(body, negative, following):
                    reached = [(following, passed | {(negative, self.begin(body, before))})]
            for other in reached:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        self._visit(len(queue))
        return reads, list(threads.items())

    def _visit(self, count: int) -> None:
        """Count visited instructions; ``CompileBudgetError`` beyond ``VISIT_BUDGET``."""
        self._visits += count
        if self._visits > VISIT_BUDGET:
            raise CompileBudgetError(f"an automaton for a pattern needs more than {VISIT_BUDGET} steps, the limit")

    def _holds(self, edge: Edge, before: int, after: int) -> bool:
        """Whether an edge holds between characters of these kinds."""
        left = edge.at_start if before == _START else self._inside[before] >> edge.before & 1
        right = edge.at_end if after == _END else self._inside[after] >> edge.after & 1
        return bool(left and right)


def _bits(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    numbers = []
    if mask.bit_count() > _MANY:
        digits = bin(mask)[:1:-1]
        at = digits.find("1")
        while at >= 0:
            numbers.append(at)
            at = digits.find("1", at + 1)
        return numbers
    while mask:
        at = mask.bit_length() - 1
        numbers.append(at)
        mask ^= 1 << at
    return numbers


def _union(masks: Sequence[int], selected: int) -> int:
    """The bits of all ``masks`` whose numbers are the bits of ``selected``."""
    union = 0
    for number in _bits(selected):
        union |= masks[number]
    return union


def _start(term: syntax.Regex, alphabet: CodePoints) -> tuple[_Runner, int]:
    """A runner, and its first state, for the texts that ``term`` matches somewhere."""
    program = Program()
    anywhere = syntax.Repeat(syntax.Chars(ANY), 0, None)
    entry = program.compile(term if _is_anchored(term) else syntax.sequence((anywhere, term)), MATCH)
    runner = _Runner(program, alphabet)
    return runner, runner.begin(entry)


def _is_anchored(term: syntax.Regex) -> bool:
    """Whether ``term`` plainly matches at the start of a text only."""
    match term:
        case syntax.Edge():
            return term == syntax.START
        case syntax.Sequence(parts):
            return bool(parts) and _is_anchored(parts[0])
        case syntax.Choice(options):
            return all(map(_is_anchored, options))
        case _:
            return False


def search(term: syntax.Regex, *, alphabet: CodePoints = ANY, negated: bool = False) -> TextLanguage:
    """The texts over ``alphabet`` that ``term`` matches somewhere (``negated``: nowhere).

    Raises ``CompileBudgetError`` when the program or the automaton grows beyond its budget.
    """
    runner, start = _start(term, alphabet)
    numbers = {start: 0} if negated else {start: 0, _DEAD: -1}
    states = [start]
    for state in states:
        for target in dict.fromkeys(runner.step(state)):
            if target not in numbers:
                numbers[target] = len(states)
                states.append(target)
        if len(states) > STATE_BUDGET:
            raise CompileBudgetError(f"an automaton needs more than {STATE_BUDGET} states, the limit")
    table = [[numbers[target] for target in runner.step(state)] for state in states]
    accepting = [runner.ends(state) != negated for state in states]
    minimal, origin = minimize_rows(table, accepting, accepting)
    return TextLanguage(runner.classes, minimal, np.array([accepting[state] for state in origin], np.bool_))


def is_found(
    term: syntax.Regex, minimum: int, maximum: int | None, *, alphabet: CodePoints = ANY, negated: bool = False
) -> bool:
    """Whether ``term`` matches (``negated``: does not match) some text of ``minimum`` to ``maximum`` characters.

    ``maximum`` None: of any greater length. Follows the texts length by length, so it sees no more of the automaton
    than the shortest answer needs. Raises ``CompileBudgetError`` as ``search`` does.
    """
    runner, start = _start(term, alphabet)
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
        steps = {target for state in reached for target in runner.step(state)}
        reached = frozenset(steps if negated else steps - {_DEAD})
        length += 1
    return False
