"""The rows of the tables of actions, of screens, and of parts of the report."""

from collections.abc import Callable, Mapping

from msgspec import Struct, structs

from desktop_rater.translation import N_

RATE, START = "rate", "start"
EVERYWHERE = ""  # on all screens


class ActionRow(Struct, frozen=True):
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
    return lambda *rows: tuple(structs.replace(row, menu=menu, where=where, screens=screens) for row in rows)


class ScreenRow(Struct, frozen=True):
    """A screen beside the start page and the rating screen.

    `place`: a function of a `ui.window.screen_context.ScreenContext` that creates a `ui.window.screens.Screen`, called
    when the screen is first entered. The action `room_NAME`, if there is one, goes to it.
    """

    text: str  # on its tab
    place: str
    lead: bool = True  # only for a QA lead


class OfferedPart(Struct, frozen=True):
    """A part of the report screen that is shown in place of the agreement.

    `place`: a function of a `ui.window.screen_context.ScreenContext` that creates a `ui.report.heading.ReportPart`,
    called when the part is first shown. `pages`: id of each action that shows the part → the page that it shows;
    `shared`: those of them that other parts offer too.
    """

    text: str  # on the switch
    place: str
    pages: Mapping[str, str]
    shared: frozenset[str]


class FixedKey(Struct, frozen=True):
    """A key that Qt or a part of the window handles itself, depending on the focus."""

    where: str
    text: str
    keys: tuple[str, ...]


FILE = N_("Actions", "&File")
EDIT = N_("Actions", "&Edit")
TARGET = N_("Actions", "&Target")
EVIDENCE = N_("Actions", "E&vidence")
VIEW = N_("Actions", "Vie&w")
HELP = N_("Actions", "&Help")

ALWAYS = N_("Actions", "Always")
ANSWERS = N_("Actions", "Answers")
MOVING = N_("Actions", "Moving")
TEXT = N_("Actions", "Claims and text")
PAGES = N_("Actions", "Pages")
KEY_CONTEXTS = (ALWAYS, ANSWERS, MOVING, TEXT, PAGES)
