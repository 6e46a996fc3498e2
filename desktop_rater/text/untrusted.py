"""Untrusted text: look-alike names, invisible characters, spreadsheet formulas, and content that is slow to show."""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache

# Soft hyphen, joiners, zero-width spaces, bidi controls, fillers of Hangul, Khmer and Mongolian, selectors, tags.
DEFAULT_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1 but for tab and line ends
SEPARATORS = "\u2028\u2029"  # White_Space that ends a line in some programs only, beside those of CONTROLS
# Not default-ignorable, yet without ink: the blank Braille pattern, and characters for interlinear annotation.
OTHERS_WITHOUT_INK = "\u2800\ufff9-\ufffb"
UNSEEN = f"{CONTROLS}{DEFAULT_IGNORABLE}{SEPARATORS}{OTHERS_WITHOUT_INK}"

RESERVED_NAME = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names of devices on Windows, which no file can have."""

# Scripts whose spelling needs joiners: Arabic and Persian, Syriac, N'Ko, the Indic ones, Myanmar, Khmer, Mongolian.
_JOINING = "\u0600-\u07ff\u0860-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
_NO_BLANKS = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Myanmar, Khmer: no blanks between words
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CHINESE_PUNCTUATION = "\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f"
# The unseen characters that belong to a spelling, by what is before and after them.
_ORDINARY = "|".join(
    (
        # The flags of England, Scotland, Wales and the like: a black flag, the region in tags, the closing tag.
        "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",
        f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])",
        f"(?<=[{_NO_BLANKS}])\u200b(?=[{_NO_BLANKS}])",
        "(?<=[0-9#*])\ufe0f?(?=\u20e3)",
        f"(?<=[\u1000-\u109f{_IDEOGRAPHS}{_CHINESE_PUNCTUATION}])[\ufe00-\ufe02]",
        f"(?<=[{_IDEOGRAPHS}])[\U000e0100-\U000e01ef]",
        "(?<=[\u1820-\u18aa])[\u180b-\u180f](?=\\W|[\u1820-\u18aa]|\\Z)",
        "\u115f(?=[\u1161-\u11a7])|(?<=[\u1100-\u115e])\u1160",
        "(?<=[\u2801-\u28ff])\u2800|\u2800(?=[\u2801-\u28ff])",
    )
)
_EMOJI_BESIDE_SYMBOLS = frozenset("\u203c\u2049\u2139\u2194\u2934\u2935\u25fb\u25fc\u25fd\u25fe\u3030")
_SKIN_TONES = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_TEXT_STYLE, _EMOJI_STYLE, _FIRST_SELECTOR = "\ufe0e", "\ufe0f", "\ufe00"
_GRAPHEME_JOINER, _ZWJ = "\u034f", "\u200d"

_UNSEEN = re.compile(f"[{UNSEEN}]")
_BLANK = re.compile(f"[\\s{DEFAULT_IGNORABLE}\u2800]*")
_NAMES = {"\x00": "NULL", "\x08": "BACKSPACE", "\x0b": "VERTICAL TAB", "\x0c": "FORM FEED", "\x1b": "ESCAPE"}
_NAMES |= {"\x7f": "DELETE", "\x85": "NEXT LINE"}
_FIRST_TAG = "\U000e0000"
BOX = "\u25af"  # shown for a character that can't be seen
_LONGEST_RUN = 3


def has_unseen(text: str) -> bool:
    """Return whether a text may hold a character that can't be seen; quick, and True for some ordinary spelling."""
    return not (text.isascii() and text.isprintable()) and _UNSEEN.search(text) is not None


def is_blank(text: str) -> bool:
    """Return whether a text has nothing but white space and characters that show nothing: no comment, for example."""
    return _BLANK.fullmatch(text) is not None


@cache
def _ordinary_pattern() -> re.Pattern[str]:
    """Return the compiled pattern, which takes milliseconds and is needed for few texts."""
    return re.compile(_ORDINARY)


def hidden_characters(text: str) -> list[tuple[int, str]]:
    """Return the hidden characters of `text`: (code point offset, name such as "RIGHT-TO-LEFT OVERRIDE U+202E").

    Ordinary spelling is left out: ZWJ between emoji and the style of one emoji, ZWJ and ZWNJ between letters of a
    joining script (Persian, Hindi), selectors after an ideograph, the tags of a regional flag, and the like.
    """
    if not has_unseen(text):
        return []
    ordinary = {index for match in _ordinary_pattern().finditer(text) for index in range(*match.span())}
    return [
        (match.start(), character_name(match[0]))
        for match in _UNSEEN.finditer(text)
        if match.start() not in ordinary and not _is_ordinary(text, match.start())
    ]


