"""A naive recogniser of the grammar's language, to hold the engine against.

It works on the grammar as it was *lowered*, before pruning, one byte at a time, with sets of stacks of what is still
to be read: no graphs, no automata, no scans, no trie positions, no interned rows. It is slow and meant to be obvious::

    Pair ::= "[" <digit> ", " <digit> "]"        after "[4":  { ", " <digit> "]" }

Everything the engine derives cleverly is found here by brute force: which rules derive any text (a fixpoint over the
whole grammar), how many characters of a string have been written (by counting them in the bytes), and whether a
legal length is still in reach (by listing all lengths). A leaf that a request brings along is given as all its texts.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from schema_compiler.grammar import ir as g

__all__ = ["Oracle", "OracleState", "TokenTree"]

Item: TypeAlias = "g.Expression | _Text | _Times | _Place | _Recorded | _Scope | _Chosen | _Parted | _Listed"


@dataclass(frozen=True, slots=True)
class _Text:
    """A literal of which ``at`` bytes have been read."""

    text: bytes
    at: int


@dataclass(frozen=True, slots=True)
class _Times:
    """An item to be repeated; ``owner`` keeps it alive, its identity is the key."""

    owner: g.Repeat
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class _Place:
    """A place inside a leaf: the table's state, and what is watched besides it.

    ``phase`` and ``count``: where in the string, after how many characters. ``text``: what has been read, while it
    begins a forbidden text.
    """

    leaf: _Language
    state: int
    phase: int
    count: int
    text: bytes | None


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A place inside a leaf whose texts may not come twice, and what it has read."""

    place: _Place
    text: bytes


