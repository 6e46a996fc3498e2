"""The status line: key mode, time of saving, time spent, and the hub."""

from datetime import datetime

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from desktop_rater.ui.hub.status_button import HubButton, HubButtonPlaceholder
from desktop_rater.ui.pages.preview_pane import PreviewPane
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.formatting import hours_and_minutes
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.window.focus import is_typing

HEIGHT = 26


class StatusLine(QStatusBar):
    """Texts that change in place, without flashing."""

    def __init__(self, session: Session, preview: PreviewPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setSizeGripEnabled(False)
        self._session = session
        self._preview = preview
        self._room: str | None = None
        self._answers = True
        self._keys = PlainLabel(name="status_keys", size="small", bold=True, ink="text")
        self._saved_icon = Icon("tick", size=14, ink="ok")
        self._clock = Icon("clock", size=14)
        self.saved = PlainLabel(name="status_saved", size="small", ink="ok")
        self._time = PlainLabel(name="status_time", size="small", ink="text2")
        self._today = ElidedLabel(name="status_today", size="small", ink="text2")  # gives way to what follows
        self._today.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._screen_text = PlainLabel(name="status_room", size="small", ink="text2")
        self._zoom = PlainLabel(name="status_zoom", size="small", ink="text2")
        self.hub = HubButton()
        self.addWidget(self._lay_out(), 1)
        self._tick = QTimer(self, interval=1_000)
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

    def _lay_out(self) -> QWidget:
        body = QWidget()
        self._row = QHBoxLayout(body)
        self._row.setSpacing(4)
        self._row.addWidget(self._keys)
        for icon, label in (
            (self._saved_icon, self.saved),
            (self._clock, self._time),
            (None, self._today),
            (None, self._screen_text),
        ):
            self._row.addSpacing(16)
            if icon is not None:
                self._row.addWidget(icon)
            self._row.addWidget(label)
        self._row.addStretch(1)
        self._row.addWidget(HubButtonPlaceholder(self.hub, self))
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
        widths = [self._keys.fontMetrics().horizontalAdvance(text) for text in self._key_texts()]
        self._keys.setMinimumWidth(max(widths))  # so that the labels beside it do not move
        self.setFixedHeight(theme.px(HEIGHT))
        self._zoom.setText(self.tr("{n} %").format(n=theme.look().zoom))
        self._zoom.setAccessibleName(self.tr("Zoom {n} %").format(n=theme.look().zoom))

    def show_screen(self, text: str | None, *, answers: bool) -> None:
        """Show the text of another screen; `None`: the rating screen is active.

        `answers`: keys of a rubric answer here.
        """
        self._room, self._answers = text, answers
        self._screen_text.setText(text or "")
        self._today.setHidden(text is not None)
        self.show_time()
        self._show_keys()

    def show_saved(self, when: datetime) -> None:
        self.saved.setText(self.tr("Saved {time}").format(time=formatting.clock(when.astimezone(), seconds=True)))
        theme.set_ink(self.saved, "text2")
        self._saved_icon.show_icon("tick", "ok")
        self._saved_icon.show()

    def show_not_saved(self) -> None:
        self.saved.setText(self.tr("Not saved. Retrying …"))
        theme.set_ink(self.saved, "block")
        self._saved_icon.show_icon("circle-exclamation", "block")
        self._saved_icon.show()

    def show_today(self, seconds: int, targets: int = 0, responses: int = 0, *, paused: bool = False) -> None:
        """Show the active time and the work done today, and whether the clock is paused."""
        text = self.tr("{time} active today").format(time=hours_and_minutes(seconds))
        if responses:
            many = self.tr("1 response") if responses == 1 else self.tr("{n} responses").format(n=responses)
            text = f"{many}, {text}"
        if targets:
            many = self.tr("1 target") if targets == 1 else self.tr("{n} targets").format(n=targets)
            text = f"{many}, {text}"
        self._today.setText(self.tr("{words}, paused").format(words=text) if paused else text)

    def show_time(self) -> None:
        seconds = int(self._session.seconds_here() + self._session.reported_seconds)
        on_target = self._room is None and self._session.task is not None and self._session.place.target is not None
        text = self.tr("{minutes}:{seconds:02d} on this target").format(minutes=seconds // 60, seconds=seconds % 60)
        self._time.setText(text if on_target else "")
        self._clock.setVisible(on_target)

    def _key_texts(self) -> tuple[str, str, str, str]:
        reading = self.tr("Keys navigate the page")
        return self.tr("Keys answer"), self.tr("Typing (Esc to leave)"), self.tr("Keys navigate"), reading

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        answer, typing, navigate, reading = self._key_texts()
        answering = self._answers and (self._room is not None or self._session.task is not None)
        if isinstance(QApplication.focusWidget(), QAbstractItemView):
            reading = navigate  # the arrows move in a list, such as that of the links
        text = reading if self._preview.has_focus else answer if answering else navigate
        self._keys.setText(typing if is_typing(QApplication.focusWidget()) else text)
