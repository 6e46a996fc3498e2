"""Evidence as it is gathered from a source: a page stands once for each claim and stance."""

from __future__ import annotations

import re

import msgspec

from desktop_rater.model.rating import Evidence, Stance
from desktop_rater.text.links import links_in
from desktop_rater.text.pages import page_of

_LABEL = re.compile(r"(?:link|url|source|according to)\s*:\s*$", re.IGNORECASE)


class Pages:
    """The evidence of one rating, with ids from e1.

    A rubric counts pages, and the same page twice is a mistake there. So a passage of a page that is there already
    goes to the note of that piece of evidence, and `merged` counts it.
    """

    def __init__(self) -> None:
        self.merged = 0
        self._pieces: dict[tuple[str, str | None, Stance | None, str], Evidence] = {}

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """In the order of its coming."""
        return tuple(self._pieces.values())

    def add(self, target: str, claim: str | None, stance: Stance | None, url: str, quote: str) -> None:
        """A page that speaks about a target or a claim of it, and the passage that does."""
        key = target, claim, stance, page_of(url) or url
        there = self._pieces.get(key)
        if there is None:
            self._pieces[key] = Evidence(
                id=self._next_id(), target=target, claim=claim, stance=stance, url=url, quote=quote
            )
            return
        self.merged += 1
        if not there.quote:
            self._pieces[key] = msgspec.structs.replace(there, quote=quote)
        elif quote and quote not in (there.quote, *there.note.split("\n\n")):
            note = f"{there.note}\n\n{quote}" if there.note else quote
            self._pieces[key] = msgspec.structs.replace(there, note=note)

    def add_to_response(self, response: str, stance: Stance | None, url: str, note: str) -> None:
        """A page that a person names in what they wrote about a response; what they wrote is its note."""
        key = response, None, stance, page_of(url) or url
        there = self._pieces.get(key)
        if there is None:
            self._pieces[key] = Evidence(id=self._next_id(), response=response, stance=stance, url=url, note=note)
            return
        self.merged += 1
        if note not in there.note.split("\n\n"):
            self._pieces[key] = msgspec.structs.replace(there, note=f"{there.note}\n\n{note}")

    def _next_id(self) -> str:
        return f"e{len(self._pieces) + 1}"

    def add_text(self, target: str, claim: str | None, stance: Stance | None, text: str) -> None:
        """What a person wrote: its first link is the page, the rest the passage. Without a link it is no evidence."""
        links = links_in(text)
        if links:
            before, _, after = text.partition(links[0])
            before = _LABEL.sub("", before.strip()).strip()
            self.add(target, claim, stance, links[0], "\n".join(part for part in (before, after.strip()) if part))
