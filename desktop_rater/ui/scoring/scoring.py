"""Scoring justifications, a part of the report room: reads, keeps each word at once, and says what the keys do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import spelling
from desktop_rater.ui.scoring.by_model import ByModel
from desktop_rater.ui.scoring.keeping import Keeping
from desktop_rater.ui.scoring.page import ScoringPage
from desktop_rater.ui.scoring.sheet import Sheet
from desktop_rater.ui.scoring.steps import Steps
from desktop_rater.work.justification_texts import NoGold
from desktop_rater.work.review import Lead

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.rooms import Around
    from desktop_rater.ui.scoring.sheet import Step
    from desktop_rater.work.score_by_hand import HandDesk, HandScores

MODE = "scoring"
SLOW_MS = 300
KEYS = {"A": "agree", "D": "disagree"}  # S is an action's: a rubric may not use it


class Scoring(QObject):
    """`changed`: title, words or keys are others; `left`: back to the report."""

    changed = Signal()
    left = Signal()

    def __init__(self, around: Around, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around = around
        self._fresh = False  # whether something was answered since it was scored
        self.page = ScoringPage(around.window.sizes)
        self.keeping = Keeping(around.perform, self._lead, self)
        self.steps = Steps(self.page, self.keeping, self)
        self.model = ByModel(self.page, around.perform, lambda: around.preferences.now, self._lead, self)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(lambda: self.page.waiting.setText(self.tr("Reading what the raters wrote")))
        self._wire()

    def _wire(self) -> None:
        page, audited = self.page, self._around.audited
        audited.opening.connect(self._close)
        audited.loaded.connect(self.keeping.read)
        self.keeping.came.connect(self._take)
        self.keeping.not_read.connect(self._not_read)
        self.keeping.refused.connect(self._not_kept)
        page.question_wanted.connect(self._ask)
        page.trust_wanted.connect(self.keeping.trust)
        page.back.clicked.connect(self.leave)
        page.scores_link.clicked.connect(self.score)
        page.model_link.clicked.connect(self.open_model)
        page.points.left.connect(self._take_focus)
        self.steps.moved.connect(self.show)
        self.steps.stepped.connect(self._stepped)
        page.scores.left.connect(self._show_texts)
        page.model.left.connect(self._show_texts)
        page.stack.currentChanged.connect(lambda _at: self.changed.emit())
        self.model.changed.connect(self.changed)
        self.model.scored.connect(self._scored_by_model)

    @property
    def sheet(self) -> Sheet | None:
        """Where the lead stands, and what was said; `None` while nothing is there to be scored."""
        return self.steps.sheet

    def _lead(self) -> Lead:
        around = self._around
        return Lead(around.preferences.now.rater or around.lead, around.now)

    # -- opening, and reading anew

    def open(self) -> None:
        """Score the bundle that is looked at."""
        audited = self._around.audited
        if not audited.bundle:
            return
        self.keeping.bundle = audited.bundle
        self.page.offer_model(self.model.run.is_set)
        self.page.banners.drop("refused")
        if self.sheet is None:
            self.page.waiting.setText("")
            self.page.stack.setCurrentWidget(self.page.waiting)
            self._slow.start()
        self.keeping.read()

    def _close(self) -> None:
        """Another bundle is looked at."""
        self.model.close()
        self.steps.sheet = None
        self.keeping.forget()
        self.left.emit()

    def _take(self, desk: HandDesk) -> None:
        self._slow.stop()
        first = self.sheet is None
        sheet = Sheet(desk)
        if self.sheet is not None:
            sheet.take_place_of(self.sheet)
        self.steps.sheet = sheet
        audit = self._around.audited.audit
        self.page.show_raters(audit.raters if audit is not None else (), desk.trusted)
        if first or self.page.stack.currentWidget() in {self.page.waiting, self.page.nothing}:
            self._show_texts()
        else:
            self.show()

    def _not_read(self, error: Exception) -> None:
        self._slow.stop()
        self.steps.sheet = None
        audit = self._around.audited.audit
        self.page.show_raters(audit.raters if audit is not None else (), ())
        if isinstance(error, NoGold):
            self.page.far.setText("")
            self.page.scores_link.setEnabled(False)
            self.page.stack.setCurrentWidget(self.page.nothing)
            self.page.questions.hide()
            self.page.trusted.setFocus()
        elif isinstance(error, RaterError):
            self.page.banners.trouble(error, "refused")
        self.changed.emit()

    # -- showing

    def show(self) -> None:
        """Show where the lead stands."""
        sheet = self.sheet
        if sheet is None:
            return
        self.page.show_sheet(sheet)
        audit = self._around.audited.audit
        if audit is not None:
            self.keeping.read_place(sheet, audit, lambda words: self.page.text.show_context(words, sheet.text.places))
        enable = self._around.rooms.enable
        enable("report", "undo", sheet.can_undo)
        enable("report", "redo", sheet.can_redo)
        enable("report", "scoring_scores", sheet.is_enough)
        self.changed.emit()

    def _show_texts(self) -> None:
        if self.sheet is None:
            return
        self.page.stack.setCurrentWidget(self.page.sides)
        self.show()
        self._take_focus()

    def _take_focus(self) -> None:
        """To the points, where there are some; else to the text of which they are taken."""
        page = self.page
        if page.isVisible() and page.stack.currentWidget() is page.sides:
            there = self.sheet is not None and bool(self.sheet.points) and not page.sides.one_pane
            (page.points.list if there else page.text.text).setFocus(Qt.FocusReason.OtherFocusReason)

    # -- commands

    def _stepped(self, step: Step) -> None:
        """What was said last may be the last that was open."""
        self._fresh = True
        if step.text is not None and self.sheet is not None and self.sheet.is_whole:
            self.score()

    def _not_kept(self, error: Exception) -> None:
        """Show what the store holds again: what is shown is what is kept."""
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self.page.banners.trouble(error, "refused")
        self.keeping.read()

    def _go_on(self) -> None:
        page, focus = self.page, QApplication.focusWidget()
        if page.stack.currentWidget() is page.model:
            page.model.confirm()
        elif page.points.is_writing:
            page.points.confirm()
        elif isinstance(focus, QAbstractButton) and page.isAncestorOf(focus):
            focus.click()
        elif page.stack.currentWidget() is page.scores:
            self._show_texts()
        else:
            self.steps.move(lambda sheet: sheet.go_on())

    def _ask(self, cluster: str) -> None:
        self.steps.move(lambda sheet: sheet.open(cluster))
        self._take_focus()

    # -- scores

    def score(self) -> None:
        """Score what is answered, keep it for the report, and show it."""
        if self.sheet is None or not self.sheet.is_enough:
            return

        def done(found: HandScores) -> None:
            self.page.scores.show_scores(found.scores, "")
            self.page.stack.setCurrentWidget(self.page.scores)
            self.page.scores.setFocus()

        self._fresh = False
        self.keeping.score(done)

    def leave(self) -> None:
        """One step back: out of the field, to the texts, at last to the report."""
        page = self.page
        if page.points.is_writing:
            page.points.shut()
        elif page.stack.currentWidget() in {page.scores, page.model} and self.sheet is not None:
            self._show_texts()
        else:
            self._leave_for_report()

    def _leave_for_report(self) -> None:
        """The report's column follows what was answered here, unless a model's scores stand in it."""
        sheet = self.sheet
        by_hand = sheet is not None and sheet.desk.last in {"", "hand"}
        if self._fresh and by_hand and sheet is not None and sheet.is_enough:
            self._fresh = False
            self.keeping.score()
        self._slow.stop()
        self.left.emit()

    def open_model(self) -> None:
        """What a run of the language model would cost, or how far it is."""
        if self.sheet is not None and self.model.run.is_set:
            self.model.open(self.keeping.bundle)

    def _scored_by_model(self) -> None:
        self._fresh = False

    # -- as the room asks

    @property
    def words(self) -> str:
        """How far all questions are, for the status line."""
        sheet = self.sheet
        if sheet is None:
            return ""
        done = sum(sheet.is_done(one, text) for one in sheet.desk.clusters for text in one.texts)
        total = sum(len(one.texts) for one in sheet.desk.clusters)
        one = self.tr("{done} of 1 text answered; each answer is kept at once")
        said = one if total == 1 else self.tr("{done} of {total} texts answered; each answer is kept at once")
        words = said.format(done=spelling.number(done), total=spelling.number(total))
        asked = self.tr("the model is asked")
        return f"{words} · {asked}" if self.model.run.is_running else words

    def does(self) -> Mapping[str, Callable[[], object]]:
        page = self.page
        stack, leaving = page.stack.currentWidget(), {"leave": self.leave, "scoring_trust": page.trusted.open}
        if stack is page.model:
            cancel = {"scoring_remove": self.model.run.cancel} if self.model.run.is_running else {}
            return {"leave": self.leave, "scoring_go_on": self._go_on, **cancel}
        if stack is page.scores:
            return {"leave": self.leave, "scoring_go_on": self._go_on}
        if stack is not page.sides:
            return leaving
        of_texts = {
            "scoring_go_on": self._go_on,
            "scoring_question": page.questions.open,
            "scoring_scores": self.score,
        }
        model = {"scoring_model": self.open_model} if self.model.run.is_set else {}
        return {**leaving, **self.steps.does(), **of_texts, **model}

    def take_key(self, key: str) -> bool:
        """A and D answer; digits choose in the question whose points the model is asked about."""
        page = self.page
        if page.stack.currentWidget() is page.model:
            return page.model.take_key(key)
        if key in KEYS and page.stack.currentWidget() is page.sides:
            self.steps.answer(KEYS[key])
            return True
        return False

    def panes(self) -> tuple[QWidget, ...]:
        page = self.page
        stack = page.stack.currentWidget()
        if stack is page.sides:
            return (page.points.list, page.text.text) if self.sheet and self.sheet.points else (page.text.text,)
        return (stack,) if stack is not None else (page,)
