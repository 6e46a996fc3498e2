"""The overview of a bundle's results: the raters and what each lacks, and the rejected files."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.audit.status import AuditStatus
from desktop_rater.ui.review import result_texts
from desktop_rater.ui.review.received_results import ReceivedResultsSection
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.work.audit.audit_status import ReceivedOverview, received_overview
from desktop_rater.work.audit.review import Lead, ReviewChange

NARROW, MAX_WIDTH = 860, 1180
MIN_ROWS, MAX_REFUSED_ROWS = 3, 7


class ResultsSection(QWidget):
    """A list with a title, hidden while empty."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = tight_column(self, spacing=6)
        self.title = PlainLabel(title, size="interface", bold=True)
        column.addWidget(self.title)
        self.list = RowList(name, two_lines=True, label=visible(title))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        theme.follow(self, lambda: self.list.setMinimumHeight(MIN_ROWS * self.list.row_delegate.height()))
        column.addWidget(self.list, 1)

    def show_lines(self, lines: Sequence[ListRow]) -> None:
        self.model.show(lines)
        self.setVisible(bool(lines))


class ResultsPage(NamedGroup):
    """The first page on results. `review_wanted` leads on to the ratings."""

    review_wanted = Signal()
    refreshed = Signal()  # the page is up to date

    def __init__(self, context: ScreenContext, lead: Callable[[], Lead], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("results_page")
        self.setAccessibleName(self.tr("Results"))
        theme.set_ground(self, "surface")
        self._context = context
        self._audited = context.audited
        self.received = ReceivedResultsSection(context.perform, lead, context.session.drafts)
        self.status: AuditStatus | None = None
        self._outdated = False  # a verdict changed since it was read
        self._has_news = False  # results were imported while the page was hidden
        outer = tight_row(self)
        outer.addStretch(1)
        body = QWidget()
        theme.follow(body, lambda: body.setMaximumWidth(theme.px(MAX_WIDTH)))
        outer.addWidget(body, 100)
        outer.addStretch(1)
        column = QVBoxLayout(body)
        theme.pad(column, 24, 20, 24, 16)
        column.setSpacing(12)
        column.addLayout(self._make_head())
        column.addLayout(self._make_words())
        column.addWidget(horizontal_line())
        empty = self.tr(
            "Raters export their results as zip files. Drop the files or a folder here. Add the rated"
            " bundle too, to see what is missing."
        )
        self._empty = WrappedLabel(empty, name="results_empty", size="prompt", ink="text2")
        column.addWidget(self._empty)
        column.addWidget(self._make_sections(), 1)
        self._audited.listed.connect(self._show_bundles)
        self._audited.opening.connect(self._show_bundles)
        self._audited.loaded.connect(self._outdate)
        self._audited.reviewed.connect(self._review_changed)
        self._show_bundles()
        if self._audited.audit is not None:
            self._outdate()

    # -- layout

    def _make_head(self) -> QHBoxLayout:
        row = tight_row(spacing=8)
        self._title = WrappedLabel(name="results_title", size="title", bold=True)
        row.addWidget(self._title, 1)
        self.bundles = MenuChooser("audited_bundles")
        self.bundles.chosen.connect(lambda chosen: self._audited.open(chosen[0]))
        row.addWidget(self.bundles)
        self._open = KeyButton(
            self.tr("Open results …"),
            "Ctrl O",
            name="open_results",
            clicked=lambda _on=False: self._context.screens.run("open_results"),
        )
        row.addWidget(self._open)
        self._review = KeyButton(
            self.tr("Review"),
            "Enter",
            primary=True,
            name="begin_review",
            clicked=lambda _on=False: self.review_wanted.emit(),
        )
        row.addWidget(self._review)
        return row

    def _make_words(self) -> QHBoxLayout:
        row = tight_row(spacing=8)
        self._sign = Icon("tick", ink="ok")
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self.text_label = WrappedLabel(name="results_words")
        row.addWidget(self.text_label, 1)
        return row

    def _make_sections(self) -> QScrollArea:
        area = QScrollArea()
        area.setObjectName("results_scroll")
        area.setAccessibleName(self.accessibleName())
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area = area
        within = QWidget()
        theme.set_ground(within, "surface")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, within)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(24)
        area.setWidget(within)
        self.raters = ResultsSection("results_raters", self.tr("Raters"))
        self._row.addWidget(self.raters, 3)
        self._right_column = QWidget()
        column = tight_column(self._right_column, spacing=16)
        self.refused = ResultsSection("results_refused", self.tr("Refused"))
        self.tasks = ResultsSection("results_tasks", self.tr("Tasks that lack raters"))
        self.refused_words = WrappedLabel(name="refused_words", ink="text2")
        self.refused.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column.addWidget(self.received, 100)
        column.addWidget(self.refused)
        column.addWidget(self.refused_words)
        column.addWidget(self.tasks, 100)
        column.addStretch(1)
        self._row.addWidget(self._right_column, 3)
        self.received.row_opened.connect(lambda: QTimer.singleShot(0, self, self._scroll_to_decision))
        self.refused.list.selectionModel().currentChanged.connect(lambda now, _before: self._show_reason(now.row()))
        for section in (self.raters, self.received, self.refused, self.tasks, self._right_column, self.refused_words):
            section.hide()
        return area

    # -- content

    def read(self) -> None:
        bundle, self._outdated = self._audited.bundle, False

        def arrived(overview: ReceivedOverview) -> None:
            if bundle == self._audited.bundle:
                self.status = overview.status
                self.received.show_overview(overview)
                self.refresh()

        if bundle:
            self._context.perform.ask(received_overview, bundle, done=arrived)

    def refresh(self) -> None:
        status = self.status
        current = status is not None and status.bundle == self._audited.bundle
        self._review.setVisible(current)
        self._sign.setVisible(current)
        if status is None or not current:
            return
        self._title.setText(status.title[:200])
        doubts = result_texts.doubtful_signatures_text(status)
        good = status.whole and not doubts
        self._sign.show_icon("tick" if good else "triangle-exclamation", "ok" if good else "warn")
        last = self._context.results.last
        sentences = [result_texts.status_summary(status), result_texts.cautions_text(status), doubts]
        if not status.known:
            sentences.append(self.tr("Open the bundle too, to see which tasks have not been rated."))
        if last is not None and (last.refused or last.passed_over or self._has_news):
            sentences.append(result_texts.import_summary(last))
        self.text_label.setText(" ".join(filter(None, sentences)))
        # What waits or is doubtful first, then incomplete raters, then those with tasks sent back, then by name.
        raters = sorted(
            status.raters,
            key=lambda rater: (
                not result_texts.needs_attention(rater),
                rater.whole,
                not (rater.unsent or rater.out),
            ),
        )
        self.raters.show_lines([result_texts.rater_line(rater) for rater in raters])
        self.tasks.show_lines([result_texts.task_line(task) for task in status.short])
        self._show_refused()
        self._arrange()
        self.refreshed.emit()

    def _scroll_to_decision(self) -> None:
        """Scroll to the foot of the section, once it has its place."""
        self._area.ensureVisible(0, self._right_column.y() + self.received.geometry().bottom())

    def _show_refused(self) -> None:
        last = self._context.results.last
        refused = last.refused if last is not None else ()
        self.refused.show_lines([result_texts.refused_line(index, file) for index, file in enumerate(refused)])
        self.refused_words.setVisible(bool(refused))
        sections = (self.received, self.tasks)
        self._right_column.setVisible(bool(refused) or not all(section.isHidden() for section in sections))
        if refused:
            self.refused.list.fit_rows(MAX_REFUSED_ROWS)
            self.refused.list.setCurrentIndex(self.refused.model.index(0))

    def _show_reason(self, index: int) -> None:
        """Show the whole reason for the chosen file, which is too long for a row."""
        lines = self.refused.model.rows
        self.refused_words.setText(lines[index].detail if 0 <= index < len(lines) else "")

    def _show_bundles(self) -> None:
        bundles = self._audited.bundles
        self.bundles.offer(self.tr("Bundle"), [(name, name) for name in bundles], (self._audited.bundle,))
        self.bundles.setVisible(len(bundles) > 1)
        nothing = self._audited.is_listed and not bundles and not self._audited.bundle
        self._empty.setVisible(nothing)
        if nothing:
            self._title.setText(self.tr("No results yet"))
            self._show_refused()
            last = self._context.results.last
            self.text_label.setText(result_texts.import_summary(last) if last is not None else "")
        elif self.status is None or self.status.bundle != self._audited.bundle:
            self._title.setText(self._audited.bundle[:200])
            self.text_label.setText("")
        self.refresh()

    def show_imported(self) -> None:
        """Show the results that were just imported."""
        self._has_news = True
        self._show_bundles()
        self.read()

    def panes(self) -> tuple[QWidget, ...]:
        lists = (self.raters.list, self.received.list)
        first = reversed(lists) if self.received.is_waiting else lists
        return (*first, self.refused.list, self.tasks.list, self._open)

    def _review_changed(self, change: ReviewChange) -> None:
        if self._audited.bundle in change.audits:
            self._outdate()

    def _outdate(self) -> None:
        """Read the overview again, once it can be seen."""
        self._outdated = True
        if self.isVisible():
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._outdated:
            self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._has_news = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange the columns; in a narrow window, what waits for the lead comes first."""
        direction = QBoxLayout.Direction.LeftToRight
        if self.width() < theme.px(NARROW):
            waiting = self.received.is_waiting
            direction = QBoxLayout.Direction.BottomToTop if waiting else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(direction)
