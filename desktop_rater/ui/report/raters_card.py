"""The card with the table of raters."""

import re
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit import report_format, report_tables
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.ui.report.card import LARGE_STRETCH, MAX_WIDGET_HEIGHT, ReportCard
from desktop_rater.ui.report.chart import CHART_PAD
from desktop_rater.ui.report.table import EMPTY_TABLE, ReportTable
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.menu_chooser import MenuChooser

MAX_DIFFERENCES = 50
FEW_DIFFERENCES = 3  # in sight above many raters
LIMIT = re.compile(r"([<>])\s*([-−]?\d+(?:[.,]\d+)?)")
translate = QCoreApplication.translate


class RatersCard(ReportCard):
    """The table of raters. `open_wanted` carries task, place and rater of the row to open in the review screen."""

    open_wanted = Signal(str, str, str)
    resized = Signal()  # another number of rows

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._report: AuditReport | None = None
        self._whole = EMPTY_TABLE
        self._texts: ReportTexts | None = None
        self._question = ""
        self.table = ReportTable(f"{name}_table")
        self.sorting = MenuChooser(f"{name}_sort")
        self.filter = LineField(
            name=f"{name}_filter",
            placeholder=translate("Report", "Name, or <0.4 of the figure sorted by"),
            label=translate("Report", "Filter raters"),
        )
        self.filter.setClearButtonEnabled(True)
        self._count = PlainLabel(name=f"{name}_count", ink="text2")
        self.list = ReportTable(f"{name}_differ", heads=False, names=False)
        self._about = ElidedLabel()
        theme.set_type(self._about, bold=True)
        self.open_button = LinkButton(translate("Report", "Open in review"), "Enter", name=f"{name}_open")
        self._none = WrappedLabel(ink="text2")
        row = QHBoxLayout()
        row.setContentsMargins(CHART_PAD, 0, 0, 0)
        row.addWidget(self._about, 1)
        row.addWidget(self.open_button)
        self._choices = QWidget()
        choices = QHBoxLayout(self._choices)
        choices.setContentsMargins(CHART_PAD, 0, 0, 0)
        for widget, stretch in ((self.sorting, 0), (self.filter, 1), (self._count, 0)):
            choices.addWidget(widget, stretch)
        choices.addStretch(1)
        self._differing = QVBoxLayout()
        self._differing.addLayout(row)
        self._differing.addWidget(self.list, 2 * LARGE_STRETCH)
        self._differing.addWidget(self._none)
        self.column.addWidget(self._choices)
        self.column.addWidget(self.table, 3 * LARGE_STRETCH)
        self.column.addLayout(self._differing, 2 * LARGE_STRETCH)
        self.column.addStretch(1)
        self.table.sort_wanted.connect(self._sort_by)
        self.sorting.chosen.connect(lambda chosen: self._sort(int(chosen[0]) if chosen else -1, descending=False))
        self.filter.textChanged.connect(lambda _text: self._arrange())
        self.filter.entered.connect(lambda _way: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.filter.left.connect(self._leave_filter)
        self.table.moved.connect(lambda _row: self._show_differing())
        self.list.doubleClicked.connect(lambda _index: self.open_chosen())
        self.open_button.clicked.connect(self.open_chosen)
        self.setFocusProxy(self.table)

    @property
    def rater(self) -> str:
        return next(iter(self.table.key), "")

    def show_report(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        self._report, self._question, self._texts = report, question, texts
        self.set_title(texts.raters, report_tables.raters_note(report, question, texts))
        self._whole = report_tables.raters_table(report, question, texts)
        if self.table.sorted_by is not None and self.table.sorted_by[0] >= len(self._whole.columns):
            self.table.sorted_by = None
        titles = [(str(number), column.title) for number, column in enumerate(self._whole.columns)]
        current = () if self.table.sorted_by is None else (str(self.table.sorted_by[0]),)
        first = translate("Report", "Those unlike the group first") if self.is_long else translate("Report", "Name")
        self.sorting.offer(translate("Report", "Sort by"), titles, current, all_text=first, named=True)
        self._choices.setVisible(self.is_long)
        # Of many raters the differences stay in sight, above a table that is as long as it is.
        self.column.removeItem(self._differing)
        self.column.insertLayout(
            self.column.indexOf(self.table) + (0 if self.is_long else 1), self._differing, 2 * LARGE_STRETCH
        )
        self._arrange()

    @property
    def is_long(self) -> bool:
        """Tell if there are so many raters that they are sorted and filtered."""
        return len(self._whole.rows) > report_tables.MANY_RATERS

    def _sort_by(self, column: int) -> None:
        """Sort by a column whose heading was clicked, the other way round the second time."""
        self._sort(column, descending=self.table.sorted_by == (column, False))

    def _sort(self, column: int, *, descending: bool) -> None:
        self.table.sorted_by = (column, descending) if column >= 0 else None
        self.sorting.show_current((str(column),) if column >= 0 else ())
        self._arrange()

    def _arrange(self) -> None:
        """Show the raters that the filter leaves, in the order that was chosen."""
        whole, by = self._whole, self.table.sorted_by
        order = whole.sorted_rows(by[0], descending=by[1]) if by is not None else list(range(len(whole.rows)))
        passes = self._filter_of(self.filter.text() if self.is_long else "")
        passing = [row for row in order if passes(row)]
        self.table.show_table(whole.arranged(passing))
        self.table.horizontalHeader().viewport().update()
        height = self.table.sizeHint().height()
        self.table.setMinimumHeight(height if self.is_long else 0)
        bars = Qt.ScrollBarPolicy
        self.table.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if self.is_long else bars.ScrollBarAsNeeded)
        self.table.setMaximumHeight(height)
        numbers = (formatting.number(count) for count in (len(passing), len(order)))
        self._count.setText(
            translate("Report", "{n} of {total} raters").format(**dict(zip(("n", "total"), numbers, strict=True)))
        )
        self._show_differing()
        self.resized.emit()

    def _filter_of(self, text: str) -> Callable[[int], bool]:
        """Return the test of a row: its name, or a limit of the figure that is sorted by, else of the agreement."""
        limit = LIMIT.fullmatch(text.strip())
        sorts = self._whole.sorts
        if limit is None:
            words = text.casefold().split()
            return lambda row: all(word in str(sorts[row][0]).casefold() for word in words)
        by = self.table.sorted_by
        titles = [column.title for column in self._whole.columns]
        assert self._texts is not None, "called once there is a report"
        agreement = next(at for at, title in enumerate(titles) if title.startswith(self._texts.col_others))
        column = by[0] if by is not None and by[0] else agreement
        number, below = float(limit[2].replace(",", ".")), limit[1] == "<"

        def passes(row: int) -> bool:
            value = sorts[row][column]
            return isinstance(value, int | float) and (value < number if below else value > number)

        return passes

    def _leave_filter(self) -> None:
        self.filter.clear()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose(self, rater: str) -> None:
        """Choose a rater; an unknown name chooses all of them."""
        keys = [key[0] for key in self.table.table_model.table.keys]
        self.table.choose(keys.index(rater) if rater in keys else -1)

    def enter(self) -> None:
        """Move from the raters to the list, or open the chosen row of the list."""
        if self.list.hasFocus():
            self.open_chosen()
        elif self.list.table_model.rowCount():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.choose(max(0, self.list.currentIndex().row()))

    def go_back(self) -> bool:
        """Go from the list to the raters, or from one rater to all; return whether that was possible."""
        if self.list.hasFocus():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        if self.rater:
            self.table.choose(-1)
            return True
        return False

    def step(self, by: int) -> None:
        """Move by rows in the list."""
        count, row = self.list.table_model.rowCount(), self.list.currentIndex().row()
        if count:
            self.list.choose(min(max(row + by, 0), count - 1))

    def open_chosen(self) -> None:
        """Open the chosen place, or the first one."""
        keys = self.list.table_model.table.keys
        key = self.list.key or next(iter(keys), ())
        if key:
            self.open_wanted.emit(*key)

    def _show_differing(self) -> None:
        report, texts = self._report, self._texts
        if report is None or texts is None:
            return
        table = report_tables.differing_table(
            report, self.rater, texts, self._question, most=FEW_DIFFERENCES if self.is_long else MAX_DIFFERENCES
        )
        self._about.setText(self._title(texts))
        self.table.setAccessibleName(texts.raters)
        self.list.setAccessibleName(self._about.text())
        self.list.show_table(table)
        self.list.setMaximumHeight(self.list.sizeHint().height() if self.is_long else MAX_WIDGET_HEIGHT)
        has_rows = bool(table.rows)
        self.list.setVisible(has_rows)
        self.open_button.setVisible(has_rows)
        self._none.setText(texts.nothing_differs)
        self._none.setHidden(has_rows)

    def _title(self, texts: ReportTexts) -> str:
        assert self._report is not None, "called once there is a report"
        agreement = report_format.agreement_on(self._report, self._question)
        targets = agreement is not None and agreement.question.per == "target"
        if not self.rater:
            return texts.differ if targets else texts.differ_places
        name = next(
            (report_format.rater_label(row, texts) for row in self._report.raters if row.rater == self.rater),
            self.rater,
        )
        return (texts.differ_of if targets else texts.differ_places_of).format(rater=name)
