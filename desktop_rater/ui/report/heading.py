"""The row over the report: what it is of, what of it counts, and how it is saved."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.audit import shown
from desktop_rater.audit.report import Filter
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.report.chooser import Chooser
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import CONTROL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop_rater.audit.report import Report
    from desktop_rater.audit.wording import Wording

translate = QCoreApplication.translate
SPANS = {"1": 1, "7": 7, "30": 30}  # days that can be looked at, up to the last one
SIDE, GAP = 16, 12
LONGEST = 80
ROOMY = 1_000  # a width in which there is room to say what the figures rest on; the table of agreement says it too


class Heading(QWidget):
    """`wanted` carries what counts from now on, `asked` the question that is shown."""

    wanted = Signal(object)
    asked = Signal(str)
    bundle_wanted = Signal(str)
    save_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_heading")
        theme.ground(self, "win")
        self._report: Report | None = None
        self.title = PlainLabel(name="report_title")
        theme.write(self.title, bold=True)
        self.bundles = Chooser("report_bundle")
        self.raters = Chooser("report_raters", several=True)
        self.days = Chooser("report_days")
        self.questions = Chooser("report_question")
        self.rests = ElidedLabel(name="report_rests")
        self.rests.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.rests.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.write(self.rests, "small")
        theme.quiet(self.rests)
        self.save = KeyButton(translate("Report", "Save as CSV"), "Ctrl Shift E")
        self.save.setObjectName("report_save")
        self.save.clicked.connect(self.save_wanted)
        self.raters.chosen.connect(lambda _now: self._want())
        self.days.chosen.connect(lambda _now: self._want())
        self.questions.chosen.connect(lambda now: self.asked.emit(now[0]))
        self.bundles.chosen.connect(lambda now: self.bundle_wanted.emit(now[0]))
        self._lay_out()

    def _lay_out(self) -> None:
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=GAP, alike=False)
        for one in (self.title, self.bundles, self.raters, self.days, self.questions):
            flow.addWidget(one)
        row = QHBoxLayout()
        row.addWidget(choices, 1)
        row.addWidget(self.rests, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(line())

        def measure() -> None:
            row.setContentsMargins(theme.px(SIDE), theme.px(6), theme.px(SIDE), theme.px(6))
            row.setSpacing(theme.px(GAP))
            self.title.setFixedHeight(theme.px(CONTROL))
            self.rests.setFixedHeight(theme.px(CONTROL))

        theme.follow(self, measure)
        self.setFocusProxy(self.raters)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rests.setVisible(event.size().width() >= theme.px(ROOMY))

    def show_bundles(self, bundles: Sequence[tuple[str, str]], now: str) -> None:
        """The bundles that have results; one of them alone is a title."""
        title = dict(bundles).get(now, now)
        self.title.setText(" ".join(title[:LONGEST].split()))
        self.title.setVisible(len(bundles) < 2)
        self.bundles.setVisible(len(bundles) > 1)
        self.bundles.offer(translate("Report", "Bundle"), bundles, (now,))

    def show_report(self, report: Report, question: str, words: Wording) -> None:
        """What can be chosen, and how much the figures rest on."""
        self._report = report
        raters = [(one, one) for one in report.all_raters]
        self.raters.offer(translate("Report", "Raters"), raters, report.filter.raters, every=words.all_raters)
        self._show_days(report)
        questions = [(one.question.id, shown.asked(one.question, words)) for one in report.agreement]
        self.questions.offer(translate("Report", "Question"), questions, (question,))
        self.questions.setVisible(bool(questions))
        found = shown.agreement_on(report, question)
        self.rests.setText(
            ""
            if found is None
            else words.units.format(
                units=words.counted(found.question.per, found.units), pairs=words.number(found.pairs)
            )
        )
        self.rests.updateGeometry()

    def _show_days(self, report: Report) -> None:
        self.days.setVisible(report.days is not None)
        if report.days is None:
            return
        first, last = (date.fromisoformat(one) for one in report.days)
        every = from_to(first, last)
        spans = [
            (name, from_to(last - timedelta(days=days - 1), last))
            for name, days in SPANS.items()
            if last - timedelta(days=days - 1) > first
        ]
        since = report.filter.since
        now = [name for name, days in SPANS.items() if since == (last - timedelta(days=days - 1)).isoformat()]
        self.days.offer(translate("Report", "Days"), spans, now[:1], every=every)

    def _want(self) -> None:
        report = self._report
        if report is None:
            return
        since = until = ""
        if self.days.now and report.days is not None:
            last = date.fromisoformat(report.days[1])
            since, until = (last - timedelta(days=SPANS[self.days.now[0]] - 1)).isoformat(), last.isoformat()
        self.wanted.emit(Filter(raters=self.raters.now, since=since, until=until))


def from_to(first: date, last: date) -> str:
    """The days from the first to the last: "1–18 Nov 2026"."""
    if first == last:
        return spelling.day(first)
    if (first.year, first.month) == (last.year, last.month):
        return translate("Report", "{first}–{last}").format(first=first.day, last=spelling.day(last))
    return translate("Report", "{first} – {last}").format(first=spelling.day(first), last=spelling.day(last))
