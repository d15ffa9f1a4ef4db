"""What users write beside a type to say which values they mean.

    class Receipt(BaseModel):
        shop: Annotated[str, Verbatim(within="line")]       # a line of the document
        total: Annotated[Decimal, Verbatim()]               # a number that stands there

    class Query(BaseModel):
        table: Annotated[str, Regex("[a-z]+")]
        sql: Annotated[str, Grammar(SELECT)]        # SELECT: a grammar in Lark's notation
        order: choice(["ascending", "descending"])

Pydantic checks what the compiled grammar enforces, except where a value comes from: it knows no document. The text of a
field is what the JSON string decodes to, so a grammar that asks for a quote finds an escaped one in the document.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal, cast, get_args

from pydantic import GetCoreSchemaHandler, PydanticUserError
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from schema_compiler.compiler import CompiledGrammar, compile_grammar
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.frontend.markers import KeywordAnnotation
from schema_compiler.regular.regex.parser import parse
from schema_compiler.schema.ir import ReadingKind, Within
from schema_compiler.schema.source.keywords import GRAMMAR, VERBATIM

__all__ = ["Grammar", "Regex", "Verbatim", "choice"]

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


_KINDS: dict[str, ReadingKind] = {
    **dict.fromkeys(("str", "url", "multi-host-url", "uuid", "time"), "text"),
    "date": "date",
    "datetime": "datetime",
    **dict.fromkeys(("int", "float", "decimal"), "number"),
    **dict.fromkeys(("literal", "enum"), "choice"),
}
"""How values are read from pieces of a document, by the type of their core schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A value that stands in the document: ``CompiledSchema.bind`` brings the document along.

    Beside ``str``, ``UUID``, e-mail and web addresses, the value is a piece of the document, in which a line break and
    the white space around it count as one blank. Beside ``date``, ``datetime``, ``int``, ``float`` and ``Decimal``, it
    is read from a piece in one of the spellings of ``grounding.spellings``; beside an ``Enum`` or ``Literal``, one of
    its values stands there, in capital or small letters. All other constraints of the type hold as well.

    ``within`` says where a piece may begin and end: one or more whole words ("word"), one whole line without the white
    space around it ("line"), one or more ("lines"), whole sentences ("sentence"), or "anywhere" between characters; see
    ``grounding.boundaries``. ``min_chars``: how many characters it has at least. ``unique``: in a list, no two items
    are the same. ``day_first``: 01/02/2024 is in February (``None``: or in January; both may be written).

    The default, "word", cuts no word or number, which is what extraction must not do, and finds a value inside a line.
    Raises ``ValueError`` for an argument that is none of those. Beside other types, Pydantic refuses the type with
    ``PydanticUserError``, and the compiler with ``UnsupportedSchemaError``; write ``Annotated[str, Verbatim()] | None``
    for an optional piece.
    """

    within: Within = "word"
    min_chars: int = 1
    unique: bool = False
    day_first: bool | None = None

    def __post_init__(self) -> None:
        if self.within not in get_args(Within):
            raise ValueError(f"expected within to be one of {', '.join(get_args(Within))}, found {self.within!r}")
        if self.min_chars < 1:
            raise ValueError(f"expected min_chars to be at least 1, found {self.min_chars}")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The type's core schema, with a note for the compiler. Raises ``PydanticUserError`` beside other types."""
        core = handler(source)
        kind = _KINDS.get(_innermost(core, handler)["type"])
        if kind is None:
            raise PydanticUserError(
                f"expected a text, a number, a date, an enumeration or a Literal for Verbatim, found {source}",
                code=None,
            )
        if self.day_first is not None and kind not in ("date", "datetime"):
            raise PydanticUserError(
                f"expected a date or datetime for Verbatim(day_first=...), found {source}", code=None
            )
        reading = {"reads": kind, **asdict(self)}
        metadata = core.get("metadata", {})
        updates = metadata.get("pydantic_js_updates", {})
        noted = {**updates, VERBATIM: [*updates.get(VERBATIM, ()), reading]}
        return cast(CoreSchema, {**core, "metadata": {**metadata, "pydantic_js_updates": noted}})


def _innermost(core: Any, handler: GetCoreSchemaHandler) -> Any:
    """The core schema inside the functions and references around it."""
    while core["type"].startswith("function-") and "schema" in core:
        core = core["schema"]
    return handler.resolve_ref_schema(core) if core["type"] == "definition-ref" else core


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
