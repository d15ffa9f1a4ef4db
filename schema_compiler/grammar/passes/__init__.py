"""The rewriting passes, in the order they run. Each is a pure function from grammar to grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from schema_compiler.grammar.grammar import Grammar
from schema_compiler.grammar.passes.inline import inline
from schema_compiler.grammar.passes.merge import merge
from schema_compiler.grammar.passes.prune import prune

__all__ = ["PASSES", "Pass", "inline", "merge", "prune", "run_passes"]

Pass: TypeAlias = Callable[[Grammar], Grammar]

PASSES: tuple[Pass, ...] = (prune, inline, merge)


def run_passes(grammar: Grammar, passes: tuple[Pass, ...] = PASSES) -> Grammar:
    """The grammar after each pass in turn."""
    for rewrite in passes:
        grammar = rewrite(grammar)
    return grammar
