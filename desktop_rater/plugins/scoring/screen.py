"""Scoring of justifications, a part of the report screen: reads, stores each answer at once, runs the commands."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from desktop_rater.audit.results import Audit
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.review import Lead
from desktop_rater.plugins.scoring.actions import GRADING, SCORING, TEXTS
from desktop_rater.plugins.scoring.justifications import JustificationScores, NoGoldTexts
from desktop_rater.plugins.scoring.manual_scoring import (
    GoldChoice,
    ManualScores,
    ManualScoring,
    load_manual_scoring,
    place_text,
    save_answers,
    save_gold_choice,
    save_points,
    score_by_hand,
)
from desktop_rater.plugins.scoring.model_page import ModelRun, ModelRunOffer
from desktop_rater.plugins.scoring.sheet import ScoringSheet, SheetStep
from desktop_rater.plugins.scoring.text_pane import ScoringPage
from desktop_rater.plugins.scoring.validation_screen import GradingPage, ValidationPage
from desktop_rater.settings import Settings
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.callbacks import DelayedCall, LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REPORT


class ModelScoring(QObject):
    """Connects the model run with its page. `scored`: the model's scores are now those of the report."""

    changed = Signal()
    scored = Signal()

    def __init__(
        self,
        page: ScoringPage,
        perform: WorkRunner,
        settings: Callable[[], Settings],
        lead: Callable[[], Lead],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._offer: ModelRunOffer | None = None
        self._bundle = ""
        self.run = ModelRun(perform, settings, lead, self)
        page.model.agreed.connect(self._start)
        page.model.cancelled.connect(self.run.cancel)
        self.run.offered.connect(self._offered)
        self.run.progressed.connect(page.model.show_run)
        self.run.ended.connect(self._ended)
        self.run.scored.connect(self._scored)
        self.run.failed.connect(self._failed)

    def open(self, bundle: str) -> None:
        """Show what a run would cost, or the progress of a run."""
        self._bundle = bundle
        if not self.run.is_running:
            self._page.model.show_waiting()
            self.run.ask_cost(bundle)
        self._page.stack.setCurrentWidget(self._page.model)
        self._page.model.take_focus()

    def close(self) -> None:
        """Cancel the run: another bundle is opened."""
        self.run.cancel()
        self._offer, self._bundle = None, ""

    @property
    def is_shown(self) -> bool:
        return self._page.stack.currentWidget() is self._page.model

    def _offered(self, offer: ModelRunOffer) -> None:
        if offer.bundle == self._bundle:
            self._offer = offer
            self._page.model.show_offer(offer)
            if self.is_shown and self._page.isVisible():
                self._page.model.take_focus()

    def _start(self, own_points: bool) -> None:
        if self._offer is not None:
            self._page.banners.drop("model")
            self._page.model.show_run(0, 0)
            self.run.start(self._offer, own_points=own_points)
            self._page.model.take_focus()
            self.changed.emit()

    def _ended(self) -> None:
        """Estimate the cost again: less is left to ask."""
        self._offer = None
        self._page.model.show_ended()
        if self.is_shown and self._bundle:
            self.run.ask_cost(self._bundle)
        self.changed.emit()

    def _scored(self, scores: JustificationScores, model: str) -> None:
        self._page.scores.show_scores(scores, model)
        if self.is_shown:
            self._page.stack.setCurrentWidget(self._page.scores)
            if self._page.isVisible():
                self._page.scores.setFocus()
        self.scored.emit()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self._page.banners.show_error(error, "model")


class ScoringStorage(QObject):
    """Storage of one bundle's hand scoring. Of several readings the last one counts."""

    loaded = Signal(object)  # HandDesk
    load_failed = Signal(object)
    store_failed = Signal(object)

    def __init__(self, perform: WorkRunner, lead: Callable[[], Lead], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._lead = lead
        self._latest = LatestRequest()
        self._place: tuple[str, str] | None = None
        self.bundle = ""

    def read(self) -> None:
        if not self.bundle:
            return
        self._latest.replace()
        done, failed = self._latest.only(self.loaded.emit), self._latest.only(self.load_failed.emit)
        self._perform.ask(load_manual_scoring, self.bundle, done=done, failed=failed)

    def forget(self) -> None:
        """Drop the bundle: another one is opened, and callbacks for this one are ignored."""
        self._latest.replace()
        self.bundle, self._place = "", None

    def read_place(self, sheet: ScoringSheet, audit: Audit, show: Callable[[str], None]) -> None:
        """Load the quote that the current text is about, where the place has changed."""
        place = sheet.text.task, sheet.text.where
        if place == self._place:
            return
        self._place = place
        show("")
        self._perform.ask(
            place_text,
            audit,
            *place,
            sheet.desk.language,
            done=lambda text: show(text) if place == self._place else None,
        )

    def store(self, step: SheetStep) -> None:
        after, lead, failed = step.after, self._lead(), self.store_failed.emit
        if isinstance(after, tuple):
            self._perform.perform(save_points, self.bundle, step.cluster, after, lead, failed=failed)
        else:
            self._perform.perform(save_answers, self.bundle, step.cluster, step.text, after, lead, failed=failed)

    def choose_gold(self, choice: GoldChoice) -> None:
        """Store whose texts also count as gold and the scope of points, and reload."""
        self._perform.perform(
            *(save_gold_choice, self.bundle, choice, self._lead()),
            done=lambda _done: self.read(),
            failed=self.store_failed.emit,
        )

    def score(self, on_done: Callable[[ManualScores], None] | None = None) -> None:
        """Score the answers, and store the scores for the report."""
        self._perform.perform(score_by_hand, self.bundle, self._lead(), done=on_done, failed=self.store_failed.emit)


ANSWERS: dict[str, PointOpinion] = {"agree": 1, "disagree": 0, "silent": None}


class SheetCommands(QObject):
    """Commands on the current sheet, if any. `moved`: the position may have changed; `stepped`: data changed."""

    moved = Signal()
    stepped = Signal(object)  # Step

    def __init__(self, page: ScoringPage, storage: ScoringStorage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._storage = storage
        self.sheet: ScoringSheet | None = None
        page.points.chosen.connect(lambda index: self.move(lambda sheet: sheet.move_point(index)))
        page.points.written.connect(self._written)
        page.points.topic_wanted.connect(lambda topic: self._step(lambda sheet: sheet.move(topic)))
        page.points.remove_link.clicked.connect(self._remove)
        page.text.answer_chosen.connect(self.answer)
        page.text.take_link.clicked.connect(self.take_sentence)
        page.text.stepped.connect(self._move_text)

    def _step(self, command: Callable[[ScoringSheet], SheetStep | None]) -> None:
        """Apply a command to the sheet, store the step at once, and show it."""
        sheet = self.sheet
        if sheet is None or self._page.stack.currentWidget() is not self._page.split:
            return
        step = command(sheet)
        if step is not None:
            self._storage.store(step)
        self.moved.emit()
        if step is not None:
            self.stepped.emit(step)

    def answer(self, name: str) -> None:
        self._step(lambda sheet: sheet.answer(ANSWERS[name]))

    def take_sentence(self) -> None:
        """Make the marked sentence of a gold text a point, and mark the next one."""
        sentence = self._page.text.sentence
        if sentence:
            self._step(lambda sheet: sheet.add(sentence, (sentence,), _default_topic()))
            self._page.text.step_sentence(1)

    def _written(self, kind: str, text: str) -> None:
        if kind == "point":
            self._step(lambda sheet: sheet.add(text, (), _default_topic()))
        elif kind == "topic":
            self._step(lambda sheet: sheet.move(text))
        else:
            self._step(lambda sheet: sheet.reword(text))

    def _remove(self) -> None:
        self._step(lambda sheet: sheet.remove())

    def move(self, move: Callable[[ScoringSheet], Any]) -> None:
        if self.sheet is not None:
            move(self.sheet)
            self.moved.emit()

    def _move_text(self, by: int) -> None:
        self.move(lambda sheet: sheet.move_text(by))

    def actions(self) -> dict[str, Callable[[], object]]:
        """Return the commands that are available while the texts are shown."""
        points = self._page.points
        return {
            **{f"scoring_{says}": partial(self.answer, says) for says in ANSWERS},
            "scoring_clear": lambda: self._step(lambda sheet: sheet.clear()),
            "scoring_take": self.take_sentence,
            "scoring_write": lambda: points.write("point"),
            "scoring_reword": lambda: points.write("reword"),
            "scoring_move": points.open_topics,
            "scoring_remove": self._remove,
            "scoring_next": lambda: self._move_text(1),
            "scoring_previous": lambda: self._move_text(-1),
            "scoring_next_open": lambda: self.move(lambda sheet: sheet.next_open()),
            "undo": lambda: self._step(lambda sheet: sheet.undo()),
            "redo": lambda: self._step(lambda sheet: sheet.redo()),
        }


def _default_topic() -> str:
    """Return the topic of a first point."""
    return QCoreApplication.translate("Scoring", "General")


SLOW_MS = 300
ANSWER_KEYS = {"A": "agree", "D": "disagree"}  # S belongs to an action, and no rubric may use it


class ScoringScreen(QObject):
    """Texts, points, grades and figures of a bundle, as a `ReportPart`."""

    offers_parts = False
    changed = Signal()
    open_wanted = Signal(str, str, str)
    part_wanted = Signal(str)

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._has_new_answers = False  # answers changed since the last scoring
        self.page = ScoringPage(context.window.sizes)
        self.grading = GradingPage(context.perform, self._lead)
        self.validation = ValidationPage(context)
        self._next: Callable[[], None] | None = None  # opens a page once the texts are loaded
        self.storage = ScoringStorage(context.perform, self._lead, self)
        self.commands = SheetCommands(self.page, self.storage, self)
        self.model = ModelScoring(self.page, context.perform, lambda: context.preferences.now, self._lead, self)
        self._slow = DelayedCall(self, SLOW_MS, lambda: self.page.waiting.setText(self.tr("Loading the raters’ texts")))
        self._connect()

    def _connect(self) -> None:
        page, audited = self.page, self._context.audited
        audited.opening.connect(self._close)
        audited.loaded.connect(self.storage.read)
        self.storage.loaded.connect(self._desk_loaded)
        self.storage.load_failed.connect(self._read_failed)
        self.storage.store_failed.connect(self._store_failed)
        page.question_wanted.connect(self._open_question)
        page.gold_wanted.connect(self.storage.choose_gold)
        page.grade_link.clicked.connect(self.open_grades)
        page.compare_link.clicked.connect(self.open_validation)
        for part in (self.grading, self.validation):
            page.stack.addWidget(part)
            part.left.connect(self._show_texts)
            part.changed.connect(self.changed)
        self.grading.compare_wanted.connect(self.open_validation)
        self.validation.grade_wanted.connect(self.open_grades)
        self.validation.open_wanted.connect(lambda task, where: self.open_wanted.emit(task, where, ""))
        self.validation.part_wanted.connect(self._leave_for_part)
        page.back.clicked.connect(self.leave)
        page.scores_link.clicked.connect(self.score)
        page.model_link.clicked.connect(self.open_model)
        page.points.left.connect(self._take_focus)
        self.commands.moved.connect(self.show)
        self.commands.stepped.connect(self._stepped)
        page.scores.left.connect(self._show_texts)
        page.model.left.connect(self._show_texts)
        page.stack.currentChanged.connect(lambda _at: self.changed.emit())
        self.model.changed.connect(self.changed)
        self.model.scored.connect(self._scored_by_model)

    @property
    def sheet(self) -> ScoringSheet | None:
        """Position and answers of the lead; `None` while there is nothing to score."""
        return self.commands.sheet

    def _lead(self) -> Lead:
        context = self._context
        return Lead(context.preferences.now.rater or context.lead, context.now)

    # -- opening and reloading

    def open(self, page: str) -> None:
        """Load the texts, and open them, the grades, or the figures."""
        self._next = {TEXTS: None, GRADING: self.open_grades}.get(page, self.open_validation)
        audited = self._context.audited
        if not audited.bundle:
            return
        self.storage.bundle = audited.bundle
        self.page.offer_model(self.model.run.is_set)
        self.page.banners.drop("refused")
        if self.sheet is None:
            self.page.waiting.setText("")
            self.page.stack.setCurrentWidget(self.page.waiting)
            self._slow.start()
        self.storage.read()

    def _close(self) -> None:
        """Close: another bundle is opened."""
        self.model.close()
        self.commands.sheet = None
        self.storage.forget()
        self.part_wanted.emit("")

    def _desk_loaded(self, desk: ManualScoring) -> None:
        self._slow.stop()
        first = self.sheet is None
        sheet = ScoringSheet(desk)
        if self.sheet is not None:
            sheet.restore_position(self.sheet)
        self.commands.sheet = sheet
        audit = self._context.audited.audit
        self.page.show_raters(audit.raters if audit is not None else (), desk.trusted, desk.by)
        if first or self.page.stack.currentWidget() in {self.page.waiting, self.page.nothing}:
            self._show_texts()
        else:
            self.show()
        if self._next is not None:
            self._next()
            self._next = None

    def _read_failed(self, error: Exception) -> None:
        self._slow.stop()
        self.commands.sheet = None
        audit = self._context.audited.audit
        self.page.show_raters(audit.raters if audit is not None else (), ())
        if isinstance(error, NoGoldTexts):
            self.page.progress_label.setText("")
            self.page.scores_link.setEnabled(False)
            self.page.stack.setCurrentWidget(self.page.nothing)
            self.page.questions.hide()
            self.page.trusted.setFocus()
        elif isinstance(error, RaterError):
            self.page.banners.show_error(error, "refused")
        self.changed.emit()

    # -- content

    def show(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        self.page.show_sheet(sheet)
        audit = self._context.audited.audit
        if audit is not None:
            self.storage.read_place(sheet, audit, lambda text: self.page.text.show_context(text, sheet.text.places))
        enable = self._context.screens.enable
        enable("report", "undo", sheet.can_undo)
        enable("report", "redo", sheet.can_redo)
        enable("report", "scoring_scores", sheet.is_enough)
        self.changed.emit()

    def _show_texts(self) -> None:
        if self.sheet is None:
            return
        self.page.stack.setCurrentWidget(self.page.split)
        self.show()
        self._take_focus()

    def _take_focus(self) -> None:
        """Focus the points if there are any, else the text they are taken from."""
        page = self.page
        if page.isVisible() and page.stack.currentWidget() is page.split:
            to_points = self.sheet is not None and bool(self.sheet.points) and not page.split.one_pane
            (page.points.list if to_points else page.text.text).setFocus(Qt.FocusReason.OtherFocusReason)

    # -- commands

    def _stepped(self, step: SheetStep) -> None:
        """Show the scores once the last open answer is given."""
        self._has_new_answers = True
        if step.text is not None and self.sheet is not None and self.sheet.is_whole:
            self.score()

    def _store_failed(self, error: Exception) -> None:
        """Reload, so that the page shows what is stored."""
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self.page.banners.show_error(error, "refused")
        self.storage.read()

    def _confirm(self) -> None:
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
            self.commands.move(lambda sheet: sheet.go_on())

    def _open_question(self, cluster: str) -> None:
        self.commands.move(lambda sheet: sheet.open(cluster))
        self._take_focus()

    # -- scores

    def score(self) -> None:
        """Score the answers, store the scores for the report, and show them."""
        if self.sheet is None or not self.sheet.is_enough:
            return

        def done(result: ManualScores) -> None:
            self.page.scores.show_scores(result.scores, "")
            if self._part is None:  # the lead has gone on to grades or figures
                self.page.stack.setCurrentWidget(self.page.scores)
                self.page.scores.setFocus()

        self._has_new_answers = False
        self.storage.score(done)

    def leave(self) -> None:
        """Go back one step: out of the field, to the texts, to the report."""
        page = self.page
        if page.points.is_writing:
            page.points.close_field()
        elif page.stack.currentWidget() not in {page.split, page.nothing, page.waiting} and self.sheet is not None:
            self._show_texts()
        else:
            self._leave_for_report()

    def _leave_for_part(self, part: str) -> None:
        self._leave_for_report()
        self.part_wanted.emit(part)

    def _leave_for_report(self) -> None:
        """Update the report's scores with new answers, unless those of a model are shown there."""
        sheet = self.sheet
        by_hand = sheet is not None and sheet.desk.last in {"", "hand"}
        if self._has_new_answers and by_hand and sheet is not None and sheet.is_enough:
            self._has_new_answers = False
            self.storage.score()
        self._slow.stop()
        self.part_wanted.emit("")

    def open_grades(self) -> None:
        """Show the texts to grade, without scores and authors."""
        if self.sheet is not None:
            self.page.stack.setCurrentWidget(self.grading)
            self.grading.open(self.storage.bundle)

    def open_validation(self) -> None:
        """Show how well the scores follow the lead's grades."""
        if self.sheet is not None:
            self.page.stack.setCurrentWidget(self.validation)
            self.validation.open()

    def open_model(self) -> None:
        """Show what a run of the language model would cost, or the progress of a run."""
        if self.sheet is not None and self.model.run.is_set:
            self.model.open(self.storage.bundle)

    def _scored_by_model(self) -> None:
        self._has_new_answers = False

    # -- the interface of a part

    @property
    def mode(self) -> str:
        """The screen whose keys apply: the page with figures has those of the report."""
        return REPORT if self.page.stack.currentWidget() is self.validation else SCORING

    @property
    def title(self) -> str:
        audit = self._context.audited.audit
        title = QCoreApplication.translate("Report", "{title}: justifications")
        return "" if audit is None else title.format(title=audit.title)

    @property
    def status_text(self) -> str:
        """The progress over all questions, for the status line."""
        part = self._part
        if part is not None:
            return part.status_text
        sheet = self.sheet
        if sheet is None:
            return ""
        answered = sum(sheet.is_done(cluster, text) for cluster in sheet.desk.clusters for text in cluster.texts)
        total = sum(len(cluster.texts) for cluster in sheet.desk.clusters)
        singular = self.tr("{done} of 1 text answered; answers are saved automatically")
        template = (
            singular if total == 1 else self.tr("{done} of {total} texts answered; answers are saved automatically")
        )
        progress = template.format(done=formatting.number(answered), total=formatting.number(total))
        running = self.tr("the model is running")
        return f"{progress} · {running}" if self.model.run.is_running else progress

    @property
    def _part(self) -> GradingPage | ValidationPage | None:
        """The page of grades or of figures that is shown."""
        widget = self.page.stack.currentWidget()
        return widget if isinstance(widget, GradingPage | ValidationPage) else None

    def functions(self) -> Mapping[str, Callable[[], object]]:
        page = self.page
        if self._part is not None:
            return self._part.commands()
        stack, leaving = page.stack.currentWidget(), {"leave": self.leave, "scoring_trust": page.trusted.open}
        if stack is page.model:
            cancel = {"scoring_remove": self.model.run.cancel} if self.model.run.is_running else {}
            return {"leave": self.leave, "scoring_go_on": self._confirm, **cancel}
        if stack is page.scores:
            return {"leave": self.leave, "scoring_go_on": self._confirm}
        if stack is not page.split:
            return leaving
        of_texts = {
            "scoring_go_on": self._confirm,
            "scoring_question": page.questions.open,
            "scoring_scores": self.score,
            "scoring_grade": self.open_grades,
            "scoring_validate": self.open_validation,
        }
        model = {"scoring_model": self.open_model} if self.model.run.is_set else {}
        return {**leaving, **self.commands.actions(), **of_texts, **model}

    def take_key(self, key: str) -> bool:
        """Answer by A and D; choose by digit on the page of the language model."""
        page = self.page
        if page.stack.currentWidget() is self.grading:
            return self.grading.take_key(key)
        if page.stack.currentWidget() is page.model:
            return page.model.take_key(key)
        if key in ANSWER_KEYS and page.stack.currentWidget() is page.split:
            self.commands.answer(ANSWER_KEYS[key])
            return True
        return False

    def panes(self) -> tuple[QWidget, ...]:
        page = self.page
        stack = page.stack.currentWidget()
        if stack is self.validation and self.validation.board.isVisible():
            return self.validation.board.panes()
        if stack is page.split:
            return (page.points.list, page.text.text) if self.sheet and self.sheet.points else (page.text.text,)
        return (stack,) if stack is not None else (page,)
