"""The cards of an audit's result: errors in all work, and the raters with the places behind their figures."""

from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.audit.audit_result import panels
from desktop_rater.audit.audit_result.result import AuditedRater, AuditResult
from desktop_rater.audit.audit_result.texts import ResultTexts
from desktop_rater.audit.charts.rater_drawing import CURVE_HEIGHT, draw_raters
from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.report_format import shorten
from desktop_rater.ui.report.card import ChartCard, ReportCard, note_label
from desktop_rater.ui.report.chart import CHART_PAD, ChartView
from desktop_rater.ui.report.heading import MAX_NAME
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.widgets.menu_chooser import MenuChooser

translate = QCoreApplication.translate
FIND_WIDTH, PLACES_ROWS, ROW, MIN_CHART = 200, 4, 30, 190


class ErrorsCard(ReportCard):
    """The error rate of all work, its strata, and how many more places to draw."""

    draw_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.rate = PlainLabel(name=f"{name}_rate", size="title", bold=True)
        self.ends = ElidedLabel(name=f"{name}_ends", size="interface", ink="text2")
        self.about = WrappedLabel(name=f"{name}_about")
        self.strata, self.steps = ReportTable(f"{name}_strata"), ReportTable(f"{name}_steps")
        for table in (self.strata, self.steps):
            table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.draw_title = PlainLabel(bold=True)
        self.draw_note = ElidedLabel(size="small", ink="text2")
        self.draw_note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.curve = ChartView(f"{name}_curve")
        self.button = KeyButton("", "Ctrl D", name=f"{name}_draw", clicked=self.draw_wanted, primary=True)
        self.more = WrappedLabel(name=f"{name}_more", size="small", ink="text2")
        self.foot = note_label()
        self._rows: list[QHBoxLayout] = []
        for widgets in ((self.rate, self.ends), (self.about,)):
            self._add_row(*widgets)
        self.column.addWidget(self.strata)
        self._add_row(self.draw_title, self.draw_note)
        self.column.addWidget(self.curve)
        self.column.addWidget(self.steps)
        self._add_row(self.button, self.more)
        self.column.addWidget(self.foot)
        self.column.addStretch(1)
        self.setFocusProxy(self.button)
        theme.follow(self, self._measure_rows)

    def _add_row(self, *widgets: QWidget) -> None:
        row = tight_row(spacing=8)
        for widget in widgets:
            row.addWidget(widget, 1 if widget is widgets[-1] else 0)
        self.column.addLayout(row)
        self._rows.append(row)

    def _measure_rows(self) -> None:
        for row in self._rows:
            row.setContentsMargins(theme.px(CHART_PAD), 0, theme.px(CHART_PAD), 0)
        self.curve.setFixedHeight(theme.px(CURVE_HEIGHT) + 2)
        for table in (self.strata, self.steps):
            table.setFixedHeight(table.sizeHint().height())

    def show_result(self, result: AuditResult, texts: ResultTexts) -> None:
        errors, panel, draws = result.errors, panels.errors_panel(result, texts), panels.draws_panel(result, texts)
        value = errors.figure.value
        self.set_title(panel.title, panel.note)
        self.rate.setText(texts.none if value is None else f"{texts.per_cent(value)} %")
        self.ends.setText(panels.error_ends(result, texts))
        self.about.setText(" ".join([panels.judged_text(result, texts), *texts.error_lines(errors)]).strip())
        for table, data, title in ((self.strata, panel.table, panel.title), (self.steps, draws.table, draws.title)):
            table.setAccessibleName(title)
            table.show_table(data)
            table.setVisible(bool(data.rows))
        self.draw_title.setText(draws.title)
        self.draw_note.setText(draws.note)
        if draws.draw is not None:
            self.curve.show_chart(draws.title, draws.draw)
        for widget in (self.draw_title, self.draw_note):
            widget.setVisible(bool(draws.table.rows))
        self.curve.setVisible(draws.draw is not None)
        self._show_draw(result, texts)
        self.foot.setText(" ".join([*draws.foot, texts.mistakes_text(result)]).strip())
        self._measure_rows()

    def _show_draw(self, result: AuditResult, texts: ResultTexts) -> None:
        errors = result.errors
        self.button.setVisible(bool(errors.more))
        template = texts.draw_more if errors.drawn else texts.draw_first
        self.button.set_label(template.format(n=texts.number(errors.more)))
        drawn = {row.kind: row.drawn for row in errors.strata}
        more = errors.enough.by_stratum if errors.enough is not None else {}
        parts = [f"{texts.stratum_of(kind)}: {texts.number(count - drawn[kind])}" for kind, count in more.items()
                 if count > drawn[kind]]  # fmt: skip
        self.more.setText(", ".join(parts) if errors.more else "")

    def height_for(self, width: int) -> int:
        return max(self.column.heightForWidth(width), self.column.minimumSize().height())


