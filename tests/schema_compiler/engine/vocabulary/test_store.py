"""The vocabulary's file: what is read back is what was written, and nothing unsound is believed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from schema_compiler.engine.tokens.trie import ROOT, Trie
from schema_compiler.engine.vocabulary.leaves import Leaves
from schema_compiler.engine.vocabulary.store import load, save
from schema_compiler.regular.text.json_strings import any_string
from tests.vocabularies import made_up_vocabulary

TOKENS = made_up_vocabulary().tokens


def used() -> Leaves:
    """Leaves with some scans."""
    trie = Trie.of(TOKENS)
    leaves = Leaves(trie)
    string = any_string()
    for leaf in (leaves.plain(string.digest, string), leaves.counted(string.digest, string, 1, 3)):
        for state in range(3):
            for node_set in (ROOT, trie.child(ROOT, ord('"'))):
                leaf.scan(trie, node_set, state)
    return leaves


def described(leaves: Leaves) -> object:
    """Everything in them, in a comparable form."""
    trie = leaves.trie
    arrays = [array.tolist() for array in (trie.byte, trie.first_child, trie.token_ids, trie.token_start)]
    scans = [
        (
            s.digest,
            s.nodes.tolist(),
            s.state,
            None if s.token_set is None else s.token_set.tolist(),
            s.exits.tolist(),
            s.nullable,
        )
        for s in leaves.scans()
    ]
    return arrays, sorted(scans, key=repr)


def test_round_trip(tmp_path: Path) -> None:
    """Through a folder that does not exist yet."""
    leaves = used()
    path = tmp_path / "new" / "abc.vocabulary"
    save(path, leaves)
    loaded = load(path, len(TOKENS))
    assert loaded is not None
    assert list(leaves.scans())
    assert described(loaded) == described(leaves)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_restored_scans_are_those_computed(tmp_path: Path) -> None:
    """The same tokens and remainders as a leaf without a past finds."""
    path = tmp_path / "abc.vocabulary"
    save(path, used())
    loaded = load(path, len(TOKENS))
    assert loaded is not None
    fresh = Trie.of(TOKENS)
    string = any_string()
    old = loaded.plain(string.digest, string)
    new = Leaves(fresh).plain(string.digest, string)
    for state in range(3):
        left, right = old.scan(loaded.trie, ROOT, state), new.scan(fresh, ROOT, state)
        assert [token_set.tolist() for token_set in left.token_sets] == [
            token_set.tolist() for token_set in right.token_sets
        ]
        assert loaded.trie.nodes(left.exits).tolist() == fresh.nodes(right.exits).tolist()
        assert left.nullable == right.nullable


def test_missing_file(tmp_path: Path) -> None:
    """There is nothing to read."""
    assert load(tmp_path / "absent", 3) is None


@pytest.mark.parametrize("seed", range(20))
def test_damaged_files_are_ignored(tmp_path: Path, seed: int) -> None:
    """One flipped bit, a lost end, or bytes too many."""
    path, source = tmp_path / "abc.vocabulary", random.Random(seed)
    save(path, used())
    data = bytearray(path.read_bytes())
    match seed % 3:
        case 0:
            data[source.randrange(len(data))] ^= 1 << source.randrange(8)
        case 1:
            del data[source.randrange(len(data)) :]
        case _:
            data += b"\0"
    path.write_bytes(data)
    assert load(path, len(TOKENS)) is None


def test_renamed_files_are_ignored(tmp_path: Path) -> None:
    """A file belongs to the fingerprint it is filed under."""
    path = tmp_path / "abc.vocabulary"
    save(path, used())
    assert load(path.rename(tmp_path / "abd.vocabulary"), len(TOKENS)) is None
