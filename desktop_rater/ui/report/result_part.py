"""The audit's result in the report screen: its choices, its two cards, drawing more places, and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.audit.audit_result.result import AuditResult, ResultRequest
from desktop_rater.audit.audit_result.texts import ResultTexts
from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.systems_texts import SystemsTexts
from desktop_rater.store.store import Store
from desktop_rater.ui.report.calculator import FigureCalculator
from desktop_rater.ui.report.card import ReportCard
from desktop_rater.ui.report.chart import ChartView
from desktop_rater.ui.report.heading import CautionLine
from desktop_rater.ui.report.parts import RESULT, PartSwitch
from desktop_rater.ui.report.result_cards import AuditedRatersCard, ErrorsCard
from desktop_rater.ui.report.texts_and_colors import save_report, translated_texts
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REPORT
from desktop_rater.work.audit.result import draw_more, load_result, save_result_page, save_result_tables
from desktop_rater.work.audit.review import Lead

translate = QCoreApplication.translate
SIDE, GAP, TWO_COLUMNS, ERRORS_WIDTH, MIN_WIDTH_FOR_COUNTS = 16, 12, 1_000, 385, 1_400
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
        row.addWidget(self.rests, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        self.rests.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.rests.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column.addLayout(row)
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
            self.rests.setFixedHeight(theme.px(CONTROL))

        theme.follow(self, measure)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rests.setVisible(event.size().width() >= theme.px(MIN_WIDTH_FOR_COUNTS))

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
        report = self.figures.report
        computing = translate("Report", "Computing the figures")
        if report is None:
            return computing if self.figures.is_running else ""
        text = translate("Report", "computed in {seconds} s, seed {seed}").format(
            seconds=formatting.decimal(self.figures.took, 1), seed=report.seed
        )
        return f"{text} · {computing}" if self.figures.is_running else text

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
        texts, audited = translated_texts(ResultTexts), self._context.audited
        titles = [(name, result.title if name == result.bundle else name) for name in audited.bundles]
        self.bundles.offer(translate("Report", "Bundle"), titles, (result.bundle,))
        methods = translated_texts(SystemsTexts)
        finals = [(name, methods.method(name)) for name in LABEL_METHODS]
        self.final.offer(translate("Report", "Final label by"), finals, (result.method,), named=True)
        goals = sorted({*GOALS, result.request.goal})
        self.goal.offer(translate("Report", "Goal"), [(str(goal), f"< {texts.number(100 * goal)} %") for goal in goals],
                        (str(result.request.goal),), named=True)  # fmt: skip
        self.rests.setText(texts.rests_result(result))
        self.rests.updateGeometry()
        cautions = [texts.caution(caution) for caution in result.cautions]
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
            texts = translated_texts(ResultTexts)
            save_report(
                self._context, self.figures.report, f"-result{ending}", save_result_page, texts, save_result_tables
            )
