"""Where a claim is searched for: the engines that a rater can choose, and the address that asks one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

# Without JavaScript the first two and the last answer all the same.
ENGINES: Mapping[str, str] = {
    "duckduckgo": "https://html.duckduckgo.com/html/?q={words}",
    "bing": "https://www.bing.com/search?q={words}",
    "google": "https://www.google.com/search?q={words}",
    "wikipedia": "https://{language}.wikipedia.org/w/index.php?search={words}",
}
LONGEST = 300


def search_url(template: str, words: str, language: str = "en") -> str:
    """The address that asks an engine for `words`; what is too long for a question loses its end at a blank."""
    asked = " ".join(words.split())
    if len(asked) > LONGEST:
        asked = asked[:LONGEST].rpartition(" ")[0] or asked[:LONGEST]
    return template.format(words=quote(asked, safe=""), language=language)
