"""Generate the table of keys in docs/user-guide.md from the table of actions.

`python -m tests.docs.key_table` writes it there.
"""

from __future__ import annotations

import re

from desktop_rater.ui.window.action_row import ActionRow
from desktop_rater.ui.window.actions import FIXED, RATE, ROWS
from desktop_rater.ui.window.keys import english_key_text
from tests.docs.pages import DOCS

PAGE = DOCS / "user-guide.md"

BLOCK = re.compile(r"(?<=<!-- keys -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def key_table() -> str:
    """Return a row for each action, in the order of the menus, then the keys that are not actions."""
    lines = ["| menu | what | keys | screen |", "|---|---|---|---|"]
    lines += [f"| {row.menu.replace('&', '')} | {row.text} | {written(row.keys)} | {where(row)} |" for row in ROWS]
    lines += [f"|  | {one.text} | {written(one.keys)} |  |" for one in FIXED]
    return "\n".join(lines) + "\n"


def where(row: ActionRow) -> str:
    """Return the screens in which an action is available."""
    if not row.screens:
        return "all, for QA leads" if row.lead else "all"
    return row.screens.replace(" ", ", ").replace(RATE, "rating")


def written(keys: tuple[str, ...]) -> str:
    """Return keys as a page shows them: Return and the keypad's Enter are both Enter."""
    return ", ".join(f"`{key}`" for key in dict.fromkeys(map(english_key_text, keys)))


def main() -> None:
    """Write the table again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: key_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