class AuditedRatersCard(ChartCard):
    """All raters with bands of chance, and below them the places behind the chosen one's figures.

    `open_wanted` carries task, place and rater of a place to open in the review.
    """

    open_wanted = Signal(str, str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._result: AuditResult | None = None
        self._texts = ResultTexts()
        self.rater = ""
        self.field = FilterField()
        self.field.setObjectName(f"{name}_find")
        self.shown, self.order = MenuChooser(f"{name}_shown"), MenuChooser(f"{name}_order")
        self.counts = ElidedLabel(size="small", ink="text2")
        self.counts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.strip = WrappedLabel(name=f"{name}_strip")
        theme.set_ground(self.strip, "sel")
        self.about = PlainLabel(bold=True)
        self.behind = ElidedLabel(size="small", ink="text2")
        self.places = ReportTable(f"{name}_places", heads=False, names=False)
        self._nothing = WrappedLabel(ink="text2")
        self.open_button = LinkButton(
            translate("Report", "Open in review"), "Enter", name=f"{name}_open", enter_at=self.places
        )
        self._lay_out()
        self.field.textChanged.connect(lambda _text: self._show_raters())
        self.field.entered.connect(lambda: self.content.setFocus(Qt.FocusReason.OtherFocusReason))
        for chooser in (self.shown, self.order):
            chooser.chosen.connect(lambda _chosen: self._show_raters())
        self.chart.moved.connect(self._choose)
        self.chart.chosen.connect(lambda _key: self.enter_places())
        self.table.moved.connect(lambda _row: self._choose(("rater", *self.table.key)))
        self.places.doubleClicked.connect(lambda _index: self.open_chosen())
        self.open_button.clicked.connect(self.open_chosen)

    def _lay_out(self) -> None:
        row, behind = tight_row(spacing=8), tight_row(spacing=8)
        for widget in (self.field, self.shown, self.order):
            row.addWidget(widget)
        row.addWidget(self.counts, 1)
        behind.addWidget(self.about)
        behind.addWidget(self.behind, 1)
        behind.addWidget(self.open_button)
        self.column.insertLayout(1, row)
        self.column.insertWidget(2, self.strip)
        end = self.column.count() - 2  # before the notes
        for at, widget in enumerate((self.places, self._nothing)):
            self.column.insertWidget(end + at, widget)
        self.column.insertLayout(end, behind)

        def measure() -> None:
            pad = theme.px(CHART_PAD)
            for layout in (row, behind):
                layout.setContentsMargins(pad, 0, pad, 0)
            self.strip.setContentsMargins(pad, theme.px(4), pad, theme.px(4))
            self._nothing.setContentsMargins(pad, 0, pad, 0)
            self.field.setFixedWidth(theme.px(FIND_WIDTH))
            self._measure_places()

        theme.follow(self, measure)

    def show_result(self, result: AuditResult, texts: ResultTexts) -> None:
        self._result, self._texts = result, texts
        find = translate("Report", "Find a rater")
        self.field.setPlaceholderText(find)
        self.field.setAccessibleName(find)
        shown = {"all": translate("Report", "all {n}").format(n=texts.number(len(result.raters))),
                 "outside": translate("Report", "with a figure outside"),
                 "few": translate("Report", "fewer than 20 tasks")}  # fmt: skip
        orders = {"outside": translate("Report", "outside the band"), "name": translate("Report", "name"),
                  "tasks": translate("Report", "most tasks")}  # fmt: skip
        for chooser, title, choices in (
            (self.shown, translate("Report", "Show"), shown), (self.order, translate("Report", "Order"), orders)
        ):  # fmt: skip
            chooser.offer(title, list(choices.items()), chooser.current or (next(iter(choices)),), named=True)
        names = [rater.rater for rater in result.raters]
        if self.rater not in names:
            self.rater = ""
        self._show_raters()

    def _show_raters(self) -> None:
        result, texts = self._result, self._texts
        if result is None:
            return
        choice = (self.order.current[0], self.shown.current[0], self.field.text().strip())
        panel = panels.raters_panel(result, texts, *choice)
        chart = panels.raters_chart(result, texts, *choice)
        listed = [key[0] for key in panel.table.keys]
        if self.rater not in listed:
            self.rater = next(iter(listed), "")
        self.set_title(panel.title, panel.note)
        strip, counts = panel.foot
        self.strip.setText(strip)
        self.counts.setText(counts)
        self.show_chart(partial(draw_raters, chart), panel.table, ())
        self.chart.mark_key(("rater", self.rater))
        self._show_places()

    def _choose(self, key: Key) -> None:
        if len(key) > 1 and key[1] != self.rater:
            self.rater = str(key[1])
            self._show_places()

    @property
    def _audited(self) -> AuditedRater | None:
        raters = self._result.raters if self._result is not None else ()
        return next((rater for rater in raters if rater.rater == self.rater), None)

    def _show_places(self) -> None:
        result, texts, rater = self._result, self._texts, self._audited
        for widget in (self.about, self.behind, self.places, self.open_button, self._nothing):
            widget.setVisible(False)
        if result is None or rater is None:
            return
        self.about.setText(texts.behind.format(rater=shorten(rater.rater, MAX_NAME)))
        self.behind.setText(panels.behind_text(rater, texts))
        self.places.setAccessibleName(self.about.text())
        self.places.show_table(panels.places_table(result, rater, texts))
        self.places.choose(0)
        self._nothing.setText(texts.no_places_behind)
        for widget, on in ((self.about, True), (self.behind, True), (self.places, bool(rater.places)),
                           (self.open_button, bool(rater.places)), (self._nothing, not rater.places)):  # fmt: skip
            widget.setVisible(on)
        self._measure_places()

    def _measure_places(self) -> None:
        rows = min(PLACES_ROWS, self.places.table_model.rowCount())
        self.places.setFixedHeight(theme.px(ROW) * max(1, rows) + 2)

    # -- commands

    def enter_places(self) -> None:
        """Move from the raters to the places of the chosen one."""
        if not self.places.isHidden():
            self.places.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> bool:
        """Go back from the places, or from the field, to the raters; return whether that was possible."""
        if self.places.hasFocus() or self.field.hasFocus():
            self.content.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False

    def step(self, by: int) -> None:
        """Move by rows in the places."""
        count, row = self.places.table_model.rowCount(), self.places.currentIndex().row()
        if count:
            self.places.choose(min(max(row + by, 0), count - 1))

    def open_chosen(self) -> None:
        if self.places.key:
            self.open_wanted.emit(*self.places.key)

    def least_height(self, width: int) -> int:
        """Return the height at which some raters and places are in sight."""
        strip = self.strip.heightForWidth(max(1, width - 2 * theme.px(CHART_PAD)))
        return strip + theme.px(MIN_CHART + 5 * ROW) + self.places.height()
