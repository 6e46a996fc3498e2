"""Names of keys, their validation, physical positions, and keys that no shortcut has handled."""

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping

from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QWindow
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.rubric.validate import FREE_KEYS
from desktop_rater.translation import N_
from desktop_rater.ui.window import actions
from desktop_rater.ui.window.focus import MODIFIER_KEYS, is_typing, keeps_keys

_ROWS = ("1234567890-=", "QWERTYUIOP", "ASDFGHJKL;'", "ZXCVBNM,./")
_EVDEV_FIRST = (2, 16, 30, 44)  # the Linux kernel's code of the first key of each row
_XKB_BEYOND_EVDEV = 8  # X11 and Wayland pass the kernel's code plus 8

# macOS numbers keys by position (Events.h, kVK_ANSI_…).
_MAC_RUNS = ((0, "ASDFHGZXCV"), (11, "BQWERYT123465=97-80"), (31, "OU"), (34, "IP"), (37, "LJ'K;"), (43, ",/NM."))
MAC = {code: key for first, row in _MAC_RUNS for code, key in enumerate(row, first)}
XKB = {
    first + _XKB_BEYOND_EVDEV + index: key
    for row, first in zip(_ROWS, _EVDEV_FIRST, strict=True)
    for index, key in enumerate(row)
}
# Windows' virtual key codes are the letters and digits themselves, on every non-Latin layout.
WINDOWS = {ord(key): key for row in _ROWS for key in row if key.isalnum()}


def key_at(event: QKeyEvent, platform: str = sys.platform) -> str:
    """Return the US name of a key's position, such as "Y"; "" if unknown."""
    if platform == "win32":
        return WINDOWS.get(event.nativeVirtualKey(), "")
    if platform == "darwin":
        return MAC.get(event.nativeVirtualKey(), "")
    return XKB.get(event.nativeScanCode(), "")


def is_latin(key: int) -> bool:
    """Return whether a key is a letter or digit that a shortcut can name: its position does not matter then."""
    return Qt.Key.Key_0 <= key <= Qt.Key.Key_9 or Qt.Key.Key_A <= key <= Qt.Key.Key_Z


CONTEXT = "Keys"
ANSWER_KEYS = "".join(sorted(key.upper() for key in FREE_KEYS))

KEY_NAMES = {
    "Ctrl": N_("Keys", "Ctrl"),
    "Shift": N_("Keys", "Shift"),
    "Alt": N_("Keys", "Alt"),
    "Meta": N_("Keys", "Meta"),
    "Return": N_("Keys", "Enter"),
    "Enter": N_("Keys", "Enter"),
    "Esc": N_("Keys", "Esc"),
    "Space": N_("Keys", "Space"),
    "Backspace": N_("Keys", "Backspace"),
    "Del": N_("Keys", "Delete"),
    "Delete": N_("Keys", "Delete"),
    "PgDn": N_("Keys", "PgDn"),
    "PgUp": N_("Keys", "PgUp"),
    "PgDown": N_("Keys", "PgDn"),
    "Home": N_("Keys", "Home"),
    "End": N_("Keys", "End"),
    "Up": "↑",
    "Down": "↓",
    "Left": "←",
    "Right": "→",
    "-": "−",
}

# As Qt writes keys in the menus of macOS, where its Ctrl is the command key: modifiers first, in this order.
_MAC_MODIFIERS = {"Meta": "⌃", "Alt": "⌥", "Shift": "⇧", "Ctrl": "⌘"}
_MAC_NAMES = {
    "Return": "↵",
    "Enter": "↵",
    "Esc": "⎋",
    "Backspace": "⌫",
    "Del": "⌦",
    "Delete": "⌦",
    "PgDn": "⇟",
    "PgDown": "⇟",
    "PgUp": "⇞",
    "Home": "↖",
    "End": "↘",
    "Tab": "⇥",
    "Backtab": "⇤",
}
on_mac: bool = sys.platform == "darwin"

# Keys that navigate and edit in every field, list and row of buttons.
_MOVING = {
    *("Space", "Tab", "Backtab", "Return", "Enter", "Esc", "Backspace", "Del", "Ins"),
    *("Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDown"),
}
_EDITING = {
    f"Ctrl+{name}" for name in ("A", "C", "V", "X", "Z", "Y", "Backspace", "Del", "Home", "End", "Left", "Right")
}
_EDITING |= {f"Ctrl+{name}" for name in ("Up", "Down", "Ins", "E", "U")} | {"Ctrl+Shift+Z", "Shift+Del", "Shift+Ins"}


def key_parts(key: str) -> tuple[str, ...]:
    """Return the names in a combination: "Ctrl++" is Ctrl and +."""
    head, plus, last = key.rpartition("+") if not key.endswith("+") else (key[:-2], "+", "+")
    return (*head.split("+"), last) if plus and head else (last,)


