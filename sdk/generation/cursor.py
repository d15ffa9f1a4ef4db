"""What generation asks of a matcher, so that the loop can follow anything that answers, not a grammar's matcher alone.

``schema_compiler.Matcher`` is a cursor; so is ``Reasoning``, which lets free text through before the grammar begins.
"""

from __future__ import annotations

from typing import Protocol

from schema_compiler import TokenMask

__all__ = ["Cursor"]


class Cursor(Protocol):
    """A place in a document that is being written; see ``schema_compiler.Matcher`` for each of these."""

    @property
    def state_id(self) -> int:
        """A number for the current state; equal numbers mean equal closings."""
        ...

    def mask(self) -> TokenMask:
        """The tokens that may come next: uint32 ``[ceil(V / 32)]``."""
        ...

    def accept(self, token_id: int) -> bool:
        """Take a token; ``False``, and nothing changes, when it may not come next."""
        ...

    def rollback(self, count: int) -> None:
        """Take the last ``count`` tokens back."""
        ...

    def fork(self) -> Cursor:
        """A cursor at the same place that moves by itself."""
        ...

    def is_complete(self) -> bool:
        """Whether the document may end here."""
        ...

    def forced(self) -> bytes:
        """The text that every document has next; none where there is a choice."""
        ...

    def closing(self) -> bytes:
        """The shortest text that completes the document."""
        ...

    def choices(self, limit: int) -> list[list[bytes]] | None:
        """The values that may be written here, where they are few and listed."""
        ...
