"""What a row of the table of actions says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class Row:
    """One action. The first of `keys` is shown, and is the one that a user can change.

    `room` names the rooms where it is good, divided by blanks; empty: everywhere. `lead`: only for a QA lead.
    """

    id: str
    menu: str
    where: str
    text: str
    keys: tuple[str, ...] = ()
    line_before: bool = False
    repeats: bool = True
    room: str = ""
    lead: bool = False
    stays: bool = False  # the key that the whole window leans on: no other can take its place


@dataclass(frozen=True)
class Fixed:
    """A key that Qt or a part of the window takes by itself, wherever the focus is right for it."""

    where: str
    text: str
    keys: tuple[str, ...]


FILE = QT_TRANSLATE_NOOP("Actions", "&File")
EDIT = QT_TRANSLATE_NOOP("Actions", "&Edit")
TARGET = QT_TRANSLATE_NOOP("Actions", "&Target")
EVIDENCE = QT_TRANSLATE_NOOP("Actions", "E&vidence")
VIEW = QT_TRANSLATE_NOOP("Actions", "Vie&w")
HELP = QT_TRANSLATE_NOOP("Actions", "&Help")

ALWAYS = QT_TRANSLATE_NOOP("Actions", "Always")
ANSWERS = QT_TRANSLATE_NOOP("Actions", "Answers")
MOVING = QT_TRANSLATE_NOOP("Actions", "Moving")
TEXT = QT_TRANSLATE_NOOP("Actions", "Claims and text")
PAGES = QT_TRANSLATE_NOOP("Actions", "Pages")
WHERES = (ALWAYS, ANSWERS, MOVING, TEXT, PAGES)
