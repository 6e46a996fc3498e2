"""What a screen reader says unasked: the new label, how many problems there are, pages, and what becomes of saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_rater.ui import labels
from desktop_rater.ui.problems.pane import counted

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session


class Announcer(QObject):
    """Says only what has changed where the rater stands: going to another place is no news."""

    said = Signal(str)

    def __init__(self, session: Session, saver: Saver, window: MainWindow) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._known: tuple[Place | None, str, str] = (None, "", "")
        self._failing = False
        session.opened.connect(self._look)
        session.place_changed.connect(self._look)
        session.rating_changed.connect(self._rated)
        window.preview.said.connect(self.say)
        saver.not_saved.connect(self._not_saved)
        saver.saved.connect(self._saved)

    def say(self, words: str) -> None:
        """Have it spoken once the reader has finished its sentence."""
        event = QAccessibleAnnouncementEvent(self._window, words)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)
        self.said.emit(words)

    def _look(self) -> None:
        self._known = self._now()

    def _rated(self) -> None:
        place, label, problems = self._known
        self._known = self._now()
        if self._known[0] != place:
            return
        news = [new for new, old in zip(self._known[1:], (label, problems), strict=True) if new and new != old]
        if problems and not self._known[2]:
            news.append(self.tr("No problems here"))
        if news:
            self.say(". ".join(news))

    def _now(self) -> tuple[Place | None, str, str]:
        """The place, its label in words, and the count of its problems."""
        session = self._session
        if session.task is None or session.rubric is None:
            return None, "", ""
        if session.place.claim is not None:
            label = labels.claim_label(session.rubric, session.outcome, session.place)
        else:
            label = labels.own_label(session.rubric, session.rating, session.outcome, session.stop)
        words = labels.label_words(label) if label is not None else ""
        return session.place, words, counted(self._window.form_pane.problems.here, 0)

    def _not_saved(self) -> None:
        self._failing = True
        self.say(self.tr("Not saved, trying again"))

    def _saved(self) -> None:
        if self._failing:
            self._failing = False
            self.say(self.tr("Saved"))
