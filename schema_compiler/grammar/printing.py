"""Grammars as text: EBNF for expressions, one line for each node of a graph.

    root ::= "[" (<string>{1,3} | <$passage>) "]"      a rule: ``<...>`` is a leaf, ``<$...>`` one that is bound later
    2: "a" 3 | <string> 4 | end                        a node: reads a byte, calls a leaf, or accepts

Tests compare this text.
"""

from __future__ import annotations

from itertools import groupby
from typing import assert_never

from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import (
    Bound,
    BoundList,
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
    """All rules that the start rule can lead to, one a line; lowers them all, and raises what that raises."""
    return "\n".join(f"{name} ::= {print_expression(body)}" for name, body in grammar.reachable().items())


def print_expression(expression: Expression) -> str:
    """The expression as EBNF, in one line."""
    match expression:
        case Literal(text):
            return _quote(text)
        case Bytes(members):
            return _print_bytes(members)
        case Sequence(items):
            return " ".join(_inner(item) for item in items) if items else '""'
        case Choice(options):
            return " | ".join(_inner(option) for option in options) if options else "<never>"
        case Repeat(item, minimum, maximum):
            return f"{_inner(item)}{_print_bounds(minimum, maximum)}"
        case Reference() | Leaf() | Counted() | Difference() | Bound() | BoundList() | Distinct() | Selection():
            return _print_symbol(expression)
        case _:
            assert_never(expression)


def _inner(expression: Expression) -> str:
    """The expression as part of another one: in brackets where it has parts itself."""
    text = print_expression(expression)
    compound = isinstance(expression, Choice | Sequence) and len(_parts(expression)) > 1
    return f"({text})" if compound else text


def _parts(expression: Choice | Sequence) -> tuple[Expression, ...]:
    return expression.options if isinstance(expression, Choice) else expression.items


def _print_bounds(minimum: int, maximum: int | None) -> str:
    short = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    return short.get((minimum, maximum)) or f"{{{minimum},{'' if maximum is None else maximum}}}"


def _print_symbol(symbol: Symbol) -> str:
    match symbol:
        case Reference(rule):
            return rule
        case Leaf(name):
            return f"<{name}>"
        case Counted(name, minimum=minimum, maximum=maximum):
            return f"<{name}>{_print_bounds(minimum, maximum)}"
        case Distinct(leaf):
            return f"{_print_symbol(leaf)}!"
        case Bound(name):
            return f"<${name}>"
        case BoundList(name, separator, minimum, maximum):
            return f"<${name}>!{_print_bounds(minimum, maximum)} by {_print_symbol(separator)}"
        case Selection(values, separator, minimum, maximum):
            spelled = " | ".join(_quote(text) for spellings in values for text in spellings)
            return f"({spelled})!{_print_bounds(minimum, maximum)} by {_print_symbol(separator)}"
        case Difference(base, spellings):
            return f"<{base.name} but {', '.join(text.decode() for text in sorted(spellings))}>"


def print_graph(graph: Graph, rule: str) -> str:
    """The nodes of every rule that is called from ``rule`` on, each numbered from 0; explores them all."""
    sections = []
    for name, numbers in explored(graph, rule).items():
        lines = [f"  {number}: {_print_node(graph, node, numbers)}" for node, number in numbers.items()]
        sections.append("\n".join([f"{name} ::=", *lines]))
    return "\n".join(sections)


def explored(graph: Graph, rule: str) -> dict[str, dict[int, int]]:
    """For each rule that is called from ``rule`` on: its nodes, numbered in the order in which they are met."""
    orders: dict[str, dict[int, int]] = {}
    waiting = [rule]
    for name in waiting:
        orders[name] = _order_of_nodes(graph, graph.start(name))
        called = (graph.symbols[symbol] for node in orders[name] for symbol, _ in graph.node(node).calls)
        callees = dict.fromkeys(symbol.rule for symbol in called if isinstance(symbol, Reference))
        waiting.extend(callee for callee in callees if callee not in waiting)
    return orders


def _order_of_nodes(graph: Graph, start: int) -> dict[int, int]:
    """The nodes of the rule that begins at ``start``, numbered breadth first; calls are taken to return."""
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


def _print_node(graph: Graph, node: int, numbers: dict[int, int]) -> str:
    """The moves of a node, those of different bytes to the same nodes taken together."""
    here = graph.node(node)
    if here.text:
        return f"{_quote(here.text)} {numbers[here.after]}"
    by_targets: dict[tuple[int, ...], set[int]] = {}
    for byte, targets in here.edges.items():
        by_targets.setdefault(targets, set()).add(byte)
    edges = [(_print_bytes(frozenset(members)), targets) for targets, members in by_targets.items()]
    calls = [(_print_symbol(graph.symbols[symbol]), (back,)) for symbol, back in here.calls]
    moves = [f"{label} {' '.join(str(numbers[target]) for target in targets)}" for label, targets in edges + calls]
    return " | ".join(moves + ["end"] * here.accepting)


def _print_bytes(members: frozenset[int]) -> str:
    if len(members) == 1:
        return _quote(bytes(members))
    runs = [[byte for _, byte in run] for _, run in groupby(enumerate(sorted(members)), lambda pair: pair[1] - pair[0])]
    ranges = (_print_byte(run[0]) + (f"-{_print_byte(run[-1])}" if len(run) > 1 else "") for run in runs)
    return f"[{''.join(ranges)}]"


def _quote(text: bytes) -> str:
    try:
        return '"' + text.decode().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    except UnicodeDecodeError:
        return '"' + "".join(map(_print_byte, text)) + '"'


def _print_byte(byte: int) -> str:
    return chr(byte) if 0x20 < byte < 0x7F and chr(byte) not in '[]-\\"' else f"\\x{byte:02x}"
