"""Generate the tables of docs/plugins/dataset.md from the schema of datasets.

`python -m tests.docs.dataset_tables` writes them there.
"""

from __future__ import annotations

import re

from desktop_rater.plugins.dataset.parts import TABLES
from tests.docs.pages import DOCS

PAGE = DOCS / "plugins" / "dataset.md"
BLOCK = re.compile(r"(?<=<!-- tables -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
TYPES = {
    "text": "text",
    "enum": "text",
    "any": "text",
    "whole": "64-bit integer",
    "number": "double",
    "flag": "boolean",
    "time": "timestamp, UTC",
    "list": "list of texts",
}


def written() -> str:
    """Return a section for each table of a dataset."""
    parts = []
    for table in TABLES:
        key = ", ".join(f"`{name}`" for name in table.key)
        rows = [f"| `{column.name}` | {TYPES[column.kind]} | {column.about} |" for column in table.columns]
        head = f"### `{table.name}`\n\n{table.about} Key: {key}. Written as: {table.source}.\n"
        parts.append("\n".join([head, "| column | type | content |", "|---|---|---|", *rows]) + "\n")
    return "\n" + "\n".join(parts) + "\n"


def main() -> None:
    """Write the tables again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: written(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
