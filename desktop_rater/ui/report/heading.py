"""The row above the report: its parts, bundle, raters, days, question, and saving."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Protocol

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.audit import report_format
from desktop_rater.audit.report import AuditReport, ReportFilter
from desktop_rater.audit.report_format import Wording
from desktop_rater.hooks import hook, resolve
from desktop_rater.translation import N_
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, isolated
from desktop_rater.ui.widgets.layouts import FlowLayout, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.menu_chooser import MenuChooser, one_line
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.action_row import OfferedPart
from desktop_rater.ui.window.screens import ScreenContent

AGREEMENT = "agreement"


class ReportPart(ScreenContent, Protocol):
    """The report screen's interface to a part. `functions` are like the `actions` of a `Screen`.

    `part_wanted` carries the name of another part to show, or "" to go back to the agreement; `open_wanted` carries
    task, place and rater to open in the review. `offers_parts`: the actions that show other parts are available in it.
    """

    @property
    def part_wanted(self) -> SignalInstance: ...
    @property
    def open_wanted(self) -> SignalInstance: ...
    @property
    def page(self) -> QWidget: ...
    @property
    def offers_parts(self) -> bool: ...

    def open(self, page: str, /) -> None: ...
    def functions(self) -> Mapping[str, Callable[[], object]]: ...


def offered_parts() -> dict[str, OfferedPart]:
    """Return the parts beside the agreement by name."""
    return {name: resolve(place) for name, place in hook("report_parts").items()}


class PartSwitch(QWidget):
    """A button for each part; `wanted` carries the part to show."""

    wanted = Signal(str)

    def __init__(self, current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_parts")
        self._current = current
        row = tight_row(self, spacing=4)
        self.buttons: dict[str, ChoiceButton] = {}
        texts = {AGREEMENT: N_("Report", "Agreement")}
        texts |= {name: part.text for name, part in offered_parts().items()}
        for part, text in texts.items():
            button = ChoiceButton(
                QCoreApplication.translate("Report", text),
                parent=self,
                name=f"report_part_{part}",
                clicked=lambda _on=False, part=part: self._choose(part),
            )
            row.addWidget(button)
            self.buttons[part] = button
        self.buttons[current].setChecked(True)

    def _choose(self, part: str) -> None:
        """Emit the part; the switch itself always shows the part that it belongs to."""
        for name, button in self.buttons.items():
            button.setChecked(name == self._current)
        if part != self._current:
            self.wanted.emit(part)


translate = QCoreApplication.translate
DAY_SPANS = {"1": 1, "7": 7, "30": 30}  # days up to the last one
SIDE, GAP = 16, 12
MAX_TITLE, MAX_NAME = 80, 40
MAX_CAUTIONS = 5


class CautionLine(QWidget):
    """A reason why the figures are not final, with the warning sign."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        row = tight_row(self, spacing=8)
        row.addWidget(Icon("triangle-exclamation", ink="warn"), 0, Qt.AlignmentFlag.AlignTop)
        self.label = WrappedLabel(name="report_caution")
        row.addWidget(self.label, 1)


