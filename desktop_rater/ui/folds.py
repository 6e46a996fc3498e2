"""What folds away when the window is small. Pure: sizes are those at 100 %, whatever the zoom."""

from __future__ import annotations

from dataclasses import dataclass

TASKS_FOLD, FORM_NARROWS, ONE_PANE = 1_360, 1_180, 960  # a window that is less wide
PREVIEW_FOLDS, PREVIEW_SHARES = 1_700, 1_100  # the same, while a page is open
PAGE_SHARE = 0.54
LOW, NO_STRIP = 800, 640  # a window that is less high; below the second two responses do not stand side by side
SMALLEST = (720, 450)

TASKS, RAIL, TEXT, PREVIEW, FORM, NARROW_FORM = 248, 44, 400, 472, 528, 440


@dataclass(frozen=True)
class Fold:
    """How the panes stand. With one pane at a time there is no rail: the list is one of the panes.

    `shared`: text and page stand in one place, and one of them is seen.
    """

    rail: bool
    one_pane: bool
    narrow: bool
    low: bool
    strip: bool
    preview: bool = False
    shared: bool = False
    one_line: bool = False  # the prompt
    links: int = 5  # rows of the link checklist under a page
    pair: bool = False  # two responses side by side, each with its questions, and those of the task beneath both

    @property
    def name(self) -> str:
        """How the layout is called under which widths are kept."""
        parts = ("pair" if self.pair else "rate", "page" if self.preview else "", "narrow" if self.narrow else "")
        return " ".join(filter(None, parts))

    @property
    def form(self) -> int:
        """The width of the form."""
        return NARROW_FORM if self.narrow else FORM

    def page(self, room: float) -> int:
        """The width of the page in the room that it shares with the text: both give way, the text a little more.

        In a pair it has the place of the response that is not at hand.
        """
        if self.pair:
            return round(room / 2)
        return round(min(PREVIEW, max(room * PAGE_SHARE, room - TEXT)))


def fold_for(
    width: float, height: float, *, folded_by_hand: bool = False, preview: bool = False, pair: bool = False
) -> Fold:
    """The fold for a window of that size; what was folded by hand stays folded.

    `pair`: the task has two responses to compare. They need the room of the task list, and get it.
    """
    one_pane = width < ONE_PANE
    beside = preview and width < PREVIEW_FOLDS
    paired = pair and not one_pane and height >= NO_STRIP
    return Fold(
        rail=not one_pane and (folded_by_hand or beside or paired or width < TASKS_FOLD),
        one_pane=one_pane,
        narrow=beside or width < FORM_NARROWS,
        low=height < LOW,
        strip=height >= NO_STRIP and not (beside and not one_pane),
        preview=preview,
        shared=preview and not one_pane and width < PREVIEW_SHARES,
        one_line=height < LOW or paired or (beside and not one_pane),
        links=5 if height >= LOW else 2 if height >= NO_STRIP else 0,
        pair=paired,
    )