@dataclass(frozen=True, slots=True)
class _Scope:
    """The end of a call of a rule: the texts that its leaves may not read again."""

    used: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A value of a selection, of which ``text`` has been read; those with the numbers ``used`` came before it."""

    owner: g.Selection
    used: frozenset[int]
    text: bytes


@dataclass(frozen=True, slots=True)
class _Parted:
    """The separator behind some values of a selection, in a state of its table."""

    owner: g.Selection
    used: frozenset[int]
    state: int


@dataclass(frozen=True, slots=True)
class _Listed:
    """A leaf of the request, of which ``text`` has been read."""

    name: str
    text: bytes


_LeafSymbol: TypeAlias = g.Leaf | g.Counted | g.Difference


class _Stack:
    """What is still to be read: ``item``, then ``rest`` (``None``: the end of the document). Interned by the oracle."""

    __slots__ = ("item", "rest")

    def __init__(self, item: Item, rest: _Stack | None) -> None:
        self.item = item
        self.rest = rest


class OracleState:
    """Stacks that read next; ``complete``: the text so far is a document."""

    __slots__ = ("after", "complete", "stacks")

    def __init__(self, stacks: tuple[_Stack, ...], complete: bool) -> None:
        self.stacks = stacks
        self.complete = complete
        self.after: dict[int, OracleState | None] = {}


class TokenTree:
    """The tokens as nested dictionaries, so that walking all of them reads each shared prefix once."""

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        self.children: list[dict[int, int]] = [{}]
        self.tokens: list[list[int]] = [[]]
        for token_id, text in enumerate(tokens):
            if text:
                self._add(token_id, text)

    def _add(self, token_id: int, text: bytes) -> None:
        node = 0
        for byte in text:
            if byte not in self.children[node]:
                self.children[node][byte] = len(self.children)
                self.children.append({})
                self.tokens.append([])
            node = self.children[node][byte]
        self.tokens[node].append(token_id)


class Oracle:
    """The language of a grammar. Finite grammars only: all rules are looked at.

    ``bound``: all texts of each leaf that a request brings along, by its name.
    """

    def __init__(self, grammar: g.Grammar, bound: Mapping[str, Collection[bytes]] = MappingProxyType({})) -> None:
        self._rules = grammar.reachable()
        self._listed = {name: set(texts) for name, texts in bound.items()}
        self._begun = {
            name: {text[:count] for text in texts for count in range(len(text) + 1)} for name, texts in bound.items()
        }
        self._languages: dict[int, _Language] = {}
        self._selections: dict[int, g.Selection] = {}
        self._stacks: dict[tuple[Hashable, int], _Stack] = {}
        self._states: dict[tuple[frozenset[int], bool], OracleState] = {}
        self._productive = self._productive_rules()
        self.start = self._state([self._stack(g.Reference(grammar.start), None)])

    # What derives any text at all

    def _productive_rules(self) -> set[str]:
        found: set[str] = set()
        while True:
            new = {name for name, body in self._rules.items() if name not in found and self._derives(body, found)}
            if not new:
                return found
            found |= new

    def _derives(self, expression: g.Expression, productive: set[str]) -> bool:
        match expression:
            case g.Literal():
                return True
            case g.Bytes(members):
                return bool(members)
            case g.Sequence(items):
                return all(self._derives(item, productive) for item in items)
            case g.Choice(options):
                return any(self._derives(option, productive) for option in options)
            case g.Repeat(item, minimum):
                return minimum == 0 or self._derives(item, productive)
            case g.Reference(rule):
                return rule in productive
            case g.Leaf() | g.Counted() | g.Difference():
                return self._language(expression).start is not None
            case g.Distinct(leaf):
                return self._derives(leaf, productive)
            case g.Selection():
                return True
            case g.Bound(name):
                return bool(self._listed[name])
            case g.BoundList(name, minimum=minimum):
                return len(self._listed[name]) >= minimum
            case _:
                raise ValueError(f"expected a leaf with a table, found {expression}")

    def _language(self, leaf: _LeafSymbol) -> _Language:
        return self._languages.get(id(leaf)) or self._languages.setdefault(id(leaf), _Language(leaf))

    # Stacks and states

    def _stack(self, item: Item, rest: _Stack | None) -> _Stack:
        key: Hashable = item
        if isinstance(item, g.Expression.__args__):
            key = id(item)
        elif isinstance(item, _Times):
            key = (id(item.owner), item.minimum, item.maximum)
        elif isinstance(item, _Place):
            key = (id(item.leaf), item.state, item.phase, item.count, item.text)
        elif isinstance(item, _Recorded):
            key = (
                id(item.place.leaf),
                item.place.state,
                item.place.phase,
                item.place.count,
                item.place.text,
                item.text,
            )
        elif isinstance(item, _Chosen):
            key = (id(item.owner), item.used, item.text)
        elif isinstance(item, _Parted):
            key = (id(item.owner), item.used, item.state)
        whole = (key, id(rest))
        stack = self._stacks.get(whole)
        return stack if stack is not None else self._stacks.setdefault(whole, _Stack(item, rest))

    def _state(self, stacks: Iterable[_Stack | None]) -> OracleState:
        """Unfold what stands on top until every stack reads a byte next."""
        waiting = list(stacks)
        seen: dict[int, _Stack | None] = {id(stack): stack for stack in waiting}
        reading: list[_Stack] = []
        while waiting:
            stack = waiting.pop()
            if stack is None:
                continue
            if isinstance(stack.item, _Text | _Place | _Recorded | _Chosen | _Parted | _Listed | g.Bytes):
                reading.append(stack)
            for following in self._unfold(stack):
                if id(following) not in seen:
                    seen[id(following)] = following
                    waiting.append(following)
        key = (frozenset(map(id, reading)), id(None) in seen)
        state = self._states.get(key)
        return state or self._states.setdefault(key, OracleState(tuple(reading), id(None) in seen))

    def _unfold(self, stack: _Stack) -> list[_Stack | None]:
        """What the stack can become without reading; parts that derive nothing never get onto a stack."""
        item, rest = stack.item, stack.rest
        match item:
            case g.Literal(text):
                return [self._stack(_Text(text, 0), rest) if text else rest]
            case g.Sequence(items):
                if not all(self._derives(part, self._productive) for part in items):
                    return []
                for part in reversed(items):
                    rest = self._stack(part, rest)
                return [rest]
            case g.Choice(options):
                return [self._stack(option, rest) for option in options if self._derives(option, self._productive)]
            case g.Repeat(_, minimum, maximum):
                return [self._stack(_Times(item, minimum, maximum), rest)]
            case _Times():
                return self._repeated(item, rest)
            case g.Reference(rule):
                if rule not in self._productive:
                    return []
                called = rest if rest is not None and isinstance(rest.item, _Scope) else self._stack(_Scope(), rest)
                return [self._stack(self._rules[rule], called)]
            case _Scope():
                return [rest]
            case g.Distinct(leaf):
                start = self._language(leaf).start
                return [self._stack(_Recorded(start, b""), rest)] if start else []
            case _Recorded(place, text):
                return self._recorded(rest, text) if place.leaf.may_end(place) else []
            case g.Selection():
                return [self._stack(_Chosen(item, frozenset(), b""), rest)]
            case _Chosen():
                return [
                    following
                    for value in _unused(item, item.text, whole=True)
                    for following in self._behind(item, value, rest)
                ]
            case _Parted(owner, used, state):
                return [self._stack(_Chosen(owner, used, b""), rest)] if owner.separator.dfa.accepting[state] else []
            case g.Leaf() | g.Counted() | g.Difference():
                start = self._language(item).start
                return [self._stack(start, rest)] if start else []
            case _Place():
                return [rest] if item.leaf.may_end(item) else []
            case g.Bound(name):
                return [self._stack(_Listed(name, b""), rest)]
            case g.BoundList():
                return [self._stack(self._selection(item), rest)]
            case _Listed(name, text):
                return [rest] if text in self._listed[name] else []
            case _:
                return []

    def _selection(self, item: g.BoundList) -> g.Selection:
        """The list with its leaf's texts written out."""
        if id(item) not in self._selections:
            values = tuple((text,) for text in sorted(self._listed[item.name]))
            most = len(values) if item.maximum is None else min(item.maximum, len(values))
            self._selections[id(item)] = g.Selection(values, item.separator, item.minimum, most)
        return self._selections[id(item)]

    def _repeated(self, times: _Times, rest: _Stack | None) -> list[_Stack | None]:
        following: list[_Stack | None] = [rest] if times.minimum == 0 else []
        if times.maximum != 0 and self._derives(times.owner.item, self._productive):
            fewer = _Times(times.owner, max(times.minimum - 1, 0), None if times.maximum is None else times.maximum - 1)
            following.append(self._stack(times.owner.item, self._stack(fewer, rest)))
        return following

    def _behind(self, chosen: _Chosen, value: int, rest: _Stack | None) -> list[_Stack | None]:
        """What may follow when ``value`` has been read: the end of the selection, or a separator."""
        owner, used = chosen.owner, chosen.used | {value}
        following: list[_Stack | None] = [rest] if len(used) >= owner.minimum else []
        if len(used) < owner.maximum:
            following.append(self._stack(_Parted(owner, used, 0), rest))
        return following

    def _recorded(self, stack: _Stack | None, text: bytes) -> list[_Stack | None]:
        """The stack with ``text`` noted in the innermost call; nothing if it is there already."""
        assert stack is not None, "leaves are called from rules"
        if isinstance(stack.item, _Scope):
            used = stack.item.used
            return [] if text in used else [self._stack(_Scope(used | {text}), stack.rest)]
        return [self._stack(stack.item, below) for below in self._recorded(stack.rest, text)]

    # Reading

    def read_byte(self, state: OracleState, byte: int) -> OracleState | None:
        """The state after ``byte``, or ``None`` when no document goes on with it."""
        if byte not in state.after:
            following = [after for stack in state.stacks for after in self._read(stack, byte)]
            state.after[byte] = self._state(following) if following else None
        return state.after[byte]

    def _read(self, stack: _Stack, byte: int) -> list[_Stack | None]:
        match stack.item:
            case _Text(text, at) if text[at] == byte:
                return [stack.rest if at + 1 == len(text) else self._stack(_Text(text, at + 1), stack.rest)]
            case g.Bytes(members) if byte in members:
                return [stack.rest]
            case _Place() as place:
                after = place.leaf.read(place, byte)
                return [] if after is None else [self._stack(after, stack.rest)]
            case _Listed(name, text):
                longer = text + bytes((byte,))
                return [self._stack(_Listed(name, longer), stack.rest)] if longer in self._begun[name] else []
            case _Recorded(place, text):
                after, longer = place.leaf.read(place, byte), text + bytes((byte,))
                if after is None or (place.leaf.may_end(after) and not self._recorded(stack.rest, longer)):
                    return []
                return [self._stack(_Recorded(after, longer), stack.rest)]
            case _Chosen(owner, used, text) as chosen:
                longer = text + bytes((byte,))
                fits = _unused(chosen, longer, whole=False)
                return [self._stack(_Chosen(owner, used, longer), stack.rest)] if fits else []
            case _Parted(owner, used, state):
                target = int(owner.separator.dfa.table[state, byte])
                return [] if target < 0 else [self._stack(_Parted(owner, used, target), stack.rest)]
            case _:
                return []

    def read(self, text: bytes, state: OracleState | None = None) -> OracleState | None:
        """The state after ``text``."""
        current = state or self.start
        for byte in text:
            following = self.read_byte(current, byte)
            if following is None:
                return None
            current = following
        return current

    def accepts_prefix(self, text: bytes) -> bool:
        """Whether some document begins with ``text``."""
        return self.read(text) is not None

    def accepts(self, text: bytes) -> bool:
        """Whether ``text`` is a document."""
        state = self.read(text)
        return state is not None and state.complete

    def accepts_from(self, state: OracleState, text: bytes) -> bool:
        """Whether ``text`` completes a document."""
        after = self.read(text, state)
        return after is not None and after.complete

    def next_bytes(self, state: OracleState) -> set[int]:
        """All legal next bytes."""
        return {byte for byte in range(256) if self.read_byte(state, byte) is not None}

    def mask(self, state: OracleState, tree: TokenTree) -> set[int]:
        """All tokens of the tree that may come next."""
        legal: list[int] = []
        waiting = [(state, 0)]
        while waiting:
            current, node = waiting.pop()
            after = current.after
            for byte, child in tree.children[node].items():
                following = after[byte] if byte in after else self.read_byte(current, byte)
                if following is not None:
                    legal.extend(tree.tokens[child])
                    waiting.append((following, child))
        return set(legal)

    def shortest_completion(self, state: OracleState, limit: int = 100_000) -> int:
        """The length of the shortest text that completes the document, breadth first over at most ``limit`` states."""
        level, length = {id(state): state}, 0
        seen = dict(level)
        while level:
            if any(one.complete for one in level.values()):
                return length
            following: dict[int, OracleState] = {}
            for one in level.values():
                for byte in range(256):
                    after = self.read_byte(one, byte)
                    if after is not None and id(after) not in seen:
                        seen[id(after)] = following[id(after)] = after
            if len(seen) > limit:
                raise ValueError(f"no completion among {limit} states")
            level, length = following, length + 1
        raise ValueError("the state has no completion")


