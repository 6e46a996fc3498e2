"""What a document shows of a text, above the lines that name what it does not show."""

import re
from typing import Any

from desktop_rater.text.untrusted import BOX, UNSEEN, boxed, hidden_characters

# Quotes in which code points, UTF-16 units and what is seen differ.
QUOTES = {
    "emoji": "so 😀 it 🎉 is",
    "a family joined by ZWJ": "the 👩‍👩‍👧 family",
    "combining marks": "cafe\u0301 Zu\u0308rich",
    "Arabic": "مرحبا بالعالم",
    "Hebrew with points": "שָׁלוֹם עולם",
    "Persian with ZWNJ": "می‌خواهم بدانم",
    "Chinese beyond the BMP": "漢字𠮷野家",
    "Japanese": "これはテスト。",
    "U+0085": "one\x85two",
    "U+2028": "one\u2028two",
    "vertical tab": "one\x0btwo",
    "no-break space": "10\xa0km",
}


def text_of(document: Any) -> str:
    """The raw text of the document, without the lines below it."""
    end = document.in_text(document.characterCount())
    return document.toRawText().encode("utf-16-le", "surrogatepass")[: 2 * end].decode("utf-16-le", "surrogatepass")


def notes_of(document: Any) -> list[str]:
    """The lines below the text."""
    return document.toRawText()[len(text_of(document)) + 1 :].split("\u2029")


def with_boxes(text: str) -> str:
    """A text with a box for each character that can't be seen."""
    return boxed(text, (offset for offset, _name in hidden_characters(text)))


def reads_as(shown: str, text: str) -> bool:
    """Whether a text is shown: a box may stand for what can't be seen, which depends on what is around it."""
    one = re.compile(f"[{UNSEEN}]")
    parts = (f"(?:{re.escape(letter)}|{BOX}{{1,2}})" if one.match(letter) else re.escape(letter) for letter in text)
    return re.fullmatch("".join(parts), shown) is not None
