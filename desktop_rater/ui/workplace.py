"""Where one task is rated: the window itself, or the lead's own rating in the review."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.review.own_answer import OwnAnswer

    Workplace: TypeAlias = MainWindow | OwnAnswer
