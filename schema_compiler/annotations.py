"""What users write beside ``str`` to say which texts they mean.

    class Query(BaseModel):
        table: Annotated[str, Regex("[a-z]+")]
        sql: Annotated[str, Grammar(SELECT)]        # SELECT: a grammar in Lark's notation
        order: choice(["ascending", "descending"])

Pydantic checks the same as the compiled grammar enforces. The text of a field is what the JSON string decodes to, so
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


@dataclass(frozen=True, slots=True)
class Regex:
    """A text that ``pattern`` matches from the first character to the last, in the dialect of Rust (Pydantic's own).

    Raises ``PatternError`` when the pattern cannot be read.
    """

    pattern: str

    def __post_init__(self) -> None:
        parse(self.pattern, "rust")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The string's schema with the pattern."""
        made = handler(source)
        if made["type"] != "str" or "pattern" in made:
            raise PydanticUserError(f"expected a str without another pattern for Regex, found {source}", code=None)
        matched: dict[str, Any] = {**made, "pattern": f"^(?:{self.pattern})$", "regex_engine": "rust-regex"}
        return cast(CoreSchema, matched)


@dataclass(frozen=True, slots=True)
class Grammar(KeywordAnnotation):
    """A text that rule ``start`` of a grammar in Lark's notation derives; see ``compile_grammar``.

    Raises ``GrammarError`` when the grammar cannot be read.
    """

    text: str
    start: str = "start"
    keyword: ClassVar[str] = GRAMMAR

    def __post_init__(self) -> None:
        _recogniser(self.text, self.start)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The string's schema, the grammar noted for the compiler, and a check for everyone else."""
        made = handler(source)
        if made["type"] != "str":
            raise PydanticUserError(f"expected a str for Grammar, found {source}", code=None)
        keyword = {GRAMMAR: {"text": self.text, "start": self.start}}
        return core_schema.no_info_after_validator_function(self.check, made, metadata={"pydantic_js_updates": keyword})

    def check(self, value: str) -> str:
        """``value``, if the grammar derives it; else an error that says where it goes wrong."""
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

    Raises ``ValueError`` when there are none, ``TypeError`` for one text: its letters are hardly what is meant.
    """
    if isinstance(options, str):
        raise TypeError(f"expected a list of options, found the text {options!r}")
    values = tuple(dict.fromkeys(options))
    if not values:
        raise ValueError("expected at least one option, found none")
    return operator.getitem(Literal, values)


@lru_cache(maxsize=64)
def _recogniser(text: str, start: str) -> CompiledGrammar:
    return compile_grammar(text, _bytes(), start=start)


@cache
def _bytes() -> Vocabulary:
    """A token for each byte."""
    return Vocabulary([*(bytes((byte,)) for byte in range(256)), None], [256])
