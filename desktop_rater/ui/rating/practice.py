"""Practice: after each task show its gold answer in place of the form, and go on when the rater does."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.model.errors import RaterError
from desktop_rater.model.rating import Rating
from desktop_rater.model.values import Place
from desktop_rater.rubric.gold import GoldComparison, GoldJudgement, compare_with_gold
from desktop_rater.ui.rating import gold_view, task_stops
from desktop_rater.ui.rating.gold_view import MAX_GOLD_TEXT_LENGTH, GoldDetails
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

MAX_GOLD_ROWS, MAX_LOW_GOLD_ROWS, LOW_GOLD_PAGE_HEIGHT = (
    6,
    2,
    420,
)  # rows of the list; fewer if the page is below that height


class GoldPage(NamedGroup):
    """Page with the comparison by place; the current place belongs to the session."""

    place_wanted = Signal(object)  # Place
    back_wanted = Signal()
    guideline_wanted = Signal(str)
    page_wanted = Signal(str)  # the URL of a piece of the gold's evidence

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gold_page")
        self.setAccessibleName(self.tr("Gold answer"))
        theme.set_ground(self, "panel")
        self._judgements: tuple[GoldJudgement, ...] = ()
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        self.model = ListRowModel(self)
        self.list = RowList("gold_places", two_lines=False, label=self.tr("Gold answer by place"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        theme.set_ground(self.list.viewport(), "surface")
        column.addWidget(horizontal_line())
        column.addWidget(self.list)
        column.addWidget(horizontal_line())
        self._scroll = self._make_details()
        column.addWidget(self._scroll, 1)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        row = QHBoxLayout()
        title = PlainLabel(self.tr("Gold answer"))
        theme.set_type(title, bold=True)
        row.addWidget(title)
        row.addStretch(1)
        back = KeyButton(self.tr("Back to my answers"), "Esc", flat=True, name="gold_back", clicked=self.back_wanted)
        row.addWidget(back)
        column.addLayout(row)
        self._score = WrappedLabel(name="gold_score")
        column.addWidget(self._score)
        self._sitting = WrappedLabel(name="gold_sitting", ink="text2")
        column.addWidget(self._sitting)
        self._note = WrappedLabel(name="gold_note")
        column.addWidget(self._note)

        def measure() -> None:
            theme.pad(column, PANE, 8, 8, 8)
            column.setSpacing(theme.px(2))

        theme.follow(head, measure)
        return head

    def _make_details(self) -> QScrollArea:
        self.details = GoldDetails()
        self.details.guideline_wanted.connect(self.guideline_wanted)
        self.details.page_wanted.connect(self.page_wanted)
        area = QScrollArea()
        area.setObjectName("gold_scroll")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.details)
        theme.set_ground(area.viewport(), "panel")
        OverlayScrollBar(area)
        return area

    def show_gold(self, comparison: GoldComparison, targets: Sequence[str], sitting: str, note: str) -> None:
        """Show a comparison; `targets` are the target ids in text order, `sitting` the score of the sitting so far.

        `note` is the gold's note on the whole task.
        """
        self._judgements = comparison.judgements
        self._score.setText(gold_view.gold_score_text(comparison))
        self._sitting.setText(sitting)
        self._sitting.setVisible(bool(sitting))
        self._note.setText(note if len(note) <= MAX_GOLD_TEXT_LENGTH else f"{note[: MAX_GOLD_TEXT_LENGTH - 1]}…")
        self._note.setVisible(bool(note))
        self.model.show(
            [self._line(number, judgement, targets) for number, judgement in enumerate(comparison.judgements)]
        )
        self.list.setVisible(bool(comparison.judgements))
        self._fit()
        self.details.show_judgement(None)

    def _fit(self) -> None:
        """Fit the number of rows to the height, so that a low window leaves space for the details."""
        self.list.fit_rows(MAX_GOLD_ROWS if self.height() >= theme.px(LOW_GOLD_PAGE_HEIGHT) else MAX_LOW_GOLD_ROWS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.list.scrollTo(self.list.currentIndex())

    def _line(self, number: int, judgement: GoldJudgement, targets: Sequence[str]) -> ListRow:
        text, shaped = gold_view.gold_headline(judgement)
        own = self.tr("you: {answer}").format(answer=gold_view.differing_answers_text(judgement))
        if not judgement.compared:  # partial gold with words or evidence alone
            return ListRow(str(number), gold_view.gold_place_text(judgement.place, targets))
        return ListRow(
            str(number),
            f"{gold_view.gold_place_text(judgement.place, targets)} – {text}",
            end=self.tr("same as gold") if judgement.agrees else own,
            mark=shaped.shape if shaped is not None else "done" if judgement.agrees else "failed",
            mark_tone=shaped.tone if shaped is not None else "",
            bold=not judgement.agrees,
        )

    @property
    def first_place_to_show(self) -> Place | None:
        """Return the first place where rater and gold differ, else the first place."""
        differing = next((judgement for judgement in self._judgements if not judgement.agrees), None)
        first = differing or next(iter(self._judgements), None)
        return first.place if first is not None else None

    @property
    def section(self) -> str:
        return self.details.section

    def show_place(self, place: Place) -> None:
        """Show the gold's answers for a target, a response or the task."""
        row = next((row for row, judgement in enumerate(self._judgements) if judgement.place == place), None)
        if row is None:
            return
        if self.list.currentIndex().row() != row:
            self.list.setCurrentIndex(self.model.index(row))
        self.details.show_judgement(self._judgements[row])
        self._scroll.verticalScrollBar().setValue(0)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.place_wanted.emit(self._judgements[index.row()].place)


