"""What the compiler makes of a type, for people to read: schema, grammar before and after the passes, report."""

from __future__ import annotations

import json
from typing import Any

from schema_compiler.compiler import schema_stages, type_stages
from schema_compiler.grammar.grammar import Grammar
from schema_compiler.grammar.graph import graph_of
from schema_compiler.grammar.lexical import Whitespace
from schema_compiler.grammar.printing import print_grammar

__all__ = ["explain"]


def explain(source: Any, *, whitespace: Whitespace = "compact") -> str:
    """A readable account of how a type (or a JSON Schema given as a dict) is compiled.

    Its sections: the JSON Schema; the grammar as lowered; the grammar after inlining, node merging and pruning; and
    for each constraint whether the grammar enforces it. Raises what ``compile_type`` raises.
    """
    stages = (schema_stages if isinstance(source, dict) else type_stages)(source, whitespace=whitespace)
    sections = {
        "JSON Schema": json.dumps(stages.schema, indent=2, ensure_ascii=False),
        f"Grammar as lowered: {_size(stages.lowered)}": print_grammar(stages.lowered),
        f"Grammar after the passes: {_size(stages.grammar)}": print_grammar(stages.grammar),
        "Constraints": str(stages.report),
    }
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n{body}" for title, body in sections.items())


def _size(grammar: Grammar) -> str:
    rules = grammar.reachable()
    nodes = sum(len(graph_of(body).nodes) for body in rules.values())
    return f"{len(rules)} rules, {nodes} nodes"
