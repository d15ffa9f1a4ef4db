"""How similar words must be for ``sdk.alignment`` to take them for a value: what each threshold finds, rightly or not.

    python -m tests.benchmarks.likeness

Companies' names on scanned receipts (SROIE): each with a share of its letters replaced at random is looked for in its
own receipt, and as it is in twenty other receipts that do not have it. What is found there is wrong, if often near:
names of branches differ in a word.
"""

from __future__ import annotations

import gzip
import json
import random
from string import ascii_lowercase
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from sdk import alignment
from sdk.alignment import Aligner
from tests.benchmarks.cases import SHARED

__all__ = ["main"]

THRESHOLDS = (75, 80, 85, 90, 95)
SHARES = (0.05, 0.1, 0.15, 0.2)


def main(others: int = 20) -> None:
    """Print a table. ``others``: in how many other receipts each name is looked for."""
    with gzip.open(SHARED / "sroie-dev.jsonl.gz") as lines:
        cases = [json.loads(line) for line in lines]
    receipts = [(Aligner("\n".join(case["lines"])), case["gold"].get("company", "")) for case in cases]
    receipts = [(aligner, name) for aligner, name in receipts if name]
    table = Table("least likeness", *(f"{share:.0%} replaced" for share in SHARES), "in others")
    for threshold in THRESHOLDS:
        dice = random.Random(2)
        with patch.object(alignment, "_LIKENESS", float(threshold)):
            found = [_found_noisy(receipts, share, dice) for share in SHARES]
            wrong, pairs = _found_elsewhere(receipts, others, dice)
        table.add_row(str(threshold), *(f"{share:.3f}" for share in found), f"{wrong} of {pairs}")
    Console(width=120).print(table)


def _found_noisy(receipts: list[tuple[Aligner, str]], share: float, dice: random.Random) -> float:
    """The share of names that are found although a share of their letters is replaced."""
    return sum(bool(aligner.spans(_noisy(name, share, dice))) for aligner, name in receipts) / len(receipts)


def _found_elsewhere(receipts: list[tuple[Aligner, str]], others: int, dice: random.Random) -> tuple[int, int]:
    """How many names are found where only others stand, and how many were looked for."""
    wrong = pairs = 0
    for aligner, _ in receipts:
        for _, name in dice.sample(receipts, others):
            with patch.object(alignment, "_LIKENESS", 101.0):
                stands_there = bool(aligner.spans(name))
            if not stands_there:
                pairs += 1
                wrong += bool(aligner.spans(name))
    return wrong, pairs


def _noisy(name: str, share: float, dice: random.Random) -> str:
    letters = [index for index, letter in enumerate(name) if letter.isalpha()]
    replaced = set(dice.sample(letters, min(len(letters), max(1, round(len(name) * share)))))
    return "".join(dice.choice(ascii_lowercase) if index in replaced else one for index, one in enumerate(name))


if __name__ == "__main__":
    main()
