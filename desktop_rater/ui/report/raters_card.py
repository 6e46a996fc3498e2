"""The raters as a table, and beneath it where one of them differs most from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from desktop_rater.audit import report_tables, shown
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, WrappedLabel
from desktop_rater.ui.report.card import MUCH, Card
from desktop_rater.ui.report.chart import PAD
from desktop_rater.ui.report.table_view import ReportTable

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.audit.report import Report
    from desktop_rater.audit.wording import Wording

MOST = 50


class RatersCard(Card):
    """`open_wanted` carries task, place and rater of what is to be looked at in the review room."""

    open_wanted = Signal(str, str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._report: Report | None = None
        self._words: Wording | None = None
        self._question = ""
        self.table = ReportTable(f"{name}_table")
        self.list = ReportTable(f"{name}_differ", heads=False, names=False)
        self._about = ElidedLabel()
        theme.write(self._about, bold=True)
        self.way = Link(QCoreApplication.translate("Report", "Open in review"), "Enter")
        self.way.setObjectName(f"{name}_open")
        self._none = WrappedLabel()
        theme.quiet(self._none)
        row = QHBoxLayout()
        row.setContentsMargins(PAD, 0, 0, 0)
        row.addWidget(self._about, 1)
        row.addWidget(self.way)
        self.column.addWidget(self.table, 3 * MUCH)
        self.column.addLayout(row)
        self.column.addWidget(self.list, 2 * MUCH)
        self.column.addWidget(self._none)
        self.column.addStretch(1)
        self.table.moved.connect(lambda _row: self._show_differing())
        self.list.doubleClicked.connect(lambda _index: self.open_chosen())
        self.way.clicked.connect(self.open_chosen)
        self.setFocusProxy(self.table)

    @property
    def rater(self) -> str:
        """The rater who is chosen; empty: all of them."""
        return next(iter(self.table.key), "")

    def show_report(self, report: Report, question: str, words: Wording) -> None:
        """Show the raters; who was chosen stays so."""
        self._report, self._question, self._words = report, question, words
        self.say(words.raters, words.raters_note)
        self.table.show_table(report_tables.raters(report, question, words))
        self.table.setMaximumHeight(self.table.sizeHint().height())
        self._show_differing()

    def choose(self, rater: str) -> None:
        """Choose a rater; nobody: all of them."""
        keys = [key[0] for key in self.table.shown.table.keys]
        self.table.choose(keys.index(rater) if rater in keys else -1)

    def enter(self) -> None:
        """From the raters to the list, and from there to the review."""
        if self.list.hasFocus():
            self.open_chosen()
        elif self.list.shown.rowCount():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.choose(max(0, self.list.currentIndex().row()))

    def go_back(self) -> bool:
        """From the list to the raters, from a rater to all of them; whether there was a way."""
        if self.list.hasFocus():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        if self.rater:
            self.table.choose(-1)
            return True
        return False

    def step(self, by: int) -> None:
        """To the next place of the list or the one before."""
        count, at = self.list.shown.rowCount(), self.list.currentIndex().row()
        if count:
            self.list.choose(min(max(at + by, 0), count - 1))

    def open_chosen(self) -> None:
        """Open the place that is chosen, else the first one."""
        keys = self.list.shown.table.keys
        key = self.list.key or next(iter(keys), ())
        if key:
            self.open_wanted.emit(*key)

    def _show_differing(self) -> None:
        report, words = self._report, self._words
        if report is None or words is None:
            return
        table = report_tables.differing(report, self.rater, words, self._question, most=MOST)
        self._about.setText(self._title(words))
        self.table.setAccessibleName(words.raters)
        self.list.setAccessibleName(self._about.text())
        self.list.show_table(table)
        there = bool(table.rows)
        self.list.setVisible(there)
        self.way.setVisible(there)
        self._none.setText(words.nothing_differs)
        self._none.setHidden(there)

    def _title(self, words: Wording) -> str:
        assert self._report is not None, "called once there is a report"
        found = shown.agreement_on(self._report, self._question)
        targets = found is not None and found.question.per == "target"
        if not self.rater:
            return words.differ if targets else words.differ_places
        named = next((shown.named(one, words) for one in self._report.raters if one.rater == self.rater), self.rater)
        return (words.differ_of if targets else words.differ_places_of).format(rater=named)
