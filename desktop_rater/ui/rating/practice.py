"""Practice: after each task show its gold answer in place of the form, and go on when the rater does."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Claim, Evidence, Rating
from desktop_rater.format.rubric import Choice, Question
from desktop_rater.format.values import Place
from desktop_rater.rubric.condition import same_value
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.gold import AnswerComparison, GoldComparison, GoldDecision, GoldJudgement, compare_with_gold
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.markdown import shown_words
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.pages.evidence_fields import page_with_stance
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.claims_pane import LabelMark
from desktop_rater.ui.rating.form_view import skip_reason_text
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, set_optional_text, visible
from desktop_rater.ui.widgets.layouts import NamedGroup, ScrollColumn, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow


def gold_place_text(place: Place, targets: Sequence[str]) -> str:
    """Return the name of a place; `targets` are the ids of the task's targets in text order."""
    if place.target is not None:
        return QCoreApplication.translate("GoldWords", "Target {n}").format(n=targets.index(place.target) + 1)
    if place.response is not None:
        return QCoreApplication.translate("GoldWords", "Response {name}").format(name=response_letter(place.response))
    return QCoreApplication.translate("GoldWords", "Whole task")


def gold_answer_text(question: Question, value: Any) -> str:
    """Return an answer as text; a dash if there is none."""
    return "–" if value is None else format_answer(question, value)


def answered_choice(question: Question, value: Any) -> Choice | None:
    """Return the choice for an answer."""
    return (
        next((choice for choice in question.choices if same_value(choice.id, value)), None)
        if value is not None
        else None
    )


def gold_headline(judgement: GoldJudgement) -> tuple[str, Choice | None]:
    """Return a short text of the gold's answers for a place, and the first choice with a shape."""
    answered = [comparison for comparison in judgement.counted if comparison.gold is not None]
    text = ", ".join(_named_answer(comparison.question, comparison.gold) for comparison in answered)
    shaped = (answered_choice(comparison.question, comparison.gold) for comparison in answered)
    return text or "–", next((choice for choice in shaped if choice is not None and choice.shape), None)


def _named_answer(question: Question, value: Any) -> str:
    """Return an answer; with the name of its question unless it is a claim label, which is clear by itself."""
    answer = gold_answer_text(question, value)
    return answer if question.per == "claim" else f"{question.section or question.ask}: {answer}"


def differing_answers_text(judgement: GoldJudgement) -> str:
    """Return the rater's differing answers among those that count."""
    differing = [comparison for comparison in judgement.counted if not comparison.same]
    return ", ".join(_named_answer(comparison.question, comparison.own) for comparison in differing)


def decision_text(decision: GoldDecision) -> str:
    """Return the reason for a gold answer, with the rubric rule that decided it."""
    value = gold_answer_text(decision.question, decision.value)
    if decision.by == BY_CLAIMS:
        return QCoreApplication.translate("GoldWords", "{value}: the worst of its claims.").format(value=value)
    template = QCoreApplication.translate("GoldWords", "{value}, by the rule {rule}. {message}")
    return template.format(value=value, rule=decision.by, message=decision.message).strip()


def gold_score_text(comparison: GoldComparison) -> str:
    """Return the score of the current task."""
    if comparison.own_skipped is not None and comparison.gold_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task, as does the gold answer.")
    if comparison.own_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task. The gold answer rates it.")
    if comparison.gold_skipped is not None:
        template = QCoreApplication.translate("GoldWords", "The gold answer skips this task: {reason}. {comment}")
        reason = skip_reason_text(comparison.gold_skipped.reason)
        return template.format(reason=reason, comment=comparison.gold_skipped.comment).strip()
    if not comparison.total:
        return QCoreApplication.translate("GoldWords", "The gold answer has nothing to compare with yours.")
    if comparison.partial and comparison.per_target:
        template = QCoreApplication.translate(
            "GoldWords", "The gold answer covers part of the task: {n} of {total} targets match."
        )
    elif comparison.partial:
        template = QCoreApplication.translate(
            "GoldWords", "The gold answer covers part of the task: {n} of {total} answers match."
        )
    elif comparison.per_target:
        template = QCoreApplication.translate("GoldWords", "{n} of {total} targets match the gold answer.")
    else:
        template = QCoreApplication.translate("GoldWords", "{n} of {total} answers match the gold answer.")
    return template.format(n=formatting.number(comparison.same), total=formatting.number(comparison.total))


def sitting_score_text(scores: Sequence[tuple[int, int]], *, per_target: bool) -> str:
    """Return the score of the sitting; empty after one task only."""
    if len(scores) < 2:
        return ""
    if per_target:
        template = QCoreApplication.translate("GoldWords", "This session: {n} of {total} targets in {tasks} tasks.")
    else:
        template = QCoreApplication.translate("GoldWords", "This session: {n} of {total} answers in {tasks} tasks.")
    same_, total = (formatting.number(sum(parts)) for parts in zip(*scores, strict=True))
    return template.format(n=same_, total=total, tasks=formatting.number(len(scores)))