class ReportHeading(QWidget):
    """The filters of the report."""

    filter_chosen = Signal(object)  # Filter
    question_chosen = Signal(str)  # the chosen question
    bundle_wanted = Signal(str)
    save_wanted = Signal()
    part_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_heading")
        self.parts = PartSwitch(AGREEMENT)
        self.parts.wanted.connect(self.part_wanted)
        theme.set_ground(self, "win")
        self._report: AuditReport | None = None
        self.title = PlainLabel(name="report_title")
        theme.set_type(self.title, bold=True)
        self.bundles = MenuChooser("report_bundle")
        self.raters = MenuChooser("report_raters", several=True)
        self.days = MenuChooser("report_days")
        self.questions = MenuChooser("report_question")
        self.rests = ElidedLabel(name="report_rests")
        self.rests.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.rests.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.set_type(self.rests, "small")
        theme.set_ink(self.rests)
        self.save = KeyButton(
            translate("Report", "Save as CSV"), "Ctrl Shift E", name="report_save", clicked=self.save_wanted
        )
        self.raters.chosen.connect(lambda _selected: self._emit_filter())
        self.days.chosen.connect(lambda _selected: self._emit_filter())
        self.questions.chosen.connect(lambda selected: self.question_chosen.emit(selected[0]))
        self.bundles.chosen.connect(lambda selected: self.bundle_wanted.emit(selected[0]))
        self._lay_out()

    def _lay_out(self) -> None:
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        column = tight_column(self, spacing=0)
        self._choices = QWidget()
        flow = FlowLayout(self._choices, spacing=GAP, alike=False)
        for widget in (self.title, self.bundles, self.parts, self.raters, self.days, self.questions):
            flow.addWidget(widget)
        row = fill(QHBoxLayout(), (self._choices, 1))
        row.addWidget(self.rests, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        self.cautions = QWidget()
        self.cautions.setObjectName("report_cautions")
        self._caution_column = tight_column(self.cautions, spacing=4)
        self._caution_lines = [CautionLine(self.cautions) for _ in range(MAX_CAUTIONS + 1)]
        for line in self._caution_lines:
            self._caution_column.addWidget(line)
        column.addWidget(self.cautions)
        self.cautions.hide()
        column.addWidget(horizontal_line())

        def measure() -> None:
            row.setContentsMargins(theme.px(SIDE), theme.px(6), theme.px(SIDE), theme.px(6))
            row.setSpacing(theme.px(GAP))
            self._caution_column.setContentsMargins(theme.px(SIDE), 0, theme.px(SIDE), theme.px(8))
            self.title.setFixedHeight(theme.px(CONTROL))
            self.rests.setFixedHeight(theme.px(CONTROL))

        theme.follow(self, measure)
        self.setFocusProxy(self.raters)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_rests()

    def _show_rests(self) -> None:
        """Show the number of units and pairs where the choices keep one row; the table of agreement has it too."""
        needed = sum(part.sizeHint().width() for part in (self._choices, self.rests, self.save))
        self.rests.setVisible(self.width() >= needed + theme.px(2 * SIDE + 2 * GAP))

    def show_bundles(self, bundles: Sequence[tuple[str, str]], current: str) -> None:
        """Show the bundles that have results; a single one becomes the title."""
        title = dict(bundles).get(current, current)
        self.title.setText(" ".join(title[:MAX_TITLE].split()))
        self.title.setVisible(len(bundles) < 2)
        self.bundles.setVisible(len(bundles) > 1)
        self.bundles.offer(translate("Report", "Bundle"), bundles, (current,))

    def show_report(self, report: AuditReport, question: str, texts: Wording) -> None:
        """Show the choices of a report, and how much data its figures rest on."""
        self._report = report
        raters = [(rater, rater) for rater in report.all_raters]
        self.raters.offer(
            translate("Report", "Raters"),
            raters,
            report.filter.raters,
            all_text=texts.translate("Report", "All raters"),
        )
        self._show_days(report)
        questions = [(row.question.id, report_format.question_text(row.question, texts)) for row in report.agreement]
        self.questions.offer(translate("Report", "Question"), questions, (question,))
        self.questions.setVisible(bool(questions))
        agreement = report_format.agreement_on(report, question)
        self.rests.setText("" if agreement is None else report_format.rests_text(agreement, texts))
        self.rests.updateGeometry()
        self._show_rests()
        self._show_cautions(report, texts)

    def _show_cautions(self, report: AuditReport, texts: Wording) -> None:
        """Show a line for each reason why the figures are not final."""
        lines = [
            report_format.caution_text(
                replace(caution, raters=tuple(isolated(one_line(name, MAX_NAME)) for name in caution.raters)), texts
            )
            for caution in report.cautions
        ]
        more = len(lines) - MAX_CAUTIONS
        if more > 0:
            text = translate("Report", "And {n} more: see the results in the review.")
            lines[MAX_CAUTIONS:] = [text.format(n=formatting.number(more))]
        for line, text in zip(self._caution_lines, lines + [""] * len(self._caution_lines), strict=False):
            line.label.setText(text)
            line.setVisible(bool(text))
        self.cautions.setVisible(bool(lines))

    def _show_days(self, report: AuditReport) -> None:
        self.days.setVisible(report.days is not None)
        if report.days is None:
            return
        first, last = (date.fromisoformat(day) for day in report.days)
        whole_range = date_range(first, last)
        spans = [
            (name, date_range(last - timedelta(days=days - 1), last))
            for name, days in DAY_SPANS.items()
            if last - timedelta(days=days - 1) > first
        ]
        since = report.filter.since
        current = [name for name, days in DAY_SPANS.items() if since == (last - timedelta(days=days - 1)).isoformat()]
        self.days.offer(translate("Report", "Days"), spans, current[:1], all_text=whole_range)

    def _emit_filter(self) -> None:
        report = self._report
        if report is None:
            return
        since = until = ""
        if self.days.current and report.days is not None:
            last = date.fromisoformat(report.days[1])
            since, until = (last - timedelta(days=DAY_SPANS[self.days.current[0]] - 1)).isoformat(), last.isoformat()
        self.filter_chosen.emit(ReportFilter(raters=self.raters.current, since=since, until=until))


def date_range(first: date, last: date) -> str:
    """Return a range of days: "1–18 Nov 2026"."""
    if first == last:
        return formatting.day(first)
    if (first.year, first.month) == (last.year, last.month):
        return translate("Report", "{first}–{last}").format(first=first.day, last=formatting.day(last))
    return translate("Report", "{first} – {last}").format(first=formatting.day(first), last=formatting.day(last))
