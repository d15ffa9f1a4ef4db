"""How far an accept sequence sees: tokens that a bounded look-ahead leaves in the mask. Draws a picture; takes seconds.

    python accept_sequences.py [FOLDER]          # pip install 'extraction-sdk[grammars,plots]'

A lexed language (longest match, LR parser) asks the parser about the next k terminals of each token, as SynCode does
(arXiv 2403.01632). A token that holds more of them than k may pass although no text goes on with it. The vocabulary
is made here: every printable character, and runs of up to five characters of the language, legal ones and others.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path
from statistics import fmean

import numpy as np
from matplotlib.figure import Figure

from schema_compiler import Vocabulary, compile_lexed

ARITHMETIC = """
    start: sum
    sum: product | sum "+" product
    product: atom | product "*" atom
    atom: NUMBER | "(" sum ")"
    NUMBER: /[0-9]+/
"""
TEXT = "12+(3*(4+5)*6)+7*(8+9)"
LIMITS = {"k = 1": 1, "k = 2": 2, "k = 3": 3, "no limit": None}


def vocabulary() -> Vocabulary:
    """Single characters, and all runs of two to five out of six characters that occur in the language."""
    runs = ("".join(run) for size in range(2, 6) for run in itertools.product("1+*()7", repeat=size))
    tokens = [bytes((byte,)) for byte in range(32, 127)] + [run.encode() for run in runs]
    return Vocabulary([*tokens, None], [len(tokens)])


def count_illegal(limit: int | None, tokens: Vocabulary) -> list[int]:
    """For each character of the text, how many tokens of the mask before it no legal text goes on with."""
    matcher = compile_lexed(ARITHMETIC, tokens, lookahead=limit).matcher()
    counts = []
    for character in TEXT:
        admitted = np.flatnonzero(np.unpackbits(matcher.mask().view(np.uint8), bitorder="little")).tolist()
        illegal = 0
        for token in admitted:
            if matcher.accept(token):
                matcher.rollback(1)
            else:
                illegal += 1
        counts.append(illegal)
        assert matcher.accept(tokens.tokens.index(character.encode()))
    return counts


def main(folder: Path) -> None:
    """Print the means, draw the counts."""
    tokens = vocabulary()
    counts = {name: count_illegal(limit, tokens) for name, limit in LIMITS.items()}
    for name, illegal in counts.items():
        print(f"{name:9} {fmean(illegal):8.1f} illegal tokens kept of {len(tokens):,}, on average")
    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots()
    for name, illegal in counts.items():
        axes.step(range(len(TEXT)), illegal, where="mid", label=name)
    axes.set_xticks(range(len(TEXT)), list(TEXT), family="monospace")
    axes.set(
        xlabel="before this character of the text",
        ylabel="illegal tokens in the mask",
        title="Accept sequences of length k",
    )
    axes.set_ylim(bottom=-100)
    axes.legend()
    picture = folder / "accept_sequences.png"
    figure.savefig(picture)
    print(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
