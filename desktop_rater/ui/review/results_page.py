"""Is everything here? The raters of a bundle and what each of them lacks, and what was refused of the last files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.ui import theme
from desktop_rater.ui.chooser import Chooser
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.review import result_words
from desktop_rater.ui.rows import LineList, Lines
from desktop_rater.ui.separator import line
from desktop_rater.work.audit_status import audit_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from desktop_rater.audit.status import Status
    from desktop_rater.ui.rooms import Around
    from desktop_rater.ui.rows import Line
    from desktop_rater.work.open_results import Opened
    from desktop_rater.work.review import Reviewed

NARROW, MOST_WIDE = 860, 1180
LEAST_ROWS, MOST_REFUSED = 3, 7


class Section(QWidget):
    """A list with its name; gone where there is nothing in it."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.title = PlainLabel(title)
        theme.write(self.title, bold=True)
        column.addWidget(self.title)
        self.list = LineList(name, two_lines=True)
        self.list.setAccessibleName(title)
        self.model = Lines(self)
        self.list.setModel(self.model)
        theme.follow(self, lambda: self.list.setMinimumHeight(LEAST_ROWS * self.list.line_delegate.height()))
        column.addWidget(self.list, 1)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show other rows."""
        self.model.show(lines)
        self.setVisible(bool(lines))


class ResultsPage(QWidget):
    """The first thing that is seen of results. `review_wanted`: on to the ratings themselves."""

    review_wanted = Signal()
    shown = Signal()  # what there is to say is said

    def __init__(self, around: Around, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("results_page")
        self.setAccessibleName(self.tr("Results"))
        theme.ground(self, "surface")
        self._around = around
        self._audited = around.audited
        self.status: Status | None = None
        self._old = False  # something was said since it was read
        self._news = False  # results have come since the lead was elsewhere
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(1)
        body = QWidget()
        theme.follow(body, lambda: body.setMaximumWidth(theme.px(MOST_WIDE)))
        outer.addWidget(body, 100)
        outer.addStretch(1)
        column = QVBoxLayout(body)
        theme.pad(column, 24, 20, 24, 16)
        column.setSpacing(12)
        column.addLayout(self._make_head())
        column.addLayout(self._make_words())
        column.addWidget(line())
        self._empty = WrappedLabel(self._words_for_nothing(), name="results_empty")
        theme.write(self._empty, "prompt")
        theme.quiet(self._empty)
        column.addWidget(self._empty)
        column.addWidget(self._make_sections(), 1)
        self._audited.listed.connect(self._show_bundles)
        self._audited.opening.connect(self._show_bundles)
        self._audited.loaded.connect(self.read)
        self._audited.came_in.connect(self._came_in)
        self._audited.reviewed.connect(self._said)
        self._show_bundles()
        if self._audited.audit is not None:
            self.read()

    # -- what it is made of

    def _make_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self._title = WrappedLabel(name="results_title")
        theme.write(self._title, "title", bold=True)
        row.addWidget(self._title, 1)
        self.bundles = Chooser()
        self.bundles.setObjectName("audited_bundles")
        self.bundles.setAccessibleName(self.tr("Bundle"))
        self.bundles.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.bundles.setMinimumContentsLength(20)
        self.bundles.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.bundles.activated.connect(lambda at: self._audited.open(self._audited.bundles[at]))
        row.addWidget(self.bundles)
        self._open = KeyButton(self.tr("Open results …"), "Ctrl O")
        self._open.setObjectName("open_results")
        self._open.clicked.connect(lambda _on=False: self._around.rooms.run("open_results"))
        row.addWidget(self._open)
        self._review = KeyButton(self.tr("Review"), "Enter", primary=True)
        self._review.setObjectName("begin_review")
        self._review.clicked.connect(lambda _on=False: self.review_wanted.emit())
        row.addWidget(self._review)
        return row

    def _make_words(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self._sign = Icon("tick", ink="ok")
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self.words = WrappedLabel(name="results_words")
        row.addWidget(self.words, 1)
        return row

    def _make_sections(self) -> QScrollArea:
        area = QScrollArea()
        area.setObjectName("results_scroll")
        area.setAccessibleName(self.accessibleName())
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area = area
        within = QWidget()
        theme.ground(within, "surface")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, within)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(24)
        area.setWidget(within)
        self.raters = Section("results_raters", self.tr("Raters"))
        self._row.addWidget(self.raters, 3)
        self._beside = QWidget()
        column = QVBoxLayout(self._beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        self.refused = Section("results_refused", self.tr("Refused"))
        self.tasks = Section("results_tasks", self.tr("Tasks that lack raters"))
        self.refused_words = WrappedLabel(name="refused_words")
        theme.quiet(self.refused_words)
        self.refused.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column.addWidget(self.refused)
        column.addWidget(self.refused_words)
        column.addWidget(self.tasks, 100)
        column.addStretch(1)
        self._row.addWidget(self._beside, 2)
        self.refused.list.selectionModel().currentChanged.connect(lambda now, _before: self._show_why(now.row()))
        for section in (self.raters, self.refused, self.tasks, self._beside, self.refused_words):
            section.hide()
        return area

    def _words_for_nothing(self) -> str:
        return self.tr(
            "Results come as zip files that raters export. Drop them here, a whole folder at once, and the bundle that"
            " was rated beside them: then what is missing shows too."
        )

    # -- what it shows

    def read(self) -> None:
        """Find out again what is here."""
        bundle, self._old = self._audited.bundle, False

        def arrived(status: Status) -> None:
            if bundle == self._audited.bundle:
                self.status = status
                self.refresh()

        if bundle:
            self._around.perform.ask(audit_status, bundle, done=arrived)

    def refresh(self) -> None:
        """Show what is known."""
        status = self.status
        there = status is not None and status.bundle == self._audited.bundle
        self._review.setVisible(there)
        self._sign.setVisible(there)
        if status is None or not there:
            return
        self._title.setText(status.title[:200])
        doubts = result_words.doubts(status)
        good = status.whole and not doubts
        self._sign.show_icon("tick" if good else "triangle-exclamation", "ok" if good else "warn")
        last = self._around.results.last
        said = [result_words.summary(status), *filter(None, [doubts])]
        if not status.known:
            said.append(self.tr("Open the bundle itself too: then it shows what nobody has rated."))
        if last is not None and (last.refused or self._news):
            said.append(result_words.came_in(last))
        self.words.setText(" ".join(said))
        # Signatures that are not right first, then what is open, then what is on its way, then by name.
        unfinished = sorted(
            status.raters,
            key=lambda one: (not result_words.is_doubtful(one), one.whole, not (one.unsent or one.out)),
        )
        self.raters.show_lines([result_words.rater_line(one) for one in unfinished])
        self.tasks.show_lines([result_words.task_line(one) for one in status.short])
        self._show_refused()
        self.shown.emit()

    def _show_refused(self) -> None:
        last = self._around.results.last
        refused = last.refused if last is not None else ()
        self.refused.show_lines([result_words.refused_line(at, one) for at, one in enumerate(refused)])
        self.refused_words.setVisible(bool(refused))
        self._beside.setVisible(bool(refused) or not self.tasks.isHidden())
        if refused:
            self.refused.list.fit_rows(MOST_REFUSED)
            self.refused.list.setCurrentIndex(self.refused.model.index(0))

    def _show_why(self, at: int) -> None:
        """The whole of why the chosen file was refused: a row has no room for it."""
        lines = self.refused.model.lines
        self.refused_words.setText(lines[at].detail if 0 <= at < len(lines) else "")

    def _show_bundles(self) -> None:
        known = self._audited.bundles
        with QSignalBlocker(self.bundles):
            self.bundles.clear()
            self.bundles.addItems([name[:80] for name in known])
            if self._audited.bundle in known:
                self.bundles.setCurrentIndex(known.index(self._audited.bundle))
        self.bundles.setVisible(len(known) > 1)
        nothing = self._audited.is_listed and not known and not self._audited.bundle
        self._empty.setVisible(nothing)
        if nothing:
            self._title.setText(self.tr("No results yet"))
            self._show_refused()
            last = self._around.results.last
            self.words.setText(result_words.came_in(last) if last is not None else "")
        elif self.status is None or self.status.bundle != self._audited.bundle:
            self._title.setText(self._audited.bundle[:200])
            self.words.setText("")
        self.refresh()

    def _came_in(self, _opened: Opened) -> None:
        self._news = True
        self._show_bundles()
        self.read()

    def panes(self) -> tuple[QWidget, ...]:
        """What F6 goes round."""
        return (self.raters.list, self.refused.list, self.tasks.list, self._open)

    def _said(self, change: Reviewed) -> None:
        self._old = self._old or self._audited.bundle in change.audits
        if self._old and self.isVisible():
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._old:
            self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._news = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme.px(NARROW)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(way)
