"""What folds away when the window is small. Pure: sizes are those at 100 %, whatever the zoom."""

from __future__ import annotations

from dataclasses import dataclass

TASKS_FOLD, FORM_NARROWS, ONE_PANE = 1_360, 1_180, 960  # a window that is less wide
LOW, NO_STRIP = 800, 640  # a window that is less high
SMALLEST = (720, 450)

TASKS, RAIL, TEXT, FORM, NARROW_FORM = 248, 44, 400, 528, 440


@dataclass(frozen=True)
class Fold:
    """How the panes stand. With one pane at a time there is no rail: the list is one of the panes."""

    rail: bool
    one_pane: bool
    narrow: bool
    low: bool
    strip: bool

    @property
    def form(self) -> int:
        """The width of the form."""
        return NARROW_FORM if self.narrow else FORM


def fold_for(width: float, height: float, *, folded_by_hand: bool = False) -> Fold:
    """The fold for a window of that size; what was folded by hand stays folded."""
    one_pane = width < ONE_PANE
    return Fold(
        rail=not one_pane and (folded_by_hand or width < TASKS_FOLD),
        one_pane=one_pane,
        narrow=width < FORM_NARROWS,
        low=height < LOW,
        strip=height >= NO_STRIP,
    )