def _is_ordinary(text: str, index: int) -> bool:
    """Return whether the category of its neighbours makes a character part of a spelling."""
    character, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if not before:
        return False
    if character in (_TEXT_STYLE, _EMOJI_STYLE):
        return _is_emoji(before)
    if character == _FIRST_SELECTOR:
        return unicodedata.category(before) == "Sm"
    if not after:
        return False
    if character == _GRAPHEME_JOINER:
        return unicodedata.combining(after) > 0
    begins = before == _EMOJI_STYLE or before in _SKIN_TONES or _is_emoji(before)
    return character == _ZWJ and begins and _is_emoji(after)


def _is_emoji(character: str) -> bool:
    return unicodedata.category(character) == "So" or character in _EMOJI_BESIDE_SYMBOLS


@cache
def character_name(character: str) -> str:
    """Return the name of a character with its code point."""
    fallback = "TAG" if character >= _FIRST_TAG else "CONTROL"
    name = _NAMES.get(character) or unicodedata.name(character, fallback)
    return f"{name} U+{ord(character):04X}"


def boxed(text: str, hidden: Iterable[int]) -> str:
    """Return a text with boxes in place of hidden characters, by their offsets; positions in UTF-16 stay as they are.

    Separators stay: they are shown as line ends.
    """
    characters = list(text)
    for offset in hidden:
        if text[offset] not in SEPARATORS:
            characters[offset] = BOX if text[offset] < "\U00010000" else 2 * BOX
    return "".join(characters)


def spelled_out(text: str, *, keep: Collection[int] = ()) -> str:
    """Return a text with each hidden character as its code point, such as [U+202E]; long runs are cut and counted.

    `keep`: offsets of characters to leave as they are. Tabs and line ends stay.
    """
    hidden = [offset for offset, _name in hidden_characters(text) if offset not in keep]
    if not hidden:
        return text
    parts, last, run = [], 0, 0
    for number, offset in enumerate(hidden):
        run = run + 1 if number and offset == last else 1
        parts.append(text[last:offset])
        if run <= _LONGEST_RUN:
            parts.append(f"[U+{ord(text[offset]):04X}]")
        last = offset + 1
        ends = number + 1 == len(hidden) or hidden[number + 1] != last
        if ends and run > _LONGEST_RUN:
            parts.append(f"[+{run - _LONGEST_RUN}]")
    return "".join((*parts, text[last:]))


_BLANKS = re.compile(r"[\s\u2800]+")
_REMOVED = re.compile(f"[{DEFAULT_IGNORABLE}{CONTROLS}{OTHERS_WITHOUT_INK}]")

# Characters that look like an ASCII character, after NFKC and case folding. From Unicode's confusables.txt 14.0.0
# (UTS 39, https://www.unicode.org/reports/tr39/, © Unicode, Inc., Unicode License V3) by tools/look_alikes.py.
_LOOK_ALIKES = {
    "'": "ʹʻʼʽʾˈˊˋ˴՚՝י׳ߴߵᑊᛌ‘’‛′‵ꞌ",
    "-": "˗۔‐‒–⁃−➖ⲻ—",
    ".": "٠۰܁܂ꓸ꘎𐩐",
    "2": "ƨꙅꝛ",
    "3": "ʒȝзӡꝫɜ𝈆",
    "6": "б",
    "7": "𝈒",
    "8": "ȣ৪੪",
    "9": "৭੧୨൭ꝯ",
    "_": "ߺ",
    "a": "ɑαа",
    "b": "ƅβвьꞵ",
    "c": "сᴄ𑣩",
    "d": "ԁ",
    "e": "εеҽꬲ",
    "f": "ϝքẝꞙꬵ𝈓",
    "g": "ƍɡԍցᶃ",
    "h": "ηнһհ",
    "i": "ıɩɪιіӏꙇ",
    "j": "ϳјʝ",
    "k": "κк",
    "l": "ǀ١۱𝈪",
    "m": "μϻм",
    "n": "ոռ",
    "o": "οσоօ٥۵߀०০੦૦୦௦౦೦൦๐໐၀ᴏᴑꬽ𑓐𑣠",
    "p": "ρр",
    "q": "ԛգզ",
    "r": "ʀгᴦꭇꭈ𝈖",
    "s": "ƽѕտꜱ",
    "t": "τт",
    "u": "ʋυսᴜꞟꭎꭒ",
    "v": "νѵ٧۷ᴠ𝈍",
    "w": "ɯѡԝաᴡ𑣦",
    "x": "χхꭓ",
    "y": "ɣʏγуүᶌỿꭚ",
    "z": "ζᴢ𑣥",
}
# Case folding makes I and i equal, and I, l, 1 and | look alike; so do O and 0, and m and rn.
_SAME = {"i": "l", "1": "l", "|": "l", "0": "o", "m": "rn"}
_PROTOTYPES = {character: _SAME.get(target, target) for target, row in _LOOK_ALIKES.items() for character in row}
_PROTOTYPE_TABLE = str.maketrans(_PROTOTYPES | _SAME)


