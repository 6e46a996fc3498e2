"""The line at the foot of the window: how keys are taken, when it was saved, the time, and the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStatusBar, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.hub.status_button import HubButton, HubRoom
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.spoken_time import hours_and_minutes
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.ui.preview.pane import PreviewPane
    from desktop_rater.ui.session import Session

HEIGHT = 26


class StatusLine(QStatusBar):
    """Words that change in place; nothing flashes."""

    def __init__(self, session: Session, preview: PreviewPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setSizeGripEnabled(False)
        self._session = session
        self._preview = preview
        self._room: str | None = None
        self._answers = True
        self._keys = self._label("status_keys", "text", bold=True)
        self._saved_icon = Icon("tick", size=14, ink="ok")
        self._clock = Icon("clock", size=14)
        self.saved = self._label("status_saved", "ok")
        self._time = self._label("status_time", "text2")
        self._today = self._label("status_today", "text2")
        self._words = self._label("status_room", "text2")
        self._zoom = self._label("status_zoom", "text2")
        self.hub = HubButton()
        self.addWidget(self._lay_out(), 1)
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self.show_time)
        self._tick.start()
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        session.opened.connect(self._show_keys)
        session.opened.connect(self.show_time)
        session.place_changed.connect(self.show_time)
        self._show_keys()
        self.show_time()
        self._saved_icon.hide()
        theme.follow(self, self._measure)

    def _label(self, name: str, ink: str, *, bold: bool = False) -> PlainLabel:
        label = PlainLabel(name=name)
        theme.write(label, "small", bold=bold)
        theme.quiet(label, ink)
        return label

    def _lay_out(self) -> QWidget:
        body = QWidget()
        self._row = QHBoxLayout(body)
        self._row.setSpacing(4)
        self._row.addWidget(self._keys)
        for icon, label in (
            (self._saved_icon, self.saved),
            (self._clock, self._time),
            (None, self._today),
            (None, self._words),
        ):
            self._row.addSpacing(16)
            if icon is not None:
                self._row.addWidget(icon)
            self._row.addWidget(label)
        self._row.addStretch(1)
        self._row.addWidget(HubRoom(self.hub, self))
        self._row.addSpacing(12)
        self._row.addWidget(self._zoom)
        return body

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color(self, "win"))
        painter.fillRect(0, 0, self.width(), 1, theme.color(self, "line"))
        painter.end()

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(12), 0, theme.px(12), 0)
        widths = [self._keys.fontMetrics().horizontalAdvance(words) for words in self._key_words()]
        self._keys.setMinimumWidth(max(widths))  # what stands beside it stays where it is
        self.setFixedHeight(theme.px(HEIGHT))
        self._zoom.setText(self.tr("{n} %").format(n=theme.look().zoom))
        self._zoom.setAccessibleName(self.tr("Zoom {n} %").format(n=theme.look().zoom))

    def show_room(self, words: str | None, *, answers: bool) -> None:
        """What is to know of another room than that of rating; `None`: the rater is back there.

        `answers`: keys of a rubric answer here.
        """
        self._room, self._answers = words, answers
        self._words.setText(words or "")
        self._today.setHidden(words is not None)
        self.show_time()
        self._show_keys()

    def show_saved(self, when: datetime) -> None:
        self.saved.setText(self.tr("Saved {time}").format(time=spelling.clock(when.astimezone(), seconds=True)))
        theme.quiet(self.saved, "text2")
        self._saved_icon.show_icon("tick", "ok")
        self._saved_icon.show()

    def show_not_saved(self) -> None:
        self.saved.setText(self.tr("Not saved, trying again"))
        theme.quiet(self.saved, "block")
        self._saved_icon.show_icon("circle-exclamation", "block")
        self._saved_icon.show()

    def show_today(self, seconds: int, targets: int = 0, responses: int = 0, *, paused: bool = False) -> None:
        """How long the rater has been active today, how much that made, and whether the count rests."""
        words = self.tr("{time} active today").format(time=hours_and_minutes(seconds))
        if responses:
            many = self.tr("1 response") if responses == 1 else self.tr("{n} responses").format(n=responses)
            words = f"{many}, {words}"
        if targets:
            many = self.tr("1 target") if targets == 1 else self.tr("{n} targets").format(n=targets)
            words = f"{many}, {words}"
        self._today.setText(self.tr("{words}, paused").format(words=words) if paused else words)

    def show_time(self) -> None:
        seconds = int(self._session.seconds_here())
        there = self._room is None and self._session.task is not None and self._session.place.target is not None
        words = self.tr("{minutes}:{seconds:02d} on this target").format(minutes=seconds // 60, seconds=seconds % 60)
        self._time.setText(words if there else "")
        self._clock.setVisible(there)

    def _key_words(self) -> tuple[str, str, str, str]:
        reading = self.tr("Keys read the page")
        return self.tr("Keys answer"), self.tr("Typing: Esc leaves"), self.tr("Keys navigate"), reading

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        answer, typing, navigate, reading = self._key_words()
        there = self._answers and (self._room is not None or self._session.task is not None)
        words = reading if self._preview.has_keys else answer if there else navigate
        self._keys.setText(typing if is_typing(QApplication.focusWidget()) else words)
