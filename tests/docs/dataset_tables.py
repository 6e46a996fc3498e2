"""Generate the tables of docs/plugins/dataset.md from the schema of datasets.

`python -m tests.docs.dataset_tables` writes them there.
"""

import re
from collections import Counter
from collections.abc import Iterable

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

OF_A_RATING = ("results", "bundle", "task", "bucket", "rater")

COMMON = 2  # tables with the same column, from which on it is described once; of a name, its most frequent meaning


def written() -> str:
    """Return the columns that many tables have, and a section for each table of a dataset."""
    counted = Counter(line_of(column) for table in TABLES for column in table.columns)
    meanings = {line.split("`")[1]: line for line, _ in reversed(counted.most_common())}
    common = [line for line, count in counted.items() if count >= COMMON and line in meanings.values()]
    rating = f"The columns of a rating are {names(OF_A_RATING)}."
    parts = ["\n".join(["### Columns of many tables", "", rating, "", *HEAD, *common]) + "\n"]
    for table in TABLES:
        lines = {column.name: line_of(column) for column in table.columns}
        also = [name for name, line in lines.items() if line in common]
        head = f"### `{table.name}`\n\n{table.about} Key: {names(table.key)}. Written as: {table.source}."
        if set(OF_A_RATING) <= set(also):
            others = names(name for name in also if name not in OF_A_RATING)
            head += f" Also: the columns of a rating{', ' if others else ''}{others}."
        elif also:
            head += f" Also: {names(also)}."
        own = [line for line in lines.values() if line not in common]
        parts.append("\n".join([head, *(["", *HEAD, *own] if own else [])]) + "\n")
    return "\n" + "\n".join(parts) + "\n"


def names(words: Iterable[str]) -> str:
    """Return names of columns as a page shows them."""
    return ", ".join(f"`{word}`" for word in words)


def line_of(column: DatasetColumn) -> str:
    """Return the row of a column in a table of the page."""
    return f"| `{column.name}` | {TYPES[column.kind]} | {column.about} |"


def main() -> None:
    """Write the tables again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: written(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
