"""Where keys lie on the keyboard: what is printed on them in the United States, whatever the layout makes of them.

A Cyrillic or an Arabic letter fires no Latin shortcut, and the digits of a French keyboard need Shift; the place of a
key on the keyboard stays.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_ROWS = ("1234567890-=", "QWERTYUIOP", "ASDFGHJKL;'", "ZXCVBNM,./")
_EVDEV_FIRST = (2, 16, 30, 44)  # the code of the first key of each row in the Linux kernel
_XKB_BEYOND_EVDEV = 8  # X11 and Wayland hand the kernel's code on, plus 8

# macOS numbers its keys by their place (Events.h, kVK_ANSI_…).
_MAC_RUNS = ((0, "ASDFHGZXCV"), (11, "BQWERYT123465=97-80"), (31, "OU"), (34, "IP"), (37, "LJ'K;"), (43, ",/NM."))
MAC = {code: key for first, row in _MAC_RUNS for code, key in enumerate(row, first)}
XKB = {
    first + _XKB_BEYOND_EVDEV + at: key
    for row, first in zip(_ROWS, _EVDEV_FIRST, strict=True)
    for at, key in enumerate(row)
}
# Windows' virtual keys are the letters and digits themselves, on every layout that types another script.
WINDOWS = {ord(key): key for row in _ROWS for key in row if key.isalnum()}


def key_at(event: QKeyEvent, platform: str = sys.platform) -> str:
    """What the place of a key means, such as "Y"; "" where the table has none."""
    if platform == "win32":
        return WINDOWS.get(event.nativeVirtualKey(), "")
    if platform == "darwin":
        return MAC.get(event.nativeVirtualKey(), "")
    return XKB.get(event.nativeScanCode(), "")


def is_latin(key: int) -> bool:
    """Whether a key is a letter or a digit that a shortcut can name: its place does not matter then."""
    return Qt.Key.Key_0 <= key <= Qt.Key.Key_9 or Qt.Key.Key_A <= key <= Qt.Key.Key_Z
