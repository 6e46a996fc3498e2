"""Offsets and spans in texts: code points, UTF-16 units, and places where a span may begin and end."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property
from itertools import islice

from msgspec import Struct

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_CRLF = re.compile("\r\n")
_LINE_END = re.compile("\r\n?|\u2029")
_UNSAFE = re.compile("^\ufeff|[\ufdd0\ufdd1\ufffe\ud800-\udfff]")
_WORD_JOINER = "\u2060"
_REPLACEMENT = "\ufffd"


class Utf16Map(Struct, frozen=True, dict=True):
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


class WidgetTextMap(Struct, frozen=True, dict=True):
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


# All letters and digits but those of Thai, Lao, Myanmar, Khmer, Chinese and Japanese.
_SPACED = (  # compiled when it is used: that takes long
    r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_APOSTROPHES = frozenset("'\u2019")
_POINTS = frozenset(".,")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")
_SENTENCE_ENDS = frozenset(".!?\u2026\u3002\uff01\uff1f\uff0e\u061f\u06d4\u0964")
# Characters that belong to the previous sentence; "" is the end of the text.
_NEVER_FIRST = _SENTENCE_ENDS | frozenset(",;:)]}\u060c\u061b\u3001\uff0c\uff1b\uff1a") | {""}
# A few words on either side; more would move the window to another sentence.
_NEAR = 8
# Longer than any word; bounds the search in a text without borders.
_REACH = 200


def is_border(text: str, offset: int) -> bool:
    """Return whether `text` may be cut at `offset`: not inside a word, a number, a CRLF or a grapheme.

    An approximation of UAX 29: marks, joiners and skin tones stay with their base, joined emoji and the two regional
    letters of a flag together.
    """
    if not 0 < offset < len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before == "\r":
        return after != "\n"
    if (
        _extends(after)
        or (before == _ZWJ and not after.isspace())
        or (_REGIONAL.match(before) and _REGIONAL.match(after))
    ):
        return False
    return not (_in_word(text, _base(text, offset - 1), -1) and _in_word(text, offset, 1))


def starts_near(text: str, offset: int) -> list[int]:
    """Return up to eight good starts on either side of `offset`: borders before a word or an opening bracket."""
    return _near(text, offset, _is_start)


def ends_near(text: str, offset: int) -> list[int]:
    """Return up to eight good ends on either side of `offset`: borders after a visible character."""
    return _near(text, offset, _is_end)


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span (code points, half open) without white space at its ends; start == end if it is blank."""
    span = text[start:end]
    start += len(span) - len(span.lstrip())
    return start, start + len(span.strip())


def is_spaced(character: str) -> bool:
    """Return whether `character` (one, or none) is a letter or digit of a script with spaces between words."""
    return character.isalnum() if character.isascii() else re.match(_SPACED, character) is not None


def is_sentence_end(character: str) -> bool:
    """Return whether `character` (one, or none) ends a sentence in some script."""
    return character in _SENTENCE_ENDS


def _near(text: str, offset: int, is_good: Callable[[str, int], bool]) -> list[int]:
    back = range(offset, max(-1, offset - _REACH), -1)
    forth = range(offset + 1, min(len(text), offset + _REACH) + 1)
    return [
        border for side in (back, forth) for border in islice((index for index in side if is_good(text, index)), _NEAR)
    ]


def _is_start(text: str, offset: int) -> bool:
    first = text[offset : offset + 1]
    return first not in _NEVER_FIRST and not first.isspace() and is_border(text, offset)


def _is_end(text: str, offset: int) -> bool:
    return offset > 0 and not text[offset - 1].isspace() and is_border(text, offset)


def _extends(character: str) -> bool:
    if character.isascii():
        return False
    return (
        character in (_ZWNJ, _ZWJ)
        or unicodedata.category(character).startswith("M")
        or _SKIN_TONES.match(character) is not None
    )


def _base(text: str, index: int) -> int:
    # No word has more marks; without the bound a text of marks alone would take quadratic time.
    lowest = max(0, index - _NEAR)
    while index > lowest and _extends(text[index]):
        index -= 1
    return index


def _in_word(text: str, index: int, onwards: int) -> bool:
    """Return whether the character at `index` joins its neighbour on the side opposite to `onwards` (1 or -1).

    A letter or a digit does; "'" if a letter follows onwards, "." and "," between two digits.
    """
    character, neighbour = text[index], text[index - onwards]
    if is_spaced(character):
        return True
    beyond = text[index + onwards] if 0 <= index + onwards < len(text) else ""
    if character in _APOSTROPHES:
        return is_spaced(beyond)
    return character in _POINTS and neighbour.isdigit() and beyond.isdigit()
