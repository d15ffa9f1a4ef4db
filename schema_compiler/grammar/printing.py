"""Grammars as text: EBNF for expressions, one line a node for graphs. Tests compare this text."""

from __future__ import annotations

from itertools import groupby
from typing import assert_never

from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import (
    Bound,
    Bytes,
    Choice,
    Counted,
    Difference,
    Distinct,
    Expression,
    Grammar,
    Leaf,
    Literal,
    Reference,
    Repeat,
    Selection,
    Sequence,
    Symbol,
)

__all__ = ["explored", "print_expression", "print_grammar", "print_graph"]


def print_grammar(grammar: Grammar) -> str:
    """All reachable rules, one after the other."""
    return "\n".join(f"{name} ::= {print_expression(body)}" for name, body in grammar.reachable().items())


def print_expression(expression: Expression) -> str:
    """The expression as EBNF; of one line."""
    match expression:
        case Literal(text):
            return _quoted(text)
        case Bytes(members):
            return _byte_set(members)
        case Sequence(items):
            return " ".join(_inner(item) for item in items) if items else '""'
        case Choice(options):
            return " | ".join(_inner(option) for option in options) if options else "<never>"
        case Repeat(item, minimum, maximum):
            return f"{_inner(item)}{_bounds(minimum, maximum)}"
        case Reference() | Leaf() | Counted() | Difference() | Bound() | Distinct() | Selection():
            return _symbol(expression)
        case _:
            assert_never(expression)


def _inner(expression: Expression) -> str:
    text = print_expression(expression)
    compound = isinstance(expression, Choice | Sequence) and len(_parts(expression)) > 1
    return f"({text})" if compound else text


def _parts(expression: Choice | Sequence) -> tuple[Expression, ...]:
    return expression.options if isinstance(expression, Choice) else expression.items


def _bounds(minimum: int, maximum: int | None) -> str:
    short = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    return short.get((minimum, maximum)) or f"{{{minimum},{'' if maximum is None else maximum}}}"


def _symbol(symbol: Symbol) -> str:
    match symbol:
        case Reference(rule):
            return rule
        case Leaf(name):
            return f"<{name}>"
        case Counted(name, minimum=minimum, maximum=maximum):
            return f"<{name}>{_bounds(minimum, maximum)}"
        case Distinct(leaf):
            return f"{_symbol(leaf)}!"
        case Bound(name):
            return f"<${name}>"
        case Selection(values, separator, minimum, maximum):
            spelled = " | ".join(_quoted(text) for spellings in values for text in spellings)
            return f"({spelled})!{_bounds(minimum, maximum)} by {_symbol(separator)}"
        case Difference(base, spellings):
            return f"<{base.name} but {', '.join(text.decode() for text in sorted(spellings))}>"


def print_graph(graph: Graph, rule: str) -> str:
    """Every rule called from ``rule`` on, as numbered nodes: ``2: "a" 3 | <string> 4 | end``."""
    sections = []
    for name, numbers in explored(graph, rule).items():
        lines = [f"  {number}: {_node(graph, node, numbers)}" for node, number in numbers.items()]
        sections.append("\n".join([f"{name} ::=", *lines]))
    return "\n".join(sections)


def explored(graph: Graph, rule: str) -> dict[str, dict[int, int]]:
    """The rules called from ``rule`` on; for each, its nodes numbered in the order they are met (explores all)."""
    found: dict[str, dict[int, int]] = {}
    waiting = [rule]
    for name in waiting:
        found[name] = _reachable(graph, graph.start(name))
        called = (graph.symbols[symbol] for node in found[name] for symbol, _ in graph.node(node).calls)
        fresh = dict.fromkeys(symbol.rule for symbol in called if isinstance(symbol, Reference))
        waiting.extend(callee for callee in fresh if callee not in waiting)
    return found


def _reachable(graph: Graph, start: int) -> dict[int, int]:
    order = {start: 0}
    waiting = [start]
    for node in waiting:
        here = graph.node(node)
        targets = [target for group in here.edges.values() for target in group] + [here.after] * bool(here.text)
        for target in targets + [back for _, back in here.calls]:
            if target not in order:
                order[target] = len(order)
                waiting.append(target)
    return order


def _node(graph: Graph, node: int, numbers: dict[int, int]) -> str:
    here = graph.node(node)
    if here.text:
        return f"{_quoted(here.text)} {numbers[here.after]}"
    by_targets: dict[tuple[int, ...], set[int]] = {}
    for byte, targets in here.edges.items():
        by_targets.setdefault(targets, set()).add(byte)
    edges = [(_byte_set(frozenset(members)), targets) for targets, members in by_targets.items()]
    calls = [(_symbol(graph.symbols[symbol]), (back,)) for symbol, back in here.calls]
    moves = [f"{label} {' '.join(str(numbers[target]) for target in targets)}" for label, targets in edges + calls]
    return " | ".join(moves + ["end"] * here.accepting)


def _byte_set(members: frozenset[int]) -> str:
    if len(members) == 1:
        return _quoted(bytes(members))
    runs = [[byte for _, byte in run] for _, run in groupby(enumerate(sorted(members)), lambda pair: pair[1] - pair[0])]
    return "[" + "".join(_byte(run[0]) + (f"-{_byte(run[-1])}" if len(run) > 1 else "") for run in runs) + "]"


def _quoted(text: bytes) -> str:
    try:
        return '"' + text.decode().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    except UnicodeDecodeError:
        return '"' + "".join(map(_byte, text)) + '"'


def _byte(byte: int) -> str:
    return chr(byte) if 0x20 < byte < 0x7F and chr(byte) not in '[]-\\"' else f"\\x{byte:02x}"
