"""Generate the tables of docs/plugins/dataset.md from the schema of datasets.

`python -m tests.docs.dataset_tables` writes them there.
"""

from __future__ import annotations

import re
from collections import Counter

from desktop_rater.plugins.dataset.parts import TABLES, DatasetColumn
from tests.docs.pages import DOCS

PAGE = DOCS / "plugins" / "dataset.md"
BLOCK = re.compile(r"(?<=<!-- tables -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
HEAD = ("| column | type | content |", "|---|---|---|")
TYPES = {
    "text": "text",
    "enum": "text",
    "any": "text",
    "whole": "integer",
    "number": "double",
    "flag": "boolean",
    "time": "timestamp, UTC",
    "list": "list of texts",
}


COMMON = 2  # tables with the same column, from which on it is described once; of a name, its most frequent meaning


def written() -> str:
    """Return the columns that many tables have, and a section for each table of a dataset."""
    counted = Counter(line_of(column) for table in TABLES for column in table.columns)
    meanings = {line.split("`")[1]: line for line, _ in reversed(counted.most_common())}
    common = [line for line, count in counted.items() if count >= COMMON and line in meanings.values()]
    parts = ["\n".join(["### Columns of many tables", "", *HEAD, *common]) + "\n"]
    for table in TABLES:
        key = ", ".join(f"`{name}`" for name in table.key)
        lines = {column.name: line_of(column) for column in table.columns}
        also = ", ".join(f"`{name}`" for name, line in lines.items() if line in common)
        head = f"### `{table.name}`\n\n{table.about} Key: {key}. Written as: {table.source}."
        head += f" Also: {also}." if also else ""
        own = [line for line in lines.values() if line not in common]
        parts.append("\n".join([head, *(["", *HEAD, *own] if own else [])]) + "\n")
    return "\n" + "\n".join(parts) + "\n"


def line_of(column: DatasetColumn) -> str:
    """Return the row of a column in a table of the page."""
    return f"| `{column.name}` | {TYPES[column.kind]} | {column.about} |"


def main() -> None:
    """Write the tables again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: written(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