def _unused(chosen: _Chosen, text: bytes, *, whole: bool) -> list[int]:
    """The unused values that ``text`` spells, or begins to."""
    return [
        number
        for number, spellings in enumerate(chosen.owner.values)
        if number not in chosen.used
        and any(spelling == text if whole else spelling.startswith(text) for spelling in spellings)
    ]


# Where in a JSON string a byte stands: before it, in its text, after a backslash, before the last 4 to 1 hex digits,
# after it.
_BEFORE, _TEXT, _ESCAPE, _END = 0, 1, 2, 7


def _advance(phase: int, byte: int) -> tuple[int, int]:
    """The phase after ``byte``, and how many characters it begins: continuation bytes of UTF-8 begin none."""
    match phase:
        case 0:
            return _TEXT, 0
        case 1 if byte == ord('"'):
            return _END, 0
        case 1 if byte == ord("\\"):
            return _ESCAPE, 1
        case 1:
            return _TEXT, int(not 0x80 <= byte < 0xC0)
        case 2:
            return (3, 0) if byte == ord("u") else (_TEXT, 0)
        case 6:
            return _TEXT, 0
        case 7:
            return _END, 0
        case _:
            return phase + 1, 0


class _Language:
    """A leaf by its table, its characters counted in the bytes as they are read, its forbidden texts spelled out."""

    def __init__(self, leaf: _LeafSymbol) -> None:
        dfa = leaf.base.dfa if isinstance(leaf, g.Difference) else leaf.dfa
        self._table: list[list[int]] = dfa.table.tolist()
        self._accepting: list[bool] = dfa.accepting.tolist()
        self._counted = isinstance(leaf, g.Counted)
        self._minimum = leaf.minimum if isinstance(leaf, g.Counted) else 0
        self._maximum = leaf.maximum if isinstance(leaf, g.Counted) else None
        self._forbidden = leaf.spellings if isinstance(leaf, g.Difference) else frozenset()
        self._viable: dict[tuple[int, int, int, bytes | None], bool] = {}

    @property
    def start(self) -> _Place | None:
        """Where the leaf begins, if any text is in it."""
        place = _Place(self, 0, _BEFORE, 0, self._watched(b""))
        return place if self.viable(place) else None

    def _watched(self, text: bytes) -> bytes | None:
        """The text as long as it begins a forbidden one."""
        return text if any(forbidden.startswith(text) for forbidden in self._forbidden) else None

    def read(self, place: _Place, byte: int) -> _Place | None:
        """The place after the byte, if a legal end is in reach from there."""
        after = self._after(place, byte)
        return after if after and self.viable(after) else None

    def _after(self, place: _Place, byte: int) -> _Place | None:
        state = self._table[place.state][byte]
        if state < 0:
            return None
        phase, begun = _advance(place.phase, byte) if self._counted else (_BEFORE, 0)
        count = place.count + begun
        if self._maximum is None:
            count = min(count, self._minimum)
        text = None if place.text is None else self._watched(place.text + bytes((byte,)))
        return _Place(self, state, phase, count, text)

    def may_end(self, place: _Place) -> bool:
        """Whether the text so far is in the language."""
        return self._accepting[place.state] and place.count >= self._minimum and place.text not in self._forbidden

    def viable(self, place: _Place) -> bool:
        """Whether a legal end is in reach: with a legal number of characters, and not forbidden."""
        key = (place.state, place.phase, place.count, place.text)
        if key not in self._viable:
            self._viable[key] = self._reaches_end(place)
        return self._viable[key]

    def _reaches_end(self, place: _Place) -> bool:
        if place.text is not None:
            following = [self._after(place, byte) for byte in range(256)]
            return self.may_end(place) or any(self.viable(after) for after in following if after)
        here, least = (place.state, place.phase), max(self._minimum - place.count, 0)
        if self._maximum is None:
            return here in self._at_least(least)
        return any(here in self._exactly(length) for length in range(least, self._maximum - place.count + 1))

    @cached_property
    def _moves(self) -> list[tuple[tuple[int, int], int, tuple[int, int]]]:
        """(state, phase) to (state, phase), and the characters begun on the way."""
        start = (0, _BEFORE)
        found, moves = [start], set()
        for place in found:
            for byte, target in enumerate(self._table[place[0]]):
                if target >= 0:
                    phase, begun = _advance(place[1], byte) if self._counted else (_BEFORE, 0)
                    moves.add((place, begun, (target, phase)))
                    if (target, phase) not in found:
                        found.append((target, phase))
        return sorted(moves)

    @cached_property
    def _ends(self) -> set[tuple[int, int]]:
        places = {(0, _BEFORE), *(target for _, _, target in self._moves)}
        return {place for place in places if self._accepting[place[0]]}

    @cached_property
    def _exact(self) -> list[set[tuple[int, int]]]:
        return [self._saturate(set(self._ends))]

    def _exactly(self, length: int) -> set[tuple[int, int]]:
        """The places from which exactly ``length`` more characters lead to an end."""
        while len(self._exact) <= length:
            self._exact.append(self._saturate({a for a, begun, b in self._moves if begun and b in self._exact[-1]}))
        return self._exact[length]

    @cached_property
    def _minima(self) -> list[set[tuple[int, int]]]:
        alive = set(self._ends)
        while grown := {a for a, _, b in self._moves if b in alive} - alive:
            alive |= grown
        return [alive]

    def _at_least(self, length: int) -> set[tuple[int, int]]:
        """The places from which ``length`` or more further characters lead to an end."""
        while len(self._minima) <= length:
            self._minima.append(self._saturate({a for a, begun, b in self._moves if begun and b in self._minima[-1]}))
        return self._minima[length]

    def _saturate(self, places: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """Add the places that lead there without beginning a character."""
        while grown := {a for a, begun, b in self._moves if not begun and b in places} - places:
            places |= grown
        return places
