"""A screen of figures, their computation on the reading queue, and its page while there are no results."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.audit.html_report import PageSubject
from desktop_rater.format.change import Progress
from desktop_rater.ui.report.card import ChartCard, ReportCard
from desktop_rater.ui.report.chart import ChartView
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall, LatestRequest
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import fill, tight_column
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REVIEW

if TYPE_CHECKING:
    from desktop_rater.ui.review.screen import ReviewScreen


SLOW_MS = 300  # shorter computations are not announced
R = TypeVar("R", bound=PageSubject)
F = TypeVar("F")


class FigureCalculator(QObject, Generic[R, F]):
    """The figures of one bundle under one filter, as `load(store, bundle, filter)` computes them.

    With `long`, it also gets a `progress`, of which `advanced` tells.
    """

    advanced = Signal(int, int)
    ready = Signal()
    slow = Signal()
    failed = Signal()

    def __init__(
        self,
        perform: WorkRunner,
        now: Callable[[], datetime],
        load: Callable[..., R],
        no_filter: F,
        parent: QObject | None = None,
        *,
        long: bool = False,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._now = now
        self._load = load
        self._long = long
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._slow = DelayedCall(self, SLOW_MS, self.slow)
        self.report: R | None = None
        self.filter = no_filter
        self.bundle = ""
        self.took = 0.0  # seconds

    @property
    def is_running(self) -> bool:
        return self._running is not None

    @property
    def status_text(self) -> str:
        """The status text: duration and seed of the present figures, and whether they are computed."""
        computing = QCoreApplication.translate("Report", "Computing the figures")
        if self.report is None:
            return computing if self.is_running else ""
        text = QCoreApplication.translate("Report", "computed in {seconds} s, seed {seed}").format(
            seconds=formatting.decimal(self.took, 1), seed=self.report.seed
        )
        return f"{text} · {computing}" if self.is_running else text

    def compute(self, bundle: str, filter_: F) -> None:
        """Compute the report. The present one stays until then, unless it is of another bundle."""
        if bundle != self.bundle:
            self.report = None
        self.bundle, self.filter = bundle, filter_
        self.cancel()
        clock = QElapsedTimer()
        clock.start()

        def done(report: R) -> None:
            self._slow.stop()
            self._running, self.report, self.took = None, report, clock.elapsed() / 1_000
            self.ready.emit()

        def failed(error: Exception) -> None:
            self._slow.stop()
            self._running = None
            self._perform.failed.emit(error)
            self.failed.emit()

        self._slow.start()
        self._running = self._perform.ask(
            self._load,
            bundle,
            filter_,
            self._now(),
            done=self._latest.only(done),
            failed=self._latest.only(failed),
            progressed=self._latest.only(self.advanced.emit) if self._long else None,
        )

    def cancel(self) -> None:
        """Stop the computation, if there is one. The present figures stay."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._slow.stop()
        self._running = None
        self._latest.replace()

    def forget(self) -> None:
        """Discard the report: there is no bundle any more."""
        self.report, self.bundle = None, ""


class CardBoard(Protocol):
    """Cards of figures by name."""

    @property
    def cards(self) -> Mapping[str, ReportCard]: ...


class FigureScreen(QObject, Generic[R, F]):
    """A screen of the figures of a bundle: a page with a heading and a board of cards, or what stands in its place.

    Subclasses make `heading`, `board`, `figures` and the other pages, and then call `_lay_out`.
    """

    changed = Signal()
    figures: FigureCalculator[R, F]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._visible = self._outdated = False
        self._stack, self._page = QStackedWidget(), QWidget()

    def _lay_out(self, name: str, heading: QWidget, board: QWidget, waiting: QWidget, empty: "NoResultsPage") -> None:
        tight_column(self._page, heading, (board, 1), spacing=0)
        self._stack.setObjectName(name)
        for widget in (waiting, empty, self._page):
            self._stack.addWidget(widget)
        empty.open_button.clicked.connect(lambda: self._context.screens.run("open_results"))

    @property
    def widget(self) -> QWidget:
        return self._stack

    def take_key(self, _key: str, /) -> bool:
        return False

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

    def _compute(self) -> None:
        raise NotImplementedError

    def _card(self, board: CardBoard) -> ReportCard | None:
        """Return the card that has the focus."""
        focus = QApplication.focusWidget()
        return next((card for card in board.cards.values() if focus and card.isAncestorOf(focus)), None)

    def _entered(self) -> bool:
        """Enter the chart or press the button that has the focus; return whether there is one."""
        focus = QApplication.focusWidget()
        if isinstance(focus, ChartView):
            focus.enter()
        elif isinstance(focus, QAbstractButton):
            focus.click()
        return isinstance(focus, ChartView | QAbstractButton)

    def _show_as_table(self, board: CardBoard) -> None:
        card = self._card(board)
        if isinstance(card, ChartCard):
            card.toggle_table()

    def _open(self, task: str, where: str, rater: str = "") -> None:
        screens = self._context.screens
        screens.go(REVIEW)
        cast("ReviewScreen", screens.screen(REVIEW)).open(task, where, rater)

    def save_tables(self) -> None:
        """Ask for a name, and write the tables into a folder of that name."""
        self._save_as(".csv")

    def save_page(self) -> None:
        """Ask for a name, and write the HTML page."""
        self._save_as(".html")

    def _save_as(self, ending: str) -> None:
        raise NotImplementedError


WIDTH = 560
translate = QCoreApplication.translate


class NoResultsPage(QWidget):
    """An explanation of the screen, and a button that opens results."""

    def __init__(self, about: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_empty")
        theme.set_ground(self, "surface")
        box = QWidget()
        title = PlainLabel(translate("Report", "No results yet"), size="title", bold=True)
        text = WrappedLabel(
            about
            or translate(
                "Report",
                "This screen compares the results of several raters: how far they agree, where they "
                "differ, and how each of them works.",
            ),
            size="prompt",
            ink="text2",
        )
        self.open_button = KeyButton(translate("Report", "Open results…"), "Ctrl O", primary=True, name="report_open")
        column = fill(QVBoxLayout(box), title, text)
        row = fill(QHBoxLayout(), self.open_button, 1)
        column.addSpacing(8)
        column.addLayout(row)
        middle = fill(QHBoxLayout(), 1, (box, 3), 1)
        fill(QVBoxLayout(self), 2, middle, 3)
        self.setFocusProxy(self.open_button)
        theme.follow(self, lambda: box.setMaximumWidth(theme.px(WIDTH)))
