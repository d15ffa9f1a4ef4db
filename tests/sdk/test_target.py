"""From a generated text to a value: what refuses it is said with the text."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import AfterValidator

from sdk.errors import ValidationFailedError
from sdk.target import target_of
from tests.fakes import byte_vocabulary


def overflow(value: int) -> int:
    """Fails in a way that Pydantic does not turn into its own error."""
    raise OverflowError(f"{value} is too much")


def refuse(value: int) -> int:
    """Fails in Pydantic's way."""
    raise ValueError(f"{value} is refused")


@pytest.mark.parametrize(
    ("validator", "message"), [(overflow, "OverflowError: 7 is too much"), (refuse, "7 is refused")]
)
def test_what_a_validator_raises_is_reported_with_the_text(validator: object, message: str) -> None:
    """Whatever kind of error it is."""
    target = target_of(Annotated[int, AfterValidator(validator)], byte_vocabulary())  # type: ignore[arg-type]  # either
    with pytest.raises(ValidationFailedError, match=message) as caught:
        target.parse("7")
    assert caught.value.text == "7"
    assert caught.value.errors


def test_decimals_are_compared_exactly() -> None:
    """As floats, 0.0075 is no multiple of 0.0001, and 0.1 + 0.2 is not 0.3."""
    target = target_of({"type": "number", "multipleOf": 0.0001, "maximum": 0.3}, byte_vocabulary())
    assert target.parse("0.0075") == 0.0075
    assert target.spell(0.3) == "0.3"
    with pytest.raises(ValidationFailedError, match=r"0\.00755 is not a multiple of 0\.0001"):
        target.parse("0.00755")
    with pytest.raises(ValueError, match="greater than the maximum"):
        target.spell(0.4)
    assert target_of({"enum": [1.5, 2]}, byte_vocabulary()).parse("1.5") == 1.5
