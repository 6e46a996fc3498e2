"""Where the link at a place of a response leads. It is shown, and never loaded here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from desktop_rater.text.links import links_in

if TYPE_CHECKING:
    from desktop_rater.ui.read_document import ReadDocument


def link_at(document: ReadDocument, text: str, position: int) -> str | None:
    """The address behind a place of the document that shows `text`."""
    written = _written(document, text, position)
    cursor = QTextCursor(document)
    for at in (position, position + 1):  # a place stands between two characters
        cursor.setPosition(min(at, document.characterCount() - 1))
        if cursor.charFormat().isAnchor():
            leads = cursor.charFormat().anchorHref()
            # Where an address stands by itself, Qt takes the full stop of the sentence for its end.
            return written if written is not None and leads.rstrip(".,;:!?'*`)]}") == written else leads
    return written


def _written(document: ReadDocument, text: str, position: int) -> str | None:
    """The address that stands at a place of the source."""
    offset = document.map.to_source(position)
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : end if (end := text.find("\n", offset)) >= 0 else None]
    after = 0
    for link in links_in(line):
        at = line.index(link, after)
        after = at + len(link)
        if at <= offset - begin < after:
            return link
    return None
