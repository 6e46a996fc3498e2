"""The report screen: the figures of a bundle's results as charts, each also available as a table."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.audit import report_format
from desktop_rater.audit.report import AuditReport, ReportFilter
from desktop_rater.format.change import Progress
from desktop_rater.hooks import resolve
from desktop_rater.operations.audit.load_audit import load_packed_audit
from desktop_rater.operations.audit.report import (
    REPORT_SEED,
    load_report,
    report_of_audit,
    save_report_page,
    save_report_tables,
)
from desktop_rater.store.store import Store
from desktop_rater.ui.report.board import ReportBoard
from desktop_rater.ui.report.figure_screen import FigureCalculator, FigureScreen, NoResultsPage
from desktop_rater.ui.report.heading import AGREEMENT, ReportHeading, ReportPart, offered_parts
from desktop_rater.ui.report.texts_and_colors import save_report, translated_wording
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import REPORT

translate = QCoreApplication.translate


class WaitingPage(QWidget):
    """Shows the progress of figures that take a while; `wanted` is emitted to compute them after `stopped`."""

    wanted = Signal()
    stopped = Signal()

    def __init__(self, figures: FigureCalculator, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_ground(self, "win")
        self._figures = figures
        self._share = ""
        self.label = PlainLabel(name="report_waiting")
        self.button = KeyButton(translate("Report", "Cancel"), "", name="report_cancel", clicked=self._press)
        column = tight_column(self, 1, spacing=12)
        for widget in (self.label, self.button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        figures.advanced.connect(self._advance)
        self.setFocusProxy(self.button)
        self.clear()

    def clear(self) -> None:
        """Show nothing: the figures may be there in a moment."""
        self._share = ""
        self.label.setText("")
        self.button.hide()

    def show_state(self) -> None:
        """Show that the figures are being computed, or that they are not."""
        running = self._figures.is_running
        text = translate("Report", "Computing the figures")
        stopped = translate("Report", "The figures were not computed.")
        self.label.setText(f"{text}{self._share}" if running else stopped)
        self.button.set_label(translate("Report", "Cancel") if running else translate("Report", "Compute"))
        self.button.show()

    def _advance(self, done: int, total: int) -> None:
        self._share = f": {formatting.number(100 * done // max(total, 1))} %"
        if not self.button.isHidden():
            self.show_state()

    def cancel(self) -> None:
        """Stop the computation."""
        self._figures.cancel()
        self.show_state()
        self.stopped.emit()

    def _press(self) -> None:
        if self._figures.is_running:
            self.cancel()
        else:
            self.wanted.emit()


class ReportScreen(FigureScreen[AuditReport, ReportFilter]):
    """The report screen, made when it is first entered; recomputed when it is shown and the results have changed."""

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._question = ""
        self.parts: dict[str, ReportPart] = {}
        self.heading, self.board, self._empty = ReportHeading(), ReportBoard(), NoResultsPage()
        self.figures = FigureCalculator(context.perform, context.now, self._load, ReportFilter(), self, long=True)
        self.waiting = WaitingPage(self.figures)
        self._lay_out("report_room", self.heading, self.board, self.waiting, self._empty)
        self._connect()

    def _connect(self) -> None:
        audited, heading, board = self._context.audited, self.heading, self.board
        audited.listed.connect(self._show_bundles)
        audited.opening.connect(self._start_bundle)
        audited.loaded.connect(self._compute)
        heading.bundle_wanted.connect(audited.open)
        heading.filter_chosen.connect(lambda filter_: self.figures.compute(self.figures.bundle, filter_))
        heading.question_chosen.connect(self._set_question)
        heading.save_wanted.connect(self.save_tables)
        heading.part_wanted.connect(self.show_part)
        board.question_wanted.connect(self._set_question)
        board.rater_wanted.connect(board.raters.choose)
        board.raters.open_wanted.connect(self._open)
        board.place_wanted.connect(self._open)
        self.figures.ready.connect(self._show)
        self.figures.slow.connect(self._show_progress)
        self.figures.failed.connect(self._show_progress)
        self.waiting.wanted.connect(self._compute)
        self.waiting.stopped.connect(self.changed)

    # -- parts that are shown in place of the agreement

    @property
    def part(self) -> ReportPart | None:
        """The part that is shown; `None` while the agreement is."""
        return next((part for part in self.parts.values() if part.page is self._stack.currentWidget()), None)

    def show_part(self, name: str, page: str = "") -> None:
        """Show a part of the screen, and a page of it if it has several."""
        if name == AGREEMENT:
            self._stack.setCurrentWidget(self._page)
            self.board.agreement.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            part = self.parts.get(name) or self._create_part(name)
            self._stack.setCurrentWidget(part.page)
            part.open(page)
        self.changed.emit()

    def _create_part(self, name: str) -> ReportPart:
        """Create a part when it is first shown: it loads what the agreement does not wait for."""
        part: ReportPart = resolve(offered_parts()[name].place)(self._context)
        self.parts[name] = part
        self._stack.addWidget(part.page)
        part.changed.connect(self.changed)
        part.open_wanted.connect(self._open)
        part.part_wanted.connect(partial(self._go_on, part))
        return part

    def _go_on(self, part: ReportPart, wanted: str) -> None:
        """Show another part; if none is named, the agreement, unless its figures are of another bundle."""
        if wanted:
            self.show_part(wanted)
        elif self.part is part and self.figures.report is not None:
            is_current = self.figures.bundle == self._context.audited.bundle
            self._stack.setCurrentWidget(self._page if is_current else self.waiting)
            self.board.raters.setFocus()
            self.changed.emit()

    # -- the interface of a screen

    @property
    def mode(self) -> str:
        return REPORT if self.part is None else self.part.mode

    @property
    def title(self) -> str:
        report = self.figures.report
        if self.part is not None:
            return self.part.title
        return "" if report is None else translate("Report", "{title}: report").format(title=report.title)

    @property
    def status_text(self) -> str:
        """The status text: results checked, duration and seed."""
        if self.part is not None:
            return self.part.status_text
        report = self.figures.report
        if self.figures.is_running and report is None:
            return translate("Report", "Computing the figures")
        if report is None:
            return ""
        singular, plural = translate("Report", "1 result checked"), translate("Report", "{n} results checked")
        results = singular if report.results == 1 else plural.format(n=formatting.number(report.results))
        text = translate("Report", "{results} · computed in {seconds} s, seed {seed}").format(
            results=results, seconds=formatting.decimal(self.figures.took, 1), seed=report.seed
        )
        again = translate("Report", "recomputing")
        return f"{text} · {again}" if self.figures.is_running else text

    def actions(self) -> Mapping[str, Callable[[], object]]:
        part = self.part
        if part is not None and not part.offers_parts:
            return part.functions()
        if self.figures.report is None:
            return {"leave": self.waiting.cancel} if self.figures.is_running else {}
        showing: dict[str, Callable[[], object]] = {
            action: partial(self.show_part, name, page)
            for name, offered in offered_parts().items()
            for action, page in offered.pages.items()
            if part is None or action in offered.shared
        }
        showing["report_agreement"] = partial(self.show_part, AGREEMENT)
        if part is not None:
            return {**showing, **part.functions()}
        raters = self.board.raters
        return showing | {
            "report_enter": self._enter,
            "report_as_table": partial(self._show_as_table, self.board),
            "report_tables": self.save_tables,
            "report_page": self.save_page,
            "report_raters": self.heading.raters.open,
            "next_target": lambda: raters.step(1),
            "previous_target": lambda: raters.step(-1),
            "leave": self._leave_field,
        }

    def take_key(self, key: str) -> bool:
        return self.part is not None and self.part.take_key(key)

    def panes(self) -> tuple[QWidget, ...]:
        if self.part is not None:
            return self.part.panes()
        if self.figures.report is None:
            return (self._stack.currentWidget() or self._empty,)
        return (*self.board.panes(), self.heading)

    # -- the figures

    def _show_bundles(self) -> None:
        audited = self._context.audited
        report = self.figures.report
        titles = {report.bundle: report.title} if report is not None else {}
        self.heading.show_bundles([(bundle, titles.get(bundle, bundle)) for bundle in audited.bundles], audited.bundle)
        if not audited.bundles and audited.is_listed:
            self.figures.forget()
            self._stack.setCurrentWidget(self._empty)
            self.changed.emit()

    def _start_bundle(self) -> None:
        self._question = ""
        self.waiting.clear()
        if self.part is None:
            self._stack.setCurrentWidget(self.waiting)
        self._show_bundles()

    def _show_progress(self) -> None:
        """Show that the computation takes a while, or that it failed (a banner has the reason)."""
        self.waiting.show_state()
        self.changed.emit()

    def _load(self, store: Store, bundle: str, filter_: ReportFilter, now: datetime, progress: Progress) -> AuditReport:
        """Compute the figures on the reading thread, from the results that the window has loaded."""
        audit = self._context.audited.audit
        if audit is None or audit.bundle != bundle:
            audit = load_packed_audit(store, bundle)
        return report_of_audit(store, audit, seed=REPORT_SEED, now=now, wanted=filter_, pairs=False, progress=progress)

    def _compute(self) -> None:
        """Compute the report of the bundle, now or when the screen is next shown."""
        audited = self._context.audited
        self._outdated = not self._visible
        if self._visible:
            filter_ = self.figures.filter if self.figures.bundle == audited.bundle else ReportFilter()
            self.figures.compute(audited.bundle, filter_)

    def _set_question(self, question: str) -> None:
        if question != self._question:
            self._question = question
            self._show()

    def _show(self) -> None:
        report = self.figures.report
        if report is None:
            return
        if report_format.agreement_on(report, self._question) is None:
            self._question = report_format.main_question_id(report)
        texts = translated_wording()
        self._show_bundles()
        self.heading.show_report(report, self._question, texts)
        self.board.show_report(report, self._question, texts)
        if self.part is not None:
            self.changed.emit()
            return  # the figures are shown once the lead returns
        first = self._stack.currentWidget() is not self._page
        self._stack.setCurrentWidget(self._page)
        if first and self._visible:
            self.board.agreement.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    # -- commands

    def _enter(self) -> None:
        card = None if self._entered() else self._card(self.board)
        if card is self.board.raters:
            self.board.raters.enter()
        elif card is self.board.libraries:
            self.board.open_place()

    def _leave_field(self) -> None:
        if not self.board.raters.go_back():
            self.board.agreement.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save_as(self, ending: str) -> None:
        report = self.figures.report
        if report is not None:
            # Only files have the figures of each two raters, so these are computed now.
            pairs = partial(load_report, seed=REPORT_SEED, now=self._context.now(), wanted=report.filter)
            texts = translated_wording()
            save_report(
                self._context, report, f"-report{ending}", save_report_page, texts, save_report_tables, load=pairs
            )
