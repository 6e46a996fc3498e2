"""The systems screen: what the systems wrote, which is preferred, and what turned between two rounds."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.audit import systems_panels
from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.systems import FigurePlace, SystemsRequest
from desktop_rater.audit.systems_texts import SystemsTexts
from desktop_rater.ui.report.calculator import FigureCalculator
from desktop_rater.ui.report.card import ChartCard, ReportCard
from desktop_rater.ui.report.chart import ChartView
from desktop_rater.ui.report.no_results import NoResultsPage
from desktop_rater.ui.report.texts_and_colors import save_report, translated_texts
from desktop_rater.ui.review.screen import ReviewScreen
from desktop_rater.ui.systems.board import PlacesCard, RoundsCard, SystemsBoard
from desktop_rater.ui.systems.heading import SystemsHeading
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REVIEW, SYSTEMS
from desktop_rater.work.audit.system_places import LoadedSystems
from desktop_rater.work.audit.systems_tables import save_systems_page, save_systems_tables

translate = QCoreApplication.translate


class SystemsScreen(QObject):
    """The systems screen, made when it is first entered; computed when it is shown and the results have changed."""

    changed = Signal()

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._visible, self._outdated = False, True
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
        self._page = QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.board, 1)
        self._stack = QStackedWidget()
        self._stack.setObjectName("systems_room")
        for widget in (self._waiting, self._empty, self._page):
            self._stack.addWidget(widget)
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
        self._empty.open_button.clicked.connect(lambda: self._context.screens.run("open_results"))

    # -- the interface of a screen

    @property
    def mode(self) -> str:
        return SYSTEMS

    @property
    def widget(self) -> QWidget:
        return self._stack

    @property
    def title(self) -> str:
        report = self.figures.report
        return "" if report is None else translate("Report", "{title}: systems").format(title=report.title)

    @property
    def status_text(self) -> str:
        """The status text: duration, seed and draws."""
        report = self.figures.report
        computing = translate("Report", "Computing the figures")
        if report is None:
            return computing if self.figures.is_running else ""
        text = translate("Report", "computed in {seconds} s, seed {seed}").format(
            seconds=formatting.decimal(self.figures.took, 1), seed=report.seed
        )
        return f"{text} · {computing}" if self.figures.is_running else text

    def actions(self) -> Mapping[str, Callable[[], object]]:
        if self.figures.report is None:
            return {}
        return {
            "report_enter": self._enter,
            "report_as_table": self._as_table,
            "report_tables": self.save_tables,
            "report_page": self.save_page,
            "leave": self._leave_part,
        }

    def take_key(self, _key: str) -> bool:
        return False

    def panes(self) -> tuple[QWidget, ...]:
        if self.figures.report is None:
            return (self._stack.currentWidget() or self._empty,)
        return (*self.board.panes(), self.heading)

    def enter(self) -> None:
        """Recompute figures that are out of date."""
        self._visible = True
        audited = self._context.audited
        if not audited.bundles:
            audited.start()
        if audited.audit is not None and (self._outdated or self.figures.bundle != audited.bundle):
            self._compute()

    def leave(self) -> None:
        self._visible = False

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
            self.heading.show_report(report, self._bundles(), translated_texts(SystemsTexts))

    def _show(self) -> None:
        report = self.figures.report
        if report is None:
            return
        texts = translated_texts(SystemsTexts)
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
                texts = translated_texts(SystemsTexts)
                title = systems_panels.places_title(report, key, texts)
                self.board.show_places(systems_panels.places_panel(report, title, result, texts))
                self.changed.emit()

        self._context.perform.ask(self._loaded.places, report, key, done=found)

    # -- commands

    def _card(self) -> ReportCard | None:
        focus = QApplication.focusWidget()
        return next((card for card in self.board.cards.values() if focus and card.isAncestorOf(focus)), None)

    def _enter(self) -> None:
        focus = QApplication.focusWidget()
        card = self._card()
        if isinstance(focus, ChartView):
            focus.enter()
        elif isinstance(focus, QAbstractButton):
            focus.click()
        elif isinstance(card, RoundsCard | PlacesCard):
            card.open_chosen()

    def _as_table(self) -> None:
        card = self._card()
        if isinstance(card, ChartCard):
            card.toggle_table()

    def _leave_part(self) -> None:
        self.board.hide_places()
        self._focus_first()

    def _open(self, task: str, where: str) -> None:
        screens = self._context.screens
        screens.go(REVIEW)
        cast("ReviewScreen", screens.screen(REVIEW)).open(task, where, "")

    def save_tables(self) -> None:
        """Ask for a name, and write the tables into a folder of that name."""
        self._save_as(".csv")

    def save_page(self) -> None:
        """Ask for a name, and write the HTML page."""
        self._save_as(".html")

    def _save_as(self, ending: str) -> None:
        report = self.figures.report
        if report is not None:
            texts, tables = translated_texts(SystemsTexts), partial(save_systems_tables, to="csv")
            save_report(self._context, report, f"-systems{ending}", save_systems_page, texts, tables)
