"""Few-shot examples, checked before a model sees them.

An example that the grammar would not let the model write teaches it texts that the mask then forbids, so each one must
be an instance of the type, written as the grammar has it (declaration order, ``", "`` and ``": "``, aliases):

    ("Paid 9.00 at Ace Books", {"shop": "Ace Books", "total": 9.0})  ->  {"shop": "Ace Books", "total": 9.0}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from schema_compiler import CompiledGrammar, Vocabulary
from sdk.errors import ExampleError
from sdk.prompting.template import lone_surrogate
from sdk.target import Target

__all__ = ["Example", "checked_examples"]

Example: TypeAlias = tuple[str, Any]
"""A text, and the value to extract from it: an instance, or data that validates as one."""


def checked_examples(examples: Iterable[Example], target: Target, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Each example's text, and its value as JSON; raises ``ExampleError`` for one that is no pair or no instance."""
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
        if not _admits(target.compiled, vocabulary, answer):
            raise ExampleError(index, f"the value is valid, but the grammar does not admit its spelling {answer}")
        yield text, answer


def _admits(compiled: CompiledGrammar, vocabulary: Vocabulary, answer: str) -> bool:
    matcher = compiled.matcher()
    return all(map(matcher.accept, vocabulary.tokenize(answer.encode()))) and matcher.is_complete()
