"""What users write beside ``str`` to say which texts they mean.

    class Query(BaseModel):
        table: Annotated[str, Regex("[a-z]+")]
        sql: Annotated[str, Grammar(SELECT)]        # SELECT: a grammar in Lark's notation
        order: choice(["ascending", "descending"])

Pydantic checks what the compiled grammar enforces. The text of a field is what the JSON string decodes to, so
a grammar that asks for a quote finds an escaped one in the document.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal, cast

from pydantic import GetCoreSchemaHandler, PydanticUserError
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from schema_compiler.compiler import CompiledGrammar, compile_grammar
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.frontend.markers import KeywordAnnotation
from schema_compiler.regular.regex.parser import parse
from schema_compiler.schema.source.keywords import GRAMMAR

__all__ = ["Grammar", "Regex", "choice"]

_MOST_RECOGNISERS = 64
"""How many compiled grammars are kept for checks: grammars made at run time would pile up without a limit.

A power of two well above the grammars of one program, chosen, not measured. A grammar that comes again is recompiled.
"""


@dataclass(frozen=True, slots=True)
class Regex:
    """A text that ``pattern`` matches from the first character to the last, in the dialect of Rust (Pydantic's own).

    Raises ``PatternError`` when the pattern is malformed or not regular. Beside anything but a ``str`` without another
    pattern, Pydantic refuses the type with ``PydanticUserError``, and the compiler with ``UnsupportedSchemaError``.
    """

    pattern: str

    def __post_init__(self) -> None:
        parse(self.pattern, "rust")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The string's core schema with the pattern. Raises ``PydanticUserError`` beside anything else."""
        core = handler(source)
        if core["type"] != "str" or "pattern" in core:
            raise PydanticUserError(f"expected a str without another pattern for Regex, found {source}", code=None)
        matched: dict[str, Any] = {**core, "pattern": f"^(?:{self.pattern})$", "regex_engine": "rust-regex"}
        return cast(CoreSchema, matched)


@dataclass(frozen=True, slots=True)
class Grammar(KeywordAnnotation):
    """A text that rule ``start`` of a grammar in Lark's notation derives; see ``compile_grammar``.

    Raises ``GrammarError``, with line and column, when the grammar cannot be used, or ``CompileBudgetError``. Beside
    anything but a ``str``, Pydantic refuses the type with ``PydanticUserError``, and the compiler with
    ``UnsupportedSchemaError``; the compiler also where other constraints stand beside it.
    """

    text: str
    start: str = "start"
    keyword: ClassVar[str] = GRAMMAR

    def __post_init__(self) -> None:
        _recogniser(self.text, self.start)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The string's core schema, the grammar noted for the compiler, and a check for everyone else.

        Raises ``PydanticUserError`` beside anything but a string.
        """
        core = handler(source)
        if core["type"] != "str":
            raise PydanticUserError(f"expected a str for Grammar, found {source}", code=None)
        updates = {self.keyword: {"text": self.text, "start": self.start}}
        return core_schema.no_info_after_validator_function(self.check, core, metadata={"pydantic_js_updates": updates})

    def check(self, value: str) -> str:
        """``value``, if the grammar derives it. Raises ``PydanticCustomError``, which says where it goes wrong."""
        matcher = _recogniser(self.text, self.start).matcher()
        for offset, byte in enumerate(value.encode(errors="surrogatepass")):
            if not matcher.accept(byte):
                at = len(value.encode(errors="surrogatepass")[:offset].decode(errors="ignore"))
                raise PydanticCustomError(
                    "grammar",
                    "The text should follow the grammar, but does not from character {at} on: {rest}",
                    {"at": at, "rest": repr(value[at : at + 20])},
                )
        if not matcher.is_complete():
            raise PydanticCustomError("grammar", "The text should follow the grammar, but ends too early")
        return value


def choice(options: Iterable[str]) -> Any:
    """The type of a text that is one of ``options``.

    Raises ``ValueError`` when there are none, ``TypeError`` for one text (its letters are hardly what is meant) and for
    options that cannot be hashed.
    """
    if isinstance(options, str):
        raise TypeError(f"expected a list of options, found the text {options!r}")
    distinct = tuple(dict.fromkeys(options))
    if not distinct:
        raise ValueError("expected at least one option, found none")
    return operator.getitem(Literal, distinct)


@lru_cache(maxsize=_MOST_RECOGNISERS)
def _recogniser(text: str, start: str) -> CompiledGrammar:
    return compile_grammar(text, _byte_vocabulary(), start=start)


@cache
def _byte_vocabulary() -> Vocabulary:
    """A token for each byte, and EOS."""
    return Vocabulary([*(bytes((byte,)) for byte in range(256)), None], [256])