def key_text(key: str) -> str:
    """Return a combination as the window displays it: "Ctrl Shift O", or "⇧⌘O" on macOS."""
    return _native_text(key_parts(key))


def _native_text(names: Collection[str]) -> str:
    if on_mac:
        modifiers = "".join(sign for name, sign in _MAC_MODIFIERS.items() if name in names)
        return modifiers + " ".join(_key_name(name) for name in names if name not in _MAC_MODIFIERS)
    return " ".join(map(_key_name, names))


def _key_name(name: str) -> str:
    if on_mac and name in _MAC_NAMES:
        return _MAC_NAMES[name]
    return QCoreApplication.translate(CONTEXT, KEY_NAMES[name]) if name in KEY_NAMES else name


def english_key_text(key: str) -> str:
    """Return a combination as the documentation writes it."""
    return " ".join(KEY_NAMES.get(name, name) for name in key_parts(key))


class KeyText(str):
    """A current key as text: a key cap shows it literally."""

    __slots__ = ()


def use_keys(own: Mapping[str, str], available: Collection[str]) -> bool:
    """Show these keys on key caps instead of the default ones of the actions that are `key_text`.

    The setting belongs to the application, like a font. Return whether it has changed.
    """
    app = QCoreApplication.instance()
    if app is None:
        return False
    usual = {row.id: english_key_text(row.keys[0]) for row in actions.ROWS if row.keys and row.id in available}
    before, used = app.property("own_keys"), {usual[row]: key for row, key in own.items() if row in usual}
    app.setProperty("own_keys", used)
    return before != used


def cap_text(key: str) -> str:
    """Return the text of a key cap; `key` is the default one, as in the documentation."""
    app = QCoreApplication.instance()
    if isinstance(key, KeyText) or app is None:
        return key
    own_key = (app.property("own_keys") or {}).get({"Del": "Delete"}.get(key, key))
    return key_text(own_key) if own_key else _native_text([name for word in key.split() for name in key_parts(word)])


def key_texts(keys: Collection[str]) -> tuple[KeyText, ...]:
    """Return the distinct texts of several keys: Return and the keypad's Enter are both Enter."""
    return tuple(KeyText(text) for text in dict.fromkeys(map(key_text, keys)))


def portable_key(combination: QKeyCombination) -> str:
    """Return a combination in the spelling of the table; "" for a modifier alone."""
    if combination.key() in MODIFIER_KEYS:
        return ""
    modifiers = combination.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(modifiers, combination.key())).toString(
        QKeySequence.SequenceFormat.PortableText
    )


def normalized_key(key: str) -> str:
    """Return the canonical spelling of a combination."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def edits_text(key: str) -> bool:
    """Return whether a key edits or navigates while one types."""
    return key in _EDITING or key_parts(key)[-1] in _MOVING


def key_conflict(key: str, action: str, own: Mapping[str, str], rubric_keys: Collection[str] = ()) -> str:
    """Return the reason why an action can't have that key; "" if it can."""
    key = normalized_key(key)
    row = actions.BY_ID[action]
    if row.stays:
        template = QCoreApplication.translate("Keys", "The key {key} for “{action}” can't be changed.")
        return template.format(key=key_text(row.keys[0]), action=actions.plain_action_text(row.text))
    if key in {normalized_key(default_key) for default_key in row.keys}:
        return _conflict(key, action, own)
    return _reserved(key, rubric_keys) or _conflict(key, action, own)


def _reserved(key: str, rubric_keys: Collection[str]) -> str:
    names = key_parts(key)
    template = ""
    if not key or ", " in key:
        template = QCoreApplication.translate("Keys", "Press one key, with or without {control} and {shift}.")
    elif key in ANSWER_KEYS or key in {key_name.upper() for key_name in rubric_keys}:
        template = QCoreApplication.translate("Keys", "{key} is reserved for rubric answers.")
    elif names[-1] in _MOVING and "Alt" not in names and names[0] != "Ctrl":
        template = QCoreApplication.translate("Keys", "{key} is used to navigate and edit in lists and fields.")
    elif key in _EDITING:
        template = QCoreApplication.translate("Keys", "{key} is used to edit text in fields.")
    elif len(key) == 1 and key.isalpha() and key not in {key_name for row in actions.ROWS for key_name in row.keys}:
        template = QCoreApplication.translate("Keys", "{key} is reserved for another screen.")
    elif "Alt" in names:
        template = QCoreApplication.translate("Keys", "{key} can't be used: {alt} opens menus or types symbols.")
    control, shift, alt = map(key_text, ("Ctrl", "Shift", "Alt"))
    return template.format(key=key_text(key), control=control, shift=shift, alt=alt)


