r"""Formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]` outside code, links and addresses.

A price is not a formula: "$5 and $10", "US$5". Nor are words between dollar signs. What is no formula is left alone.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from msgspec import Struct

from desktop_rater.text.urls import LINK_ENDS

MAX_FORMULA = 1_000  # characters between the delimiters

# Opening delimiters with their closing ones; any other escaped character is skipped.
_OPENING = re.compile(r"\$\$|\$|\\.")
_CLOSING = {"$$": "$$", "$": "$", "\\[": "\\]", "\\(": "\\)"}
_FENCE = re.compile(r"^[ \t>*+\-]*(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_BACKTICKS = re.compile("`+")
_PARAGRAPH_END = re.compile(r"\n[ \t>]*\n")
# Destinations of links, definitions of links, and addresses.
_ADDRESS = re.compile(
    r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|^[ \t>]*\[[^\]\n]+\]:[^\n]*|<[A-Za-z][^<>\n]*>"
    rf"|(?:https?://|www\.)[^{LINK_ENDS}\\]+",
    re.MULTILINE,
)
_MASK = "\x00"
_ROW = re.compile(r"^[ \t>]*\|", re.MULTILINE)
_QUOTED = re.compile(r"\n[ \t]*(?:>[ \t]?)+")

_TEXT = re.compile(r"\\(?:text[a-z]*|mbox|operatorname\*?)\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_SIGNS = re.compile(r"[\\^_=<>+*/|\u2190-\u22ff]")
_PROSE = re.compile(r"[^\W\d_]{3,}[,;:]?\s+[^\W\d_]{2,}|[^\W\d_]{2,}[,;:]?\s+[^\W\d_]{3,}")
_WORD, _LETTERS = re.compile(r"[^\W\d_]{4,}"), re.compile(r"[^\W\d_]{2,}")
_WORDLIKE = re.compile(r"[\w$]")


class Formula(Struct, frozen=True):
    """A formula: code points `start` to `end` with its delimiters, half open; `display` if it has its own line."""

    start: int
    end: int
    latex: str
    display: bool


def find_formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas of a Markdown text in order, without overlaps."""
    if "$" not in text and "\\" not in text:
        return
    masked = mask_code(text)
    borders = [match.start() for match in _PARAGRAPH_END.finditer(masked)]
    opening = _OPENING.search(masked)
    while opening is not None:
        sign, begin, after = opening[0], opening.end(), opening.end()
        if sign in _CLOSING:
            border = bisect_left(borders, begin)
            limit = min(begin + MAX_FORMULA, borders[border] if border < len(borders) else len(masked))
            end = _closing(masked, _CLOSING[sign], begin, limit)
            if end is not None and _is_formula(masked, opening.start(), begin, end, sign):
                after = end + len(sign)
                latex = _QUOTED.sub("\n", masked[begin:end]).strip()
                yield Formula(opening.start(), after, latex, sign in ("$$", "\\["))
        opening = _OPENING.search(masked, after)


def _closing(text: str, sign: str, begin: int, limit: int) -> int | None:
    """Return the offset of the first closing delimiter that is not escaped."""
    at = text.find(sign, begin, limit + len(sign))
    while at >= 0:
        before = at
        while before > begin and text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            return at
        at = text.find(sign, at + 1, limit + len(sign))
    return None


def _is_formula(text: str, start: int, begin: int, end: int, sign: str) -> bool:
    """Return whether a text between delimiters reads as a formula and not as words, prices or footnotes."""
    latex = text[begin:end]
    if not latex.strip() or _MASK in latex:
        return False
    bare = _COMMAND.sub(" ", _TEXT.sub("x", latex))
    if _PROSE.search(bare):
        return False
    signs = _SIGNS.search(latex) is not None
    if sign == "$":
        before, following = text[start - 1 : start], text[end + 1 : end + 2]
        apart = not _WORDLIKE.match(before) and not _WORDLIKE.match(following)
        in_cell = "|" in latex.replace("\\|", "") and _is_in_row(text, start)
        if in_cell or not apart or latex != latex.strip():
            return False
    if sign == "\\[":
        return signs
    if sign == "\\(":
        return signs or len(latex.strip()) == 1
    return signs or not (_WORD.search(bare) or (" " in bare and _LETTERS.search(bare)))


def _is_in_row(text: str, offset: int) -> bool:
    """Return whether an offset is in a row of a table, where a bar ends the cell."""
    return _ROW.match(text, text.rfind("\n", 0, offset) + 1) is not None


def mask_code(text: str) -> str:
    """Return the text with code and addresses masked, each offset unchanged. Formulas are searched in the rest."""
    parts, last = [], 0
    for start, end in _fences(text):
        parts += [_mask_spans(text[last:start]), _MASK * (end - start)]
        last = end
    parts.append(_mask_spans(text[last:]))
    return "".join(parts)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of fenced code, with the fences."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2].strip():
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _mask_spans(text: str) -> str:
    """Mask code between backticks, and addresses."""
    spans = [*_code_spans(text)] if "`" in text else []
    masked = _masked(text, spans)
    return _ADDRESS.sub(lambda match: _MASK * len(match[0]), masked)


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans between equally long runs of backticks, inside a paragraph."""
    runs = list(_BACKTICKS.finditer(text))
    by_length: dict[int, list[int]] = {}
    for index, run in enumerate(runs):
        by_length.setdefault(len(run[0]), []).append(index)
    borders = [match.start() for match in _PARAGRAPH_END.finditer(text)]
    index = 0
    while index < len(runs):
        run = runs[index]
        same = by_length[len(run[0])]
        after = bisect_left(same, index + 1)
        closing = runs[same[after]] if after < len(same) else None
        escaped = text[: run.start()].endswith("\\") if run.start() < 2 else text[run.start() - 1] == "\\"
        border = bisect_left(borders, run.end())
        paragraph_end = borders[border] if border < len(borders) else len(text)
        if closing is None or escaped or closing.start() > paragraph_end:
            index += 1
            continue
        yield run.start(), closing.end()
        index = same[after] + 1


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], _MASK * (end - start)]
        last = end
    return "".join((*parts, text[last:]))
