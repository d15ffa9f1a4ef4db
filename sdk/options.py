"""The options of an extraction: what each means, and what it is when it is left out.

    extractor.run(Receipt, text, max_tokens=100)        # the other options are as in DEFAULTS

They are keyword arguments, spelled once, as TypedDicts (PEP 692): type checkers know each by name and type, and the
command line takes its help and its defaults from here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Literal, TypeAlias, TypedDict, get_type_hints

from typing_extensions import Doc

from sdk.generation.samplers import SAMPLER_DEFAULTS, Sampler, SamplerOptions
from sdk.prompting import Example, PromptTemplate

__all__ = [
    "DEFAULTS",
    "PROMPT_DEFAULTS",
    "Choose",
    "OnBudget",
    "Options",
    "PromptOptions",
    "TaskOptions",
    "documentation",
]

OnBudget: TypeAlias = Literal["raise", "return"]
"""What to do with a document that the token budget closed early: raise it in an error, or return its value."""


Choose: TypeAlias = Literal["best", "greedy"]
"""How the values of fields are chosen of which the document says what they may be.

``"best"``: the most probable of them as a whole, up to 1,024 in number. ``"greedy"``: token by token, as other values.
"""


class PromptOptions(TypedDict, total=False):
    """The options of prompts and answers, for every kind of call."""

    instructions: Annotated[str | None, Doc("A few sentences for the model.")]
    examples: Annotated[Collection[Example], Doc("Pairs of a text and its value, for the model to see.")]
    max_tokens: Annotated[
        int,
        Doc("The most tokens of output, or what the model's context leaves. The JSON is closed before they run out."),
    ]
    grounded: Annotated[
        bool,
        Doc("Each text without a pattern, format or list of values is a piece of the document, as with Verbatim()."),
    ]
    seed: Annotated[int | None, Doc("Makes drawing repeatable.")]
    template: Annotated[PromptTemplate | None, Doc("The words of the prompt; None for the extractor's.")]


class TaskOptions(PromptOptions, SamplerOptions, total=False):
    """The options of one document or many, with those that say how tokens are chosen."""

    choose: Annotated[
        Choose | None,
        Doc("How values of Verbatim fields are chosen: 'best', the default where no tokens are drawn, or 'greedy'."),
    ]
    null_bias: Annotated[float, Doc("Added to the log-odds of null where a value may be null; above 0, more are null.")]
    attempts: Annotated[
        int,
        Doc(
            "How many answers are tried where validators refuse a value: each differs in it, and is written from it on."
        ),
    ]
    sampler: Annotated[Sampler | None, Doc("How tokens are chosen, in place of numbers such as the temperature.")]
    reasoning: Annotated[
        bool | int,
        Doc("Let the model think before the document, in its own way if it has one, for so many tokens (True: 256)."),
    ]


class Options(TaskOptions, total=False):
    """The options of one document, with those that let the caller watch."""

    on_text: Annotated[
        Callable[[str], None] | None,
        Doc(
            "Called with each piece of the answer as it is made, of one attempt; an exception from it cancels the run."
        ),
    ]
    trace: Annotated[bool, Doc("Keep what each forward pass did.")]


PROMPT_DEFAULTS: PromptOptions = {
    "instructions": None,
    "examples": (),
    "max_tokens": 512,
    "grounded": False,
    "seed": None,
    "template": None,
}
"""512 tokens hold some 2,000 characters of JSON, more than most documents need, and stop a model that repeats itself;
chosen, not measured."""

DEFAULTS: TaskOptions = {
    **PROMPT_DEFAULTS,
    **SAMPLER_DEFAULTS,
    "choose": None,
    "null_bias": 0.0,
    "attempts": 3,
    "sampler": None,
    "reasoning": False,
}
"""What the options of ``TaskOptions`` are when they are left out.

Three attempts: a validator that refuses two values seldom takes the third; chosen, not measured.
"""


def documentation(option: str) -> str:
    """What an option of ``Options`` means."""
    (doc,) = get_type_hints(Options, include_extras=True)[option].__metadata__
    text: str = doc.documentation
    return text
