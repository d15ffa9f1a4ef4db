"""Few-shot examples, checked before a model sees them.

An example that the grammar would not let the model write teaches it texts that the mask then forbids, so each one must
be an instance of the type, written as the grammar has it (declaration order, ``", "`` and ``": "``, aliases):

    ("Paid 9.00 at Ace Books", {"shop": "Ace Books", "total": 9.0})  ->  {"shop": "Ace Books", "total": 9.0}

Values of ``Verbatim`` fields must stand in the example's own text, and are written as they would be there (``9.00``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from schema_compiler import Matcher, UngroundedError, Vocabulary
from sdk.errors import ExampleError
from sdk.fields import path_text, scalars
from sdk.prompting.template import lone_surrogate
from sdk.target import Target

__all__ = ["Example", "checked_examples"]

Example: TypeAlias = tuple[str, Any]
"""A text, and the value to extract from it: an instance, or data that validates as one."""


_MOST_CHOICES = 1 << 16
"""How many values a field of an example's text may have to be looked through; chosen, not measured."""


def checked_examples(examples: Iterable[Example], target: Target, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Each example's text, and its value as JSON; raises ``ExampleError`` for one that is no pair or no instance.

    So it does where the text has no such value.
    """
    for index, example in enumerate(examples):
        if not (isinstance(example, tuple | list) and len(example) == 2 and isinstance(example[0], str)):
            raise ExampleError(index, f"expected a pair (text, value), found {example!r}")
        text, value = example
        if (offset := lone_surrogate(text)) is not None:
            raise ExampleError(index, f"expected Unicode, found the lone surrogate {text[offset]!a} at offset {offset}")
        try:
            answer = target.spell(value)
        except ValueError as error:
            raise ExampleError(index, str(error)) from error
        try:
            yield text, _written(target.compiled.bind(text).matcher(), vocabulary, answer.encode()).decode()
        except (UngroundedError, _NotAdmittedError) as error:
            raise ExampleError(index, str(error)) from error


class _NotAdmittedError(Exception):
    """A value is valid, and the grammar does not admit it."""


def _written(matcher: Matcher, vocabulary: Vocabulary, answer: bytes) -> bytes:
    """The answer as the grammar would let a model write it: values of the document in the spelling that it has there.

    Raises ``_NotAdmittedError``.
    """
    written, last = b"", 0

    def read(piece: bytes, of: str) -> None:
        nonlocal written
        if not all(map(matcher.accept, vocabulary.tokenize(piece))):
            raise _NotAdmittedError(f"the value is valid, but the grammar does not admit {piece.decode()!r} {of}")
        written += piece

    for path, start, end in scalars(answer):
        read(answer[last:start], f"before {path_text(path)}")
        value = answer[start:end]
        groups = matcher.choices(_MOST_CHOICES)
        if groups is not None:
            listed = [text for group in groups for text in group]
            same = next((text for text in listed if _value(text) == _value(value)), None)
            if same is None:
                some = ", ".join(text.decode() for text in listed[:5])
                raise _NotAdmittedError(
                    f"expected at {path_text(path)} one of {len(listed)} values of the text, such as {some}; "
                    f"found {value.decode()}"
                )
            value = same
        read(value, f"at {path_text(path)}")
        last = end
    read(answer[last:], "at the end")
    if not matcher.is_complete():
        raise _NotAdmittedError(f"the value is valid, but the grammar does not admit its spelling {answer.decode()}")
    return written


def _value(text: bytes) -> Any:
    """What a string, number or name of JSON says; a number in quotes is a number, as Pydantic writes decimals."""
    value = json.loads(text, parse_int=Decimal, parse_float=Decimal)
    if isinstance(value, str):
        with suppress(InvalidOperation):
            return Decimal(value)
    return value
