"""Line numbers of the tables of a TOML text, which the parser of the standard library does not give."""

import re
from bisect import bisect_right

# Strings and comments may hold brackets; multi-line ones may hold whole headers. One that does not end is masked up to
# the end of its line or of the text, so that no character is looked at again.
_MASKED = re.compile(
    r'''
    """ (?: \\. | [^\\] )*? (?: """ | \Z )
    | \'\'\' .*? (?: \'\'\' | \Z )
    | " (?: \\[^\n] | [^"\\\n] )* "?
    | ' [^'\n]* '?
    | \# [^\n]*
    ''',
    re.DOTALL | re.VERBOSE,
)
_HEADER = re.compile(r"^[ \t]*\[\[?([^\[\]\n]*)\]", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*([\w-]+)[ \t]*[.=]", re.MULTILINE)


class TableLines:
    """Line numbers of the tables of one text."""

    def __init__(self, text: str) -> None:
        masked = _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._headers: list[tuple[int, str]] = []
        self._of: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        for match in _HEADER.finditer(masked):
            # The name from the original text: a quoted one is masked.
            name = text[match.start(1) : match.end(1)].strip(" \t\"'")
            line = self._line(match.start(1))
            self._headers.append((line, name))
            self._of.setdefault(name, []).append(line)
        for match in _KEY.finditer(masked):
            self._first.setdefault(match[1], self._line(match.start(1)))
        for line, name in self._headers:  # [compare.by] alone defines [compare] too
            self._first.setdefault(name.partition(".")[0].strip(" \t\"'"), line)

    def begins(self, table: str, index: int = 0) -> int:
        """Return the line, from 1, of the `index`-th header of `table` or of its inline key; 1 if there is none."""
        headers = self._of.get(table)
        return headers[min(index, len(headers) - 1)] if headers else self._first.get(table, 1)

    def table_at(self, line: int) -> tuple[str, int]:
        """Return the table that a line belongs to, "" before the first, and the number of equal headers before it."""
        names = [name for begin, name in self._headers if begin <= line]
        return (names[-1], names.count(names[-1]) - 1) if names else ("", 0)

    def _line(self, offset: int) -> int:
        return bisect_right(self._ends, offset) + 1


def table_line(text: str, table: str, index: int = 0) -> int:
    """Return the line of one table of a text; see `TableLines.begins`."""
    return TableLines(text).begins(table, index)
