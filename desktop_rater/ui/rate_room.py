"""The room where tasks are rated, as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui.rooms import RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.session import Session


class RateRoom(QObject):
    """Time counts for a task only while the rater is here."""

    changed = Signal()

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._does: Mapping[str, Callable[[], object]] = {}
        self._take_key: Callable[[str], bool] = lambda _key: False
        self.mode, self.words = RATE, ""
        window.bundle_shown.connect(self.changed)

    def bind(self, does: Mapping[str, Callable[[], object]], take_key: Callable[[str], bool]) -> None:
        """Take what the actions and the keys of a rubric do here."""
        self._does, self._take_key = does, take_key

    @property
    def widget(self) -> QWidget:
        return self._window.stack

    @property
    def title(self) -> str:
        return self._window.bundle_title

    def does(self) -> Mapping[str, Callable[[], object]]:
        return self._does

    def take_key(self, key: str) -> bool:
        return self._take_key(key)

    def enter(self) -> None:
        self._window.set_rating(on=True)

    def leave(self) -> None:
        """What is being typed is saved, and the clock rests."""
        self._session.pause_typing()
        self._window.set_rating(on=False)

    def panes(self) -> tuple[QWidget, ...]:
        return self._window.panes()
