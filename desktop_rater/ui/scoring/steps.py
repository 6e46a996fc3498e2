"""What the lead does to points and answers: each step changes the sheet, is kept at once, and is shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.stats.justification import Said
    from desktop_rater.ui.scoring.keeping import Keeping
    from desktop_rater.ui.scoring.page import ScoringPage
    from desktop_rater.ui.scoring.sheet import Sheet, Step

SAID: dict[str, Said] = {"agree": 1, "disagree": 0, "silent": None}


class Steps(QObject):
    """Of the sheet that is there, if any. `moved`: the lead may stand elsewhere; `stepped`: something was said."""

    moved = Signal()
    stepped = Signal(object)  # Step

    def __init__(self, page: ScoringPage, keeping: Keeping, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._keeping = keeping
        self.sheet: Sheet | None = None
        page.points.chosen.connect(self._choose_point)
        page.points.written.connect(self._written)
        page.points.topic_wanted.connect(lambda topic: self._step(lambda sheet: sheet.move(topic)))
        page.points.remove_link.clicked.connect(self._remove)
        page.text.said.connect(self.answer)
        page.text.take_link.clicked.connect(self.take_sentence)
        page.text.stepped.connect(self._move_text)

    def _step(self, do: Callable[[Sheet], Step | None]) -> None:
        """Do something to the sheet, keep it at once, and show it."""
        sheet = self.sheet
        if sheet is None or self._page.stack.currentWidget() is not self._page.sides:
            return
        step = do(sheet)
        if step is not None:
            self._keeping.keep(step)
        self.moved.emit()
        if step is not None:
            self.stepped.emit(step)

    def answer(self, says: str) -> None:
        """What the text at hand says of the point at hand."""
        self._step(lambda sheet: sheet.answer(SAID[says]))

    def take_sentence(self) -> None:
        """The marked sentence of a gold text becomes a point, and the next one is marked."""
        words = self._page.text.sentence
        if words:
            self._step(lambda sheet: sheet.add(words, (words,), _usual_topic()))
            self._page.text.step_sentence(1)

    def _written(self, what: str, words: str) -> None:
        if what == "point":
            self._step(lambda sheet: sheet.add(words, (), _usual_topic()))
        elif what == "topic":
            self._step(lambda sheet: sheet.move(words))
        else:
            self._step(lambda sheet: sheet.reword(words))

    def _remove(self) -> None:
        self._step(lambda sheet: sheet.remove())

    def _choose_point(self, at: int) -> None:
        self.move(lambda sheet: sheet.move_point(at))

    def move(self, move: Callable[[Sheet], Any]) -> None:
        """Go elsewhere in the sheet."""
        if self.sheet is not None:
            move(self.sheet)
            self.moved.emit()

    def _move_text(self, by: int) -> None:
        self.move(lambda sheet: sheet.move_text(by))

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do, while the texts are shown."""
        points = self._page.points
        return {
            **{f"scoring_{says}": partial(self.answer, says) for says in SAID},
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


def _usual_topic() -> str:
    """Where a point stands that was put under no topic yet."""
    return QCoreApplication.translate("Scoring", "General")
