"""Characters that a reader can't see, or that turn the order of others round."""

import re
import unicodedata

# C0 and C1 controls but for tab and line ends; soft hyphen; marks, embeddings, overrides and isolates of the
# bidirectional algorithm (UAX 9, with U+061C); zero-width characters; deprecated and interlinear format characters;
# tags.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# The flags of England, Scotland, Wales and the like: a black flag, the region in tags, the closing tag (UTS 51).
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
# Scripts whose spelling needs joiners: Arabic and Persian, Syriac, N'Ko, the Indic ones, Myanmar, Khmer, Mongolian.
_JOINING = re.compile(
    "[\u0600-\u07ff\u0860-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_EMOJI_ARROWS = frozenset("\u2194\u2195")
_EMOJI_EXTENDERS = ("\ufe0f", "\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff")
_CONTROLS = {"\x00": "NULL", "\x08": "BACKSPACE", "\x0b": "VERTICAL TAB", "\x0c": "FORM FEED", "\x1b": "ESCAPE"}
_CONTROLS |= {"\x7f": "DELETE", "\x85": "NEXT LINE"}
_FIRST_TAG = "\U000e0000"


def hidden_characters(text: str) -> list[tuple[int, str]]:
    """The hidden characters of `text`: (code point offset, name such as "RIGHT-TO-LEFT OVERRIDE U+202E") in order.

    Left out where they are ordinary spelling: ZWJ between emoji, ZWJ and ZWNJ between letters of a joining script
    (Persian, Hindi), the tags of a regional flag.
    """
    if text.isascii() and text.isprintable():
        return []
    flags = {index for match in _FLAG.finditer(text) for index in range(*match.span())}
    return [
        (match.start(), _name(match.group()))
        for match in _HIDDEN.finditer(text)
        if match.start() not in flags and not _is_ordinary_joiner(text, match.start())
    ]


def _is_ordinary_joiner(text: str, index: int) -> bool:
    character, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if character not in (_ZWNJ, _ZWJ) or not before or not after:
        return False
    if _JOINING.match(before) and _JOINING.match(after):
        return True
    return character == _ZWJ and _ends_emoji(before) and _starts_emoji(after)


def _ends_emoji(character: str) -> bool:
    return character in _EMOJI_EXTENDERS or _starts_emoji(character)


def _starts_emoji(character: str) -> bool:
    return unicodedata.category(character) == "So" or character in _EMOJI_ARROWS


def _name(character: str) -> str:
    fallback = "TAG" if character >= _FIRST_TAG else "CONTROL"
    name = _CONTROLS.get(character) or unicodedata.name(character, fallback)
    return f"{name} U+{ord(character):04X}"
