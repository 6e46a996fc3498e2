"""Print a table of `text/untrusted.py` from Unicode's confusables.txt (UTS 39): `look_alikes.py FILE`."""

import re
import sys
import unicodedata
from pathlib import Path

_ROW = re.compile(r"^([0-9A-F]+) *;\s*([0-9A-F]+) *;\s*MA", re.MULTILINE)  # one character for one character
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")


def look_alikes(table: str) -> dict[str, str]:
    """Return for each ASCII character the characters that look like it, after NFKC and case folding."""
    rows = ((chr(int(source, 16)), chr(int(target, 16))) for source, target in _ROW.findall(table))
    prototypes = {source: target for source, target in rows if target.isascii() and _counts(source, target)}
    found: dict[str, str] = {}
    for source, target in sorted(prototypes.items()):
        folded = unicodedata.normalize("NFKC", source).casefold()
        if len(folded) != 1 or folded.isascii():
            continue
        if source == folded or folded not in prototypes:  # a capital letter counts unless its small letter does
            found[folded] = target.casefold()
    return {target: "".join(key for key in found if found[key] == target) for target in sorted(set(found.values()))}


def _counts(source: str, target: str) -> bool:
    if unicodedata.category(source) == "Nd":
        return True
    if not target.isalnum():
        return target in "-'._" and unicodedata.category(source)[0] in "PSL"
    return unicodedata.name(source, "").startswith(_SCRIPTS)


if __name__ == "__main__":
    for prototype, characters in look_alikes(Path(sys.argv[1]).read_text(encoding="utf-8-sig")).items():
        print(f'    {prototype!a}: "{characters}",')
