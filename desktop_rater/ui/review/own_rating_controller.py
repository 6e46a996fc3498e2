"""The lead's own rating in the review: when it is asked for, and how it becomes a correction."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from desktop_rater.audit.items import Label, ReviewEntry, ReviewItem, label_at, label_questions
from desktop_rater.audit.questions import JudgedQuestion
from desktop_rater.audit.results import Audit, AuditedTask
from desktop_rater.rubric import check_rating
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.store.store import Store
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import ItemKey
from desktop_rater.ui.review.own_rating import OwnRatingForm
from desktop_rater.ui.review.texts import place_at
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.work.audit import load_audit, review
from desktop_rater.work.audit.review import Lead, RatingAtPlace, ReviewChange, VerdictReason


def own_rating_is_complete(task: AuditedTask, where: str) -> bool:
    """Return whether the lead's own rating is complete at a place."""
    rating = task.own.rating if task.own is not None else None
    if rating is None:
        return False
    place = place_at(task.task, where)
    outcome = check_rating(task.rubric, task.task, rating)
    return rating.status == "skipped" or task_stops.stop_of(place) not in task_stops.blocked_stops(outcome)


def own_label(task: AuditedTask, where: str, judged: Sequence[JudgedQuestion]) -> Label | None:
    """Return the label of the lead's own rating at a place."""
    rating = task.own.rating if task.own is not None else None
    if rating is None:
        return None
    outcome = check_rating(task.rubric, task.task, rating)
    values = {answer.question.id: answer.value for answer in outcome.asked.get(where, ()) if answer.value is not None}
    decided = outcome.decided.get(where, {})
    values |= {name: decision.value for name, decision in decided.items() if decision.by == BY_CLAIMS}
    return label_at(label_questions(judged), where, values)


def store_correction(
    store: Store, audit: Audit, about: RatingAtPlace, because: VerdictReason, lead: Lead
) -> ReviewChange:
    """Replace a rater's rating by the lead's own, as stored."""
    audited = load_audit.load_task(store, audit.bundle, about.task, audit)
    own = audited.own.rating if audited.own is not None else None
    if own is None:
        return review.ReviewChange()
    return review.correct_rating(store, audited, about, own, because, lead)


class OwnRatingController(QObject):
    """Creates the form when it is first needed."""

    opened = Signal()  # or closed
    answered = Signal()  # blind: the raters' answers can be shown now
    correction_ready = Signal(object, str)  # ReviewItem and rater whose rating is to be replaced by the lead's

    def __init__(
        self, around: ScreenContext, desk: ReviewDesk, right: QStackedWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._around, self._desk, self._right = around, desk, right
        self._form: OwnRatingForm | None = None
        self._correcting: tuple[ReviewItem, str] | None = None
        self._name: ItemKey = ("", "")
        desk.place_changed.connect(self._place_changed)

    @property
    def open(self) -> OwnRatingForm | None:
        """The form while it is open."""
        return self._form if self._form is not None and self._form.is_open else None

    def answer_first(self, task: AuditedTask, where: str) -> None:
        """Ask for the lead's own answer, starting from nothing."""
        self._correcting = None
        self._show(task, None, where, blind=True)

    def correct(self, task: AuditedTask, item: ReviewItem, entry: ReviewEntry) -> None:
        """Ask for the lead's rating, starting from the rater's."""
        self._correcting = item, entry.rater
        self._show(task, entry.rater, item.where, blind=False)

    def _show(self, task: AuditedTask, rater: str | None, where: str, *, blind: bool) -> None:
        if self._form is None:
            self._form = self._make_form()
        self._name = self._desk.name
        self._right.setCurrentWidget(self._form)
        self._form.open(task, rater, blind=blind, where=where)

    def _place_changed(self) -> None:
        """Close the form when the lead goes to another item; the answers so far are stored."""
        if self.open is not None and self._desk.name != self._name:
            self.open.shut()

    def _make_form(self) -> OwnRatingForm:
        from desktop_rater.ui.review.own_rating import OwnRatingForm  # noqa: PLC0415 - many leads only look

        own = OwnRatingForm(self._around)
        self._right.addWidget(own)
        own.changed.connect(self.opened)
        own.left.connect(partial(self._form_closed, finished=False))
        own.kept.connect(lambda _task: self._form_closed(finished=True))
        return own

    def _form_closed(self, *, finished: bool) -> None:
        self._right.setCurrentIndex(0)
        correcting, self._correcting = self._correcting, None
        self._desk.read_task_again()
        if not finished:
            return
        if correcting is not None:
            self.correction_ready.emit(*correcting)
        else:
            self.answered.emit()