class PracticeFlow(QObject):
    """Flow of a practice bundle. While the gold answer is shown, the rater's own is read-only; Esc returns to it.

    The first comparison of a task in a sitting counts, however often it is rated again.
    """

    announced = Signal(str)  # the score of the task, for screen readers

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        desk: TaskLoader,
        perform: WorkRunner,
        open_page: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._desk = desk
        self._perform = perform
        self._pane = window.form_pane
        self._scores: dict[tuple[str, str], GoldComparison] = {}
        self._lock_reason = ""
        self.page = GoldPage()
        self._pane.add_alternative_page(self.page)
        self.page.place_wanted.connect(self._go_to)
        self.page.back_wanted.connect(self.leave)
        self.page.page_wanted.connect(open_page)
        self.page.guideline_wanted.connect(self._pane.form.guideline_wanted)
        session.finished.connect(self._finished)
        session.place_changed.connect(self._follow)
        session.opened.connect(self._remove_page)
        session.rating_changed.connect(lambda: self._pane.banners.drop("practice"))
        desk.bundle_opened.connect(self._bundle_opened)

    def actions(self) -> dict[str, Callable[[], object]]:
        """Return no actions: going on, leaving and the guideline are shared actions."""
        return {}

    @property
    def is_open(self) -> bool:
        return self._session.shows_gold

    @property
    def section(self) -> str:
        return self.page.section if self.is_open else ""

    def go_on(self) -> bool:
        """Go on to the next task; return False if no gold answer is shown."""
        if not self.is_open:
            return False
        self._close()
        self._desk.go_on()
        return True

    def leave(self) -> bool:
        """Return to the rater's answers; return False if no gold answer is shown."""
        if not self.is_open:
            return False
        self._close()
        self._pane.form.setFocus()
        return True

    def _bundle_opened(self, _bundle: str) -> None:
        self._pane.banners.drop("practice")
        if self._desk.practice:
            message = self.tr("This is a practice bundle: the gold answer appears after you finish each task.")
            self._pane.banners.show_banner("practice", "info", message)

    def _finished(self) -> None:
        """Read the gold answer of a finished task. It is not read before that."""
        from desktop_rater.work.rating.gold import gold_answer  # noqa: PLC0415 - only when it is used

        session = self._session
        # A task that can't be saved or shows an earlier state is not finished.
        is_finished = (
            session.task is not None and session.rating.status != "incomplete" and not session.shows_earlier_state
        )
        if session.task is None or not (self._desk.practice and is_finished):
            self._desk.go_on()
            return
        key = session.bundle, session.task.id
        self._perform.ask(gold_answer, *key, done=partial(self._gold_read, key), failed=partial(self._gold_failed, key))

    def _gold_read(self, key: tuple[str, str], gold: Rating | None) -> None:
        session = self._session
        if session.task is None or session.rubric is None or (session.bundle, session.task.id) != key or self.is_open:
            return
        if gold is None:
            self._desk.go_on()
            return
        comparison = compare_with_gold(session.rubric, session.task, session.rating, gold)
        self._scores.setdefault(key, comparison)
        self._show(comparison, gold.note)

    def _gold_failed(self, key: tuple[str, str], error: Exception) -> None:
        """Report a gold answer that can't be read, and go on without it."""
        session = self._session
        if isinstance(error, RaterError):
            self._perform.failed.emit(error)
        if session.task is not None and (session.bundle, session.task.id) == key:
            self._desk.go_on()

    def _show(self, comparison: GoldComparison, note: str) -> None:
        session = self._session
        targets = [stop.target for stop in session.stops if stop.target is not None]
        counted = [score for (bundle, _), score in self._scores.items() if bundle == session.bundle and score.total]
        scores = [(score.same, score.total) for score in counted]
        sitting = gold_view.sitting_score_text(scores, per_target=comparison.per_target)
        self.page.show_gold(comparison, targets, sitting, note)
        self._lock_reason = session.lock_reason
        session.lock_reason = self.tr("Nothing can be changed while the gold answer is shown.")
        session.shows_gold = True
        self._arrange()
        first = self.page.first_place_to_show
        if first is not None:
            self._go_to(first)
        self.announced.emit(gold_view.gold_score_text(comparison))

    def _go_to(self, place: Place) -> None:
        if task_stops.stop_of(self._session.place) != place and place in self._session.stops:
            self._session.go_to(place)
        else:
            self.page.show_place(place)

    def _follow(self) -> None:
        if self.is_open:
            self.page.show_place(self._session.stop)

    def _close(self) -> None:
        session = self._session
        if session.shows_earlier_state:
            session.show_current_state()
        session.lock_reason = self._lock_reason
        self._remove_page()

    def _remove_page(self) -> None:
        """Remove the page when a task opens or the rater returns to the answers."""
        if not self.page.isHidden():
            self._session.shows_gold = False
            self._arrange()

    def _arrange(self) -> None:
        """Put the page in place of the form, also for a pair, whose questions share the window with the responses."""
        is_shown = self._session.shows_gold
        if not is_shown:
            self._pane.form.setFocusProxy(None)  # ty: ignore[invalid-argument-type] - its stub knows no None
            self._pane.form.show()
            self.page.hide()
        self._window.refold_panes()
        if is_shown:
            # The focus given to the form goes to the page that replaces it.
            self._pane.form.setFocusProxy(self.page.list)
            self.page.show()
            self.page.list.setFocus()
            self._pane.form.hide()
        self._pane.refresh()
        self._pane.form.refresh()
