"""On which line of a TOML text a table begins: the parser of the standard library does not say."""

from __future__ import annotations

import re
from bisect import bisect_right

# Strings and comments may hold brackets; multi-line ones may hold whole headers.
_MASKED = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_HEADER = re.compile(r"^[ \t]*\[\[?([^\[\]\n]*)\]", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*([\w-]+)[ \t]*[.=]", re.MULTILINE)


class Lines:
    """Where the tables of one text begin."""

    def __init__(self, text: str) -> None:
        masked = _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._headers: list[tuple[int, str]] = []
        self._of: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        for match in _HEADER.finditer(masked):
            # The name as it is written: one in quotes is masked.
            name = text[match.start(1) : match.end(1)].strip(" \t\"'")
            line = self._line(match.start(1))
            self._headers.append((line, name))
            self._of.setdefault(name, []).append(line)
        for match in _KEY.finditer(masked):
            self._first.setdefault(match[1], self._line(match.start(1)))
        for line, name in self._headers:  # [compare.by] alone makes [compare] too
            self._first.setdefault(name.partition(".")[0].strip(" \t\"'"), line)

    def begins(self, table: str, index: int = 0) -> int:
        """The line, from 1, of the header of the `index`-th `[[table]]` or of `[table]`.

        Where the table is written inline, the line of its key; 1 where it does not stand in the text.
        """
        headers = self._of.get(table)
        return headers[min(index, len(headers) - 1)] if headers else self._first.get(table, 1)

    def around(self, line: int) -> tuple[str, int]:
        """The table that a line stands in, and how many of its name begin before it; no name before the first."""
        names = [name for begin, name in self._headers if begin <= line]
        return (names[-1], names.count(names[-1]) - 1) if names else ("", 0)

    def _line(self, place: int) -> int:
        return bisect_right(self._ends, place) + 1


def begins(text: str, table: str, index: int = 0) -> int:
    """As `Lines.begins`, for one table of a text."""
    return Lines(text).begins(table, index)
