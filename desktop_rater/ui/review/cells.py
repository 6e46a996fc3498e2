"""What the comparison of raters shows, as frozen rows and columns. Pure: words and looks, no Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.model.rating import Evidence

LONGEST = 700  # characters of one part of a cell; the rest is in its tooltip
LONGEST_TIP = 4_000


@dataclass(frozen=True)
class Part:
    """A piece of text in a cell, in lines of its own.

    `mark` is the name of a shape or a state, `tone` that of the label's tone that inks it. `deep`: it stands under what
    has a mark. `piece`: a click shows that evidence as it is stored; `url`: the page that was opened.
    """

    text: str
    ink: str = "text"
    bold: bool = False
    small: bool = True
    mark: str = ""
    tone: str = ""
    deep: bool = False
    barred: bool = False
    piece: Evidence | None = field(default=None, hash=False)  # what a newer format adds to it has no hash
    url: str = ""

    @property
    def shown(self) -> str:
        """What of it is shown."""
        text = self.text.strip()
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

    @property
    def opens(self) -> bool:
        return self.piece is not None or bool(self.url)


@dataclass(frozen=True)
class Cell:
    """What one rater has in one row."""

    parts: tuple[Part, ...] = ()

    @property
    def spoken(self) -> str:
        """The cell in one breath."""
        return ", ".join(" ".join(part.shown.split()) for part in self.parts)

    @property
    def tip(self) -> str:
        """All of it, where a part is too long to be shown."""
        if all(len(part.text) <= LONGEST for part in self.parts):
            return ""
        return "\n\n".join(part.text for part in self.parts)[:LONGEST_TIP]


@dataclass(frozen=True)
class Row:
    """What a row is about; `note` stands beneath, after a mark."""

    id: str
    words: str
    note: str = ""


@dataclass(frozen=True)
class Column:
    """One rater's answers, a cell for each row. `key` chooses the rater; `aside` stands at the end of the head."""

    rater: str
    cells: tuple[Cell, ...]
    key: str = ""
    aside: str = ""
    model: str = ""


@dataclass(frozen=True)
class Comparison:
    """All that is compared at one place."""

    rows: tuple[Row, ...] = ()
    columns: tuple[Column, ...] = ()
    name: tuple[str, str] = field(default=("", ""))  # task and where

    def column_of(self, rater: str) -> int:
        """Where a rater stands, or −1."""
        return next((at for at, one in enumerate(self.columns) if one.rater == rater), -1)
