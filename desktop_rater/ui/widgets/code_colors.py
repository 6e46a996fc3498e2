"""Colours of code, by the language that its fence names. Code of unknown languages, and long code, has none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from time import perf_counter

MAX_CODE = 6_000  # characters of one block; some languages take quadratic time for hostile code
MAX_SECONDS = 0.2  # for a block, beyond which the rest of it stays without colours
MAX_SPANS = 2_000  # of one block
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
# The first of these that a kind of token belongs to decides.
_KINDS = (
    ("Comment", "comment"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Name.Tag", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Name.Function", "name"),
    ("Name.Class", "name"),
    ("Name.Decorator", "name"),
    ("Name.Attribute", "name"),
    ("Name.Builtin", "name"),
)


@lru_cache(200)
def code_spans(code: str, language: str) -> tuple[tuple[int, int, str], ...]:
    """Return start, end (code points) and kind of the tokens of a code that have a colour."""
    if len(code) > MAX_CODE or not _LANGUAGE.fullmatch(language):
        return ()
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - not before the first code
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    end = perf_counter() + MAX_SECONDS
    tokens = takewhile(lambda _token: perf_counter() < end, lexer.get_tokens_unprocessed(code))
    spans = ((start, start + len(text), _kind(str(token))) for start, token, text in tokens if text.strip())
    return tuple(islice(_joined(spans), MAX_SPANS))


def _joined(spans: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of a kind, neighbours as one."""
    current: tuple[int, int, str] | None = None
    for start, end, kind in spans:
        if current is not None and current[2] == kind and current[1] == start:
            current = current[0], end, kind
            continue
        if current is not None and current[2]:
            yield current
        current = start, end, kind
    if current is not None and current[2]:
        yield current


def _kind(token: str) -> str:
    name = token.removeprefix("Token.")
    return next((kind for prefix, kind in _KINDS if name == prefix or name.startswith(f"{prefix}.")), "")
