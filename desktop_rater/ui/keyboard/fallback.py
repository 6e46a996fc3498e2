"""Keys that no shortcut has taken: another script's letters, unshifted digits, and what a field would swallow."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.keyboard.positions import is_latin, key_at
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PLAIN = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier}
_SPOKEN = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class KeyFallback(QObject):
    """Watches the window's own key presses, which come here only when no shortcut has taken them.

    `take` triggers what is bound to a key, and says whether something was.
    """

    def __init__(self, window: QWindow, take: Callable[[str], bool], platform: str = sys.platform) -> None:
        super().__init__(window)
        self._take = take
        self._platform = platform
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a key press; the focus never sees it then."""
        del watched
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if QApplication.activePopupWidget() is not None:
            return False
        return any(self._take(key) for key in self._meant(event))

    def _meant(self, event: QKeyEvent) -> Iterator[str]:
        """What the press can mean, the likeliest first."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        typing = is_typing(QApplication.focusWidget())
        if modifiers & ~_SPOKEN or (typing and modifiers in _PLAIN):
            return
        if typing:
            # A field takes some of the window's keys for itself, such as Ctrl E on X11.
            key = keys.portable(event.keyCombination())
            if key and not keys.edits(key):
                yield key
        text = event.text()
        if text.isascii() and text.isprintable() and not text.isalnum() and text.strip():
            yield text  # a / that needs Shift on this layout
        place = key_at(event, self._platform)
        if place and not is_latin(event.key()):
            key = "+".join((*_names(modifiers), place))
            if not (typing and keys.edits(key)):
                yield key


def _names(modifiers: Qt.KeyboardModifier) -> Iterator[str]:
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        yield "Ctrl"
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        yield "Shift"
