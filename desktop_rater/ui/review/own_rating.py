"""The lead's own rating: its form, when it is asked for, and how it becomes a correction."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rater.audit.items import Label, ReviewEntry, ReviewItem, label_at, label_questions
from desktop_rater.audit.questions import JudgedQuestion
from desktop_rater.audit.results import Audit, AuditedTask
from desktop_rater.format.rating import Rating, TimeSpent
from desktop_rater.format.task import Task
from desktop_rater.format.values import TASK_PLACE
from desktop_rater.operations.audit import load_audit, review
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, ReviewChange, VerdictReason, save_own_rating
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.store.store import Store
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.commands import PassageCommands, PreviewCommands
from desktop_rater.ui.pages.preview_pane import PreviewPane
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.commands import AnswerCommands, RatingCommands
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import PairArrangement
from desktop_rater.ui.rating.rating_saver import RatingSaver, UnsavedRating
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import ItemKey, place_at
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated
from desktop_rater.ui.widgets.layouts import FocusSplitter, NamedGroup, horizontal_line, tight_column, tight_row
from desktop_rater.ui.window.file_dialogs import open_in_browser
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.window_place import PaneSizes

ONE_PANE, TWO_PANES, LOW, FLAT, PAIR_WIDE = 900, 1400, 800, 640, 1000
FORM, NARROW_FORM, PAGE_SHARE = 500, 420, 0.52
AT_TEXT, AT_PAGE, AT_FORM = range(3)


class OwnRatingPanes(FocusSplitter):
    """A page replaces the text where three panes do not fit. The form of a pair goes below the text."""

    def __init__(self, text: TaskTextPane, page: PreviewPane, form: FormPane, pair: PairArrangement) -> None:
        super().__init__("own_panes", (pair.heights, page, form), one_pane_width=ONE_PANE, visible=AT_FORM)
        self._texts, self._text, self._page, self._form, self._pair = pair.heights, text, page, form, pair
        self.splitter.setStretchFactor(AT_TEXT, 1)
        page.opened.connect(lambda: self._show_pane(AT_PAGE))
        page.closed.connect(lambda: self._show_pane(AT_FORM))
        theme.follow(self, self.arrange)

    @property
    def _paired(self) -> bool:
        """Return whether the form of a pair is below the text."""
        return self._pair.is_wanted and self.width() >= theme.px(PAIR_WIDE) and not self._page.is_open

    def arrange(self) -> None:
        """Distribute the available width again."""
        if self.width() < 100:
            return
        paired, height = self._paired, self.window().height()
        self._put_form(beneath=paired)
        one_alone = self._pair.is_wanted and not paired
        low = height < theme.px(LOW)
        self._text.fold(low=low, strip=height >= theme.px(FLAT), one_alone=one_alone, paired=paired)
        self._pair.arrange(on=paired)
        self._form.fold(low=low)
        super().arrange()

    def _put_form(self, *, beneath: bool) -> None:
        if beneath is (self._form.parentWidget() is self._texts):
            return
        if beneath:
            self._texts.hold(self._form)
        else:
            self.splitter.addWidget(self._form)
        self._form.show()

    def _widths(self) -> list[int]:
        if self._paired:
            return [self.width(), 0]
        is_wide = self.width() >= theme.px(TWO_PANES)
        form = theme.px(FORM if is_wide else NARROW_FORM)
        rest = self.width() - form
        if is_wide:
            page = round(rest * PAGE_SHARE) if self._page.is_open else 0
        else:  # the page shares the place of the text
            page = rest if self._page.is_open and self._visible == AT_PAGE else 0
        return [rest - page, page, form]

    def switch_text_and_page(self) -> None:
        """Move the focus from the page to the text, or back."""
        if not self._page.is_open:
            return
        if self._page.has_focus:
            self._show_pane(AT_TEXT)
            next((pane.view for pane in self._text.panes), self._text).setFocus()
        else:
            self._show_pane(AT_PAGE)
            self._page.focus_page()

    def _pane_focused(self, index: int) -> None:
        shares_place = self.width() < theme.px(TWO_PANES) and self._page.is_open and index != AT_FORM
        if index != self._visible and (self.one_pane or shares_place):
            self._show_pane(index)


UNAVAILABLE = {"skip", "note", "pause"}


class OwnRatingForm(NamedGroup):
    """The parts of the rating screen with a session of their own. Answers are stored as they are given."""

    kept = Signal(str)  # task: done, and no problem blocks (in a blind rating, none at the requested place)
    left = Signal()
    changed = Signal()  # opened or closed

    def __init__(self, around: ScreenContext, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="own_answer")
        self.setAccessibleName(self.tr("Your own rating"))
        theme.set_ground(self, "surface")
        self._around = around
        self._opened: dict[str, tuple[AuditedTask, bool]] = {}  # task → the task it was opened with, and blind or not
        self._audited: AuditedTask | None = None
        self._blind = False
        self._stop = TASK_PLACE
        self._last = Rating(task="")
        self.saver = RatingSaver(around.perform, self._store, around.now, self)
        self.session = Session(self.saver, ActiveTime(time.monotonic), self)
        self.session.drafts = around.session.drafts
        self.browsing = PageBrowser(around.perform, self.session, around.web, around.now, self)
        sizes = PaneSizes(self)
        self.text_pane = TaskTextPane(self.session, sizes)
        self.preview = PreviewPane(self.session, self.browsing, around.window.make_live)
        self.form_pane = FormPane(self.session, alone=True)
        self._panes = OwnRatingPanes(
            self.text_pane,
            self.preview,
            self.form_pane,
            PairArrangement(self.session, self.text_pane, self.form_pane, sizes),
        )
        tight_column(self, self._make_head(), horizontal_line(), (self._panes, 1), spacing=0)
        self.answering = AnswerCommands(self, self.session)
        self.rating_commands = RatingCommands(self, self.session)
        self.page_commands = PreviewCommands(self, self.session, self.browsing, open_url=open_in_browser)
        self.taking = PassageCommands(self, self.session, self.browsing)
        self.text_pane.page_wanted.connect(self.browsing.open)
        self.text_pane.link_wanted.connect(self.page_commands.open_next_link)
        evidence = self.form_pane.form.evidence
        evidence.page_wanted.connect(self.taking.open_evidence)
        evidence.reasons.asking.connect(partial(self.taking.give_digits, evidence.reasons))
        self._connect()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "info_back")
        self.words = ElidedLabel(name="own_words")
        self._done_button = KeyButton(
            self.tr("Done"), "Ctrl Shift Enter", primary=True, name="own_done", clicked=lambda _on=False: self.finish()
        )
        self._leave_button = KeyButton(self.tr("Close"), "Esc", name="own_leave", clicked=lambda _on=False: self.shut())
        row = tight_row(head, (self.words, 1), self._done_button, self._leave_button, spacing=8)
        theme.pad(row, 16, 6, 12, 6)
        return head

    def _connect(self) -> None:
        self.form_pane.go_on_wanted.connect(self.go_on)
        self.saver.not_saved.connect(lambda error: self.form_pane.banners.show_error(error, "own"))
        self.saver.saved.connect(lambda _when: self.form_pane.banners.drop("own"))
        for signal in (self.session.opened, self.session.rating_changed):
            signal.connect(self._update_actions)

    # -- the task

    @property
    def is_open(self) -> bool:
        """Return whether a task is being rated here."""
        return self._audited is not None

    @property
    def rating(self) -> Rating:
        """The lead's own rating in its present or last state."""
        return self.session.rating if self.is_open else self._last

    def open(self, audited: AuditedTask, start_from: str | None, *, blind: bool = False, where: str = "") -> None:
        """Rate a task, starting from the lead's own rating if there is one, else from that rater's, else empty."""
        self._audited, self._blind = audited, blind
        self._opened[audited.id] = audited, blind
        place = place_at(audited.task, where) if where else None
        self.words.setText(self._head_text(audited, start_from))
        self.rating_commands.show_guidelines(audited.guidelines, audited.pictures)
        self.session.open(
            audited.bundle, audited.task, self._initial_rating(audited, start_from), audited.rubric, at=place
        )
        self._stop = task_stops.stop_of(self.session.place)
        self._panes.arrange()
        self.changed.emit()
        self.form_pane.form.setFocus()

    def _initial_rating(self, audited: AuditedTask, start_from: str | None) -> Rating:
        """Return the rating to start from; time and note of another rater are not copied."""
        stored = self.saver.newest(audited.bundle, audited.id) or (audited.own.rating if audited.own else None)
        of = audited.of(start_from) if start_from is not None and stored is None else None
        rating = of.rating if of is not None else stored or Rating(task=audited.id)
        if stored is None:
            rating = replace(rating, time=TimeSpent(), note="", status="incomplete")
        return replace(rating, rater=self._lead_name, rubric=audited.rubric.ref)

    def _head_text(self, audited: AuditedTask, start_from: str | None) -> str:
        if self._blind:
            return self.tr("Answer first. The raters’ answers are shown when you are done.")
        if start_from is None or audited.own is not None:
            return self.tr("Your own rating of {task}.").format(task=isolated(audited.id[:80]))
        text = self.tr("Your correction, based on the rating by {rater}. The same rules apply.")
        return text.format(rater=isolated(start_from[:80]))

    @property
    def _lead_name(self) -> str:
        return self._around.preferences.now.rater or self._around.lead

    def _store(  # called by `Saver` on the store's queue
        self,
        store: Store,
        _rubric: Rubric,
        _bundle: str,
        task: Task,
        rating: Rating,
        *,
        done: str,
        now: Callable[[], datetime],
        checked: CheckOutcome,
    ) -> ReviewChange:
        del done, checked
        audited, blind = self._opened[task.id]
        return save_own_rating(store, audited, rating, Lead(self._lead_name, now), blind=blind)

    # -- keys

    def form_actions(self) -> Mapping[str, Callable[[], object]]:
        """Return the commands that are available while it is open."""
        parts = (self.answering, self.rating_commands, self.page_commands, self.taking)
        actions = {name: do for part in parts for name, do in part.actions().items() if name not in UNAVAILABLE}
        own = {"go_on": self.go_on, "finish": self.finish, "leave": self.leave_part}
        return {name: partial(self._run, do) for name, do in {**actions, **own}.items()}

    def _run(self, do: Callable[[], object]) -> None:
        self.session.active_time.touch()
        do()

    def take_key(self, key: str) -> bool:
        """Handle a key of the rubric or of evidence."""
        return self.taking.take_key(key) or self.answering.take_key(key)

    def panes(self) -> tuple[QWidget, ...]:
        """Return the panes that F6 cycles through."""
        form = self.form_pane.form
        texts = tuple(pane.view for pane in self.text_pane.panes)
        return (*(form.blocks or (form,)), *texts, self.preview, self.form_pane.problems.list)

    def switch_text_and_page(self) -> None:
        """Move the focus between the text and the page."""
        self._panes.switch_text_and_page()

    def go_on(self) -> None:
        """Enter: go to the next open question, or finish where all is answered at the requested place."""
        if self.answering.confirm_skip():
            return
        self.answering.leave_field()
        session = self.session
        here = task_stops.stop_of(session.place) == self._stop
        if (
            session.task is not None
            and here
            and self._stop not in task_stops.blocked_stops(session.outcome)
            and not self._open_here
        ):
            self.finish()
        else:
            session.go_on()
            self.form_pane.form.write_open_text()

    @property
    def _open_here(self) -> bool:
        return any(question.open for question in self.session.form_questions)

    def finish(self) -> None:
        """Finish, unless a problem blocks."""
        session = self.session
        self.answering.leave_field()
        session.pause_typing()
        if session.state is None or session.task is None:
            return
        blocked = task_stops.blocked_stops(session.outcome)
        if (self._stop in blocked) if self._blind else bool(blocked):
            session.refused.emit()
            return
        task = session.task.id
        if self.saver.newest(session.bundle, task) is None:  # the lead accepts it unchanged
            self.saver.submit(UnsavedRating(session.state, ("finish",)))
        self.saver.when_settled(lambda saved: self._stored(task, saved=saved))

    def _stored(self, task: str, *, saved: bool) -> None:
        if saved and self._audited is not None and self._audited.id == task:
            self._close()
            self.kept.emit(task)

    @property
    def page_has_focus(self) -> bool:
        return self.preview.has_focus

    def leave_part(self) -> None:
        """Esc: leave the field, then the page, then the rating."""
        if not self.taking.leave() and not self.answering.leave() and not self.page_commands.leave():
            self.shut()

    def shut(self) -> None:
        """Close the rating; the answers so far are stored, and it can be continued."""
        if self.is_open:
            self.session.pause_typing()
            self._close()
            self.left.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_actions()  # another page of the screen may have changed it
        self.session.active_time.set_window_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the clock: time counts only while the rating is shown."""
        super().hideEvent(event)
        self.session.active_time.set_window_active(False)

    def _close(self) -> None:
        self._last = self.session.rating
        self._audited = None
        self.session.close()
        self.changed.emit()

    def _update_actions(self) -> None:
        enable = self._around.screens.enable
        if self.is_open:
            enable("review", "undo", self.session.can_undo)
            enable("review", "redo", self.session.can_redo)


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
