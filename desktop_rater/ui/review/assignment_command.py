"""The lead's table of who rates what."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop_rater.model.errors import RaterError
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.work.audit.audit_status import store_assignment

BANNER = "assignment"


class AssignmentCommand(QObject):
    """The command that takes the table of who rates what, by which missing ratings are counted."""

    def __init__(self, context: ScreenContext, banners: Banners, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._banners = banners

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"review_assignment": self.ask}

    def ask(self) -> None:
        context = self._context
        filters = self.tr("Tables (*.csv);;All files (*)")
        path = context.files.open_file(context.window, self.tr("Choose the assignment table"), filters)
        if path is not None and context.audited.bundle:
            context.perform.perform(
                store_assignment,
                context.audited.bundle,
                path,
                done=lambda _change: self._banners.drop(BANNER),
                failed=self._failed,
            )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            self._banners.show_error(error, BANNER)
