"""The audit's result in the report screen: its choices, its two cards, drawing more places, and files."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.audit.charts.rater_drawing import CURVE_HEIGHT, draw_raters
from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.questions import LABEL_METHODS
from desktop_rater.audit.report_format import NONE, Wording, caution_text, shorten
from desktop_rater.operations.audit.review import Lead
from desktop_rater.plugins.statistics import result_panels as panels
from desktop_rater.plugins.statistics.actions import RESULT
from desktop_rater.plugins.statistics.meanings import result_summary
from desktop_rater.plugins.statistics.operations import draw_more, load_result, save_result_page, save_result_tables
from desktop_rater.plugins.statistics.result import AuditedRater, AuditResult, ResultRequest
from desktop_rater.plugins.statistics.result_panels import error_lines, mistakes_text, result_base, stratum_name
from desktop_rater.plugins.statistics.systems_texts import method_meanings, method_name
from desktop_rater.store.store import Store
from desktop_rater.ui.report.card import ChartCard, ReportCard, note_label
from desktop_rater.ui.report.chart import CHART_PAD, ChartView
from desktop_rater.ui.report.figure_screen import FigureCalculator
from desktop_rater.ui.report.heading import MAX_NAME, CautionLine, PartSwitch
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.report.texts_and_colors import save_report, translated_wording
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REPORT

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

    def show_result(self, result: AuditResult, texts: Wording) -> None:
        errors, panel, draws = result.errors, panels.errors_panel(result, texts), panels.draws_panel(result, texts)
        value = errors.figure.value
        self.set_title(panel.title, panel.note)
        self.rate.setText(NONE if value is None else f"{texts.per_cent(value)} %")
        self.ends.setText(panels.error_ends(result, texts))
        lines = [panels.judged_text(result, texts), *error_lines(errors, texts), *result_summary(errors, texts)]
        self.about.setText(" ".join(lines).strip())
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
        self.foot.setText(" ".join([*draws.foot, mistakes_text(result, texts)]).strip())
        self._measure_rows()

    def _show_draw(self, result: AuditResult, texts: Wording) -> None:
        errors = result.errors
        self.button.setVisible(bool(errors.more))
        template = (
            texts.translate("Report", "Draw {n} more") if errors.drawn else texts.translate("Report", "Draw {n} places")
        )
        self.button.set_label(template.format(n=texts.number(errors.more)))
        drawn = {row.kind: row.drawn for row in errors.strata}
        more = errors.enough.by_stratum if errors.enough is not None else {}
        parts = [f"{stratum_name(kind, texts)}: {texts.number(count - drawn[kind])}" for kind, count in more.items()
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
        self._texts = Wording()
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

    def show_result(self, result: AuditResult, texts: Wording) -> None:
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
        self.about.setText(
            texts.translate("Report", "{rater}, the places behind it").format(rater=shorten(rater.rater, MAX_NAME))
        )
        self.behind.setText(panels.behind_text(rater, texts))
        self.places.setAccessibleName(self.about.text())
        self.places.show_table(panels.places_table(result, rater, texts))
        self.places.choose(0)
        self._nothing.setText(texts.translate("Report", "No rating differs from a final label or is wrong."))
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


SIDE, GAP, TWO_COLUMNS, ERRORS_WIDTH = 16, 12, 1_000, 385
GOALS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2)


def _load(store: Store, bundle: str, request: ResultRequest, now: datetime) -> AuditResult:
    return load_result(store, bundle, request, now=now)


class ResultBoard(QScrollArea):
    """The two cards, side by side in a wide window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.setWidget(self._inside)
        self.errors, self.raters = (
            ErrorsCard("result_errors", self._inside),
            AuditedRatersCard("result_raters", self._inside),
        )
        theme.follow(self, self.arrange)

    def panes(self) -> tuple[ReportCard, ...]:
        return self.errors, self.raters

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.arrange()

    def arrange(self) -> None:
        """Set the geometry of the cards."""
        px, port = theme.px, self.viewport().size()
        side, gap = px(SIDE), px(GAP)
        width = port.width() - 2 * side
        if port.width() < px(TWO_COLUMNS):
            upper, lower = self.errors.height_for(width), self.raters.least_height(width)
            self.errors.setGeometry(side, side, width, upper)
            self.raters.setGeometry(side, side + upper + gap, width, lower)
            self._inside.resize(port.width(), upper + lower + gap + 2 * side)
            return
        left, right = px(ERRORS_WIDTH), width - px(ERRORS_WIDTH) - gap
        lower = max(port.height() - 2 * side, self.raters.least_height(right))
        height = max(lower, self.errors.height_for(left))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.errors.setGeometry(side + (right + gap if mirrored else 0), side, left, height)
        self.raters.setGeometry(side + (0 if mirrored else left + gap), side, right, lower)
        self._inside.resize(port.width(), height + 2 * side)


