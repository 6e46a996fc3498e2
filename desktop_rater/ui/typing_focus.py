"""Where plain keys type instead of answering."""

from __future__ import annotations

from typing import TypeGuard

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget


def is_typing(widget: QWidget | None) -> TypeGuard[QWidget]:
    """Whether plain keys type there."""
    if isinstance(widget, QPlainTextEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QLineEdit) and not widget.isReadOnly()
