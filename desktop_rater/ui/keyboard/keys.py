"""How keys are written, and which key a user can give to an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from desktop_rater.rubric.sound import FREE_KEYS
from desktop_rater.ui import actions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

CONTEXT = "Keys"
ANSWER_KEYS = "".join(sorted(key.upper() for key in FREE_KEYS))

SPOKEN = {
    "Ctrl": QT_TRANSLATE_NOOP("Keys", "Ctrl"),
    "Shift": QT_TRANSLATE_NOOP("Keys", "Shift"),
    "Alt": QT_TRANSLATE_NOOP("Keys", "Alt"),
    "Meta": QT_TRANSLATE_NOOP("Keys", "Meta"),
    "Return": QT_TRANSLATE_NOOP("Keys", "Enter"),
    "Enter": QT_TRANSLATE_NOOP("Keys", "Enter"),
    "Esc": QT_TRANSLATE_NOOP("Keys", "Esc"),
    "Space": QT_TRANSLATE_NOOP("Keys", "Space"),
    "Backspace": QT_TRANSLATE_NOOP("Keys", "Backspace"),
    "Del": QT_TRANSLATE_NOOP("Keys", "Delete"),
    "Delete": QT_TRANSLATE_NOOP("Keys", "Delete"),
    "PgDn": QT_TRANSLATE_NOOP("Keys", "PgDn"),
    "PgUp": QT_TRANSLATE_NOOP("Keys", "PgUp"),
    "PgDown": QT_TRANSLATE_NOOP("Keys", "PgDn"),
    "Up": "↑",
    "Down": "↓",
    "Left": "←",
    "Right": "→",
    "-": "−",
}

# What moves and edits in every field, list and row of buttons.
_MOVING = {
    *("Space", "Tab", "Backtab", "Return", "Enter", "Esc", "Backspace", "Del", "Ins"),
    *("Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDown"),
}
_EDITING = {
    f"Ctrl+{name}" for name in ("A", "C", "V", "X", "Z", "Y", "Backspace", "Del", "Home", "End", "Left", "Right")
}
_EDITING |= {f"Ctrl+{name}" for name in ("Up", "Down", "Ins", "E", "U")} | {"Ctrl+Shift+Z", "Shift+Del", "Shift+Ins"}
_MODIFIER_KEYS = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_CapsLock,
    Qt.Key.Key_unknown,
}


def parts(key: str) -> tuple[str, ...]:
    """The names in a combination: "Ctrl++" is Ctrl and +."""
    head, plus, last = key.rpartition("+") if not key.endswith("+") else (key[:-2], "+", "+")
    return (*head.split("+"), last) if plus and head else (last,)


def shown(key: str) -> str:
    """A combination as the window writes it: "Ctrl Shift O"."""
    return " ".join(QCoreApplication.translate(CONTEXT, SPOKEN[one]) if one in SPOKEN else one for one in parts(key))


def english(key: str) -> str:
    """A combination as the pages write it."""
    return " ".join(SPOKEN.get(one, one) for one in parts(key))


class Shown(str):
    """A key as it is written now: a cap shows it as it stands."""

    __slots__ = ()


def use(own: Mapping[str, str], shown: Collection[str]) -> None:
    """From now on the caps show these keys instead of the usual ones of the actions that are `shown`.

    They go with the application, as a font does.
    """
    app = QCoreApplication.instance()
    if app is not None:
        usual = {row.id: english(row.keys[0]) for row in actions.ROWS if row.keys and row.id in shown}
        app.setProperty("own_keys", {usual[row]: key for row, key in own.items() if row in usual})


def cap(key: str) -> str:
    """What stands on a key cap: `key` is the usual one, as the pages write it."""
    app = QCoreApplication.instance()
    if isinstance(key, Shown) or app is None:
        return key
    now = (app.property("own_keys") or {}).get({"Del": "Delete"}.get(key, key))
    return shown(now) if now else " ".join(map(shown, key.split()))


def all_shown(keys: Collection[str]) -> tuple[Shown, ...]:
    """Several, each way of writing once: Return and the keypad's Enter are both Enter."""
    return tuple(Shown(one) for one in dict.fromkeys(map(shown, keys)))


def portable(combination: QKeyCombination) -> str:
    """A combination as the table writes it; "" where it is a modifier alone."""
    if combination.key() in _MODIFIER_KEYS:
        return ""
    modifiers = combination.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(modifiers, combination.key())).toString(
        QKeySequence.SequenceFormat.PortableText
    )


def normal(key: str) -> str:
    """One spelling for each combination."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def edits(key: str) -> bool:
    """Whether a key is the text's own while one types."""
    return key in _EDITING or parts(key)[-1] in _MOVING


def why_refused(key: str, action: str, own: Mapping[str, str], rubric_keys: Collection[str] = ()) -> str:
    """Why an action can't have that key; "" where it can."""
    key = normal(key)
    row = actions.BY_ID[action]
    if row.stays:
        said = QCoreApplication.translate("Keys", "{key} stays the key of “{action}”.")
        return said.format(key=shown(row.keys[0]), action=actions.plain_words(row.text))
    if key in {normal(one) for one in row.keys}:
        return _taken(key, action, own)
    return _reserved(key, rubric_keys) or _taken(key, action, own)


def _reserved(key: str, rubric_keys: Collection[str]) -> str:
    names = parts(key)
    said = ""
    if not key or ", " in key:
        said = QCoreApplication.translate("Keys", "Press one key, with or without Ctrl and Shift.")
    elif key in ANSWER_KEYS or key in {one.upper() for one in rubric_keys}:
        said = QCoreApplication.translate("Keys", "{key} is kept for the answers of a rubric.")
    elif names[-1] in _MOVING and "Alt" not in names and names[0] != "Ctrl":
        said = QCoreApplication.translate("Keys", "{key} moves and edits in lists and fields.")
    elif key in _EDITING:
        said = QCoreApplication.translate("Keys", "{key} edits the text of a field.")
    elif len(key) == 1 and key.isalpha() and key not in {one for row in actions.ROWS for one in row.keys}:
        said = QCoreApplication.translate("Keys", "{key} is kept for another room.")
    elif "Alt" in names:
        said = QCoreApplication.translate("Keys", "{key} is no key of this window: Alt opens the menus.")
    return said.format(key=shown(key))


def _taken(key: str, action: str, own: Mapping[str, str]) -> str:
    beside = (row for row in actions.ROWS if row.id != action and actions.meet(row, actions.BY_ID[action]))
    taken = next((row for row in beside if key in map(normal, actions.keys_of(row, own))), None)
    if taken is None:
        return ""
    said = QCoreApplication.translate("Keys", "{key} is the key of “{action}”.")
    return said.format(key=shown(key), action=actions.plain_words(taken.text))


def usable(own: Mapping[str, str]) -> dict[str, str]:
    """The user's keys that can be bound: what clashes, or is of no action that is known, is left out."""
    kept = {action: key for action, key in own.items() if action in actions.BY_ID}
    # Without one that was refused, its action has its first key again, which may clash with the next.
    while refused := [action for action, key in kept.items() if why_refused(key, action, kept)]:
        for action in refused:
            del kept[action]
    return kept
