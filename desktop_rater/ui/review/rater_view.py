"""The task as one rater saw it: the panes of the rating screen, read-only, with that rater's answers."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import NoReturn

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.rubric.display_order import exchanged_place, exchanged_rating, exchanged_task
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import place_path, stop_of
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup, OrderedSplitter
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.pane_layout import PaneSizes

HEAD, FORM = 44, 440


def _never(*_given: object, **_named: object) -> NoReturn:
    raise AssertionError("a read-only rating is never saved")


def _bundle_of(task: AuditedTask) -> str:
    """Return a name that no bundle rated by the lead can have, so that the two are never confused."""
    return f"review of {task.bundle}"


class RaterRatingView(NamedGroup):
    """A view with a session of its own, read-only and without time tracking."""

    left = Signal()
    page_wanted = Signal(str)
    moved = Signal(str)  # to another `where` of the task

    def __init__(
        self, perform: WorkRunner, sizes: PaneSizes, now: Callable[[], datetime], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rater_view")
        self.setAccessibleName(self.tr("The page as the rater saw it"))
        theme.set_ground(self, "surface")
        active_time = ActiveTime(time.monotonic)
        active_time.set_window_active(False)
        self.session = Session(RatingSaver(perform, _never, now, self), active_time, self)
        self.rater = ""
        self._shown: RaterOnTask | None = None
        self.session.place_changed.connect(lambda: self.moved.emit(self._where()))
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        column.addWidget(horizontal_line())
        self.text_pane = TaskTextPane(self.session, sizes)
        self.text_pane.page_wanted.connect(self.page_wanted)
        self.form_pane = FormPane(self.session)
        self.form_pane.hide_footer()
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self._split.addWidget(self.text_pane)
        self._split.addWidget(self.form_pane)
        self._split.setStretchFactor(0, 1)
        column.addWidget(self._split, 1)
        theme.follow(self, self._set_sizes)

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "info_back")
        row = QHBoxLayout(head)
        self._words = ElidedLabel(name="rater_view_words", size="interface", bold=True)
        row.addWidget(self._words, 1)
        back = KeyButton(self.tr("Back to the comparison"), "V", flat=True, name="rater_view_back", clicked=self.left)
        row.addWidget(back)
        theme.pad(row, PANE, 0, PANE, 0, height=HEAD)
        return head

    def _set_sizes(self) -> None:
        """Give the form its width, at most half of the window."""
        width = self.width()
        form = min(theme.px(FORM), width // 2)
        self._split.setSizes([width - form, form])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_sizes()

    def shows(self, task: AuditedTask, of: RaterOnTask, where: str) -> bool:
        """Return whether that rating is shown, at that place."""
        session = self.session
        current = self._shown
        same_rating = current is not None and current.task is of.task and current.rater == of.rater
        return same_rating and session.bundle == _bundle_of(task) and self._where() == where

    def _where(self) -> str:
        """Return the current place in the terms of the results; the rater may have seen another order."""
        order = self._shown.rating.display_order if self._shown is not None else None
        return place_path(exchanged_place(self.session.stop, order))

    def show_rating(self, task: AuditedTask, of: RaterOnTask, where: str) -> None:
        self.rater, self._shown = of.rater, of
        order = of.rating.display_order
        as_displayed = exchanged_task(task.rubric, replace(of.task, display_order=order))
        text = self.tr("Rating by {rater}, read-only").format(rater=isolated(of.rater))
        self._words.setText(text)
        place = of.outcome.places.get(where)
        session = self.session
        session.open(
            _bundle_of(task),
            as_displayed,
            exchanged_rating(task.rubric, of.rating, order),
            task.rubric,
            at=stop_of(exchanged_place(place, order)) if place is not None else None,
            read_only=text,
            outcome=of.outcome if order is None else None,
        )

    def panes(self) -> tuple[QWidget, ...]:
        form = self.form_pane.form
        return (*(pane.view for pane in self.text_pane.panes), *(form.blocks or (form,)))