MAX_GOLD_TEXT_LENGTH = 600  # shown characters of a gold text
MAX_GOLD_ITEMS = 12  # claims and evidence items


class GoldDetails(QWidget):
    """Details of one place, rebuilt for each place, since the parts differ."""

    guideline_wanted = Signal(str)
    page_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gold_details")
        theme.set_ground(self, "panel")
        self.section = ""
        self._outer = tight_column(self)
        self._box: QWidget | None = None

    def show_judgement(self, judgement: GoldJudgement | None) -> None:
        if self._box is not None:
            self._outer.removeWidget(self._box)
            self._box.hide()
            self._box.deleteLater()
            self._box = None
        self.section = judgement.section if judgement is not None else ""
        if judgement is None:
            return
        self._box = QWidget()
        column = tight_column(self._box, spacing=theme.px(12))
        theme.pad(column, PANE, 12, PANE, 12)
        if judgement.compared:
            column.addWidget(self._answers(judgement))
        for head, text in self._reasons(judgement):
            column.addWidget(_text_block(head, text))
        for piece in judgement.evidence[:MAX_GOLD_ITEMS]:
            column.addWidget(self._evidence(piece))
        if self.section:
            column.addWidget(self._guideline(), 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)
        self._outer.addWidget(self._box)
        self._box.show()

    def _answers(self, judgement: GoldJudgement) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(12))
        grid.setVerticalSpacing(theme.px(6))
        for column, stretch in enumerate((3, 2, 2)):
            grid.setColumnStretch(column, stretch)
        for column, title in ((1, self.tr("Gold")), (2, self.tr("You"))):
            grid.addWidget(PlainLabel(title, size="small", ink="text2"), 0, column)
        for row, comparison in enumerate(judgement.compared, 1):
            self._add_row(grid, row, comparison)
        return box

    def _add_row(self, grid: QGridLayout, row: int, comparison: AnswerComparison) -> None:
        top = Qt.AlignmentFlag.AlignTop
        ask = WrappedLabel(comparison.question.ask, ink="text2")
        grid.addWidget(ask, row, 0, top)
        gold = _AnswerLabel(comparison, own=False)
        grid.addWidget(gold, row, 1, top)
        own = _AnswerLabel(comparison, own=True)
        verdict = self.tr("same as gold") if comparison.same else self.tr("differs")
        own.setAccessibleName(
            visible(f"{comparison.question.ask} {gold.answer_text}, {self.tr('You')}: {own.answer_text}, {verdict}")
        )
        grid.addWidget(own, row, 2, top)

    def _reasons(self, judgement: GoldJudgement) -> list[tuple[str, str]]:
        reasons = [(self.tr("Why"), decision_text(decision)) for decision in judgement.decisions]
        reasons += [(question.ask, text) for question, text in judgement.words]
        claims = [
            self._claim(number, claim, judgement) for number, claim in enumerate(judgement.claims[:MAX_GOLD_ITEMS], 1)
        ]
        return reasons + claims

    def _claim(self, number: int, claim: Claim, judgement: GoldJudgement) -> tuple[str, str]:
        questions = {comparison.question.id: comparison.question for comparison in judgement.compared}
        answers = [
            gold_answer_text(questions[name], value) for name, value in claim.answers.items() if name in questions
        ]
        head = self.tr("Claim {n}").format(n=number)
        return head, ": ".join(filter(None, (shown_words(claim.text), ", ".join(answers))))

    def _evidence(self, piece: Evidence) -> QWidget:
        page = piece.title or readable_url(piece.url)
        text = page_with_stance(piece, page) if piece.stance else self.tr("Page: {page}").format(page=page)
        box = QWidget()
        column = tight_column(box, WrappedLabel(text), spacing=theme.px(2))
        if piece.quote:
            column.addWidget(WrappedLabel(formatting.quoted(piece.quote[:MAX_GOLD_TEXT_LENGTH])))
        opens = KeyButton(
            self.tr("Open the page"), flat=True, clicked=lambda _on=False, url=piece.url: self.page_wanted.emit(url)
        )
        opens.setAccessibleName(visible(f"{self.tr('Open the page')}: {page}"))
        column.addWidget(opens, 0, Qt.AlignmentFlag.AlignLeading)
        return box

    def _guideline(self) -> QWidget:
        return KeyButton(
            self.tr("Guideline: {section}").format(section=self.section),
            "G",
            name="gold_guideline",
            clicked=lambda: self.guideline_wanted.emit(self.section),
        )


