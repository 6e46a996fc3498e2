"""Generate the table of keys in docs/user-guide.md from the table of actions.

`python -m tests.docs.key_table` writes it there.
"""

import re
from collections.abc import Sequence

from desktop_rater.ui.window.action_row import ActionRow, FixedKey
from desktop_rater.ui.window.actions import FIXED, RATE, ROWS
from desktop_rater.ui.window.keys import english_key_text
from tests.docs.pages import DOCS

PAGE = DOCS / "user-guide.md"

BLOCK = re.compile(r"(?<=<!-- keys -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


SCREENS = {
    "": "In every part of the window",
    "start": "On the start page",
    RATE: "While rating",
    "review": "In the review",
    "report": "In the report",
    "systems": "In the systems screen",
    "rubric": "In the rubric’s changes",
    "scoring": "While scoring justifications",
}
SHORT = {"start": "start page", RATE: "rating"}


def key_table() -> str:
    """Return a table for each screen, with a row for each action with a key, in the order of the menus.

    Actions of several screens follow in a table of their own, and then keys that are not actions.
    """
    rows = [row for row in ROWS if row.keys]
    tables = [table(title, [row for row in rows if row.screens == screen]) for screen, title in SCREENS.items()]
    shared = [
        f"{line_of(row)} {', '.join(SHORT.get(screen, screen) for screen in row.screens.split())} |"
        for row in rows
        if len(row.screens.split()) > 1
    ]
    several = "\n".join(["**In several screens**", "", "| keys | action | screens |", "|---|---|---|", *shared, ""])
    return "\n".join([*filter(None, tables), several, table("In lists, forms and pages", FIXED)])


def table(title: str, rows: Sequence[ActionRow | FixedKey]) -> str:
    """Return a table of keys and what they do below a title; nothing without rows."""
    lines = [f"**{title}**", "", "| keys | action |", "|---|---|", *map(line_of, rows), ""]
    return "\n".join(lines) if rows else ""


def line_of(row: ActionRow | FixedKey) -> str:
    """Return the cells of a row: its keys and its text."""
    return f"| {written(row.keys)} | {row.text}{' (QA leads)' if getattr(row, 'lead', False) else ''} |"


def written(keys: tuple[str, ...]) -> str:
    """Return keys as a page shows them: Return and the keypad's Enter are both Enter."""
    return ", ".join(f"`{key}`" for key in dict.fromkeys(map(english_key_text, keys)))


def main() -> None:
    """Write the table again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: key_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
