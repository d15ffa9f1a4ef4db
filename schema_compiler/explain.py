"""What the compiler makes of a type, for people to read: schema, grammar, automaton before and after, report."""

from __future__ import annotations

import json
from typing import Any

from schema_compiler.compiler import schema_stages, type_stages
from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import Grammar
from schema_compiler.grammar.printing import explored, print_grammar, print_graph
from schema_compiler.lowering.layout import Whitespace

__all__ = ["explain"]


def explain(source: Any, *, whitespace: Whitespace = "spaced") -> str:
    """A readable account of how a type (or a JSON Schema given as a dict) is compiled.

    Its sections: the JSON Schema; the grammar; the grammar's nodes after rule inlining and node merging, with the
    number of rules and nodes that these save; and for each constraint whether the grammar enforces it. Everything
    is explored, so a large schema takes its time.
    Raises ``InvalidSchemaError``, ``UnsupportedSchemaError``, ``ImpossibleSchemaError`` or ``CompileBudgetError``, and
    ``ValueError`` for a ``whitespace`` that is none of "spaced", "compact" and "flexible".
    """
    stages = (schema_stages if isinstance(source, dict) else type_stages)(source, whitespace=whitespace)
    lowered, grammar = stages.lowered(), stages.pruned()
    plain, graph = Graph(lowered, inline=False, merge=False), Graph(grammar)
    sections = {
        "JSON Schema": json.dumps(stages.schema, indent=2, ensure_ascii=False, default=str),
        f"Grammar: {_size(plain, lowered)}": print_grammar(lowered),
        f"After inlining and merging: {_size(graph, grammar)}": print_graph(graph, grammar.start),
        "Constraints": str(stages.report),
    }
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n{body}" for title, body in sections.items())


def _size(graph: Graph, grammar: Grammar) -> str:
    rules = explored(graph, grammar.start)
    nodes = {node for numbers in rules.values() for node in numbers}
    return f"{len(rules)} rules, {len(nodes)} nodes"
