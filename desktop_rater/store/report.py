"""What an examination of a store found."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """`check` is the key of the check, `text` one sentence or more for the one who looks after the store."""

    check: str
    text: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """`faults` say that something is not as it was written; `notes` are good to know and no fault."""

    faults: tuple[Finding, ...]
    notes: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether there is no fault."""
        return not self.faults