class ResultPart(QWidget):
    """The page with the audit's result, a `ReportPart`; computed when it is shown and its results have changed."""

    mode, offers_parts = REPORT, True
    changed = Signal()
    part_wanted = Signal(str)
    open_wanted = Signal(str, str, str)

    def __init__(self, context: ScreenContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_part")
        theme.set_ground(self, "win")
        self._context = context
        self._outdated = True
        self.parts, self.bundles = PartSwitch(RESULT), MenuChooser("result_bundle")
        self.final, self.goal = MenuChooser("result_final"), MenuChooser("result_goal")
        self.rests = ElidedLabel(name="result_rests", size="small", ink="text2")
        self.save = KeyButton(translate("Report", "Save as CSV"), "Ctrl Shift E", name="result_save",
                              clicked=lambda: self.save_as(".csv"))  # fmt: skip
        self.board = ResultBoard()
        self.figures = FigureCalculator(context.perform, context.now, _load, ResultRequest(), self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        column = tight_column(self)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=GAP, alike=False)
        for widget in (self.bundles, self.parts, self.final, self.goal):
            flow.addWidget(widget)
        row = tight_row(spacing=GAP)
        row.addWidget(choices, 1)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        below = tight_row()
        below.addWidget(self.rests)
        column.addLayout(below)
        self._cautions: QVBoxLayout = tight_column(spacing=4)
        self.lines = [CautionLine(self) for _ in range(4)]
        for line in self.lines:
            line.hide()
            self._cautions.addWidget(line)
        column.addLayout(self._cautions)
        column.addWidget(horizontal_line())
        column.addWidget(self.board, 1)

        def measure() -> None:
            side = theme.px(SIDE)
            row.setContentsMargins(side, theme.px(6), side, theme.px(6))
            self._cautions.setContentsMargins(side, 0, side, 0)
            below.setContentsMargins(side, 0, side, theme.px(6))

        theme.follow(self, measure)

    def _connect(self) -> None:
        audited = self._context.audited
        audited.loaded.connect(self._recompute)
        audited.reviewed.connect(lambda _change: self._recompute())
        self.parts.wanted.connect(self.part_wanted)
        self.bundles.chosen.connect(lambda chosen: audited.open(chosen[0]))
        for chooser in (self.final, self.goal):
            chooser.chosen.connect(lambda _chosen: self._ask())
        self.board.raters.open_wanted.connect(self.open_wanted)
        self.board.errors.draw_wanted.connect(self.draw)
        self.figures.ready.connect(self._show)
        self.figures.slow.connect(self.changed)
        self.figures.failed.connect(self.changed)

    # -- the interface of a part

    @property
    def page(self) -> QWidget:
        return self

    @property
    def title(self) -> str:
        report = self.figures.report
        return "" if report is None else translate("Report", "{title}: audit result").format(title=report.title)

    @property
    def status_text(self) -> str:
        return self.figures.status_text

    def functions(self) -> Mapping[str, Callable[[], object]]:
        if self.figures.report is None:
            return {}
        raters = self.board.raters
        return {
            "report_enter": self._enter,
            "report_as_table": raters.toggle_table,
            "report_tables": partial(self.save_as, ".csv"),
            "report_page": partial(self.save_as, ".html"),
            "report_raters": lambda: raters.field.setFocus(Qt.FocusReason.ShortcutFocusReason),
            "next_target": lambda: raters.step(1),
            "previous_target": lambda: raters.step(-1),
            "leave": self._leave,
        } | ({"report_draw": self.draw} if self.figures.report.errors.more else {})

    def panes(self) -> tuple[QWidget, ...]:
        return (*self.board.panes(), self.parts)

    def take_key(self, _key: str) -> bool:
        return False

    def open(self, _page: str) -> None:
        self.focus_first()

    def showEvent(self, event: QShowEvent) -> None:
        """Compute figures that are out of date."""
        super().showEvent(event)
        if self._context.audited.audit is not None and (self._outdated or self.figures.report is None):
            self._compute()

    def _recompute(self) -> None:
        self._outdated = True
        if self.isVisible():
            self._compute()

    def _compute(self) -> None:
        self._outdated = False
        self.figures.compute(self._context.audited.bundle, self.figures.filter)

    def _ask(self) -> None:
        result, wanted, final = self.figures.report, self.figures.filter, self.final.current[0]
        if result is not None and final != result.method:  # otherwise the bundle's choice and threshold apply
            wanted = replace(wanted, final=final)
        self.figures.compute(self._context.audited.bundle, replace(wanted, goal=float(self.goal.current[0])))

    def _show(self) -> None:
        result = self.figures.report
        if result is None:
            return
        texts, audited = translated_wording(), self._context.audited
        titles = [(name, result.title if name == result.bundle else name) for name in audited.bundles]
        self.bundles.offer(translate("Report", "Bundle"), titles, (result.bundle,))
        methods = translated_wording()
        finals = [(name, method_name(name, methods)) for name in LABEL_METHODS]
        self.final.offer(
            translate("Report", "Final label by"),
            finals,
            (result.method,),
            named=True,
            meanings=method_meanings(texts),
        )
        goals = sorted({*GOALS, result.request.goal})
        self.goal.offer(translate("Report", "Goal"), [(str(goal), f"< {texts.number(100 * goal)} %") for goal in goals],
                        (str(result.request.goal),), named=True)  # fmt: skip
        self.rests.setText(result_base(result, texts))
        self.rests.updateGeometry()
        cautions = [caution_text(caution, texts) for caution in result.cautions]
        self._show_lines(cautions)
        self.board.errors.show_result(result, texts)
        self.board.raters.show_result(result, texts)
        self.board.arrange()
        self.changed.emit()

    def _show_lines(self, cautions: Sequence[str]) -> None:
        for at, line in enumerate(self.lines):
            line.label.setText(cautions[at] if at < len(cautions) else "")
            line.setVisible(at < len(cautions))

    # -- commands

    def focus_first(self) -> None:
        self.board.raters.content.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enter(self) -> None:
        focus, raters = QApplication.focusWidget(), self.board.raters
        if focus is raters.places:
            raters.open_chosen()
        elif isinstance(focus, QAbstractButton):
            focus.click()
        elif isinstance(focus, ChartView) or focus is raters.table:
            raters.enter_places()

    def _leave(self) -> None:
        if not self.board.raters.go_back():
            self.focus_first()

    def draw(self) -> None:
        """Draw as many more places as the goal needs."""
        result = self.figures.report
        enough = result.errors.enough if result is not None else None
        if result is None or enough is None or not result.errors.more:
            return
        context = self._context
        lead = Lead(context.preferences.now.rater or context.lead, context.now)
        more = formatting.number(result.errors.more)

        def done(_change: object) -> None:
            text = translate("Report", "Drawn: {n} more places. They are in the review, under In the sample.")
            context.window.banners.show_banner("report", "info", text.format(n=more))

        context.perform.perform(draw_more, result.bundle, enough.by_stratum, lead, done=done)

    def save_as(self, ending: str) -> None:
        """Ask for a name, and write the tables into a folder of that name, or the page."""
        if self.figures.report is not None:
            texts = translated_wording()
            save_report(
                self._context, self.figures.report, f"-result{ending}", save_result_page, texts, save_result_tables
            )
