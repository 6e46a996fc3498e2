"""The cards of the report, laid out in one to three columns."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.audit import report_format
from desktop_rater.audit.assistance_panels import libraries_panel, pull_panel
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_columns import MANY_RATERS
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import (
    ReportPanel,
    agreement_panel,
    confusion_panel,
    differing_table,
    meanings_of,
    models_panel,
    raters_note,
    raters_table,
    shares_panel,
    summary_panel,
    times_panel,
)
from desktop_rater.audit.scale_panels import scale_panel, scale_raters_panel, trends_panel
from desktop_rater.ui.report.card import (
    LARGE_STRETCH,
    MAX_WIDGET_HEIGHT,
    ChartCard,
    ReportCard,
    TableCard,
    TextCard,
    note_label,
)
from desktop_rater.ui.report.chart import CHART_PAD
from desktop_rater.ui.report.table import EMPTY_TABLE, ReportTable
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import fill, tight_row
from desktop_rater.ui.widgets.menu_chooser import MenuChooser

MAX_DIFFERENCES = 50
FEW_DIFFERENCES = 3  # in sight above many raters
LIMIT = re.compile(r"([<>])\s*([-−]?\d+(?:[.,]\d+)?)")


class RatersCard(ReportCard):
    """The table of raters. `open_wanted` carries task, place and rater of the row to open in the review screen."""

    open_wanted = Signal(str, str, str)
    resized = Signal()  # another number of rows

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._report: AuditReport | None = None
        self._whole = EMPTY_TABLE
        self._texts: Wording | None = None
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
        self.open_button = LinkButton(
            translate("Report", "Open in review"), "Enter", name=f"{name}_open", enter_at=self.list
        )
        self._none = WrappedLabel(ink="text2")
        self._basis = note_label()
        row = tight_row(None, (self._about, 1), self.open_button, margins=(CHART_PAD, 0, 0, 0))
        self._choices = QWidget()
        choices = tight_row(self._choices, margins=(CHART_PAD, 0, 0, 0))
        for widget, stretch in ((self.sorting, 0), (self.filter, 1), (self._count, 0)):
            choices.addWidget(widget, stretch)
        choices.addStretch(1)
        self._differing = fill(QVBoxLayout(), row, (self.list, 2 * LARGE_STRETCH), self._none)
        fill(
            self.column,
            self._choices,
            (self.table, 3 * LARGE_STRETCH),
            self._basis,
            (self._differing, 2 * LARGE_STRETCH),
            1,
        )
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

    def show_report(self, report: AuditReport, question: str, texts: Wording) -> None:
        self._report, self._question, self._texts = report, question, texts
        self.set_title(texts.translate("Report", "Raters"), raters_note(report, question, texts))
        self._basis.setText(report_format.raters_basis(report.raters_from, texts))
        self._whole = raters_table(report, question, texts)
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
            self.column.indexOf(self.table) + (0 if self.is_long else 2), self._differing, 2 * LARGE_STRETCH
        )
        self._arrange()

    @property
    def is_long(self) -> bool:
        """Tell if there are so many raters that they are sorted and filtered."""
        return len(self._whole.rows) > MANY_RATERS

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
        agreement = next(
            at
            for at, title in enumerate(titles)
            if title.startswith(self._texts.translate("Report", "α with the others"))
        )
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
        table = differing_table(
            report, self.rater, texts, self._question, most=FEW_DIFFERENCES if self.is_long else MAX_DIFFERENCES
        )
        self._about.setText(self._title(texts))
        self.table.setAccessibleName(texts.translate("Report", "Raters"))
        self.list.setAccessibleName(self._about.text())
        self.list.show_table(table)
        self.list.setMaximumHeight(self.list.sizeHint().height() if self.is_long else MAX_WIDGET_HEIGHT)
        has_rows = bool(table.rows)
        self.list.setVisible(has_rows)
        self.open_button.setVisible(has_rows)
        self._none.setText(texts.translate("Report", "No differences."))
        self._none.setHidden(has_rows)

    def _title(self, texts: Wording) -> str:
        assert self._report is not None, "called once there is a report"
        agreement = report_format.agreement_on(self._report, self._question)
        targets = agreement is not None and agreement.question.per == "target"
        if not self.rater:
            return (
                texts.translate("Report", "Targets with most disagreement")
                if targets
                else texts.translate("Report", "Places with most disagreement")
            )
        name = next(
            (report_format.rater_label(row, texts) for row in self._report.raters if row.rater == self.rater),
            self.rater,
        )
        return (
            texts.translate("Report", "{rater}, targets that differ most from the others")
            if targets
            else texts.translate("Report", "{rater}, places that differ most from the others")
        ).format(rater=name)


THREE_COLUMNS, TWO_COLUMNS = 1_180, 720  # minimum widths for three and two columns
GAP, SIDE = 12, 16
UPPER_CARDS = {"agreement", "confusion", "shares", "times", "raters"}
UPPER, LOWER, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT, MAX_RATERS_HEIGHT = 285, 355, 250, 460, 560
translate = QCoreApplication.translate
CardPlace = tuple[int, int, int]  # row, column, columns
CardRows = tuple[tuple[tuple[str, int], ...], ...]  # rows of cards, each with the number of its columns
_FIRST, _LAST = ("agreement", "confusion"), ("models", "trends", "pull", "libraries")
CARD_ROWS: dict[int, CardRows] = {
    3: (
        (("agreement", 1), ("confusion", 1), ("shares", 1)),
        (("times", 1), ("raters", 2)),
        (("scale", 1), ("scale_raters", 2)),
        (("models", 3),),
        (("trends", 3),),
        (("pull", 3),),
        (("libraries", 3),),
    ),
    2: (
        (("agreement", 1), ("confusion", 1)),
        (("shares", 1), ("times", 1)),
        (("raters", 2),),
        (("scale", 2),),
        (("scale_raters", 2),),
        (("models", 2),),
        (("trends", 2),),
        (("pull", 2),),
        (("libraries", 2),),
    ),
    1: tuple(((name, 1),) for name in (*_FIRST, "shares", "times", "raters", "scale", "scale_raters", *_LAST)),
}
# With many raters each card is as high as it is: the screen scrolls as one page, the raters first.
LONG_CARD_ROWS: dict[int, CardRows] = {
    3: (
        (("agreement", 1), ("confusion", 1), ("scale", 1)),
        (("raters", 3),),
        (("scale_raters", 3),),
        (("shares", 2), ("times", 1)),
        (("models", 3),),
        (("trends", 3),),
        (("pull", 3),),
        (("libraries", 3),),
    ),
    2: (
        (("agreement", 1), ("confusion", 1)),
        (("scale", 2),),
        (("raters", 2),),
        (("scale_raters", 2),),
        (("shares", 1), ("times", 1)),
        (("models", 2),),
        (("trends", 2),),
        (("pull", 2),),
        (("libraries", 2),),
    ),
    1: tuple(((name, 1),) for name in (*_FIRST, "scale", "raters", "scale_raters", "shares", "times", *_LAST)),
}


class ReportBoard(QScrollArea):
    """The cards of the report. Charts emit `question_wanted` and `rater_wanted` for a chosen row or bar.

    `place_wanted` carries task, place and rater of a label that rests on libraries alone.
    """

    question_wanted = Signal(str)
    rater_wanted = Signal(str)
    place_wanted = Signal(str, str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._waiting: list[Callable[[], None]] = []  # what shows the other cards
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._show_next)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.agreement, self.confusion = ChartCard("report_agreement"), ChartCard("report_confusion")
        self.shares, self.times = ChartCard("report_shares"), ChartCard("report_times")
        self.raters = RatersCard("report_raters")
        self.scale, self.scale_raters = ChartCard("report_scale"), TableCard("report_scale_raters")
        self.models, self.trends = TableCard("report_models"), TableCard("report_trends")
        self.libraries, self.pull = TableCard("report_libraries"), TableCard("report_pull")
        self.libraries.table.doubleClicked.connect(lambda _index: self.open_place())
        self.summary = TextCard("report_summary", self._inside)
        self.cards: dict[str, ReportCard] = {
            "agreement": self.agreement,
            "confusion": self.confusion,
            "shares": self.shares,
            "times": self.times,
            "raters": self.raters,
            "scale": self.scale,
            "scale_raters": self.scale_raters,
            "models": self.models,
            "trends": self.trends,
            "pull": self.pull,
            "libraries": self.libraries,
        }
        for card in self.cards.values():
            card.setParent(self._inside)
        self.setWidget(self._inside)
        for card in (self.agreement, self.shares, self.times):
            card.chart.chosen.connect(self._chosen)
        self.raters.resized.connect(self._arrange)
        for table in (self.raters.table, self.scale_raters.table, self.trends.table, self.libraries.table):
            table.moved.connect(lambda _row, table=table: self._follow_row(table))
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._follow_focus)
        theme.follow(self, self._arrange)

    def show_report(self, report: AuditReport, question: str, texts: Wording) -> None:
        """Show the figures; those of many raters card by card, so that the window answers in between."""
        self.summary.show_panel(summary_panel(meanings_of(report, question, texts).summary, texts))
        cards = (self._show_agreement, self._show_scale, self._show_raters, self._show_shares, self._show_times)
        tables = (
            (self.scale_raters, partial(scale_raters_panel, report, question, texts)),
            (self.models, partial(models_panel, report, texts)),
            (self.trends, partial(trends_panel, report, texts)),
            (self.pull, partial(pull_panel, report, texts)),
            (self.libraries, partial(libraries_panel, report, texts)),
        )
        self._waiting = [partial(show, report, question, texts) for show in cards]
        self._waiting += [partial(_show_table, card, panel) for card, panel in tables]
        self._show_next()
        while self._waiting and len(report.raters) <= MANY_RATERS:
            self._show_next()
        if self._waiting:
            self._timer.start()
        else:
            self._arrange()

    @property
    def is_complete(self) -> bool:
        """Tell if all cards are shown."""
        return not self._waiting

    def _show_next(self) -> None:
        self._waiting.pop(0)()
        if not self._waiting:
            self._timer.stop()
        if self._timer.isActive() or not self._waiting:
            self._arrange()

    def _show_agreement(self, report: AuditReport, question: str, texts: Wording) -> None:
        agreement, confusion = agreement_panel(report, question, texts), confusion_panel(report, question, texts)
        none = translate("Report", "This rubric has no questions whose answers can be compared.")
        _fill(self.agreement, agreement, tuple(filter(None, agreement.foot[1:2])), none)  # the heading has the base
        no_majority = translate("Report", "No rating can be compared: the other raters have no majority.")
        _fill(self.confusion, confusion, confusion.foot, no_majority)

    def _show_raters(self, report: AuditReport, question: str, texts: Wording) -> None:
        self.raters.show_report(report, question, texts)

    def _show_shares(self, report: AuditReport, question: str, texts: Wording) -> None:
        shares = shares_panel(report, question, texts)
        _fill(
            self.shares,
            shares,
            (" ".join(shares.foot),),
            texts.translate("Report", "This question has too many answers to show their shares.")
            if report.raters
            else texts.translate("Report", "no label given"),
        )

    def _show_times(self, report: AuditReport, _question: str, texts: Wording) -> None:
        times = times_panel(report, texts)
        _fill(self.times, times, times.foot, texts.translate("Report", "no times recorded"))
        self.times.setVisible(times.draw is not None)

    def _show_scale(self, report: AuditReport, question: str, texts: Wording) -> None:
        scale = scale_panel(report, question, texts)
        self.scale.setVisible(scale is not None)
        if scale is not None:
            _fill(self.scale, scale, scale.foot, texts.translate("Report", "No unit has two ratings."))

    def panes(self) -> tuple[ReportCard, ...]:
        shown = (card for card in self.cards.values() if not card.isHidden())
        return tuple(card for card in shown if not isinstance(card, ChartCard) or card.button.isEnabled())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _chosen(self, key: tuple[str, ...]) -> None:
        if key[0] == "question":
            self.question_wanted.emit(key[1])
        elif key[0] == "rater":
            self.rater_wanted.emit(key[1])

    def open_place(self) -> None:
        """Open the chosen place of the libraries, if the row has one."""
        if self.libraries.table.key:
            self.place_wanted.emit(*self.libraries.table.key)

    def _places(self, columns: int) -> dict[str, CardPlace]:
        """Return the place of each card; where one is hidden, the last one of its row takes its columns."""
        places: dict[str, CardPlace] = {}
        row = 0
        for names in (LONG_CARD_ROWS if self.raters.is_long else CARD_ROWS)[columns]:
            column = 0
            visible = [(name, span) for name, span in names if not self.cards[name].isHidden()]
            for name, span in visible:
                places[name] = row, column, columns - column if name == visible[-1][0] else span
                column += span
            row += bool(visible)
        return places

    def _arrange(self) -> None:
        """Set the geometry of the cards: three columns of few raters fill the window; everything else scrolls."""
        px, port = theme.px, self.viewport().size()
        columns = 3 if port.width() >= px(THREE_COLUMNS) else 2 if port.width() >= px(TWO_COLUMNS) else 1
        side, gap = px(SIDE), px(GAP)
        width = (port.width() - 2 * side - gap * (columns - 1)) / columns
        first, wide = side, port.width() - 2 * side
        if not self.summary.isHidden():
            first += self.summary.height_for(wide) + gap
            self.summary.setGeometry(side, side, wide, first - side - gap)
        heights = self._heights(columns, width, port.height() - first - side)
        tops = [first + sum(heights[:row]) + gap * row for row in range(len(heights))]
        for name, (row, column, span) in self._places(columns).items():
            left = side + (width + gap) * column
            right = left + width * span + gap * (span - 1)
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                left, right = port.width() - right, port.width() - left
            self.cards[name].setGeometry(round(left), tops[row], round(right) - round(left), heights[row])
        self._inside.resize(port.width(), tops[-1] + heights[-1] + side)

    def _heights(self, columns: int, width: float, available: int) -> list[int]:
        """Return the heights of the rows."""
        px, places = theme.px, self._places(columns)
        heights = [0] * (1 + max(row for row, _column, _span in places.values()))
        long = self.raters.is_long
        for name, (row, _column, span) in places.items():
            card, wide = self.cards[name], round(width * span + px(GAP) * (span - 1))
            needed = card.height_for(wide)
            if not long:
                least = MIN_ROW_HEIGHT if name in UPPER_CARDS else 0
                most = MAX_RATERS_HEIGHT if name == "raters" else MAX_ROW_HEIGHT if columns < max(CARD_ROWS) else LOWER
                needed = max(px(least), min(needed, px(most)))
            heights[row] = max(heights[row], needed)
        if columns == max(CARD_ROWS) and not long:
            shared = max(available, px(UPPER + LOWER)) - px(GAP)
            heights[0] = round(shared * UPPER / (UPPER + LOWER))
            heights[1] = shared - heights[0]
            if not self.scale.isHidden():
                heights[2] = px(LOWER)
        return heights

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Scroll to what got the focus, on a page that is longer than the window."""
        if isinstance(new, ReportTable):
            self._follow_row(new)
        elif new is not None and self._inside.isAncestorOf(new):
            self.ensureWidgetVisible(new, 0, theme.px(GAP))

    def _follow_row(self, table: ReportTable) -> None:
        """Scroll to the row that was moved to."""
        if table.hasFocus() and self._inside.isAncestorOf(table):
            rect = table.visualRect(table.currentIndex())
            place = table.viewport().mapTo(self._inside, rect.center())
            self.ensureVisible(0, place.y(), 0, 2 * rect.height())


def _fill(card: ChartCard, panel: ReportPanel, foot: Sequence[str], missing: str) -> None:
    card.set_title(panel.title, panel.note)
    if panel.draw is None:
        card.show_nothing(missing)
    else:
        card.show_chart(panel.draw, panel.table, foot)


def _show_table(card: TableCard, panel_of: Callable[[], ReportPanel | None]) -> None:
    panel = panel_of()
    card.setVisible(panel is not None)
    if panel is not None:
        card.show_panel(panel)