class _AnswerLabel(NamedGroup):
    """Answer with its shape; the rater's has a cross if it differs from the gold's."""

    def __init__(self, comparison: AnswerComparison, *, own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        value = comparison.own if own else comparison.gold
        self.answer_text = gold_answer_text(comparison.question, value)
        row = QGridLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(theme.px(6))
        row.setColumnStretch(1, 1)
        choice = answered_choice(comparison.question, value)
        if choice is not None and choice.shape:
            mark = LabelMark(self)
            mark.show_label(choice.tone, choice.shape)
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        elif own and not comparison.same:
            mark = LabelMark(self)
            mark.show_label("", "cross")
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        label = WrappedLabel(self.answer_text, size="interface", bold=not comparison.same)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        row.addWidget(label, 0, 1)


def _text_block(head: str, text: str) -> QWidget:
    box = QWidget()
    title = PlainLabel(head, size="small", ink="text2")
    tight_column(
        box,
        title,
        WrappedLabel(text if len(text) <= MAX_GOLD_TEXT_LENGTH else f"{text[: MAX_GOLD_TEXT_LENGTH - 1]}…"),
        spacing=theme.px(2),
    )
    return box


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
        super().__init__(parent, name="gold_page")
        self.setAccessibleName(self.tr("Gold answer"))
        theme.set_ground(self, "panel")
        self._judgements: tuple[GoldJudgement, ...] = ()
        self.model = ListRowModel(self)
        self.list = RowList("gold_places", two_lines=False, label=self.tr("Gold answer by place"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        theme.set_ground(self.list.viewport(), "surface")
        self._scroll = self._make_details()
        tight_column(
            self, self._make_head(), horizontal_line(), self.list, horizontal_line(), (self._scroll, 1), spacing=0
        )
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        title = PlainLabel(self.tr("Gold answer"), bold=True)
        back = KeyButton(self.tr("Back to my answers"), "Esc", flat=True, name="gold_back", clicked=self.back_wanted)
        row = fill(QHBoxLayout(), title, 1, back)
        self._score = WrappedLabel(name="gold_score")
        self._sitting = WrappedLabel(name="gold_sitting", ink="text2")
        self._note = WrappedLabel(name="gold_note")
        column = fill(QVBoxLayout(head), row, self._score, self._sitting, self._note)

        def measure() -> None:
            theme.pad(column, PANE, 8, 8, 8)
            column.setSpacing(theme.px(2))

        theme.follow(head, measure)
        return head

    def _make_details(self) -> QScrollArea:
        self.details = GoldDetails()
        self.details.guideline_wanted.connect(self.guideline_wanted)
        self.details.page_wanted.connect(self.page_wanted)
        area = ScrollColumn("gold_scroll", content=self.details)
        theme.set_ground(area.viewport(), "panel")
        OverlayScrollBar(area)
        return area

    def show_gold(self, comparison: GoldComparison, targets: Sequence[str], sitting: str, note: str) -> None:
        """Show a comparison; `targets` are the target ids in text order, `sitting` the score of the sitting so far.

        `note` is the gold's note on the whole task.
        """
        self._judgements = comparison.judgements
        self._score.setText(gold_score_text(comparison))
        set_optional_text(self._sitting, sitting)
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
        text, shaped = gold_headline(judgement)
        own = self.tr("you: {answer}").format(answer=differing_answers_text(judgement))
        if not judgement.compared:  # partial gold with words or evidence alone
            return ListRow(str(number), gold_place_text(judgement.place, targets))
        return ListRow(
            str(number),
            f"{gold_place_text(judgement.place, targets)} – {text}",
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
        self._bundle_opened()

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

    def _bundle_opened(self) -> None:
        self._pane.banners.drop("practice")
        if self._desk.practice:
            message = self.tr("This is a practice bundle: the gold answer appears after you finish each task.")
            self._pane.banners.show_banner("practice", "info", message)

    def _finished(self) -> None:
        """Read the gold answer of a finished task. It is not read before that."""
        from desktop_rater.operations.rating.gold import gold_answer  # noqa: PLC0415 - only when it is used

        session = self._session
        # A task that can't be saved or shows an earlier state is not finished.
        is_finished = (
            session.task is not None and session.rating.status != "incomplete" and not session.shows_earlier_state
        )
        if session.task is None or not self._desk.practice:
            return
        if not is_finished:
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
        sitting = sitting_score_text(scores, per_target=comparison.per_target)
        self.page.show_gold(comparison, targets, sitting, note)
        self._lock_reason = session.lock_reason
        session.lock_reason = self.tr("Nothing can be changed while the gold answer is shown.")
        session.shows_gold = True
        self._arrange()
        first = self.page.first_place_to_show
        if first is not None:
            self._go_to(first)
        self.announced.emit(gold_score_text(comparison))

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
