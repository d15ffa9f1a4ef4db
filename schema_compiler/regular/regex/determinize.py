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

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.explore import STATE_BUDGET
from schema_compiler.regular.automata.minimize import minimize_rows
from schema_compiler.regular.regex import syntax as regex
from schema_compiler.regular.regex.program import MATCH, Char, Edge, Look, Match, Program, Split
from schema_compiler.regular.text.codepoints import ANY, CodePoints, partition
from schema_compiler.regular.text.json_strings import TextLanguage

__all__ = ["is_found", "search"]

VISIT_BUDGET = 1_500_000

_MANY = 16  # so many bits are faster found in a text of digits

_START = _END = -1  # in place of a class: no character before, none after


_Obligations: TypeAlias = frozenset[tuple[bool, int]]  # negative?, the number of the state of the run
_Threads: TypeAlias = dict[int, int]
"""By the number of what they owe, instructions as bits."""
_State: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""The kind of the last character, and the threads before following edges, in order."""
_Closure: TypeAlias = tuple[int, list[tuple[_Obligations, int]]]
"""What is read, and the instructions that read it by what they owe besides."""

_NOTHING = 0  # the number of no obligations
_DEAD, _MATCHED = 0, 1  # numbers of the states that never and that already match


class _Runner:
    """Runs a program on classes of characters. Characters that no edge tells apart are of one kind.

    States, and sets of obligations, are known by number, so that they are cheap to compare; instructions whose threads
    owe the same, and classes of characters, are the bits of an integer.
    """

    def __init__(self, program: Program, alphabet: CodePoints) -> None:
        self.classes, self._inside = partition(program.sets, alphabet)
        self._code = program.code
        sets = [0] * len(program.sets)
        for number, inside in enumerate(self._inside):
            for one in _bits(inside):
                sets[one] |= 1 << number
        # what an instruction reads, and where that leads; a match reads everything
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
        self._arrivals: list[dict[int, int]] = [{}] * len(self.classes)  # by what was read; one for each kind
        for first, members in self._kinds(edge.before for edge in edges):
            known: dict[int, int] = {}
            for number in _bits(members):
                self._kind_before[number], self._arrivals[number] = first, known
        self._kinds_after = self._kinds(edge.after for edge in edges)
        self._debts: list[_Obligations] = [frozenset()]
        self._debt_numbers = {self._debts[_NOTHING]: _NOTHING}
        self._states: list[_State] = [(0, ()), (0, ((_NOTHING, 1 << MATCH),))]
        self._numbers = {state: number for number, state in enumerate(self._states)}
        self._steps: dict[int, list[int]] = {}
        self._closures: dict[tuple[int, int], dict[int, _Closure]] = {}  # after and before these kinds
        self._payments: dict[tuple[int, int], int] = {}
        self._endings: dict[int, int] = {}
        self._visits = 0

    def _kinds(self, sets: Iterable[int]) -> list[tuple[int, int]]:
        """The classes that belong to the same of ``sets``: the first of them, and all of them as bits."""
        told_apart = sum([1 << one for one in set(sets)])
        kinds: dict[int, list[int]] = {}
        for number, inside in enumerate(self._inside):
            kinds.setdefault(inside & told_apart, []).append(number)
        return [(numbers[0], sum([1 << number for number in numbers])) for numbers in kinds.values()]

    def begin(self, entry: int, before: int = _START) -> int:
        """The state of a run that begins at the instruction ``entry``, after a character of kind ``before``."""
        return self._number((before, ((_NOTHING, 1 << entry),)))

    def _number(self, state: _State) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number

    def step(self, state: int) -> list[int]:
        """The next states, class by class."""
        row = self._steps.get(state)
        if row is None:
            row = self._steps[state] = [_DEAD] * len(self.classes)
            for kind_after, among in self._kinds_after:
                reads, threads = self._closed(self._states[state], kind_after)
                free = threads.pop(_NOTHING, 0)
                if threads:
                    self._step_owing(row, _bits(reads & among), free, threads)
                else:
                    self._step_free(row, _bits(reads & among), free)
        return row

    def _step_free(self, row: list[int], numbers: Iterable[int], free: int) -> None:
        """The next states for some classes, read by ``free``."""
        for number in numbers:
            reading = free & self._readers[number]
            arrivals = self._arrivals[number]
            target = arrivals.get(reading)
            if target is None:
                moved = {_NOTHING: self._moved(reading)}
                target = arrivals[reading] = self._settled(self._kind_before[number], moved)
            row[number] = target

    def _step_owing(self, row: list[int], numbers: Iterable[int], free: int, owing: _Threads) -> None:
        """The next states for some classes, read by ``free`` and by those of ``owing`` that can still pay."""
        known: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        for number in numbers:
            readers = self._readers[number]
            reading = [(_NOTHING, free & readers)]
            for debt, threads in owing.items():
                if threads & readers and (rest := self._paid(number, debt)) >= 0:
                    reading.append((rest, threads & readers))
            key = (self._kind_before[number], tuple(reading))
            target = known.get(key)
            if target is None:
                moved = {_NOTHING: 0}
                for rest, threads in reading:
                    moved[rest] = moved.get(rest, 0) | self._moved(threads)
                target = known[key] = self._settled(key[0], moved)
            row[number] = target

    def _moved(self, threads: int) -> int:
        """Where threads are when they have read a character, as bits."""
        moved = 0
        for at in _bits(threads):
            moved |= 1 << self._following[at]
        return moved

    def _settled(self, before: int, threads: _Threads) -> int:
        """The state of these threads after a character of kind ``before``."""
        if threads[_NOTHING] >> MATCH & 1:
            return _MATCHED
        parts = tuple(sorted([(debt, among) for debt, among in threads.items() if among]))
        return self._number((before, parts)) if parts else _DEAD

    def _paid(self, number: int, debt: int) -> int:
        """What is still owed after a character of class ``number``; -1 when it can no longer be paid."""
        key = (number, debt)
        if key not in self._payments:
            moved = {(negative, self.step(state)[number]) for negative, state in self._debts[debt]}
            failed = (False, _DEAD) in moved or (True, _MATCHED) in moved
            self._payments[key] = -1 if failed else self._owed(moved - {(False, _MATCHED), (True, _DEAD)})
        return self._payments[key]

    def _owed(self, obligations: Iterable[tuple[bool, int]]) -> int:
        """The number of these obligations."""
        debt = frozenset(obligations)
        number = self._debt_numbers.setdefault(debt, len(self._debts))
        if number == len(self._debts):
            self._debts.append(debt)
        return number

    def ends(self, state: int) -> bool:
        """Whether the text may end here."""
        before, threads = self._states[state]
        ending = self._endings.get(before)
        if ending is None:
            ending = self._endings[before] = self._ending(before)
        for debt, among in threads:
            if among & ending and all(self.ends(run) != negative for negative, run in self._debts[debt]):
                return True
        return False

    def _ending(self, before: int) -> int:
        """The instructions, as bits, from which all is read when the text ends after a character of kind ``before``."""
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

    def _closed(self, state: _State, after: int) -> tuple[int, _Threads]:
        """What is read by threads that read or have matched, once edges are followed with ``after`` coming next."""
        before, waiting = state
        closures = self._closures.setdefault((before, after), {})
        reads = 0
        threads: _Threads = {}
        for debt, among in waiting:
            numbers = _bits(among)
            self._visit(2 * len(numbers))  # followed, and moved on
            for at in numbers:
                if at == MATCH or isinstance(self._code[at], Char):
                    reads |= self._reads[at]
                    threads[debt] = threads.get(debt, 0) | 1 << at
                    continue
                closure = closures.get(at)
                if closure is None:
                    closure = closures[at] = self._closure(at, before, after)
                reads |= closure[0]
                for more, reached in closure[1]:
                    total = self._owed(self._debts[debt] | more) if more else debt
                    threads[total] = threads.get(total, 0) | reached
        return reads, threads

    def _closure(self, start: int, before: int, after: int) -> _Closure:
        """What becomes of a thread at ``start``."""
        nothing = self._debts[_NOTHING]
        queue = [(start, nothing)]
        seen = set(queue)
        reads = 0
        threads: dict[_Obligations, int] = {}
        for at, owed in queue:
            reached = []
            match self._code[at]:
                case Char() | Match():
                    threads[owed] = threads.get(owed, 0) | 1 << at
                    reads |= self._reads[at]
                case Split(targets):
                    reached = [(target, owed) for target in targets]
                case Edge() as edge:
                    if self._holds(edge, before, after):
                        reached = [(edge.following, owed)]
                case Look(body, negative, following):
                    reached = [(following, owed | {(negative, self.begin(body, before))})]
            for other in reached:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        self._visit(len(queue))
        return reads, list(threads.items())

    def _visit(self, count: int) -> None:
        self._visits += count
        if self._visits > VISIT_BUDGET:
            raise CompileBudgetError(f"an automaton for a pattern needs more than {VISIT_BUDGET} steps, the limit")

    def _holds(self, edge: Edge, before: int, after: int) -> bool:
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
    """All the bits of those of ``masks`` whose numbers are the bits of ``selected``."""
    union = 0
    for number in _bits(selected):
        union |= masks[number]
    return union


def _started(term: regex.Regex, alphabet: CodePoints) -> tuple[_Runner, int]:
    """A runner, and its first state, for the texts that ``term`` matches somewhere."""
    program = Program()
    anywhere = regex.Repeat(regex.Chars(ANY), 0, None)
    entry = program.compile(term if _is_anchored(term) else regex.sequence((anywhere, term)), MATCH)
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
        steps = {target for state in reached for target in runner.step(state)}
        reached = frozenset(steps if negated else steps - {_DEAD})
        length += 1
    return False
