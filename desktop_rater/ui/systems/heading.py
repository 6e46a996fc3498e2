"""The row above the figures about systems: bundle, final labels, groups, rounds, columns of `meta`, and saving."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.systems import MetaColumn, SystemsReport, SystemsRequest
from desktop_rater.audit.systems_texts import SystemsTexts
from desktop_rater.ui.report.heading import CautionLine
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.theme_tokens import CONTROL

translate = QCoreApplication.translate
SIDE, GAP = 16, 8
MOST_COLUMNS, MOST_VALUES = 8, 60
BUNDLE_MARK = "\0bundle"  # in place of a column: the earlier round is another bundle


class SystemsHeading(QWidget):
    """The choices of the request, and what the figures rest on."""

    wanted = Signal(object)  # SystemsRequest
    bundle_wanted = Signal(str)
    save_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("systems_heading")
        theme.set_ground(self, "win")
        self._request = SystemsRequest()
        self._against: dict[str, tuple[str, str]] = {}
        self.bundles, self.final = MenuChooser("systems_bundle"), MenuChooser("systems_final")
        self.by = MenuChooser("systems_by", several=True)
        self.against = MenuChooser("systems_against")
        self.columns = [MenuChooser(f"systems_column_{number}", several=True) for number in range(MOST_COLUMNS)]
        self._names: tuple[str, ...] = ()
        self.rests = PlainLabel(name="systems_rests", size="small", ink="text2")
        self.save = KeyButton(
            translate("Report", "Save as CSV"), "Ctrl Shift E", name="systems_save", clicked=self.save_wanted
        )
        self.bundles.chosen.connect(lambda chosen: self.bundle_wanted.emit(chosen[0]))
        for chooser in (self.final, self.by, self.against, *self.columns):
            chooser.chosen.connect(lambda _chosen: self._emit())
        self._lay_out()

    def _lay_out(self) -> None:
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        column = tight_column(self, spacing=0)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=GAP, alike=False)
        for widget in (self.bundles, self.final, self.by, self.against, *self.columns, self.rests):
            flow.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(choices, 1)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        self._notes = QWidget()
        notes = tight_column(self._notes, spacing=4)
        self.lines = [CautionLine(self._notes) for _ in range(4)]
        for line in self.lines:
            notes.addWidget(line)
        self._notes.hide()
        column.addWidget(self._notes)
        column.addWidget(horizontal_line())

        def measure() -> None:
            side = theme.px(SIDE)
            row.setContentsMargins(side, theme.px(6), side, theme.px(6))
            notes.setContentsMargins(side, 0, side, theme.px(8))
            self.rests.setFixedHeight(theme.px(CONTROL))

        theme.follow(self, measure)
        self.setFocusProxy(self.final)

    def show_bundles(self, bundles: Sequence[tuple[str, str]], current: str) -> None:
        self.bundles.offer(translate("Report", "Bundle"), bundles, (current,))

    def show_report(self, report: SystemsReport, bundles: Sequence[tuple[str, str]], texts: SystemsTexts) -> None:
        """Show the choices of a report. `bundles`: all that have results, the earlier round may be one of them."""
        request = self._request = report.request
        methods = [(name, texts.method(name)) for name in LABEL_METHODS]
        self.final.offer(translate("Report", "Final label by"), methods, (request.final,), named=True)
        columns = [column for column in report.columns if len(column.values) <= MOST_VALUES][:MOST_COLUMNS]
        names = [(column.name, column.name) for column in columns]
        usual = translate("Report", "system")
        self.by.offer(translate("Report", "By"), names, request.by, all_text=usual, named=True)
        self.by.setVisible(len(columns) > 1)
        self._offer_rounds(report, columns, bundles)
        self._names = tuple(column.name for column in columns)
        for chooser, column in zip(self.columns, columns, strict=False):
            values = [(value, f"{value} ({formatting.number(count)})") for value, count in column.values]
            chosen = [value for name, value in request.where if name == column.name]
            every = translate("Report", "all {n}").format(n=formatting.number(len(values)))
            chooser.offer(column.name, values, chosen, all_text=every, named=True)
        for index, chooser in enumerate(self.columns):
            chooser.setVisible(index < len(columns) and len(columns[index].values) > 1)
        self.rests.setText(texts.base_text(report.base))
        self._show_notes(report, texts)

    def _offer_rounds(
        self, report: SystemsReport, columns: Sequence[MetaColumn], bundles: Sequence[tuple[str, str]]
    ) -> None:
        request = report.request
        others = [(name, title) for name, title in bundles if name != report.bundle]
        self._against = {f"{BUNDLE_MARK}={name}": (BUNDLE_MARK, name) for name, _ in others}
        choices = [(f"{BUNDLE_MARK}={name}", title) for name, title in others]
        for column in (column for column in columns if column.repeats):
            for value, _count in column.values:
                key = f"{column.name}={value}"
                self._against[key] = (column.name, value)
                choices.append((key, f"{column.name}: {value}"))
        rows = ((BUNDLE_MARK, request.against_bundle),) if request.against_bundle else request.against
        current = [key for key, row in self._against.items() if row in rows]
        nothing = translate("Report", "nothing")
        self.against.offer(translate("Report", "Against"), choices, current[:1], all_text=nothing, named=True)
        self.against.setVisible(bool(choices))

    def _show_notes(self, report: SystemsReport, texts: SystemsTexts) -> None:
        """Show why there are no figures, that no task names its system, and why figures are not final."""
        notes = [texts.why(report.why)] if report.why else []
        if not report.system_column:
            notes.append(texts.no_system)
        notes += [texts.caution(caution) for caution in report.cautions]
        for line, text in zip(self.lines, notes + [""] * len(self.lines), strict=False):
            line.label.setText(text)
            line.setVisible(bool(text))
        self._notes.setVisible(bool(notes))

    def _emit(self) -> None:
        column, value = self._against.get(next(iter(self.against.current), ""), ("", ""))
        is_bundle = column == BUNDLE_MARK
        self.wanted.emit(
            replace(
                self._request,
                final=self.final.current[0],
                by=self.by.current,
                where=tuple(
                    (name, value)
                    for name, chooser in zip(self._names, self.columns, strict=False)
                    for value in chooser.current
                ),
                against=((column, value),) if column and not is_bundle else (),
                against_bundle=value if is_bundle else "",
            )
        )
