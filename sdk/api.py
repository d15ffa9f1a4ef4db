"""``extract(Receipt, text)``: extraction in one call, with an extractor kept for each model name.

    >>> extract(Receipt, "Ace Books, 3 March 2024. Total 9.00")        # doctest: +SKIP
    Receipt(shop='Ace Books', total=Decimal('9.00'))

The shortest way to a value; whoever needs a device, a batch or a count of tokens makes an ``Extractor``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, Unpack, overload

from sdk.extractor import Extractor
from sdk.generation.models.loading import default_model_name
from sdk.options import OnBudget, Options

__all__ = ["extract"]

T = TypeVar("T")


@overload
def extract(
    wanted: type[T], text: str, *, model: str | None = ..., on_budget: OnBudget = ..., **options: Unpack[Options]
) -> T: ...
@overload
def extract(
    wanted: Any, text: str, *, model: str | None = ..., on_budget: OnBudget = ..., **options: Unpack[Options]
) -> Any: ...
def extract(
    wanted: Any, text: str, *, model: str | None = None, on_budget: OnBudget = "raise", **options: Unpack[Options]
) -> Any:
    """Extract an instance of ``wanted`` from ``text``: ``Extractor(model).extract`` with the extractor kept.

    ``wanted``: any type that Pydantic's ``TypeAdapter`` takes, or a JSON Schema as a mapping, for plain data.
    ``model``: the name or folder of a causal language model, ``None`` for ``SDK_MODEL`` or else the embedded model;
    it is loaded by the first call that names it and kept. ``on_budget``: what to do with a document that the token
    budget closed early, ``"raise"`` or ``"return"``. ``options``: those of ``sdk.options.Options``.

    Raises what ``Extractor.extract`` raises, and ``ModelError`` (also as ``ModelNotFoundError`` and
    ``TokenizerError``) when the model cannot be loaded.
    """
    return _extractor(model or default_model_name()).extract(wanted, text, on_budget=on_budget, **options)


@cache
def _extractor(model: str) -> Extractor:
    return Extractor(model)
