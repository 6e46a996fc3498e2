"""Going through what was sent back: from comment to comment, and saying it to those who hear it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_rater.ui.returned.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.place import Place
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.session import Session


class ReturnedCommands(QObject):
    """Knows the session and the notice above its questions."""

    said = Signal(str)

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._session = session
        self._told: tuple[str, Place] | None = None
        self._form = window.form_pane.form
        self.notice = Notice(session)
        window.form_pane.put_above_form(self.notice)
        window.form_pane.folded.connect(self.notice.passage.fit)
        self.notice.onward.clicked.connect(lambda: self.go(1))
        for changed in (session.opened, session.place_changed, session.rating_changed):
            changed.connect(self._refresh)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"next_comment": lambda: self.go(1), "previous_comment": lambda: self.go(-1)}

    def go(self, by: int) -> None:
        """To the next or the previous place with a comment, and round again."""
        session = self._session
        found, stops = list(session.comments), list(session.stops)
        if not found:
            if session.task is not None:
                session.hinted.emit(self.tr("Nothing in this task was sent back."))
            return
        order = sorted(found, key=lambda stop: (stops.index(stop) - stops.index(session.stop)) * by % len(stops))
        onward = next((stop for stop in order if stop != session.stop), order[0])
        claim = next((one.claim for one in session.comments[onward] if one.claim is not None), None)
        session.go_to(replace(onward, claim=claim))
        self._form.setFocus()

    def _refresh(self) -> None:
        self.notice.refresh()
        session = self._session
        here = (session.task.id, session.stop) if session.task is not None else None
        if here != self._told:
            self._told = here
            if here is not None and session.stop in session.comments:
                self.said.emit(self.notice.accessibleName())
