"""Generate the table of keys in docs/user-guide.md from the table of actions.

`python -m tests.docs.key_table` writes it there.
"""

from __future__ import annotations

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
    "scoring": "While scoring justifications",
}


def key_table() -> str:
    """Return a table for each screen, with a row for each action with a key, in the order of the menus.

    Keys that are not actions come last.
    """
    tables = [
        table(title, [row for row in ROWS if row.keys and screen in (row.screens.split() or [""])])
        for screen, title in SCREENS.items()
    ]
    return "\n".join([*tables, table("In lists, forms and pages", FIXED)])


def table(title: str, rows: Sequence[ActionRow | FixedKey]) -> str:
    """Return a table of keys and what they do below a title."""
    lines = [
        f"| {written(row.keys)} | {row.text}{' (QA leads)' if getattr(row, 'lead', False) else ''} |" for row in rows
    ]
    return "\n".join([f"**{title}**", "", "| keys | action |", "|---|---|", *lines, ""])


def written(keys: tuple[str, ...]) -> str:
    """Return keys as a page shows them: Return and the keypad's Enter are both Enter."""
    return ", ".join(f"`{key}`" for key in dict.fromkeys(map(english_key_text, keys)))


def main() -> None:
    """Write the table again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: key_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
