"""The documented comparison, in small: nothing legal is dropped, and what is kept beyond shrinks with the limit."""

from __future__ import annotations

from statistics import fmean

from schema_compiler import Vocabulary
from tests.benchmarks.grammars.lexed import CONTRIBUTING, compared
from tests.schema_compiler.lexed.languages import ARITHMETIC


def test_a_longer_look_keeps_less():
    pieces = [b"+(", b"))", b"1.5", b"x*", b"**(", b") - (", b"*/", b"a b", b"2 2", b"((-", b"))**-", b"x y z"]
    vocabulary = Vocabulary([*(bytes((byte,)) for byte in range(128)), *pieces, None], [128 + len(pieces)])
    counts = compared(ARITHMETIC, vocabulary, states=6, sample=20)
    assert counts.asked > 0
    assert counts.differing == 0
    assert all(dropped == 0 for pairs in counts.systems.values() for dropped, _ in pairs)
    kept = {name: fmean(kept for _, kept in pairs) for name, pairs in counts.systems.items()}
    assert kept["k = 1"] > kept["k = 2"] >= kept["k = 3"] >= kept["no limit"] == 0


def test_the_table_is_in_the_documentation():
    rows = [line for line in CONTRIBUTING.read_text().splitlines() if line.startswith("| k = ")]
    assert len(rows) == 3
    assert all(cell.strip().startswith("0.0 /") for row in rows for cell in row.split("|")[2:-1])
