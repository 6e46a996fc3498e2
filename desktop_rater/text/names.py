"""Names that identify people: one spelling for each, and names that only look equal."""

import re
import unicodedata

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
