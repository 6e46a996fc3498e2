"""`QT_TRANSLATE_NOOP` with a type: it marks a text for `lupdate` and returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # the stub of PySide6 says `object`
        """Mark a text for translation."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

__all__ = ["QT_TRANSLATE_NOOP"]
