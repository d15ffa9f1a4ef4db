"""The errors of the SDK: one root, so that a caller can catch everything with one name.

    SdkError
    ├── InputError                  the document cannot be used
    │   ├── EmptyTextError          it has no text
    │   ├── NotInDocumentError      it has no value for a required field; carries the fields
    │   └── ContextLengthError      the prompt does not fit the model's context; carries both numbers
    ├── PromptError                 the prompt cannot be built
    │   └── ExampleError            an example is not an instance of the type; carries its number
    ├── ModelError                  the language model cannot be used
    │   ├── ModelNotFoundError      no model of that name, or no model at all
    │   └── TokenizerError          its tokenizer is of a kind whose tokens have no exact bytes
    ├── GenerationError             generating failed
    │   ├── BudgetTooSmallError     fewer tokens than the shortest legal document; carries both numbers
    │   ├── BudgetExceededError     the budget closed the document early; carries the closed extraction
    │   ├── IllegalTokenError       a sampler chose a token that the mask removes
    │   ├── TooManyAttemptsError    drawing documents failed too often; carries the numbers
    │   └── ValidationFailedError   a validator refuses the text; carries the text and the validator's reasons
    ├── ToolError                   a function cannot be a tool, or tools do not go together
    ├── FuturesError                saved estimates cannot be used: damaged, or about something else
    ├── TypeNameError               ``module:Name`` leads to no type
    ├── ResultsError                a file of results, or of what they should be, is not as expected; with the line
    ├── CalibrationError            confidences cannot be calibrated, or a file holds no calibration
    └── MissingExtraError           a package of an extra is not installed; says which

Errors of ``schema_compiler`` (a type that no JSON value satisfies, a keyword it refuses) pass through as they
are: they are about the type, and carry the JSON pointer of the place. Messages say what was expected, what was
found, and where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "BudgetExceededError",
    "BudgetTooSmallError",
    "CalibrationError",
    "ContextLengthError",
    "EmptyTextError",
    "ExampleError",
    "FuturesError",
    "GenerationError",
    "IllegalTokenError",
    "InputError",
    "MissingExtraError",
    "ModelError",
    "ModelNotFoundError",
    "NotInDocumentError",
    "PromptError",
    "ResultsError",
    "SdkError",
    "TokenizerError",
    "TooManyAttemptsError",
    "ToolError",
    "TypeNameError",
    "ValidationFailedError",
]


class SdkError(Exception):
    """Root of every error raised by ``sdk``."""


class InputError(SdkError):
    """The document cannot be used."""


class EmptyTextError(InputError):
    """The document has no text, so that a model could only invent values."""


class NotInDocumentError(InputError):
    """The document has nothing that a required ``Verbatim`` field could hold.

    ``fields``: for each of them its path, such as ``items[].price``, and what was looked for.
    """

    def __init__(self, message: str, fields: Sequence[tuple[str, str]]) -> None:
        super().__init__(message)
        self.fields = tuple(fields)


class ContextLengthError(InputError):
    """The prompt and the shortest legal answer do not fit the model's context. Counts are tokens."""

    def __init__(self, prompt_tokens: int, answer_tokens: int, context_tokens: int) -> None:
        super().__init__(
            f"the prompt takes {prompt_tokens} tokens and the shortest legal answer {answer_tokens}, "
            f"but the model's context holds {context_tokens}"
        )
        self.prompt_tokens = prompt_tokens
        self.answer_tokens = answer_tokens
        self.context_tokens = context_tokens


class PromptError(SdkError):
    """The prompt cannot be built."""


class ExampleError(PromptError):
    """Example ``index`` (counted from 0) is not a pair of a text and an instance of the type."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"examples[{index}] cannot be used: {reason}")
        self.index = index


class ModelError(SdkError):
    """The language model cannot be used."""


class ModelNotFoundError(ModelError):
    """No language model of that name can be loaded, or none was named and the embedded one is not installed."""


class TokenizerError(ModelError):
    """The tokenizer is of a kind whose tokens do not stand for exact bytes."""


class GenerationError(SdkError):
    """Generating failed."""


class BudgetTooSmallError(GenerationError):
    """The token budget is smaller than the shortest legal document. Counts are tokens."""

    def __init__(self, max_tokens: int, shortest_tokens: int) -> None:
        super().__init__(f"max_tokens is {max_tokens}, but the shortest legal document takes {shortest_tokens} tokens")
        self.max_tokens = max_tokens
        self.shortest_tokens = shortest_tokens


class BudgetExceededError(GenerationError):
    """The budget ran out before the model ended the document.

    ``extraction``: the ``Extraction`` of the document as it was closed, by the shortest text that completes it (typed
    loosely, since extractions belong to a layer above).
    """

    def __init__(self, extraction: Any) -> None:
        super().__init__(
            f"the budget ran out after {extraction.output_tokens} tokens, so the document was closed early: "
            f'{extraction.text}. Raise max_tokens, or pass on_budget="return" to accept such a document'
        )
        self.extraction: Any = extraction


class IllegalTokenError(GenerationError):
    """A sampler chose a token that the mask removes: the sampler is wrong, or the logits are not numbers.

    ``position``: how many tokens of output come before it.
    """

    def __init__(self, token_id: int, position: int) -> None:
        super().__init__(f"the sampler chose token {token_id} at output position {position}, which the mask removes")
        self.token_id = token_id
        self.position = position


class TooManyAttemptsError(GenerationError):
    """``attempts`` attempts gave ``drawn`` documents, fewer than ``wanted``.

    ``mass``: an upper bound of the probability with which the model writes a wanted document.
    """

    def __init__(self, attempts: int, drawn: int, wanted: int, mass: float) -> None:
        super().__init__(
            f"{attempts} attempts gave {drawn} of {wanted} documents; the model writes a wanted one with a probability "
            f'of at most {mass:.3g}. Raise attempts or max_tokens, or use method="asap", which gives up fewer attempts'
        )
        self.attempts = attempts
        self.drawn = drawn
        self.wanted = wanted
        self.mass = mass


class ValidationFailedError(GenerationError):
    """The text is legal for the grammar, but a validator refuses it for something that no grammar can say.

    ``errors``: Pydantic's; under a JSON Schema, or where a validator raises another error, dictionaries with ``"loc"``,
    ``"msg"`` and ``"type"``. ``explanation``: the same in words. ``attempts``: the errors of the answers before this
    one, each of which was written anew from the refused value on.
    """

    def __init__(self, text: str, errors: Sequence[Any], explanation: str) -> None:
        super().__init__(f"the generated document is refused: {explanation}\nthe document: {text}")
        self.text = text
        self.errors = list(errors)
        self.explanation = explanation
        self.attempts: tuple[ValidationFailedError, ...] = ()


class ToolError(SdkError):
    """A function cannot be made a tool, or the tools given do not go together."""


class FuturesError(SdkError):
    """Estimates of future grammaticality are damaged, of another version, or about another prompt or grammar.

    See ``sdk.generation.aligned.futures``.
    """


class TypeNameError(SdkError):
    """``module:Name`` leads to no type."""


class ResultsError(SdkError):
    """A file of results, or of what they should be, is not as expected; the message names file and line."""


class CalibrationError(SdkError):
    """Confidences cannot be calibrated, or a file holds no calibration."""


class MissingExtraError(SdkError):
    """``package`` is needed and not installed; ``extra`` installs it."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        super().__init__(f"{purpose}, {package} is needed: pip install 'extraction-sdk[{extra}]'")
        self.package = package
        self.extra = extra
