"""The report room: the figures of a bundle's results as pictures, each of which is a table too."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.audit import shown
from desktop_rater.audit.html_report import Colors
from desktop_rater.audit.report import Filter
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.report.board import Board
from desktop_rater.ui.report.card import ChartCard
from desktop_rater.ui.report.chart import Chart
from desktop_rater.ui.report.empty import NoResults
from desktop_rater.ui.report.figures import Figures
from desktop_rater.ui.report.heading import Heading
from desktop_rater.ui.report.inks import inks
from desktop_rater.ui.report.words import wording
from desktop_rater.ui.rooms import REPORT, REVIEW
from desktop_rater.ui.scoring.scoring import MODE as SCORING
from desktop_rater.ui.scoring.scoring import Scoring
from desktop_rater.ui.theme_tokens import DARK, LIGHT
from desktop_rater.work.save_report import save_page, save_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop_rater.ui.report.card import Card
    from desktop_rater.ui.review.room import ReviewRoom
    from desktop_rater.ui.rooms import Around

translate = QCoreApplication.translate


class ReportRoom(QObject):
    """Made when it is first entered; computed anew once somebody looks and the results are others."""

    changed = Signal()

    def __init__(self, around: Around) -> None:
        super().__init__(around.window)
        self._around = around
        self._question = ""
        self._here = self._old = False
        self.scoring: Scoring | None = None
        self.heading, self.board, self._empty = Heading(), Board(), NoResults()
        self._waiting = PlainLabel(name="report_waiting")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.figures = Figures(around.perform, around.now, self)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.board, 1)
        self._stack = QStackedWidget()
        self._stack.setObjectName("report_room")
        for one in (self._waiting, self._empty, page):
            self._stack.addWidget(one)
        self._page = page
        self._wire()

    def _wire(self) -> None:
        audited, heading, board = self._around.audited, self.heading, self.board
        audited.listed.connect(self._show_bundles)
        audited.opening.connect(self._other_bundle)
        audited.loaded.connect(self._compute)
        heading.bundle_wanted.connect(audited.open)
        heading.wanted.connect(self._want)
        heading.asked.connect(self._ask)
        heading.save_wanted.connect(self.save_tables)
        board.question_wanted.connect(self._ask)
        board.rater_wanted.connect(board.raters.choose)
        board.raters.open_wanted.connect(self._open)
        self.figures.ready.connect(self._show)
        self.figures.slow.connect(self._say_slow)
        self.figures.failed.connect(self._say_slow)
        self._empty.way.clicked.connect(lambda: self._around.rooms.run("open_results"))

    # -- scoring justifications, which takes the place of the figures

    @property
    def _scores(self) -> Scoring | None:
        """It, while it is open."""
        scoring = self.scoring
        return scoring if scoring is not None and self._stack.currentWidget() is scoring.page else None

    def score(self) -> None:
        """Score what the raters wrote."""
        if self.scoring is None:
            self.scoring = Scoring(self._around, self)
            self._stack.addWidget(self.scoring.page)
            self.scoring.changed.connect(self.changed)
            self.scoring.left.connect(self._leave_scoring)
        self._stack.setCurrentWidget(self.scoring.page)
        self.scoring.open()
        self.changed.emit()

    def _leave_scoring(self) -> None:
        if self._scores is not None and self.figures.report is not None:
            self._stack.setCurrentWidget(self._page)
            self.board.raters.setFocus()
            self.changed.emit()

    # -- what the window knows of it

    @property
    def mode(self) -> str:
        return REPORT if self._scores is None else SCORING

    @property
    def widget(self) -> QWidget:
        return self._stack

    @property
    def title(self) -> str:
        report = self.figures.report
        if report is not None and self._scores is not None:
            return translate("Report", "{title}: justifications").format(title=report.title)
        return "" if report is None else translate("Report", "{title}: report").format(title=report.title)

    @property
    def words(self) -> str:
        """What the figures rest on, when they were computed, and how long it took."""
        if self._scores is not None:
            return self._scores.words
        report = self.figures.report
        if self.figures.is_running and report is None:
            return translate("Report", "Computing the figures")
        if report is None:
            return ""
        one, several = translate("Report", "1 result checked"), translate("Report", "{n} results checked")
        results = one if report.results == 1 else several.format(n=spelling.number(report.results))
        said = translate("Report", "{results} · computed in {seconds} s, seed {seed}").format(
            results=results, seconds=spelling.decimal(self.figures.took, 1), seed=report.seed
        )
        again = translate("Report", "computing again")
        return f"{said} · {again}" if self.figures.is_running else said

    def does(self) -> Mapping[str, Callable[[], object]]:
        if self._scores is not None:
            return self._scores.does()
        if self.figures.report is None:
            return {}
        raters = self.board.raters
        return {
            "report_enter": self._enter,
            "report_as_table": self._as_table,
            "report_tables": self.save_tables,
            "report_page": self.save_page,
            "report_raters": self.heading.raters.open,
            "report_score": self.score,
            "next_target": lambda: raters.step(1),
            "previous_target": lambda: raters.step(-1),
            "leave": self._leave_field,
        }

    def take_key(self, key: str) -> bool:
        return self._scores is not None and self._scores.take_key(key)

    def panes(self) -> tuple[QWidget, ...]:
        if self._scores is not None:
            return self._scores.panes()
        if self.figures.report is None:
            return (self._stack.currentWidget() or self._empty,)
        return (*self.board.panes(), self.heading)

    def enter(self) -> None:
        """Compute what has become old meanwhile."""
        self._here = True
        audited = self._around.audited
        if not audited.bundles:
            audited.start()
        if audited.audit is not None and (self._old or self.figures.bundle != audited.bundle):
            self._compute()

    def leave(self) -> None:
        self._here = False

    # -- which figures

    def _show_bundles(self) -> None:
        audited = self._around.audited
        report = self.figures.report
        titles = {report.bundle: report.title} if report is not None else {}
        self.heading.show_bundles([(one, titles.get(one, one)) for one in audited.bundles], audited.bundle)
        if not audited.bundles and audited.is_listed:
            self.figures.forget()
            self._stack.setCurrentWidget(self._empty)
            self.changed.emit()

    def _other_bundle(self) -> None:
        self._question = ""
        self._waiting.setText("")
        self._stack.setCurrentWidget(self._waiting)
        self._show_bundles()

    def _say_slow(self) -> None:
        """It takes a while, or can't be done: then a banner says why."""
        running = self.figures.is_running
        self._waiting.setText(translate("Report", "Computing the figures") if running else "")
        self.changed.emit()

    def _compute(self) -> None:
        """Compute the report of the bundle, now or once somebody looks."""
        audited = self._around.audited
        self._old = not self._here
        if self._here:
            wanted = self.figures.filter if self.figures.bundle == audited.bundle else Filter()
            self.figures.compute(audited.bundle, wanted)

    def _want(self, wanted: Filter) -> None:
        self.figures.compute(self.figures.bundle, wanted)

    def _ask(self, question: str) -> None:
        if question != self._question:
            self._question = question
            self._show()

    def _show(self) -> None:
        report = self.figures.report
        if report is None:
            return
        if shown.agreement_on(report, self._question) is None:
            self._question = shown.main_of(report)
        words = wording()
        self._show_bundles()
        self.heading.show_report(report, self._question, words)
        self.board.show_report(report, self._question, words)
        if self._scores is not None:
            self.changed.emit()
            return  # the figures wait until the lead is back
        first = self._stack.currentWidget() is not self._page
        self._stack.setCurrentWidget(self._page)
        if first and self._here:
            self.board.agreement.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    # -- what is done here

    def _card(self) -> Card | None:
        focus = QApplication.focusWidget()
        return next((card for card in self.board.cards.values() if focus and card.isAncestorOf(focus)), None)

    def _enter(self) -> None:
        focus = QApplication.focusWidget()
        if isinstance(focus, Chart):
            focus.enter()
        elif isinstance(focus, QAbstractButton):
            focus.click()
        elif self._card() is self.board.raters:
            self.board.raters.enter()

    def _as_table(self) -> None:
        card = self._card()
        if isinstance(card, ChartCard):
            card.toggle_table()

    def _leave_field(self) -> None:
        if not self.board.raters.go_back():
            self.board.agreement.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, task: str, where: str, rater: str) -> None:
        """Look at a place in the review room."""
        rooms = self._around.rooms
        rooms.go(REVIEW)
        cast("ReviewRoom", rooms.made(REVIEW)).open(task, where, rater)

    def save_tables(self) -> None:
        """Ask for a name, and write the tables into a folder of that name."""
        self._save_as(".csv")

    def save_page(self) -> None:
        """Ask for a name, and write the page."""
        self._save_as(".html")

    def _save_as(self, ending: str) -> None:
        report = self.figures.report
        if report is None:
            return
        path = self._around.files.report(self._around.window, f"{report.bundle}-report{ending}")
        if path is None:
            return
        if path.suffix.lower() == ".html":
            words, colors = wording(), Colors(inks(LIGHT), inks(DARK))
            page = partial(save_page, report, path, words, colors, lead=self._around.lead)
            self._save(partial(page, language=spelling.language()), path)
        else:
            folder = path.with_suffix("") if path.suffix.lower() == ".csv" else path
            self._save(partial(save_tables, report, folder), folder)

    def _save(self, save: Callable[[], object], where: Path) -> None:
        def done(_found: object) -> None:
            said = translate("Report", "Saved as {file}.").format(file=isolated(str(where)))
            self._around.window.banners.show_banner("report", "info", said)

        self._around.perform.fetch(lambda _progress: save(), done=done)
