"""Where did I read this: the stored pages of the bundle, found by what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.line_field import LineField
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.preview.shown_url import host_of
from desktop_rater.ui.rows import Line, LineList, Lines
from desktop_rater.ui.separator import line
from desktop_rater.ui.spoken_time import day_words
from desktop_rater.work.stored_pages import search

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.pages import Hit
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

PAUSE_MS, MOST = 150, 50
STEPS: dict[int, int] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
AROUND = 30  # characters of a hit that stand before the first word found


class StoredSearch(QWidget):
    """In the place of the page while it is wanted; arrows choose a hit, Enter opens it."""

    hit_chosen = Signal(object)  # Hit
    left = Signal()
    begun = Signal()

    def __init__(self, session: Session, perform: Perform, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stored_search")
        self.setAccessibleName(self.tr("Where did I read this"))
        self._session = session
        self._perform = perform
        self._asking: Progress | None = None
        self._hits: tuple[Hit, ...] = ()
        self._waiting = 0  # stored pages that are not read yet
        theme.ground(self, "surface")
        self.field = LineField()
        self.field.setObjectName("stored_field")
        self.field.setAccessibleName(self.tr("Find in the stored pages"))
        self.field.setPlaceholderText(self.tr("Words that stood on the page"))
        self.field.textChanged.connect(lambda _text: self._pause.start())
        self.field.entered.connect(lambda _by: self._choose(self.list.currentIndex()))
        self.field.left.connect(self.left)
        self.field.installEventFilter(self)
        self.words = WrappedLabel(name="stored_words")
        theme.quiet(self.words)
        self.list = LineList("stored_hits", two_lines=True)
        self.list.setAccessibleName(self.tr("Stored pages with these words"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._choose)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.ask)
        self._lay_out()
        session.opened.connect(self._forget)

    def _lay_out(self) -> None:
        head = QVBoxLayout()
        head.addWidget(self.field)
        head.addWidget(self.words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(line())
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.field)

        def measure() -> None:
            head.setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(8))
            head.setSpacing(theme.px(6))

        theme.follow(self, measure)

    def begin(self, words: str = "") -> None:
        """Ask for words, those that are given first."""
        if words:
            self.field.setText(words)
        self.field.setFocus()
        self.field.selectAll()
        self.begun.emit()
        self.ask()

    def show_waiting(self, count: int) -> None:
        """How many stored pages are still being read; the hits come anew when there are none left."""
        self._waiting = count
        if count:
            self._say()
        else:
            self.ask()

    def ask(self) -> None:
        """Look for what is typed."""
        self._pause.stop()
        if self._asking is not None:
            self._perform.cancel(self._asking)
            self._asking = None
        words = self.field.text().strip()
        if words and self._session.bundle:
            self._asking = self._perform.ask(search, self._session.bundle, words, MOST, done=self._show)
        else:
            self._show([])

    def _show(self, hits: list[Hit]) -> None:
        self._asking = None
        self._hits = tuple(hits)
        self.model.show([self._line(hit) for hit in hits])
        if hits:
            self.list.setCurrentIndex(self.model.index(0))
        self._say()

    def _say(self) -> None:
        count = len(self._hits)
        if not self.field.text().strip():
            words = self.tr("Every page that was opened in this bundle is stored, with what it says.")
        elif not count:
            words = self.tr("No stored page of this bundle has these words.")
        elif count >= MOST:
            words = self.tr("The best {n} pages").format(n=MOST)
        else:
            words = self.tr("1 page") if count == 1 else self.tr("{n} pages").format(n=count)
        if self._waiting:
            reading = self.tr("1 stored page is still being read.")
            if self._waiting > 1:
                reading = self.tr("{n} stored pages are still being read.").format(n=spelling.number(self._waiting))
            words = f"{words} {reading}"
        self.words.setText(words)

    def _line(self, hit: Hit) -> Line:
        title = " ".join(hit.title.split()) or host_of(hit.url)
        return Line(hit.sha256, title, end=host_of(hit.url), detail=_around(hit), detail_end=day_words(hit.fetched))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.hit_chosen.emit(self._hits[index.row()])

    def _forget(self) -> None:
        self._pause.stop()
        self._waiting = 0
        self._show([])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows choose a hit while the words are typed."""
        if watched is not self.field or not isinstance(event, QKeyEvent) or event.key() not in STEPS:
            return False
        if event.type() == QEvent.Type.KeyPress:
            row = self.list.currentIndex().row() + STEPS[event.key()]
            self.list.setCurrentIndex(self.model.index(max(0, min(row, self.model.rowCount() - 1))))
        return event.type() == QEvent.Type.KeyPress


def _around(hit: Hit) -> str:
    """What stands around the first word that was found."""
    first = hit.marks[0][0] if hit.marks else 0
    begin = hit.snippet.rfind(" ", 0, max(0, first - AROUND)) + 1
    return ("…" if begin else "") + " ".join(hit.snippet[begin:].split())
