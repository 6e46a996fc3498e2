"""The systems screen: what the systems wrote, which is preferred, and what turned between two rounds."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.questions import LABEL_METHODS
from desktop_rater.audit.report_format import Wording, caution_text
from desktop_rater.plugins.statistics import systems_panels
from desktop_rater.plugins.statistics.operations import LoadedSystems, save_systems_page, save_systems_tables
from desktop_rater.plugins.statistics.systems import FigurePlace, MetaColumn, SystemsReport, SystemsRequest
from desktop_rater.plugins.statistics.systems_board import RoundsCard, SystemsBoard
from desktop_rater.plugins.statistics.systems_texts import method_meanings, method_name, places_title, systems_base
from desktop_rater.ui.report.card import PlacesCard
from desktop_rater.ui.report.figure_screen import FigureCalculator, FigureScreen, NoResultsPage
from desktop_rater.ui.report.heading import CautionLine
from desktop_rater.ui.report.texts_and_colors import save_report, translated_wording
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REPORT

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

    def show_report(self, report: SystemsReport, bundles: Sequence[tuple[str, str]], texts: Wording) -> None:
        """Show the choices of a report. `bundles`: all that have results, the earlier round may be one of them."""
        request = self._request = report.request
        methods = [(name, method_name(name, texts)) for name in LABEL_METHODS]
        self.final.offer(
            translate("Report", "Final label by"),
            methods,
            (request.final,),
            named=True,
            meanings=method_meanings(texts),
        )
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
        self.rests.setText(systems_base(report.base, texts))
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

    def _show_notes(self, report: SystemsReport, texts: Wording) -> None:
        """Show why there are no figures, that no task names its system, and why figures are not final."""
        notes = [texts.why(report.why)] if report.why else []
        if not report.system_column:
            notes.append(
                texts.translate(
                    "Report",
                    "No task names the system that wrote its response, so all responses are one group. Put it into the "
                    'meta of the tasks: {"system": "Heron 2.1"}, or for pairs one name for each response.',
                )
            )
        notes += [caution_text(caution, texts) for caution in report.cautions]
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


class SystemsScreen(FigureScreen[SystemsReport, SystemsRequest]):
    """The systems screen, made when it is first entered; computed when it is shown and the results have changed."""

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._outdated = True
        self._titles: dict[str, str] = {}
        self._loaded = LoadedSystems()
        about = translate(
            "Report",
            "This screen shows what the systems wrote, by the final labels: shares, severe errors, preferences, and "
            "what changed between two versions.",
        )
        self.heading, self.board, self._empty = SystemsHeading(), SystemsBoard(), NoResultsPage(about)
        self._empty.setObjectName("systems_empty")
        self._waiting = PlainLabel(name="systems_waiting")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.figures = FigureCalculator(context.perform, context.now, self._loaded.report, SystemsRequest(), self)
        self._lay_out("systems_room", self.heading, self.board, self._waiting, self._empty)
        self._connect()

    def _connect(self) -> None:
        audited = self._context.audited
        audited.listed.connect(self._show_bundles)
        audited.opening.connect(self._start_bundle)
        audited.loaded.connect(self._recompute)
        audited.reviewed.connect(lambda _change: self._recompute())
        self.heading.bundle_wanted.connect(audited.open)
        self.heading.wanted.connect(lambda request: self.figures.compute(self.figures.bundle, request))
        self.heading.save_wanted.connect(self.save_tables)
        self.board.figure_wanted.connect(self._find_places)
        self.board.open_wanted.connect(self._open)
        self.figures.ready.connect(self._show)
        self.figures.slow.connect(self._show_progress)
        self.figures.failed.connect(self._restore)

    # -- the interface of a screen

    @property
    def mode(self) -> str:
        return REPORT

    @property
    def title(self) -> str:
        report = self.figures.report
        return "" if report is None else translate("Report", "{title}: systems").format(title=report.title)

    @property
    def status_text(self) -> str:
        """The status text: duration and seed."""
        return self.figures.status_text

    def actions(self) -> Mapping[str, Callable[[], object]]:
        if self.figures.report is None:
            return {}
        return {
            "report_enter": self._enter,
            "report_as_table": partial(self._show_as_table, self.board),
            "report_tables": self.save_tables,
            "report_page": self.save_page,
            "leave": self._leave_part,
        }

    def panes(self) -> tuple[QWidget, ...]:
        if self.figures.report is None:
            return (self._stack.currentWidget() or self._empty,)
        return (*self.board.panes(), self.heading)

    # -- the figures

    def _show_bundles(self) -> None:
        audited = self._context.audited
        self.heading.show_bundles(self._bundles(), audited.bundle)
        if not audited.bundles and audited.is_listed:
            self.figures.forget()
            self._stack.setCurrentWidget(self._empty)
            self.changed.emit()

    def _bundles(self) -> list[tuple[str, str]]:
        return [(bundle, self._titles.get(bundle, bundle)) for bundle in self._context.audited.bundles]

    def _start_bundle(self) -> None:
        self._waiting.setText("")
        self._stack.setCurrentWidget(self._waiting)
        self._show_bundles()

    def _show_progress(self) -> None:
        self._waiting.setText(translate("Report", "Computing the figures") if self.figures.is_running else "")
        self.changed.emit()

    def _recompute(self) -> None:
        """Load the results and compute again, now or when the screen is next shown."""
        self._loaded.forget()
        self._outdated = True
        if self._visible and self._context.audited.audit is not None:
            self._compute()

    def _compute(self) -> None:
        self._outdated = False
        bundle = self._context.audited.bundle
        self.figures.compute(bundle, self.figures.filter if self.figures.bundle == bundle else SystemsRequest())

    def _restore(self) -> None:
        """Show the choices of the present figures again after a request that failed; a banner has the reason."""
        self._show_progress()
        report = self.figures.report
        if report is not None:
            self.figures.filter = report.request
            self.heading.show_report(report, self._bundles(), translated_wording())

    def _show(self) -> None:
        report = self.figures.report
        if report is None:
            return
        texts = translated_wording()
        self._titles[report.bundle] = report.title
        self._show_bundles()
        self.heading.show_report(report, self._bundles(), texts)
        self.board.show_report(report, texts)
        first = self._stack.currentWidget() is not self._page
        self._stack.setCurrentWidget(self._page)
        if first and self._visible:
            self._focus_first()
        self.changed.emit()

    def _focus_first(self) -> None:
        next(iter(self.panes())).setFocus(Qt.FocusReason.OtherFocusReason)

    def _find_places(self, key: Key) -> None:
        """List the places behind a figure."""
        report = self.figures.report
        if report is None:
            return

        def found(result: tuple[tuple[FigurePlace, ...], int]) -> None:
            if self.figures.report is report:
                texts = translated_wording()
                title = places_title(report, key, texts)
                self.board.show_places(systems_panels.places_panel(report, title, result, texts))
                self.changed.emit()

        self._context.perform.ask(self._loaded.places, report, key, done=found)

    # -- commands

    def _enter(self) -> None:
        card = self._card(self.board)
        if not self._entered() and isinstance(card, RoundsCard | PlacesCard):
            card.open_chosen()

    def _leave_part(self) -> None:
        self.board.hide_places()
        self._focus_first()

    def _save_as(self, ending: str) -> None:
        report = self.figures.report
        if report is not None:
            texts, tables = translated_wording(), partial(save_systems_tables, to="csv")
            save_report(self._context, report, f"-systems{ending}", save_systems_page, texts, tables)