def _conflict(key: str, action: str, own: Mapping[str, str]) -> str:
    others = (row for row in actions.ROWS if row.id != action and actions.share_screen(row, actions.BY_ID[action]))
    owner = next((row for row in others if key in map(normalized_key, actions.keys_of(row, own))), None)
    if owner is None:
        return ""
    template = QCoreApplication.translate("Keys", "{key} is already the key for “{action}”.")
    return template.format(key=key_text(key), action=actions.plain_action_text(owner.text))


def usable_keys(own: Mapping[str, str]) -> dict[str, str]:
    """Return the user's keys that can be bound, without conflicting ones and those of unknown actions."""
    bound = {action: key for action, key in own.items() if action in actions.BY_ID}
    # Without a refused key, its action has its first key again, which may conflict with the next.
    while refused := [action for action, key in bound.items() if key_conflict(key, action, bound)]:
        for action in refused:
            del bound[action]
    return bound


_PLAIN = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier}
_ALT = Qt.KeyboardModifier.AltModifier
_SPOKEN = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier | _ALT


class KeyFallback(QObject):
    """Handles the window's key presses that no shortcut has taken.

    `take` triggers what is bound to a key and returns whether anything was.
    """

    def __init__(self, window: QWindow, take: Callable[[str], bool], platform: str = sys.platform) -> None:
        super().__init__(window)
        self._take = take
        self._platform = platform
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle a key press before the focused widget sees it."""
        del watched
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if QApplication.activePopupWidget() is not None:
            return False
        return any(self._take(key) for key in self._candidates(event))

    def _candidates(self, event: QKeyEvent) -> Iterator[str]:
        """Yield the possible keys of the press, the likeliest first."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        focus = QApplication.focusWidget()
        typing = is_typing(focus) or keeps_keys(focus)
        if modifiers & ~_SPOKEN or (typing and modifiers in _PLAIN):
            return
        if typing:
            # A field consumes some of the window's keys, such as Ctrl E on X11.
            key = portable_key(event.keyCombination())
            if key and not edits_text(key):
                yield key
        text = event.text()
        if text.isascii() and text.isprintable() and not text.isalnum() and text.strip() and not modifiers & _ALT:
            yield text  # such as a / that needs Shift on this layout
        position_key = key_at(event, self._platform)
        if position_key and not is_latin(event.key()):
            key = "+".join((*_names(modifiers), position_key))
            if not (typing and edits_text(key)):
                yield key


class HeldKeys(QObject):
    """Holds the keys that are pressed while the first task of a bundle is opened, and acts on them once it is.

    `concerned` returns whether keys would go to that task; `take` is that of `KeyFallback`.
    """

    def __init__(self, window: QWidget, concerned: Callable[[], bool], take: Callable[[str], bool]) -> None:
        super().__init__(window)
        self._window, self._concerned, self._take = window, concerned, take
        self._loading = False
        self._held: list[QKeyEvent] = []
        self._watched: list[QObject] = []
        QApplication.instance().focusChanged.connect(self._watch)  # ty: ignore[missing-attribute]

    def hold(self) -> None:
        self._loading = True
        self._watch(None, QApplication.focusWidget())

    def drop(self) -> None:
        """Forget the keys, as when the window gets another content."""
        self._loading, self._held = False, []
        watched, self._watched = self._watched, []
        for receiver in watched:
            if isValid(receiver):
                receiver.removeEventFilter(self)

    def _watch(self, _before: QWidget | None, focus: QWidget | None) -> None:
        """Watch the receivers of keys. A filter of the application would get all events, also of what is deleted."""
        if self._loading and focus is not None and isValid(self._window):
            for receiver in (focus, self._window, self._window.windowHandle()):
                receiver.installEventFilter(self)
                self._watched.append(receiver)

    def release(self) -> None:
        self._loading = False
        if self._held:
            QTimer.singleShot(0, self, self._replay)  # once everything shows the task
        else:
            self._replay()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        del watched
        waiting = self._loading or self._held
        if not waiting or not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        focus, modifiers = QApplication.focusWidget(), event.modifiers()
        elsewhere = QApplication.activePopupWidget() is not None or not self._window.isActiveWindow()
        if elsewhere or modifiers & _ALT or is_typing(focus) or event.matches(QKeySequence.StandardKey.Quit):
            return False
        key = portable_key(event.keyCombination())
        if not key or re.fullmatch(r"F\d+", key) or not self._concerned():  # F11 and others are of the window
            return False
        if event.type() == QEvent.Type.KeyPress:
            self._held.append(event.clone())
        event.accept()  # so that no shortcut acts on it
        return True

    def _replay(self) -> None:
        if self._loading:
            return
        held = self._held
        self.drop()
        for event in held:
            if is_typing(QApplication.focusWidget()) or not self._take(portable_key(event.keyCombination())):
                QCoreApplication.sendEvent(self._window.windowHandle(), event)


def _names(modifiers: Qt.KeyboardModifier) -> Iterator[str]:
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        yield "Ctrl"
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        yield "Shift"
    if modifiers & _ALT:
        yield "Alt"
