r"""Markdown with its formulas and the backslashes of formulas protected from the rendering.

Each formula is replaced by `$M$` and a backslash before a character without a meaning in Markdown, such as `\,`, gets
an `M`, where M is a character that the text does not have. After the rendering `join` says what stands for each M, so
the offsets remain those of the source.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from desktop_rater.text.formulas import Formula, find_formulas, mask_code
from desktop_rater.text.markdown_offsets import RenderedMap
from desktop_rater.text.spans import Utf16Map, WidgetTextMap

MAX_PROTECTED = 1_000
OBJECT = "\ufffc"
_ESCAPE = re.compile(r"\\(?:([\[\](),;:{}%&])|.)")
_LINE_END = re.compile("(?:\r\n?|[\n\u2029])[ \t>]*")


@dataclass(frozen=True)
class ProtectedPart:
    """A formula, or an escaped character; `start` and `end` in the source, `at` of its mark in the protected text."""

    start: int
    end: int
    at: int
    formula: Formula | None = None

    @property
    def added(self) -> int:
        """Return by how many characters the protected text is longer than the source."""
        return 1 if self.formula is None else 3 - (self.end - self.start)


@dataclass(frozen=True)
class Replacement:
    """Positions (UTF-16) of rendered characters and the text that takes their place: `OBJECT` for a drawn formula."""

    first: int
    last: int
    text: str


@dataclass(frozen=True)
class ProtectedMarkdown:
    """A source, the text to render in its place, and the protected parts in order."""

    source: str
    text: str
    mark: str = ""
    parts: tuple[ProtectedPart, ...] = ()

    @property
    def formulas(self) -> list[Formula]:
        return [part.formula for part in self.parts if part.formula is not None]

    def join(
        self, rendered: RenderedMap, drawn: Sequence[bool], in_code: Sequence[bool]
    ) -> tuple[RenderedMap, list[Replacement]] | None:
        """Return the map of the source and what replaces the marks; `None` if the rendering lost a mark.

        `drawn`: whether each formula is drawn. `in_code`: whether each mark is in code, where nothing is drawn.
        """
        raw, units = rendered.rendered, Utf16Map(rendered.rendered)
        places = [index for index, character in enumerate(raw) if character == self.mark]
        if len(places) != len(self.parts) or len(in_code) != len(places):
            return None
        texts: list[str] = []
        starts, ends = array("q"), array("q")
        replacements: list[Replacement] = []
        marks = [part.at for part in self.parts]
        shifts = list(accumulate((part.added for part in self.parts), initial=0))

        def source(offset: int) -> int:
            return offset - shifts[bisect_left(marks, offset)]

        last, formula = 0, 0
        for place, part, code in zip(places, self.parts, in_code, strict=True):
            first, after = (place, place + 1) if part.formula is None else (place - 1, place + 2)
            if part.formula is not None and raw[first:after] != f"${self.mark}$":
                return None
            starts.extend(map(source, rendered.starts[last:first]))
            ends.extend(map(source, rendered.ends[last:first]))
            is_drawn = part.formula is not None and drawn[formula] and not code
            formula += part.formula is not None
            replacement, spans = _replacement(self.source, part, is_drawn=is_drawn, code=code)
            starts.extend(start for start, _end in spans)
            ends.extend(end for _start, end in spans)
            texts += [raw[last:first], replacement]
            replacements.append(Replacement(units.to_utf16(first), units.to_utf16(after), replacement))
            last = after
        starts.extend(map(source, rendered.starts[last:]))
        ends.extend(map(source, rendered.ends[last:]))
        return RenderedMap(self.source, "".join((*texts, raw[last:])), starts, ends), replacements


def protect_markdown(source: str) -> ProtectedMarkdown:
    """Protect the formulas of a source, and the escapes that only formulas use."""
    if "$" not in source and "\\" not in source:
        return ProtectedMarkdown(source, source)
    formulas, masked = list(find_formulas(source)), mask_code(source)
    protected: list[tuple[int, int, Formula | None]] = [(formula.start, formula.end, formula) for formula in formulas]
    after = 0
    for formula in [*formulas, None]:
        border = len(source) if formula is None else formula.start
        protected += [
            (match.start(), match.end(), None) for match in _ESCAPE.finditer(masked, after, border) if match[1]
        ]
        after = border if formula is None else formula.end
    mark = next((character for code in range(0xE000, 0xF8FF) if (character := chr(code)) not in source), "")
    if not protected or len(protected) > MAX_PROTECTED or not mark:
        return ProtectedMarkdown(source, source)
    pieces: list[str] = []
    parts: list[ProtectedPart] = []
    last = at = 0
    for start, end, part in sorted(protected, key=lambda entry: entry[0]):
        text = f"${mark}$" if part is not None else mark + source[start:end]
        pieces += [source[last:start], text]
        at += start - last
        parts.append(ProtectedPart(start, end, at + (part is not None), part))
        at += len(text)
        last = end
    return ProtectedMarkdown(source, "".join((*pieces, source[last:])), mark, tuple(parts))


def _replacement(source: str, part: ProtectedPart, *, is_drawn: bool, code: bool) -> tuple[str, list[tuple[int, int]]]:
    """Return the text in place of a mark, and the span of the source of each of its characters."""
    if part.formula is None:
        return ("", []) if code else ("\\", [(part.start, part.start + 1)])
    if is_drawn:
        return OBJECT, [(part.start, part.end)]
    text, spans, last = "", [], part.start
    for match in _LINE_END.finditer(source, part.start, part.end):
        text += source[last : match.start()] + " "
        spans += [*_single(last, match.start()), match.span()]
        last = match.end()
    return WidgetTextMap(text + source[last : part.end]).shown, [*spans, *_single(last, part.end)]


def _single(start: int, end: int) -> list[tuple[int, int]]:
    return [(offset, offset + 1) for offset in range(start, end)]
