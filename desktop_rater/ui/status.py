"""The line at the foot of the window: how keys are taken, when it was saved, the time on this target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QStatusBar, QWidget

from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.tokens import quiet
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.ui.session import Session


class StatusLine(QStatusBar):
    """Words that change in place; nothing flashes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setSizeGripEnabled(False)
        self._session = session
        self._keys = PlainLabel(name="status_keys")
        self.saved = PlainLabel(name="status_saved")
        self._time = PlainLabel(name="status_time")
        for label in (self._keys, self.saved, self._time):
            label.setContentsMargins(12, 2, 12, 2)
            self.addWidget(label)
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self.show_time)
        self._tick.start()
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        self._focus_changed(None, None)
        session.opened.connect(self.show_time)
        session.place_changed.connect(self.show_time)

    def show_saved(self, when: datetime) -> None:
        self.saved.setText(self.tr("Saved {time}").format(time=when.astimezone().strftime("%H:%M:%S")))
        quiet(self.saved, "ok")

    def show_not_saved(self) -> None:
        self.saved.setText(self.tr("Not saved, trying again"))
        quiet(self.saved, "block")

    def show_time(self) -> None:
        seconds = int(self._session.seconds_here())
        there = self._session.task is not None and self._session.place.target is not None
        words = self.tr("{minutes}:{seconds:02d} on this target").format(minutes=seconds // 60, seconds=seconds % 60)
        self._time.setText(words if there else "")

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._keys.setText(self.tr("Typing: Esc leaves") if is_typing(new) else self.tr("Keys answer"))
