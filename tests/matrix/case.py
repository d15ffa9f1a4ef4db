"""One line of the matrix: a type with a constraint, JSON values on both sides of it, and what the compiler promises.

    Case("int", "ge", Annotated[int, Field(ge=3)], good=(3, 9), bad=(2, 2.5))

``good`` must satisfy Pydantic and the grammar, and so must what Pydantic writes for it. ``bad`` must satisfy neither,
unless ``checked`` says that the constraint is left to Pydantic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Case"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Case:
    """A ``type_`` by its ``name``, and the ``constraint`` on it (empty: none).

    ``checked``: the constraints that the report must leave to Pydantic; with none, the grammar must be exact.
    ``refused``: words of the error, where the type must not compile; ``pointer`` is the place it must name.
    ``rewritten``: Pydantic writes the value in a form that it does not read.
    ``narrower``: values that Pydantic would read, and the grammar does not write.
    """

    name: str
    constraint: str
    type_: Any
    good: tuple[Any, ...] = ()
    bad: tuple[Any, ...] = ()
    checked: tuple[str, ...] = ()
    refused: str = ""
    pointer: str = ""
    rewritten: bool = False
    narrower: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {self.constraint}".strip()
