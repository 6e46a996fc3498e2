"""The lead's own rating in the review: asked for before the raters' are seen, and in the place of a rater's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.disagreement import label_at, labelling
from desktop_rater.rubric import check
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.ui import moves
from desktop_rater.ui.review.standing import place_of
from desktop_rater.work import audit_desk, review

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QStackedWidget

    from desktop_rater.audit.audited_task import AuditedTask
    from desktop_rater.audit.disagreement import Label
    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.judged import Judged
    from desktop_rater.store.store import Store
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.item_rows import Name
    from desktop_rater.ui.review.own_answer import OwnAnswer
    from desktop_rater.ui.rooms import Around
    from desktop_rater.work.review import About, Because, Lead, Reviewed


def answers_at(task: AuditedTask, where: str) -> bool:
    """Whether the lead's own rating says all that is asked at a place."""
    rating = task.own.rating if task.own is not None else None
    if rating is None:
        return False
    place = place_of(task.task, where)
    outcome = check(task.rubric, task.task, rating)
    return rating.status == "skipped" or moves.stop_of(place) not in moves.blocked(outcome)


def own_label(task: AuditedTask, where: str, judged: Sequence[Judged]) -> Label | None:
    """What the lead's own rating comes to at a place."""
    rating = task.own.rating if task.own is not None else None
    if rating is None:
        return None
    outcome = check(task.rubric, task.task, rating)
    values = {one.question.id: one.value for one in outcome.asked.get(where, ()) if one.value is not None}
    decided = outcome.decided.get(where, {})
    values |= {name: one.value for name, one in decided.items() if one.by == BY_CLAIMS}
    return label_at(labelling(judged), where, values)


def corrected(store: Store, audit: Audit, about: About, because: Because, lead: Lead) -> Reviewed:
    """Put the lead's own rating, as it is stored, in the place of a rater's."""
    audited = audit_desk.load_task(store, audit.bundle, about.task, audit)
    own = audited.own.rating if audited.own is not None else None
    if own is None:
        return review.Reviewed()
    return review.correct(store, audited, about, own, because, lead)


class OwnWords(QObject):
    """Makes the form when it is first wanted. `corrected`: the rating of a rater is to have the lead's in its place."""

    opened = Signal()  # or shut
    answered = Signal()  # blind: the raters may be seen
    corrects = Signal(object, str)  # Item and rater

    def __init__(self, around: Around, desk: ReviewDesk, right: QStackedWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._desk, self._right = around, desk, right
        self._own: OwnAnswer | None = None
        self._correcting: tuple[Item, str] | None = None
        self._name: Name = ("", "")
        desk.place_changed.connect(self._leave_elsewhere)

    @property
    def open(self) -> OwnAnswer | None:
        """The form, while it is open."""
        return self._own if self._own is not None and self._own.is_open else None

    def answer_first(self, task: AuditedTask, where: str) -> None:
        """Ask for the lead's own answer, from nothing."""
        self._correcting = None
        self._show(task, None, where, blind=True)

    def correct(self, task: AuditedTask, item: Item, entry: Entry) -> None:
        """Ask for the lead's rating, from that of the rater on."""
        self._correcting = item, entry.rater
        self._show(task, entry.rater, item.where, blind=False)

    def _show(self, task: AuditedTask, rater: str | None, where: str, *, blind: bool) -> None:
        if self._own is None:
            self._own = self._made()
        self._name = self._desk.name
        self._right.setCurrentWidget(self._own)
        self._own.open(task, rater, blind=blind, where=where)

    def _leave_elsewhere(self) -> None:
        """The lead went to another place: what was answered so far is kept."""
        if self.open is not None and self._desk.name != self._name:
            self.open.shut()

    def _made(self) -> OwnAnswer:
        from desktop_rater.ui.review.own_answer import OwnAnswer  # noqa: PLC0415 - many leads only look

        own = OwnAnswer(self._around)
        self._right.addWidget(own)
        own.changed.connect(self.opened)
        own.left.connect(partial(self._put_away, kept=False))
        own.kept.connect(lambda _task: self._put_away(kept=True))
        return own

    def _put_away(self, *, kept: bool) -> None:
        self._right.setCurrentIndex(0)
        correcting, self._correcting = self._correcting, None
        self._desk.read_task_again()
        if not kept:
            return
        if correcting is not None:
            self.corrects.emit(*correcting)
        else:
            self.answered.emit()
