"""States of the pushdown automaton, and the token mask of each.

A *thread* is ``(node, frame)``; a *frame* is a node to return to and the frame below it, hash-consed, so stacks are
shared like a tree. A *state* is an interned set of threads. What does not change is never computed twice:
``(state, token) -> state`` and ``state -> mask`` are look-ups once seen.

The mask of a state is the union over its threads of what their nodes admit at the start of a token; where a rule
can end inside a token, the walk goes on from there at the caller's return node, up the stack as far as any token
reaches. This is XGrammar's context expansion (arXiv 2411.15100, section 3.2), exact at every depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count

import numpy as np
from mypy_extensions import mypyc_attr

from schema_compiler.engine.leaves.history import HistoryLeaf
from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.completion import Completion
from schema_compiler.engine.pushdown.stacks import NO_TOKENS, UNUSED, Frame, MergedStack, Stack, Thread, frames_of
from schema_compiler.engine.tokens.scan import Scan, scan_key
from schema_compiler.engine.tokens.token_sets import TokenSet, union_of
from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, NodeSet, TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.graph import END

__all__ = ["Engine", "State"]


_TOKEN_BITS = 32
"""A state's number and a token's id make one integer, which no garbage collector looks at, unlike a tuple."""

MERGE_THRESHOLD = 8
"""With more threads than that, those at one node are joined."""


@mypyc_attr(acyclic=True)
class State:
    """An interned set of threads; the other slots are filled when first needed.

    What follows is kept by the engine: states that refer to each other would outlive it until a collection.
    """

    __slots__ = ("closed", "complete", "number", "row", "threads")

    def __init__(self, threads: tuple[Thread, ...], number: int) -> None:
        self.threads = threads
        self.number = number
        self.closed: tuple[Thread, ...] | None = None
        self.complete = False
        self.row: TokenMask | None = None


class Engine:
    """Everything known about one compiled grammar over one vocabulary. Shared by all its matchers and threads.

    ``numbers`` gives states their numbers, each once, also to engines that follow this one.
    """

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, numbers: Iterator[int] | None = None) -> None:
        self.automaton = automaton
        self.vocabulary = vocabulary
        self._numbers = count(1) if numbers is None else numbers
        self._trie = automaton.leaves.trie
        self._completion = Completion(automaton)
        self._scans: dict[int, Scan] = {}
        self._states: dict[tuple[Thread, ...], State] = {}
        self._following: dict[int, State] = {}
        self._frames: dict[tuple[object, ...], Frame] = {}
        self._merges: dict[frozenset[Frame], MergedStack] = {}
        self._rows: dict[tuple[bool, tuple[Scan, ...]], TokenMask] = {}
        self.ended = State((), 0)
        self.ended.closed, self.ended.complete = (), True
        self.ended.row = self._trie.no_tokens
        self._eos = tuple(sorted(vocabulary.eos_token_ids))
        self.start = self._state([(automaton.root, self._frame(END, None))])

    @property
    def size(self) -> int:
        """About how many bytes the engine has grown to, graph and scans included, leaves aside."""
        per_entry = (
            (self._states, 1200),
            (self._following, 200),
            (self._frames, 250),
            (self._merges, 1000),
            (self._scans, 400),
            (self.automaton.nodes, 700),
        )
        return sum(len(table) * cost for table, cost in per_entry) + len(self._rows) * self._trie.words * 4

    # States

    def _frame(self, node: int, below: Stack | None, used: frozenset[bytes] = UNUSED) -> Frame:
        key = (node, below, used) if used else (node, below)
        frame = self._frames.get(key)
        if frame is None:
            held = NO_TOKENS if below is None else below.held
            if used:
                held = held.union(*[self.vocabulary.quoted_tokens.holding(text) for text in used])
            frame = self._frames.setdefault(key, Frame(node, below, used, held))
        return frame

    def _merged(self, threads: Iterable[Thread]) -> Sequence[Thread]:
        """The threads with the stacks of each node joined, so that there are no more threads than nodes."""
        stacks: dict[int, set[Frame]] = {}
        merged: list[Thread] = []
        for node, stack in threads:
            if stack is None or (node >= LEAF and isinstance(self.automaton.language(node)[0], HistoryLeaf)):
                merged.append((node, stack))
            else:
                stacks.setdefault(node, set()).update(frames_of(stack))
        merged += [(node, self._merge(frozenset(frames))) for node, frames in stacks.items()]
        return merged

    def _merge(self, frames: frozenset[Frame]) -> Stack:
        if len(frames) == 1:
            return next(iter(frames))
        merge = self._merges.get(frames)
        return merge if merge is not None else self._merges.setdefault(frames, MergedStack(frames))

    def _state(self, threads: Collection[Thread]) -> State:
        """Keyed by the threads in some order: the collector stops looking at a tuple of what it does not look at."""
        key = tuple(threads) if len(threads) == 1 else tuple(sorted(set(threads), key=_order))
        state = self._states.get(key)
        if state is None:
            state = self._states.setdefault(key, State(key, next(self._numbers)))
        return state

    def _closed(self, state: State) -> tuple[Thread, ...]:
        """The state's threads after all calls and returns; sets ``complete`` on the way."""
        if state.closed is None:
            threads, state.complete = self._close(state.threads)
            state.closed = tuple(threads)
        return state.closed

    def _close(self, threads: Iterable[Thread]) -> tuple[Iterable[Thread], bool]:
        automaton = self.automaton
        waiting = [thread for thread in threads if thread[0] >= LEAF or not automaton.node(thread[0]).plain]
        if not waiting:
            return threads, False
        found = dict.fromkeys(threads)
        complete = False
        while waiting:
            node, frame = waiting.pop()
            reached: list[Thread] = []
            if node >= LEAF:
                language, inner = automaton.language(node)
                accepting = language.accepting(inner)
                if accepting and isinstance(frame, Frame) and isinstance(language, HistoryLeaf):
                    frame = self._used(frame, language.text(inner))
            else:
                found_node = automaton.node(node)
                accepting = found_node.accepting
                for callee, back in found_node.calls:
                    start = automaton.start(callee)
                    for caller in self._callers(frame, start):
                        reached.append((start, caller if back == END else self._frame(back, caller)))
            if accepting:
                if frame is None:
                    complete = True
                elif isinstance(frame, Frame):
                    reached.append((frame.node, frame.below))
                else:
                    reached.extend((branch.node, branch.below) for branch in frame.frames)
            for thread in reached:
                if thread not in found:
                    found[thread] = None
                    waiting.append(thread)
        return found, complete

    def _callers(self, stack: Stack | None, start: int) -> Iterable[Stack | None]:
        """The stacks that a call is made from: each by itself where the callee leaves marks on them."""
        if isinstance(stack, MergedStack) and start >= LEAF:
            language, _ = self.automaton.language(start)
            return stack.frames if isinstance(language, HistoryLeaf) else (stack,)
        return (stack,)

    def _used(self, frame: Frame, text: bytes) -> Frame:
        """The frame of a leaf's call, its caller's frame with ``text`` among the used ones."""
        caller = frame.below
        assert isinstance(caller, Frame), "such leaves are called from one rule at a time"
        return self._frame(frame.node, self._frame(caller.node, caller.below, caller.used | {text}))

    def _step(self, closed: Iterable[Thread], byte: int) -> list[Thread]:
        automaton = self.automaton
        found: list[Thread] = []
        for node, frame in closed:
            if node >= LEAF:
                language, inner = automaton.language(node)
                after = language.step(inner, byte)
                if after >= 0 and not (isinstance(language, HistoryLeaf) and _is_used(language, after, frame)):
                    found.append((node - inner + after, frame))
            else:
                for target in automaton.targets(node, byte):
                    found.append((target, frame))
        return found

    def complete(self, state: State) -> bool:
        """Whether the text so far is a whole document."""
        self._closed(state)
        return state.complete

    def follow(self, state: State, token_id: int) -> State | None:
        """The state after a token; ``None`` when the token is illegal."""
        key = state.number << _TOKEN_BITS | token_id
        following = self._following.get(key)
        if following is None and 0 <= token_id < len(self.vocabulary):
            following = self._follow(state, token_id)
            if following is not None:
                self._following[key] = following
        return following

    def _follow(self, state: State, token_id: int) -> State | None:
        if token_id in self.vocabulary.eos_token_ids:
            return self.ended if state is not self.ended and self.complete(state) else None
        text = self.vocabulary.tokens[token_id]
        return None if text is None else self.read(state, text)

    def read(self, state: State, text: bytes) -> State | None:
        """The state after ``text``; ``None`` when it leads out of the language."""
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
                closed = self._closed(state) if whole else self._close(choosing)[0]
                if after := self._step(closed, text[index]):
                    reached.setdefault(index + 1, []).extend(after)
        return None

    def _read_at_once(self, thread: Thread, text: bytes, index: int) -> tuple[Thread | None, int] | None:
        """As much of ``text`` as a literal or a leaf takes without a choice: the thread behind it, none if illegal."""
        number, frame = thread
        if number >= LEAF:
            return self._read_leaf(number, frame, text, index)
        literal = self.automaton.node(number).text
        if not literal:
            return None
        count = min(len(literal), len(text) - index)
        if literal[:count] != text[index : index + count]:
            return None, index
        whole = count == len(literal)
        behind = self.automaton.node(number).after if whole else self.automaton.within(number, count)
        return (behind, frame), index + count

    def _read_leaf(self, number: int, frame: Stack | None, text: bytes, index: int) -> tuple[Thread | None, int] | None:
        language, inner = self.automaton.language(number)
        if language.accepting(inner):
            return None
        after, index = language.run(inner, text, index)
        if after < 0 or (isinstance(language, HistoryLeaf) and _is_used(language, after, frame)):
            return None, index
        return (number - inner + after, frame), index

    def bytes_from(self, state: State) -> set[int]:
        """The bytes that may come next."""
        automaton = self.automaton
        found: set[int] = set()
        for node, _ in self._closed(state):
            if node >= LEAF:
                language, inner = automaton.language(node)
                found.update(language.bytes_from(inner))
            else:
                found.update(automaton.node(node).bytes)
        return found

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

    # Masks

    def mask(self, state: State) -> TokenMask:
        """The packed token mask of a state, EOS included when the document may end. Read-only."""
        if state.row is None:
            scans = tuple(sorted(dict.fromkeys(self._walk(state.threads)), key=id))
            key = (self.complete(state), scans)
            row = self._rows.get(key)
            if row is None:
                row = self._rows.setdefault(key, self._row(scans, ends=key[0]))
            state.row = self._without_repeats(state, row) if self.automaton.distinct else row
        return state.row

    def _without_repeats(self, state: State, row: TokenMask) -> TokenMask:
        """The row less the tokens that would complete a text a second time, each found out by reading it."""
        illegal = [token for token in self._suspects(state, row) if self.follow(state, token) is None]
        if not illegal:
            return row
        row = row.copy()
        for token in illegal:
            row[token >> 5] &= ~np.uint32(1 << (token & 31))
        row.flags.writeable = False
        return row

    def _suspects(self, state: State, row: TokenMask) -> set[int]:
        """Tokens of the row that may complete a used text: those that hold one whole, or the rest of one."""
        quoted_tokens = self.vocabulary.quoted_tokens
        suspects = set(quoted_tokens.repeating)
        for node, stack in self._closed(state):
            if stack is not None and stack.held:
                suspects |= stack.held
            if node < LEAF:
                continue
            language, inner = self.automaton.language(node)
            if isinstance(language, HistoryLeaf) and isinstance(stack, Frame) and isinstance(stack.below, Frame):
                begun = language.text(inner)
                suspects.update(quoted_tokens.repeating_after(begun))
                suspects.update(self._endings(begun, stack.below.used))
        return {token for token in suspects if row[token >> 5] >> (token & 31) & 1}

    def _endings(self, begun: bytes, used: Iterable[bytes]) -> Iterator[int]:
        """The tokens that begin with what is missing of a used text."""
        for text in used:
            if b"\\u" in text:  # which may be spelled in upper case, too
                yield from range(len(self.vocabulary))
            elif text.startswith(begun):
                yield from self._trie.tokens_below(text[len(begun) :])

    def _row(self, scans: Iterable[Scan], *, ends: bool) -> TokenMask:
        token_sets: list[TokenSet] = [self._eos] if ends else []
        for scan in scans:
            token_sets += scan.token_sets
        row = union_of(token_sets, self._trie)
        row.flags.writeable = False
        return row

    def _walk(self, threads: Iterable[Thread]) -> Iterator[Scan]:
        """The scans whose tokens make up a mask: up each thread's stack as far as tokens reach."""
        waiting: list[tuple[NodeSet, int, Stack | None]] = [(ROOT, node, frame) for node, frame in threads]
        seen = set(waiting)
        while waiting:
            node_set, node, frame = waiting.pop()
            scan = self.scan(node_set, node)
            if scan.token_sets:
                yield scan
            for caller in frames_of(frame) if scan.nullable or scan.exits != NOWHERE else ():
                for following in (node_set if scan.nullable else NOWHERE, scan.exits):
                    if following != NOWHERE and (item := (following, caller.node, caller.below)) not in seen:
                        seen.add(item)
                        waiting.append(item)

    def scan(self, node_set: NodeSet, node: int) -> Scan:
        """What the rule of ``node`` admits from ``node_set``, callers aside; memoised."""
        if node >= LEAF:
            language, inner = self.automaton.language(node)
            return language.scan(self._trie, node_set, inner)
        key = scan_key(node_set, node)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(node_set, node))
        return scan

    def _scan(self, node_set: NodeSet, node: int) -> Scan:
        automaton, trie = self.automaton, self._trie
        ids: list[int] = []
        token_sets: dict[int, TokenSet] = {}
        ends: list[NodeSet] = []
        empty = False
        waiting = [(node_set, node)]
        seen = set(waiting)
        while waiting:
            here, number = waiting.pop()
            current = automaton.nodes[number] or automaton.node(number)
            reached: list[tuple[NodeSet, int]] = []
            edges = current.edges
            if current.text:
                for byte in current.text:
                    here = trie.advance(here, byte, ids)
                    if here == NOWHERE:
                        break
                else:
                    reached.append((here, current.after))
            elif edges:
                for byte in edges if len(edges) < 8 else trie.bytes_from(here):
                    if (targets := edges.get(byte)) and (onward := trie.advance(here, byte, ids)) != NOWHERE:
                        reached += [(onward, target) for target in targets]
            for callee, back in current.calls:
                inner = self.scan(here, automaton.start(callee))
                token_sets.update((id(token_set), token_set) for token_set in inner.token_sets)
                if inner.nullable:
                    reached.append((here, back))
                if inner.exits != NOWHERE:
                    reached.append((inner.exits, back))
            if current.accepting:
                if here == node_set:
                    empty = True
                else:
                    ends.append(here)
            for item in reached:
                if item not in seen:
                    seen.add(item)
                    waiting.append(item)
        if ids:
            token_sets[0] = tuple(ids)
        rest = trie.union(dict.fromkeys(ends))
        return Scan(tuple(token_sets.values()), rest, empty)


def _order(thread: Thread) -> tuple[int, int]:
    return thread[0], id(thread[1])


def _is_used(language: HistoryLeaf, state: int, frame: Stack | None) -> bool:
    """Whether a leaf has just read a whole text that its caller has already."""
    if not isinstance(frame, Frame) or not isinstance(frame.below, Frame) or not frame.below.used:
        return False
    return language.accepting(state) and language.text(state) in frame.below.used
