"""On which line of a TOML text a table begins: the parser of the standard library does not say."""

from __future__ import annotations

import re

# Strings and comments may hold brackets; multi-line ones may hold whole headers.
_MASKED = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)


def begins(text: str, table: str, index: int = 0) -> int:
    """The line, from 1, of the header of the `index`-th `[[table]]` or of `[table]`.

    Where the table is written inline, the line of its key; 1 where it does not stand in the text.
    """
    masked = _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    name = re.escape(table)
    headers = list(re.finditer(rf"^[ \t]*\[\[?[ \t]*{name}[ \t]*\]", masked, re.MULTILINE))
    if headers:
        found = headers[min(index, len(headers) - 1)]
    else:
        found = re.search(rf"^[ \t]*{name}[ \t]*[.=]", masked, re.MULTILINE)
    return masked.count("\n", 0, found.end()) + 1 if found else 1
