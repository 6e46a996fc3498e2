"""The table of keys as it stands in docs/user-guide.md, made of the table of actions.

`python -m tests.docs.key_table` writes it there.
"""

from __future__ import annotations

import re

from desktop_rater.ui.actions import ROWS
from tests.docs.pages import DOCS

PAGE = DOCS / "user-guide.md"

BLOCK = re.compile(r"(?<=<!-- keys -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def key_table() -> str:
    """A row an action, in the order of the menus."""
    lines = ["| menu | what | keys |", "|---|---|---|"]
    for row in ROWS:
        keys = ", ".join(f"`{key.replace('+', ' ')}`" for key in row.keys)
        lines.append(f"| {row.menu.replace('&', '')} | {row.text} | {keys} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: key_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
