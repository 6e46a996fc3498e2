"""Commands and storage of hand scoring: each step changes the sheet, is stored at once, and is shown."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop_rater.audit.results import Audit
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.ui.scoring.sheet import ScoringSheet, SheetStep
from desktop_rater.ui.scoring.text_pane import ScoringPage
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit.review import Lead
from desktop_rater.work.scoring.manual_scoring import (
    GoldChoice,
    ManualScores,
    load_manual_scoring,
    place_text,
    save_answers,
    save_gold_choice,
    save_points,
    score_by_hand,
)


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
