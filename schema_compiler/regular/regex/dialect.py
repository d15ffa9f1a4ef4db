r"""A regular expression, and the dialect it is written in: the same characters mean different things in each.

For example, ``\d`` is one of the ten digits of ASCII in ECMAScript, and in Rust and Python any of several hundred
decimal digits of Unicode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mypy_extensions import mypyc_attr

__all__ = ["Dialect", "Pattern"]


Dialect: TypeAlias = Literal["ecma", "rust", "python"]
"""ECMA-262 (what JSON Schema asks for), Rust's ``regex`` crate (Pydantic's default), Python's ``re``."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Pattern:
    """The strings in which ``regex`` matches somewhere (``negated``: nowhere). Prints as ``!/regex/dialect``."""

    regex: str
    dialect: Dialect = "ecma"
    negated: bool = False

    def __str__(self) -> str:
        """The pattern between slashes, those within it behind backslashes: different patterns print differently."""
        flavour = "" if self.dialect == "ecma" else self.dialect
        regex = self.regex.replace("/", "\\/")
        return f"{'!' if self.negated else ''}/{regex}/{flavour}"