def normalised_name(text: str) -> str:
    """Return a name in NFC on one line, with single blanks, without edges and without invisible characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(unicodedata.normalize("NFC", _REMOVED.sub("", _BLANKS.sub(" ", text))).split())


def look_alike_key(text: str) -> str:
    """Return a key that is equal for names that look alike, also in capitals, such as r-17 and r-l7.

    Not to be shown, and no proof: some names with equal keys are easily told apart.
    """
    folded = unicodedata.normalize("NFKC", normalised_name(text)).casefold()
    return unicodedata.normalize("NFC", folded.translate(_PROTOTYPE_TABLE))


# What some file system or shell does not take in a name; blanks, which some programs cut a name at.
_NOT_IN_A_FILE_NAME = re.compile(f'[\\s<>:"/\\\\|?*{CONTROLS}\ud800-\udfff-]+')
_LONGEST_PART = 60  # bytes, of the 255 of most systems
_HASH = 8


def file_name(*ids: str, ending: str = "") -> str:
    """Return a name made of ids that every file system takes: "kelp.ana-qa-1.results.zip"."""
    name = ".".join(map(file_name_part, ids)) + ending
    return f"_{name}" if RESERVED_NAME.fullmatch(name) else name


def file_name_part(name: str) -> str:
    """Return an id as a part of a file name: letters and digits of any script stay; a long one ends in its hash."""
    part = _NOT_IN_A_FILE_NAME.sub("-", normalised_name(name)).strip("-.") or "unnamed"
    if len(part.encode()) <= _LONGEST_PART:
        return part
    short = part.encode()[: _LONGEST_PART - _HASH - 1].decode(errors="ignore").strip("-.")
    return f"{short}~{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:_HASH]}"


def distinct_file_name_parts(names: Iterable[str]) -> list[str]:
    """Return a part of a file name for each of several ids, no two alike on a system that ignores case."""
    used: set[str] = set()
    parts = []
    for name in names:
        part, number = file_name_part(name), 1
        while part.casefold() in used:
            number += 1
            part = f"{file_name_part(name)}-{number}"
        used.add(part.casefold())
        parts.append(part)
    return parts


# Beginnings of formulas; some spreadsheets skip white space, quotes or invisible characters before them.
_RUNS = re.compile(rf"[\s\"'{UNSEEN}]*[=+\-@\t\r＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Where the semicolon separates cells, quotes further on in a line mean nothing, and these begin a cell.
_CELL_BORDERS = re.compile("([;\n])")


def escape_formula(cell: str) -> str:
    """Return the cell with an apostrophe before each part that a spreadsheet would run. Numbers stay numbers.

    Parts are separated by semicolons and line feeds. One that begins with an apostrophe gets one too, so that removing
    one from every part restores the original.
    """
    return "".join(map(_escaped_part, _CELL_BORDERS.split(cell)))


def restored_cell(cell: str) -> str:
    """Return a cell without the apostrophes of `escape_formula`."""
    return "".join(part.removeprefix("'") for part in _CELL_BORDERS.split(cell))


def _escaped_part(part: str) -> str:
    runs = part.startswith("'") or (_RUNS.match(part) and not _NUMBER.fullmatch(part))
    return f"'{part}" if runs else part


MAX_SHOWN_CHARACTERS = 500_000  # characters of a read-only text, such as a prompt
MAX_MARKDOWN_CHARACTERS = 100_000
MAX_MARKDOWN_CELLS = 3_000
MAX_MARKDOWN_ITEMS = 1_500
MAX_MARKDOWN_PICTURES = 500
MAX_WORD_LENGTH = 2_000

_ITEM = re.compile(r"^[ \t>]*+(?:[-+*]|\d{1,9}+[.)])(?=\s)", re.MULTILINE)


def is_heavy_markdown(text: str) -> bool:
    """Return whether Markdown should be shown as source instead."""
    if (
        len(text) > MAX_MARKDOWN_CHARACTERS
        or text.count("|") > MAX_MARKDOWN_CELLS
        or text.count("![") > MAX_MARKDOWN_PICTURES
    ):
        return True
    return sum(1 for _ in _ITEM.finditer(text)) > MAX_MARKDOWN_ITEMS


def has_long_word(text: str) -> bool:
    """Return whether a text has to be broken inside its words."""
    return len(text) > MAX_WORD_LENGTH and max(map(len, text.split()), default=0) > MAX_WORD_LENGTH
