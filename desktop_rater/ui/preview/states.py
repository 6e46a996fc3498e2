"""How a page stands: a line over it, and what stands in its place where there is none."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton, Link
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel, set_tooltip
from desktop_rater.ui.preview.said_of_page import day_and_time, said_of_shown, why_not
from desktop_rater.ui.preview.shown_url import host_of
from desktop_rater.ui.read_text import fixed_font

if TYPE_CHECKING:
    from desktop_rater.model.page import Page
    from desktop_rater.ui.preview.browsing import Browsing

HEIGHT = 30
SOON_MS = 300  # what takes less is not spoken of
VEIL = 0.45


class StateLine(QWidget):
    """One line: what a reader has to know of the page, or what is on its way."""

    def __init__(self, browsing: Browsing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page_state")
        self._browsing = browsing
        self._names_sha = False
        self._began = 0.0
        self._row = QHBoxLayout(self)
        self._icon = Icon("offline", ink="text")
        self.words = ElidedLabel(name="page_state_words")
        theme.write(self.words, "small")
        self._sha = PlainLabel(name="page_sha")
        theme.quiet(self._sha)
        self._way = Link("")
        self._way.setObjectName("page_state_way")
        self._way.clicked.connect(self._go)
        for part in (self._icon, self.words, self._sha, self._way):
            self._row.addWidget(part, int(part is self.words))
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self._say_waiting)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._show_waiting)
        theme.follow(self, self._measure)
        self.hide()

    @property
    def is_waiting(self) -> bool:
        """Whether it speaks of what is on its way."""
        return self._tick.isActive()

    def begin(self) -> None:
        """Something is on its way; it is said only where that takes a while."""
        self._began = time.monotonic()
        self._soon.start()

    def end(self) -> None:
        """It has come, or won't."""
        self._soon.stop()
        self._tick.stop()

    def show_page(self, page: Page, *, offline: bool) -> None:
        """What has to be known of the page that is shown."""
        self.end()
        said = said_of_shown(page, offline=offline)
        self.words.setText(". ".join(said))
        self._icon.setVisible(offline or page.state == "login")
        self._icon.show_icon("offline" if offline else "triangle-exclamation", "text" if offline else "warn")
        sha = page.snapshot or ""
        self._names_sha = offline and bool(sha)
        self._sha.setText(self.tr("sha256 {start}…{end}").format(start=sha[:4], end=sha[-4:]))
        set_tooltip(self._sha, sha)
        self._way.set_label(self.tr("Fetch again"))
        self._way.setVisible(page.stored and not offline)
        self.setAccessibleName(self.words.text())
        self.setVisible(bool(said))
        self._fit()

    def _show_waiting(self) -> None:
        self._tick.start()
        self._icon.hide()
        self._names_sha = False
        self._fit()
        self._way.set_label(self.tr("Cancel"))
        self._way.show()
        self.show()
        self._say_waiting()

    def _say_waiting(self) -> None:
        seconds = int(time.monotonic() - self._began)
        words = self.tr("Fetching {host}, {n} s").format(host=host_of(self._browsing.wanted), n=seconds)
        self.words.setText(words)
        self.setAccessibleName(words)

    def _go(self) -> None:
        if self._browsing.is_loading:
            self._browsing.cancel()
        else:
            self._browsing.reload()

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(16), 0, theme.px(8), 0)
        self._row.setSpacing(theme.px(8))
        self.setFixedHeight(theme.px(HEIGHT))
        font = fixed_font()
        font.setPixelSize(theme.px(12))
        self._sha.setFont(font)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The name of the stored bytes is there only where all that is said has room."""
        needed = self._icon.width() + self.words.sizeHint().width() + self._sha.sizeHint().width() + theme.px(40)
        self._sha.setVisible(self._names_sha and needed <= self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color(self, "info_back"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color(self, "line"))
        painter.end()


class NoPage(QScrollArea):
    """What is so, why, and the ways out, in the place of a page."""

    outside_wanted = Signal()

    def __init__(self, browsing: Browsing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("no_page")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._browsing = browsing
        body = QWidget()
        theme.ground(body, "surface")
        column = QVBoxLayout(body)
        theme.pad(column, 28, 24, 28, 24)
        column.setSpacing(8)
        self.title = WrappedLabel(name="no_page_title")
        theme.write(self.title, "title", bold=True)
        self.why = WrappedLabel(name="no_page_why")
        self.note = WrappedLabel(name="no_page_note")
        theme.write(self.note, "small")
        theme.quiet(self.note)
        ways = QWidget()
        flow = FlowLayout(ways, spacing=8)
        ways.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._again = self._button("try_again", self.tr("Try again"), "Ctrl R", browsing.reload)
        self._copy = self._button("show_copy", "", "", browsing.show_copy)
        self._count = self._button("count_as_opened", self.tr("Count as opened"), "", self._count_it)
        self._outside = self._button("open_outside", self.tr("Open in the browser…"), "", self.outside_wanted.emit)
        for button in (self._copy, self._again, self._outside, self._count):
            flow.addWidget(button)
        for part in (self.title, self.why, self.note):
            column.addWidget(part)
        column.addSpacing(8)
        column.addWidget(ways)
        column.addStretch(1)
        self.setWidget(body)

    def _button(self, name: str, words: str, key: str, does: object) -> KeyButton:
        button = KeyButton(words, key)
        button.setObjectName(name)
        button.clicked.connect(does)
        return button

    def show_page(self, page: Page, *, counted: bool) -> None:
        """Why there is no page."""
        title, why = why_not(page)
        self.title.setText(title)
        self.why.setText(why)
        copy = self._browsing.copy
        self._copy.setVisible(copy is not None)
        if copy is not None:
            self._copy.set_label(self.tr("Show the copy of {time}").format(time=day_and_time(copy.fetched)))
        self._outside.setVisible(page.state != "blocked")
        self._again.setVisible(page.state != "blocked")
        self.show_counted(counted=counted)
        self.setAccessibleName(f"{title}. {why}")
        self.verticalScrollBar().setValue(0)

    def show_counted(self, *, counted: bool) -> None:
        """Whether the link counts as opened."""
        self._count.setVisible(not counted)
        yes = self.tr("The link counts as opened: you have seen what is there.")
        no = self.tr("The link does not count as opened: you have not seen what is there.")
        self.note.setText(yes if counted else no)

    def _count_it(self) -> None:
        self._browsing.count_as_opened()
        self.show_counted(counted=True)

    def focus_way(self) -> None:
        """The keys go to the first way out."""
        buttons = (self._copy, self._again, self._outside, self._count)
        first = next((one for one in buttons if not one.isHidden()), None)
        (first if first is not None else self).setFocus()


class Veil(QWidget):
    """Over what was shown before, while something else is on its way: it is still read, but quieter."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        ground = QColor(theme.color(self, "surface"))
        ground.setAlphaF(VEIL)
        painter = QPainter(self)
        painter.fillRect(self.rect(), ground)
        painter.end()
