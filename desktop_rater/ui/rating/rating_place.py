"""Interface of a place where a task is rated: the window, or the form for the lead's own rating."""

from typing import Protocol

from desktop_rater.ui.pages.preview_pane import PreviewPane
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.text_pane import TaskTextPane


class RatingPlace(Protocol):
    """Text, page and form of the task that is rated there."""

    @property
    def text_pane(self) -> TaskTextPane: ...
    @property
    def preview(self) -> PreviewPane: ...
    @property
    def form_pane(self) -> FormPane: ...

    def switch_text_and_page(self) -> None: ...
