"""Pane of the research record: time, stopwatch, record and comment of a target, in place of the form."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.model.rating import Rating, ResearchEntry
from desktop_rater.model.values import Place
from desktop_rater.rubric.research import ResearchTotals, entries_at, required_research, research_totals
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.form.question_kinds import question_row
from desktop_rater.ui.rating.research import texts
from desktop_rater.ui.rating.research.stopwatch import Stopwatch
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import icons, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.bars import OverlayScrollBar, ThinBar
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import MARK, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.keys import cap_text

TICK_MS = 1_000
MIN_ROWS = 2  # of the list; in a lower window the pane scrolls


def research_here(session: Session) -> Rating:
    """Return the rating with all research of the open task, also that which it does not hold yet."""
    return session.research.with_all(session.bundle, session.rating)


def totals_here(session: Session) -> ResearchTotals:
    """Return the totals of the current target or response, up to now."""
    place = session.place
    totals = research_totals(research_here(session), place.target, place.response)
    if place.target is None:
        return totals
    return ResearchTotals(
        searches=totals.searches, pages=totals.pages, measured=session.seconds_here(), reported=totals.reported
    )


def text_question(session: Session) -> str | None:
    """Return the text question that a comment is drafted into: the current one, else the first."""
    names = [question.question.id for question in session.form_questions if question.question.kind == "text"]
    return session.current_question if session.current_question in names else next(iter(names), None)


class ResearchDelegate(ListRowDelegate):
    """Paints the kind of an entry as an icon."""

    ruled = True

    def paint_mark(self, painter: QPainter, rect: QRect, y: float, row: ListRow) -> None:
        size, pad = theme.px(MARK), theme.px(self._pad)
        left = rect.right() + 1 - pad - size if self.mirrored else rect.left() + pad
        icons.paint_icon(painter, QRectF(left, y + 0.5 - size / 2, size, size), row.mark, self.soft)


class ResearchList(RowList):
    """List of research entries."""

    delegate_class = ResearchDelegate
    removal_wanted = Signal()
    correction_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("research_list", two_lines=True, pad=PANE, parent=parent)
        self.setAccessibleName(self.tr("Research on this target"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        theme.set_ground(self.viewport(), "surface")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), MIN_ROWS * self.row_delegate.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and event.key() == Qt.Key.Key_F2:  # elsewhere it edits a claim
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.correction_wanted.emit()
        else:
            super().keyPressEvent(event)


class ResearchPane(NamedGroup):
    """Shows the research on the current target or response. Its comment is the same answer as in the form."""

    back_wanted = Signal()
    stopwatch_wanted = Signal()
    draft_wanted = Signal()

    def __init__(self, session: Session, stopwatch: Stopwatch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("research_pane")
        self.setAccessibleName(self.tr("Research"))
        theme.set_ground(self, "panel")
        self._session = session
        self._stopwatch = stopwatch
        self._entries: tuple[ResearchEntry, ...] = ()
        self._comment: QuestionRow | None = None
        self.model = ListRowModel(self)
        self.list = ResearchList()
        self.list.setModel(self.model)
        body = QWidget()
        theme.set_ground(body, "panel")
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(body)
        theme.set_ground(self._area.viewport(), "panel")
        tight_column(self, spacing=0).addWidget(self._area)
        OverlayScrollBar(self._area)
        self._column = tight_column(body, spacing=0)
        self._column.addWidget(self._make_time())
        self._column.addWidget(self._make_stopwatch())
        self._column.addWidget(horizontal_line())
        self._column.addWidget(self._make_record_head())
        self._column.addWidget(horizontal_line())
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_buttons())
        self._column.addWidget(self.list, 1)
        self._empty = WrappedLabel(name="research_empty", ink="text2")
        text = self.tr("No searches or pages yet. Search with {key}, or open a page.")
        self._empty.setText(text.format(key=cap_text("Alt S")))
        self._empty.setContentsMargins(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12))
        self._column.addWidget(self._empty, 1, Qt.AlignmentFlag.AlignTop)
        self._column.addWidget(horizontal_line())
        self.draft = KeyButton(
            self.tr("Draft from the record"), "Shift W", name="draft_comment", flat=True, clicked=self.draft_wanted
        )
        self.setFocusProxy(self.list)
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self.refresh)
        session.updated.connect(self.refresh)
        self.hide()

    def _make_time(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        row = QHBoxLayout()
        self._time = WrappedLabel(name="research_time", bold=True)
        row.addWidget(self._time, 1)
        back = LinkButton(self.tr("Back to the form"), "Shift F4", name="close_research", clicked=self.back_wanted)
        row.addWidget(back)
        column.addLayout(row)
        self._bar = ThinBar()
        column.addWidget(self._bar)
        self._parts = ElidedLabel(name="research_parts", size="small", ink="text2")
        column.addWidget(self._parts)

        def measure() -> None:
            theme.pad(column, PANE, 8, 12, 8)
            column.setSpacing(theme.px(6))

        theme.follow(head, measure)
        return head

    def _make_stopwatch(self) -> QWidget:
        bar = QWidget()
        theme.set_ground(bar, "sel")
        row = QHBoxLayout(bar)
        row.setSpacing(theme.px(8))
        row.addWidget(Icon("clock", ink="accent"))
        self._outside = ElidedLabel(name="research_outside")
        row.addWidget(self._outside, 1)
        self._switch = KeyButton(self.tr("Start"), "F4", name="stopwatch", clicked=self.stopwatch_wanted)
        row.addWidget(self._switch)
        theme.follow(bar, lambda: theme.pad(row, PANE, 6, 12, 6))
        return bar

    def _make_record_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setSpacing(theme.px(8))
        title = PlainLabel(self.tr("Record"))
        theme.set_type(title, bold=True)
        row.addWidget(title)
        self._counts = ElidedLabel(name="research_counts", size="small", ink="text2")
        row.addWidget(self._counts, 1)
        self.correct = KeyButton(
            self.tr("Correct the time"), "F2", name="correct_research", flat=True, clicked=self.list.correction_wanted
        )
        row.addWidget(self.correct)
        self.leave_out = KeyButton(
            self.tr("Leave out"), "Delete", name="leave_out_research", flat=True, clicked=self.list.removal_wanted
        )
        row.addWidget(self.leave_out)
        theme.follow(head, lambda: theme.pad(row, PANE, 2, 8, 2))
        return head

    # -- content

    @property
    def chosen(self) -> ResearchEntry | None:
        row = self.list.currentIndex().row()
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def write(self) -> None:
        """Focus the comment."""
        row = self._comment
        if row is not None:
            row.write()
            # After the layout has settled: the field grows with its text.
            QTimer.singleShot(0, row, lambda: self._area.ensureWidgetVisible(row, 0, 8))

    def set_open(self, *, on: bool) -> None:
        self.setVisible(on)
        (self._tick.start if on else self._tick.stop)()
        self.refresh()

    def refresh(self) -> None:
        session = self._session
        if self.isHidden() or session.task is None or session.rubric is None:
            return
        place, rating = session.place, research_here(session)
        self._entries = entries_at(rating, place.target, place.response)
        self._show_time(place)
        rows = [
            texts.research_row(number, entry, is_open=session.research.is_open(entry))
            for number, entry in enumerate(self._entries)
        ]
        chosen = self.list.currentIndex().row()
        self.model.show(rows)
        if rows and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(min(max(chosen, 0), len(rows) - 1)))
        self.list.setVisible(bool(rows))
        self._empty.setHidden(bool(rows))
        self.setFocusProxy(self.list if rows else self._switch)
        self._show_comment()
        self._show_buttons()

    def _show_time(self, place: Place) -> None:
        session = self._session
        assert session.rubric is not None
        required = required_research(session.rubric) if place.target is not None else None
        totals = totals_here(session)
        self._time.setText(texts.required_text(totals, required))
        self._parts.setText(texts.times_text(totals))
        self._bar.setHidden(required is None)
        if required is not None:
            self._bar.show_share(totals.measured / required.seconds, totals.reported / required.seconds)
        self._counts.setText(texts.counts_text(totals))
        if self._stopwatch.is_running:
            running = self.tr("{time} in your browser, running").format(
                time=texts.minutes_text(self._stopwatch.seconds)
            )
            self._outside.setText(running)
        else:
            self._outside.setText(self.tr("Research in your own browser"))
        self._switch.set_label(self.tr("Stop") if self._stopwatch.is_running else self.tr("Start"))

    def _show_comment(self) -> None:
        """Show the text question of the place under the record."""
        session = self._session
        name = text_question(session)
        asked = next((question for question in session.form_questions if question.question.id == name), None)
        if self._comment is not None and (asked is None or self._comment.question is not asked.question):
            self.draft.setParent(None)
            self._comment.hide()
            self._comment.deleteLater()
            self._comment = None
        if asked is None:
            return
        if self._comment is None:
            row = self._comment = question_row(asked.question)
            row.typed.connect(lambda question, value: session.answer(question, value, typing=True))
            row.left.connect(session.pause_typing)
            row.add_beneath(self.draft)
            self._column.addWidget(row)
        self._comment.show_question(asked, current=False)
        self._comment.setEnabled(not session.read_only)
        self.draft.setVisible(bool(self._entries))

    def _show_buttons(self) -> None:
        entry, locked = self.chosen, bool(self._session.read_only)
        self.leave_out.setEnabled(entry is not None and not locked)
        self.correct.setVisible(entry is not None and entry.kind == "outside" and not locked)
        self._switch.setEnabled(not locked)


class DraftHint(QWidget):
    """Line under a text question that leads to the research; it offers a draft while a problem asks for the text."""

    wanted = Signal()  # the research record

    def __init__(self, session: Session, question: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"draft_hint_{question}")
        self._session = session
        self._question = question
        row = tight_row(self)
        self._counts = LinkButton("", "Shift F4", clicked=self.wanted)
        row.addWidget(self._counts)
        row.addStretch(1)
        self.draft = KeyButton(self.tr("Draft from the record"), "Shift W", flat=True)
        row.addWidget(self.draft)
        session.updated.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        session = self._session
        place = session.place
        has_entries = session.task is not None and bool(
            entries_at(research_here(session), place.target, place.response)
        )
        self.setVisible(has_entries)
        if has_entries:
            self._counts.set_label(texts.counts_text(totals_here(session)))
            self.draft.setVisible(not session.read_only and self._is_wanted())

    def _is_wanted(self) -> bool:
        session = self._session
        assert session.rubric is not None
        where = task_stops.place_path(session.stop)
        return any(
            task_stops.question_of_problem(session.rubric, problem) == self._question
            for problem in session.outcome.problems
            if problem.where == where or problem.where.startswith(f"{where}/")
        )
