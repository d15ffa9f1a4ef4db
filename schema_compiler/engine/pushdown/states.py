"""The states a document can be in: interned sets of threads, and the steps between them.

A *thread* is ``(node, stack)``: one way to derive the text so far. A *state* is the set of all of them, interned, so
that what does not change is never computed twice: ``(state, token) -> state`` is a look-up once seen. Comparing states,
going back to one and starting twice from one are operations on integers and references.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count

from mypy_extensions import mypyc_attr

from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.completion import Completion
from schema_compiler.engine.pushdown.repeats import completes_used_text
from schema_compiler.engine.pushdown.stacks import Frame, MergedStack, Stack, Stacks, Thread, frames_of
from schema_compiler.engine.tokens.trie import TokenMask
from schema_compiler.engine.vocabulary.token_steps import after_token
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.graph import END

__all__ = ["State", "States"]


_TOKEN_BITS = 32
"""A state's number and a token's id make one integer, which no garbage collector looks at, unlike a tuple."""

MERGE_THRESHOLD = 8
"""With more threads than that, those at one node get one merged stack.

Without it, an ambiguous grammar has threads without end; merging costs a pass over all threads for each byte. Grammars
of schemas seldom have more than a few threads. Chosen, not measured: any small number does.
"""

_STATE_BYTES = 1200
"""About what a state takes, with its threads, its closed threads and its table entries, the mask aside."""
_STEP_BYTES = 200
"""About what a remembered step takes: an integer key of two words, and the entry."""


@mypyc_attr(acyclic=True)
class State:
    """An interned set of threads; ``closed``, ``complete`` and ``mask`` are filled when first needed.

    ``number``: no other state has it, also none of an engine that follows this one. ``closed``: the threads after all
    calls and returns. ``complete``: whether the document may end here, once ``closed`` is known.
    What follows a state is kept by ``States``: states that refer to each other would outlive it until a collection.
    """

    __slots__ = ("closed", "complete", "mask", "number", "threads")

    def __init__(self, threads: tuple[Thread, ...], number: int) -> None:
        self.threads = threads
        self.number = number
        self.closed: tuple[Thread, ...] | None = None
        self.complete = False
        self.mask: TokenMask | None = None


class States:
    """The states of one automaton over one vocabulary, made as documents reach them. Shared by threads.

    ``numbers`` gives states their numbers, each once, also to those of engines that follow this one.
    """

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, numbers: Iterator[int] | None = None) -> None:
        self.automaton = automaton
        self.vocabulary = vocabulary
        self._numbers = count(1) if numbers is None else numbers
        self._completion = Completion(automaton)
        self._stacks = Stacks(vocabulary)
        self._states: dict[tuple[Thread, ...], State] = {}
        self._following: dict[int, State] = {}
        self.ended = State((), 0)
        self.ended.closed, self.ended.complete = (), True
        self.ended.mask = automaton.leaves.trie.no_tokens
        self.start = self._state([(automaton.root, self._stacks.frame(END, None))])

    @property
    def nbytes(self) -> int:
        """About how many bytes states and stacks take, masks aside."""
        return len(self._states) * _STATE_BYTES + len(self._following) * _STEP_BYTES + self._stacks.nbytes

    def complete(self, state: State) -> bool:
        """Whether the text so far is a whole document."""
        self.closed(state)
        return state.complete

    def follow(self, state: State, token_id: int) -> State | None:
        """The state after a token; ``None`` when the token is illegal."""
        key = state.number << _TOKEN_BITS | token_id
        following = self._following.get(key)
        if following is None:
            following = after_token(self, state, token_id)
            if following is not None:
                self._following[key] = following
        return following

    def read(self, state: State, text: bytes) -> State | None:
        """The state after ``text``; ``None`` when it leads out of the language.

        Threads that read a literal or a leaf take as much of the text as that at once, so they are at different
        indices; those farthest behind go on first.
        """
        reached: dict[int, list[Thread]] = {0: list(state.threads)}
        while reached:
            index = min(reached)
            threads = reached.pop(index)
            if len(threads) > MERGE_THRESHOLD:
                threads = list(self._merged(threads))
            if index == len(text):
                return self._state(threads)
            choosing: list[Thread] = []
            for thread in threads:
                read = self._read_at_once(thread, text, index)
                if read is None:
                    choosing.append(thread)
                elif read[0] is not None:
                    reached.setdefault(read[1], []).append(read[0])
            if choosing:
                whole = index == 0 and len(choosing) == len(state.threads)
                closed = self.closed(state) if whole else self._close(choosing)[0]
                if after := self._step(closed, text[index]):
                    reached.setdefault(index + 1, []).extend(after)
        return None

    def bytes_from(self, state: State) -> set[int]:
        """The bytes that may come next."""
        return self._bytes(self.closed(state))

    def bytes_of(self, threads: Iterable[Thread]) -> tuple[set[int], bool]:
        """The bytes that may come next after ``threads``, and whether the document may end there."""
        closed, complete = self._close(threads)
        return self._bytes(closed), complete

    def after_byte(self, threads: Iterable[Thread], byte: int) -> list[Thread]:
        """The threads after one byte."""
        return self._step(self._close(threads)[0], byte)

    def _bytes(self, closed: Iterable[Thread]) -> set[int]:
        automaton = self.automaton
        bytes_: set[int] = set()
        for node, _ in closed:
            if node >= LEAF:
                language, inner = automaton.language(node)
                bytes_.update(language.bytes_from(inner))
            else:
                bytes_.update(automaton.node(node).bytes)
        return bytes_

    def closing(self, state: State) -> bytes:
        """The shortest byte string that completes the document; empty when it is complete.

        Where that would repeat a key, a byte is added there, and the shortest ending sought from there on.
        """
        text = bytearray()
        while not self.complete(state):
            closing = self._completion.closing(state.threads)
            if self.read(state, closing) is not None:
                return bytes(text + closing)
            state, read = self._detour(state, closing)
            text += read
        return bytes(text)

    def _detour(self, state: State, closing: bytes) -> tuple[State, bytes]:
        """As much of ``closing`` as is legal, then another byte than the one that would repeat a text."""
        for index in range(len(closing)):
            following = self.read(state, closing[index : index + 1])
            if following is None:
                byte = bytes((min(self.bytes_from(state) - {closing[index]}),))
                following = self.read(state, byte)
                assert following is not None
                return following, closing[:index] + byte
            state = following
        raise AssertionError("only called for a closing that is illegal")

    def _state(self, threads: Collection[Thread]) -> State:
        """Keyed by the threads in some order: the collector stops looking at a tuple of what it does not look at."""
        key = tuple(threads) if len(threads) == 1 else tuple(sorted(set(threads), key=_order))
        state = self._states.get(key)
        if state is None:
            state = self._states.setdefault(key, State(key, next(self._numbers)))
        return state

    def _merged(self, threads: Iterable[Thread]) -> Sequence[Thread]:
        """The threads with the stacks at each node merged, so that there are no more threads than nodes."""
        frames: dict[int, set[Frame]] = {}
        merged: list[Thread] = []
        for node, stack in threads:
            if stack is None or (node >= LEAF and self.automaton.language(node)[0].remembers):
                merged.append((node, stack))
            else:
                frames.setdefault(node, set()).update(frames_of(stack))
        merged += [(node, self._stacks.merged(several)) for node, several in frames.items()]
        return merged

    def closed(self, state: State) -> tuple[Thread, ...]:
        """The state's threads after all calls and returns; sets ``complete`` on the way."""
        if state.closed is None:
            threads, state.complete = self._close(state.threads)
            state.closed = tuple(threads)
        return state.closed

    def _close(self, threads: Iterable[Thread]) -> tuple[Iterable[Thread], bool]:
        """The threads and all that calls and returns lead to; whether one of them is at the document's end."""
        automaton, stacks = self.automaton, self._stacks
        waiting = [thread for thread in threads if thread[0] >= LEAF or not automaton.node(thread[0]).plain]
        if not waiting:
            return threads, False
        closed = dict.fromkeys(threads)
        complete = False
        while waiting:
            number, stack = waiting.pop()
            reached: list[Thread] = []
            if number >= LEAF:
                language, inner = automaton.language(number)
                accepting = language.accepting(inner)
                if accepting and language.remembers and isinstance(stack, Frame):
                    stack = stacks.after_reading(stack, language.text(inner))
            else:
                node = automaton.node(number)
                accepting = node.accepting
                for callee, back in node.calls:
                    start = automaton.start(callee)
                    for caller in self._callers(stack, start):
                        reached.append((start, caller if back == END else stacks.frame(back, caller)))
            if accepting:
                if stack is None:
                    complete = True
                elif isinstance(stack, Frame):
                    reached.append((stack.node, stack.below))
                else:
                    reached.extend((frame.node, frame.below) for frame in stack.frames)
            for thread in reached:
                if thread not in closed:
                    closed[thread] = None
                    waiting.append(thread)
        return closed, complete

    def _callers(self, stack: Stack | None, start: int) -> Iterable[Stack | None]:
        """The stacks that a call is made from: each by itself where the callee leaves marks on them."""
        if isinstance(stack, MergedStack) and start >= LEAF and self.automaton.language(start)[0].remembers:
            return stack.frames
        return (stack,)

    def _step(self, closed: Iterable[Thread], byte: int) -> list[Thread]:
        """The threads after one byte."""
        automaton = self.automaton
        reached: list[Thread] = []
        for node, stack in closed:
            if node >= LEAF:
                language, inner = automaton.language(node)
                after = language.step(inner, byte)
                if after >= 0 and not (language.remembers and completes_used_text(language, after, stack)):
                    reached.append((node - inner + after, stack))
            else:
                for target in automaton.targets(node, byte):
                    reached.append((target, stack))
        return reached

    def _read_at_once(self, thread: Thread, text: bytes, index: int) -> tuple[Thread | None, int] | None:
        """As much of ``text`` as a literal or a leaf takes without a choice: the thread behind it, none if illegal.

        ``None`` where there is a choice.
        """
        number, stack = thread
        if number >= LEAF:
            return self._read_leaf(number, stack, text, index)
        literal = self.automaton.node(number).text
        if not literal:
            return None
        count = min(len(literal), len(text) - index)
        if literal[:count] != text[index : index + count]:
            return None, index
        whole = count == len(literal)
        behind = self.automaton.node(number).after if whole else self.automaton.within(number, count)
        return (behind, stack), index + count

    def _read_leaf(self, number: int, stack: Stack | None, text: bytes, index: int) -> tuple[Thread | None, int] | None:
        language, inner = self.automaton.language(number)
        if language.accepting(inner):
            return None
        after, index = language.run(inner, text, index)
        if after < 0 or (language.remembers and completes_used_text(language, after, stack)):
            return None, index
        return (number - inner + after, stack), index


def _order(thread: Thread) -> tuple[int, int]:
    return thread[0], id(thread[1])
