"""The review room: all raters' answers side by side, most disagreement first, and what the lead says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui import spelling
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.review.compare_page import ComparePage
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.judging import Judging
from desktop_rater.ui.review.list_pane import ListPane
from desktop_rater.ui.review.looking import Looking
from desktop_rater.ui.review.nothing_yet import NothingYet
from desktop_rater.ui.review.sides import Sides
from desktop_rater.ui.review.verdicts import Verdicts
from desktop_rater.ui.rooms import REVIEW
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.rooms import Around


class ReviewRoom(QObject):
    """Puts the parts together: `Looking` is where the lead stands, `Verdicts` what the lead says."""

    changed = Signal()

    def __init__(self, around: Around) -> None:
        super().__init__(around.window)
        self._around = around
        self.mode = REVIEW
        self.desk = ReviewDesk(around.perform, around.audited, self)
        self.list_pane = ListPane()
        self.compare = ComparePage(around.perform, around.web)
        self.judging = Judging(around.perform, self.desk, self._lead, around.now, self)
        self.right = QStackedWidget()
        self.right.addWidget(self.compare)
        self.looking = Looking(around, self.desk, self.list_pane, self.compare, self.right, self)
        self.verdicts = Verdicts(self.desk, self.looking, self.judging, self.compare, self)
        self.nothing = NothingYet()
        self.banners = Banners()
        self.banners.setObjectName("review_banners")
        self.sides = Sides(self.list_pane, self.right, around.window.sizes)
        self.stack = QStackedWidget()
        self._widget = self._laid_out()
        self._connect()

    def _laid_out(self) -> QWidget:
        for page in (self.nothing, self.sides):
            self.stack.addWidget(page)
        widget = QWidget()
        widget.setObjectName("review_room")
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banners)
        column.addWidget(self.stack, 1)
        return widget

    def _connect(self) -> None:
        around = self._around
        around.audited.listed.connect(self._show_page)
        self.desk.listed.connect(self._show_page)
        self.desk.listed.connect(self.changed)
        self.judging.refused.connect(lambda error: self.banners.trouble(error, "refused"))
        self.judging.said.connect(lambda: self.banners.drop("refused"))
        self.judging.said.connect(self._show_possible)
        self.looking.changed.connect(self.changed)
        self.looking.moved.connect(self._show_possible)
        self._show_possible()

    def _lead(self) -> str:
        return self._around.preferences.now.rater or self._around.lead

    def _show_page(self) -> None:
        there = bool(self._around.audited.bundles)
        self.stack.setCurrentWidget(self.sides if there else self.nothing)

    def _show_possible(self) -> None:
        enable = self._around.rooms.enable
        enable(REVIEW, "undo", self.judging.can_undo)
        enable(REVIEW, "redo", self.judging.can_redo)

    # -- as the window knows it

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def title(self) -> str:
        audit = self.desk.audit
        return self.tr("{bundle}: review").format(bundle=audit.title) if audit is not None else self.tr("Review")

    @property
    def words(self) -> str:
        audit = self.desk.audit
        if audit is None:
            return ""
        raters, places = len(audit.raters), sum(one.sampled for one in self.desk.items)
        many = self.tr("1 rater") if raters == 1 else self.tr("{n} raters").format(n=spelling.number(raters))
        where = self.tr("1 target") if places == 1 else self.tr("{n} targets").format(n=spelling.number(places))
        said = f"{many}, {where}"
        sample = self.desk.reviews.sample if self.desk.reviews is not None else None
        if sample is not None:
            words = self.tr("{words} in the sample, seed {seed}")
            said = words.format(words=said, seed=sample.seed)
        return self.tr("{words}, blind").format(words=said) if self.looking.blind else said

    def does(self) -> Mapping[str, Callable[[], object]]:
        return {
            "undo": self.judging.undo,
            "redo": self.judging.redo,
            "leave": self.leave_part,
            "toggle_tasks": self.sides.toggle,
            "filter": self.list_pane.focus_filter,
            "review_filters": self.list_pane.open_filters,
            **self.looking.does(),
            **self.verdicts.does(),
        }

    def take_key(self, key: str) -> bool:
        return self.verdicts.take_key(key) or self.looking.take_key(key)

    def enter(self) -> None:
        self._around.audited.start()

    def leave(self) -> None:
        """Nothing waits here: each verdict is said at once."""

    def panes(self) -> tuple[QWidget, ...]:
        if self.stack.currentWidget() is not self.sides:
            return (self.nothing,)
        return (self.list_pane.list, *self.looking.panes())

    def leave_part(self) -> None:
        """Esc: out of the field, then what else is open."""
        focus = QApplication.focusWidget()
        if is_typing(focus) and focus is not None:
            self.looking.take_focus(focus)
        elif not self.verdicts.leave() and not self.looking.leave():
            self.banners.drop("refused")
