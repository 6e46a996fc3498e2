"""Offsets in code points (files, Python) and in UTF-16 code units (Qt), converted only in this module.

Qt's changes to a text were measured with PySide6 6.11 (`setPlainText` of QTextDocument, QPlainTextEdit and QTextEdit,
which agree); `tests/text/test_offsets_in_qt.py` measures it again:
- CRLF, CR, LF, U+2029, U+FDD0 and U+FDD1 each become one block separator; CRLF thus shrinks to one position;
- a U+FEFF at the very start is removed as a byte order mark, and a U+FFFE there swaps every character's bytes;
- lone surrogates vanish;
- everything else keeps its position: U+2028 (a line break inside its block), VT, FF, U+0085, NUL, U+FFFC, NBSP.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_CRLF = re.compile("\r\n")
_LINE_END = re.compile("\r\n?|\u2029")
_UNSAFE = re.compile("^\ufeff|[\ufdd0\ufdd1\ufffe\ud800-\udfff]")
_WORD_JOINER = "\u2060"
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True)
class Utf16Map:
    """Code points and UTF-16 units of `text`, converted in logarithmic time; a lone surrogate counts as one unit."""

    text: str

    @cached_property
    def _wide(self) -> list[int]:
        """Return code point offsets of the characters that take two units."""
        return [] if self.text.isascii() else [match.start() for match in _WIDE.finditer(self.text)]

    @cached_property
    def _wide_units(self) -> list[int]:
        return [offset + before for before, offset in enumerate(self._wide)]

    @property
    def units(self) -> int:
        return len(self.text) + len(self._wide)

    def to_utf16(self, code_point: int) -> int:
        """Return the UTF-16 offset of a code point offset in 0..len(text). Raises IndexError outside."""
        _check_range(code_point, len(self.text))
        return code_point + bisect_left(self._wide, code_point)

    def to_code_point(self, utf16: int) -> int:
        """Return the code point offset of a UTF-16 offset, of a pair its start. Raises IndexError outside 0..units."""
        _check_range(utf16, self.units)
        return utf16 - bisect_left(self._wide_units, utf16)


@dataclass(frozen=True)
class WidgetTextMap:
    """A source text, its replacement for a Qt text widget, and the offsets between the two.

    `to_source(to_shown(i)) == i` for every `i` except between the CR and the LF of a CRLF: the widget has no such
    position, so it maps to the start of the line end.
    """

    source: str

    @cached_property
    def shown(self) -> str:
        """Return the text for `setPlainText`, every position of which Qt keeps.

        CRLF, CR and U+2029 become LF. Characters that Qt would remove or mistake for a block separator get a
        replacement of the same width: WORD JOINER for a U+FEFF at the start, U+FFFD for U+FDD0, U+FDD1, U+FFFE and lone
        surrogates.
        """
        if self.source.isascii() and "\r" not in self.source:
            return self.source
        text = _LINE_END.sub("\n", self.source)
        return _UNSAFE.sub(lambda match: _WORD_JOINER if match.group() == "\ufeff" else _REPLACEMENT, text)

    @cached_property
    def _crlf(self) -> list[int]:
        """Return offsets of the CRLFs in the source."""
        return [match.start() for match in _CRLF.finditer(self.source)]

    @cached_property
    def _crlf_shown(self) -> list[int]:
        """Return offsets, in code points of `shown`, of the line ends that were CRLFs."""
        return [offset - before for before, offset in enumerate(self._crlf)]

    @cached_property
    def _units(self) -> Utf16Map:
        return Utf16Map(self.shown)

    def to_shown(self, code_point: int) -> int:
        """Return the widget's position (UTF-16) of a code point offset. Raises IndexError outside 0..len(source)."""
        _check_range(code_point, len(self.source))
        return self._units.to_utf16(code_point - bisect_left(self._crlf, code_point))

    def to_source(self, utf16: int) -> int:
        """Return the code point offset in the source of a widget's position; never between CR and LF.

        A position inside a surrogate pair maps to the start of the pair. Raises IndexError for a position that the
        widget, holding `shown`, does not have.
        """
        code_point = self._units.to_code_point(utf16)
        return code_point + bisect_left(self._crlf_shown, code_point)

    def shown_span(self, start: int, end: int) -> tuple[int, int]:
        return self.to_shown(start), self.to_shown(end)

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        return self.to_source(first), self.to_source(last)


def _check_range(offset: int, end: int) -> None:
    # A negative offset would silently count from the end: a highlight in the wrong place.
    if not 0 <= offset <= end:
        raise IndexError(f"offset {offset} is outside 0..{end}")
