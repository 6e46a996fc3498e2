"""The card with the table of raters."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.audit import report_format, report_tables
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.ui.report.card import LARGE_STRETCH, ReportCard
from desktop_rater.ui.report.chart import CHART_PAD
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel

MAX_DIFFERENCES = 50


class RatersCard(ReportCard):
    """The table of raters. `open_wanted` carries task, place and rater of the row to open in the review screen."""

    open_wanted = Signal(str, str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._report: AuditReport | None = None
        self._texts: ReportTexts | None = None
        self._question = ""
        self.table = ReportTable(f"{name}_table")
        self.list = ReportTable(f"{name}_differ", heads=False, names=False)
        self._about = ElidedLabel()
        theme.set_type(self._about, bold=True)
        self.open_button = LinkButton(QCoreApplication.translate("Report", "Open in review"), "Enter")
        self.open_button.setObjectName(f"{name}_open")
        self._none = WrappedLabel()
        theme.set_ink(self._none)
        row = QHBoxLayout()
        row.setContentsMargins(CHART_PAD, 0, 0, 0)
        row.addWidget(self._about, 1)
        row.addWidget(self.open_button)
        self.column.addWidget(self.table, 3 * LARGE_STRETCH)
        self.column.addLayout(row)
        self.column.addWidget(self.list, 2 * LARGE_STRETCH)
        self.column.addWidget(self._none)
        self.column.addStretch(1)
        self.table.moved.connect(lambda _row: self._show_differing())
        self.list.doubleClicked.connect(lambda _index: self.open_chosen())
        self.open_button.clicked.connect(self.open_chosen)
        self.setFocusProxy(self.table)

    @property
    def rater(self) -> str:
        return next(iter(self.table.key), "")

    def show_report(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        self._report, self._question, self._texts = report, question, texts
        self.set_title(texts.raters, texts.raters_note)
        self.table.show_table(report_tables.raters_table(report, question, texts))
        self.table.setMaximumHeight(self.table.sizeHint().height())
        self._show_differing()

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
        table = report_tables.differing_table(report, self.rater, texts, self._question, most=MAX_DIFFERENCES)
        self._about.setText(self._title(texts))
        self.table.setAccessibleName(texts.raters)
        self.list.setAccessibleName(self._about.text())
        self.list.show_table(table)
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
