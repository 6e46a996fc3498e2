"""The table of keys as it stands in docs/user-guide.md, made of the table of actions.

`python -m tests.docs.key_table` writes it there.
"""

from __future__ import annotations

import re

from desktop_rater.ui.actions import FIXED, RATE, ROWS, Row
from desktop_rater.ui.keyboard.keys import english
from tests.docs.pages import DOCS

PAGE = DOCS / "user-guide.md"

BLOCK = re.compile(r"(?<=<!-- keys -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def key_table() -> str:
    """A row an action, in the order of the menus; then the keys that are no actions."""
    lines = ["| menu | what | keys | room |", "|---|---|---|---|"]
    lines += [f"| {row.menu.replace('&', '')} | {row.text} | {written(row.keys)} | {where(row)} |" for row in ROWS]
    lines += [f"|  | {one.text} | {written(one.keys)} |  |" for one in FIXED]
    return "\n".join(lines) + "\n"


def where(row: Row) -> str:
    """The rooms where an action is good, for those who have more than that of rating."""
    if not row.room:
        return "each, of a QA lead" if row.lead else "each"
    return row.room.replace(" ", ", ").replace(RATE, "rating")


def written(keys: tuple[str, ...]) -> str:
    """Keys as a page shows them: Return and the keypad's Enter are both Enter."""
    return ", ".join(f"`{key}`" for key in dict.fromkeys(map(english, keys)))


def main() -> None:
    """Write the table again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: key_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
