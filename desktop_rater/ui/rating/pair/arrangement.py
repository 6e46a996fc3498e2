"""Decide if a task is shown as a pair, and arrange the questions of each response under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop_rater.model.task import Task
from desktop_rater.model.values import TASK_PLACE, Place
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.focus import is_typing

if TYPE_CHECKING:
    from desktop_rater.ui.rating.pair.compact_form import CompactForm


PAIR_SIZE = 2


def is_pair(rubric: Rubric | None, task: Task | None) -> bool:
    """Return whether a task compares two responses: questions on the whole task, none on targets or claims."""
    if rubric is None or task is None or len(task.responses) != PAIR_SIZE:
        return False
    return (
        not rubric.per_target
        and bool(rubric.questions_by_scope["task"])
        and bool(rubric.questions_by_scope["response"])
    )


MIN_HALF_HEIGHT, MIN_LOW_HALF_HEIGHT = (
    216,
    60,
)  # height of a half's questions, and the minimum while a bar is open in a low window
MAX_HALF_SHARE, MAX_LOW_HALF_SHARE = 0.52, 0.46  # of a half: the questions, also in a low window
MAX_BENEATH_SHARE = 0.45  # of the pane: maximum of the part beneath both halves


class PairArrangement(QObject):
    """Layout of a pair. Its forms are created with the first pair and reused for later tasks."""

    def __init__(self, session: Session, text_pane: TaskTextPane, form_pane: FormPane) -> None:
        super().__init__(text_pane)
        self._session = session
        self._texts, self._pane = text_pane, form_pane
        self._halves: tuple[CompactForm, ...] = ()
        self._strip: CompactForm | None = None
        self.is_on = False
        text_pane.panes_about_to_change.connect(self._detach)
        session.place_changed.connect(self._show_strip)

    @property
    def is_wanted(self) -> bool:
        # Beside the gold answer, which replaces all questions, both responses stay in view.
        is_replaced = self._session.shows_gold or self._session.shows_research
        return is_pair(self._session.rubric, self._session.task) and not is_replaced

    def arrange(self, *, on: bool) -> None:
        """Show the current task as a pair, or in the usual layout."""
        if not on and not self.is_on:
            return
        form, focus = self._pane.form, QApplication.focusWidget()
        had_keys = focus is not None and (focus is form or focus in form.blocks or form.holds(focus))
        field = focus.objectName() if focus is not None and had_keys and is_typing(focus) else ""
        changes = on is not self.is_on
        self.is_on = on
        if on:
            self._bind_forms()
        else:
            self._detach()
        self._texts.set_pair(on=on)
        self._pane.set_pair(on=on)
        self._show_strip()
        if changes and had_keys:
            same = form.field(field) if field else None
            (same or form).setFocus()

    def _show_strip(self) -> None:
        """Show the questions about both responses; next to a page only while they are current."""
        if self._strip is not None:
            shut = (
                self._texts.shows_one_response and self._session.task is not None and self._session.stop != TASK_PLACE
            )
            self._strip.setVisible(self.is_on and not shut)
            self._equalize()

    def _bind_forms(self) -> None:
        if self._strip is None:
            self._create_forms()
        assert self._strip is not None
        for half, pane in zip(self._halves, self._texts.panes, strict=True):
            name = self.tr("Questions about response {name}").format(name=response_letter(pane.response.id))
            half.bind_place(Place(response=pane.response.id), name)
            pane.join_pair(half, first=half is self._halves[0])
            half.show()
        self._strip.bind_place(TASK_PLACE, self.tr("Questions about both"))
        if not self._pane.form.blocks:
            self._pane.form.use_pair_forms((*self._halves, self._strip))
        else:
            self._pane.form.refresh()
        self._equalize()

    def _create_forms(self) -> None:
        from desktop_rater.ui.rating.pair.compact_form import CompactForm  # noqa: PLC0415 - not before the first pair

        problems = self._pane.problems
        names = ("first_half", "second_half")
        self._halves = tuple(CompactForm(name, self._session, problems, wide=False) for name in names)
        self._strip = CompactForm("strip", self._session, problems, wide=True)
        self._pane.hold(self._strip)
        for form in (*self._halves, self._strip):
            form.grown.connect(self._equalize)
            form.guideline_wanted.connect(self._pane.form.guideline_wanted)
        for pane in (self._texts, self._pane):
            pane.installEventFilter(self)

    def _detach(self) -> None:
        """Remove the halves from panes that may be deleted."""
        self._pane.form.drop_pair_forms()
        for pane in self._texts.panes:
            pane.leave_pair()
        for half in self._halves:
            half.hide()
            half.setParent(self._pane)

    def _equalize(self) -> None:
        """Give the questions of both halves the same height, so that both texts end on one line."""
        if not self.is_on or self._strip is None:
            return
        visible = [half for half in self._halves if half.isVisible()]
        room = self._half_height()
        wanted = max((half.content_height for half in visible or self._halves), default=0)
        low = bool(self._texts.window().property("low"))
        height = min(
            max(wanted, theme.px(MIN_HALF_HEIGHT)), round(room * (MAX_LOW_HALF_SHARE if low else MAX_HALF_SHARE))
        )
        height = max(height, theme.px(MIN_LOW_HALF_HEIGHT))
        for half in self._halves:
            if half.height() != height:
                half.setFixedHeight(height)
        # In a low window only the first question is shown until the strip is current.
        whole = self._strip.content_height if not low or self._strip.is_current else self._strip.first_height
        strip = min(whole, max(self._strip.first_height, self._strip_height()))
        if self._strip.height() != strip:
            self._strip.setFixedHeight(strip)

    def _half_height(self) -> int:
        """Return the height of a half, after the parts around it have theirs."""
        both = self._texts.parentWidget()
        if both is None or self._pane.parentWidget() is not both:
            return self._texts.halves_height
        return both.height() - self._beneath_height() - (self._texts.height() - self._texts.halves_height)

    def _beneath_height(self) -> int:
        """Return the height that the parts under both halves need."""
        layout, width = self._pane.layout(), self._texts.width()
        if layout is None:
            return 0
        needed = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
        return max(needed, layout.totalMinimumSize().height())

    def _strip_height(self) -> int:
        """Return the space for the questions about both, less the other parts there, such as an open bar."""
        both = self._texts.parentWidget()
        others = self._beneath_height() - (
            self._strip.height() if self._strip is not None and self._strip.isVisible() else 0
        )
        return round(both.height() * MAX_BENEATH_SHARE) - others if both is not None else 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self._texts, self._pane) and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._equalize()
        return False
