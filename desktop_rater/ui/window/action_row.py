"""The rows of the table of actions."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP

RATE, START = "rate", "start"
EVERYWHERE = ""  # on all screens


@dataclass(frozen=True)
class ActionRow:
    """An action. The first of `keys` is displayed, and can be changed by the user.

    `screens`: the screens with the action, separated by spaces. `lead`: only for a QA lead.
    `needs_model`: only where a language model is set. `after`: for an action of a plug-in, the one that it follows.
    """

    id: str
    text: str
    keys: tuple[str, ...] = ()
    line_before: bool = False
    repeats: bool = True
    lead: bool = False
    needs_model: bool = False
    stays: bool = False  # its key can't be changed
    menu: str = ""
    where: str = ""  # the section of the key sheet
    screens: str = RATE
    after: str = ""


def action(
    name: str,
    text: str,
    *keys: str,
    line_before: bool = False,
    repeats: bool = True,
    lead: bool = False,
    needs_model: bool = False,
    stays: bool = False,
    after: str = "",
) -> ActionRow:
    """Return a row of a section."""
    return ActionRow(name, text, keys, line_before, repeats, lead, needs_model, stays, after=after)


def section(menu: str, where: str, screens: str) -> Callable[..., tuple[ActionRow, ...]]:
    """Return a function that makes rows actions of a menu, a section of the key sheet and some screens."""
    return lambda *rows: tuple(replace(row, menu=menu, where=where, screens=screens) for row in rows)


@dataclass(frozen=True)
class FixedKey:
    """A key that Qt or a part of the window handles itself, depending on the focus."""

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
KEY_CONTEXTS = (ALWAYS, ANSWERS, MOVING, TEXT, PAGES)
