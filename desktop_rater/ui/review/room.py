"""The review room: all raters' answers side by side, most disagreement first, and what the lead says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.audit.filters import Wanted
from desktop_rater.ui import spelling
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.review import final_labels, result_words, returning
from desktop_rater.ui.review.compare_page import ComparePage
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.final_labels import FinalLabels
from desktop_rater.ui.review.judging import Judging
from desktop_rater.ui.review.list_pane import ListPane
from desktop_rater.ui.review.looking import Looking
from desktop_rater.ui.review.own_words import OwnWords
from desktop_rater.ui.review.place_words import how_many
from desktop_rater.ui.review.results_page import ResultsPage
from desktop_rater.ui.review.returning import Returning
from desktop_rater.ui.review.sides import Sides
from desktop_rater.ui.review.verdicts import Verdicts
from desktop_rater.ui.rooms import RATE, REVIEW
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.review.own_answer import OwnAnswer
    from desktop_rater.ui.rooms import Around
    from desktop_rater.work.open_results import Opened


class ReviewRoom(QObject):
    """Puts the parts together: `Looking` is where the lead stands, `Verdicts` what the lead says."""

    changed = Signal()

    def __init__(self, around: Around) -> None:
        super().__init__(around.window)
        self._around = around
        self._fresh, self._came_in = True, False
        self._is_awaited = False  # the lead wants to review what is still being read
        self.desk = ReviewDesk(around.perform, around.audited, self)
        self.list_pane = ListPane()
        self.compare = ComparePage(around.perform, around.web)
        self.judging = Judging(around.perform, self.desk, self._lead, around.now, self)
        self.right = QStackedWidget()
        self.right.addWidget(self.compare)
        self.looking = Looking(around, self.desk, self.list_pane, self.compare, self.right, self)
        self.own = OwnWords(around, self.desk, self.right, self)
        self.verdicts = Verdicts(self.desk, self.looking, self.judging, self.compare, self.own, self)
        self.results = ResultsPage(around)
        self.banners = Banners()
        self.banners.setObjectName("review_banners")
        self.returning = Returning(around, self.desk, self.banners, self)
        self.final = FinalLabels(around, self.desk, self.banners, self.judging, self)
        self.sides = Sides(self.list_pane, self.right, around.window.sizes)
        self.stack = QStackedWidget()
        self.stack.currentChanged.connect(lambda _at: self.changed.emit())
        self.stack.currentChanged.connect(lambda _at: self._show_possible())
        self._widget = self._laid_out()
        self._connect()

    def _laid_out(self) -> QWidget:
        for page in (QWidget(), self.results, self.sides):  # the first while nobody knows yet which of the others
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
        around.audited.came_in.connect(self._take_in)
        around.audited.listed.connect(lambda: None if around.audited.bundles else self.show_results())
        self.results.review_wanted.connect(self.show_review)
        self.desk.listed.connect(self._listed)
        self.desk.bundle_changed.connect(self._come_fresh)
        self.desk.listed.connect(self.changed)
        self.judging.refused.connect(lambda error: self.banners.trouble(error, "refused"))
        self.judging.said.connect(self._drop_what_is_past)
        self.judging.said.connect(self._show_possible)
        self.final.ties_wanted.connect(self._show_ties)
        self.looking.changed.connect(self.changed)
        self.own.opened.connect(self.changed)
        self.own.opened.connect(self._show_possible)
        self.looking.moved.connect(self._show_possible)
        self._show_possible()

    def _lead(self) -> str:
        return self._around.preferences.now.rater or self._around.lead

    def _listed(self) -> None:
        """The first that is seen of a bundle is its list, unless its results have just come."""
        if self._fresh and self.desk.items:
            self._fresh = False
            if not self._came_in:
                self.show_review()
            self._came_in = False
        if self._is_awaited:
            self.show_review()

    def show_results(self) -> None:
        """Show whether everything is here."""
        self._is_awaited = False
        self.stack.setCurrentWidget(self.results)
        if self._is_here:
            next((one for one in self.results.panes() if one.isVisible()), self.results).setFocus()

    def show_review(self) -> None:
        """The ratings side by side, as soon as they are there."""
        self._is_awaited = not self.desk.items
        if self.desk.items:
            self.stack.setCurrentWidget(self.sides)
            form = self._form
            if self._is_here:
                (self.list_pane.list if form is None else form.panes()[0]).setFocus()

    def _show_ties(self) -> None:
        """List only what is open."""
        self.list_pane.clear_filters()
        self.list_pane.filters.want(Wanted(tied=True))
        self.show_review()

    @property
    def _is_here(self) -> bool:
        return self._around.rooms.name == REVIEW

    def _drop_what_is_past(self) -> None:
        """What was written, or not, was so before this was said."""
        for key in ("refused", returning.BANNER, final_labels.BANNER):
            self.banners.drop(key)

    def _take_in(self, opened: Opened) -> None:
        """Results have come: what is there comes before what is in it."""
        self._drop_what_is_past()
        self._came_in = bool(opened.audits) and self._fresh
        self.show_results()

    def _come_fresh(self) -> None:
        """What comes next is seen for the first time."""
        self._fresh, self._is_awaited = True, False

    @property
    def _form(self) -> OwnAnswer | None:
        """The lead's own rating while it is before the eyes; keys never go to what can't be seen."""
        return self.own.open if self.stack.currentWidget() is self.sides else None

    def _show_possible(self) -> None:
        if self._form is not None:
            return  # the form says what is possible in it
        enable = self._around.rooms.enable
        enable(REVIEW, "undo", self.judging.can_undo)
        enable(REVIEW, "redo", self.judging.can_redo)

    def open(self, task: str, where: str, rater: str) -> None:
        """Look at a rater's answer at a place, as the report asks for it."""
        self.looking.find((task, where), rater)
        if self.desk.items:
            self.stack.setCurrentWidget(self.sides)
            self.compare.grid.setFocus()

    # -- as the window knows it

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def mode(self) -> str:
        return RATE if self._form is not None else REVIEW

    @property
    def title(self) -> str:
        audit = self.desk.audit
        return self.tr("{bundle}: review").format(bundle=audit.title) if audit is not None else self.tr("Review")

    @property
    def words(self) -> str:
        audit = self.desk.audit
        if audit is None:
            return ""
        raters = len(audit.raters)
        many = self.tr("1 rater") if raters == 1 else self.tr("{n} raters").format(n=spelling.number(raters))
        said = f"{many}, {how_many([one.where for one in self.desk.items if one.sampled])}"
        sample = self.desk.reviews.sample if self.desk.reviews is not None else None
        if sample is not None and self.desk.share is not None:
            words = self.tr("{words} in the sample, seed {seed}")
            said = words.format(words=said, seed=sample.seed)
        said = self.tr("{words}, blind").format(words=said) if self.looking.blind else said
        ways = self.desk.on_the_way
        way = result_words.on_the_way(sum(one.unsent for one in ways), sum(len(one.out) for one in ways))
        return " · ".join(filter(None, (said, way)))

    def does(self) -> Mapping[str, Callable[[], object]]:
        own = self._form
        if own is not None:
            return own.does()
        if self.stack.currentWidget() is self.results:
            onward = dict.fromkeys(("leave", "review_accept", "review_results"), self.show_review)
            return {**onward, **self.returning.does(), **self.final.does()}
        return {
            "review_results": self.show_results,
            "undo": self.judging.undo,
            "redo": self.judging.redo,
            "leave": self.leave_part,
            "toggle_tasks": self.sides.toggle,
            "filter": self.list_pane.focus_filter,
            "review_filters": self.list_pane.open_filters,
            **self.looking.does(),
            **self.verdicts.does(),
            **self.returning.does(),
            **self.final.does(),
        }

    def take_key(self, key: str) -> bool:
        own = self._form
        if own is not None:
            return own.take_key(key)
        if self.stack.currentWidget() is self.results:
            return False
        return self.verdicts.take_key(key) or self.looking.take_key(key)

    def enter(self) -> None:
        self._around.audited.start()

    def leave(self) -> None:
        """Each verdict is said at once; what the lead answers is kept as it is given."""
        own = self.own.open
        if own is not None:
            own.session.pause_typing()

    def panes(self) -> tuple[QWidget, ...]:
        own = self._form
        if own is not None:
            return own.panes()
        if self.stack.currentWidget() is self.results:
            return self.results.panes()
        return (self.list_pane.list, *self.looking.panes()) if self.desk.items else (self._widget,)

    def leave_part(self) -> None:
        """Esc: out of the field, then what else is open."""
        focus = QApplication.focusWidget()
        if is_typing(focus) and focus is not None:
            self.looking.take_focus(focus)
        elif not self.verdicts.leave() and not self.looking.leave():
            self.banners.drop("refused")
