"""Names that identify people: one spelling for each, names that only look equal, and names of files made of ids."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from desktop_rater.model.hub_names import RESERVED_NAME
from desktop_rater.text.unseen_characters import CONTROLS, DEFAULT_IGNORABLE, OTHERS_WITHOUT_INK

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
