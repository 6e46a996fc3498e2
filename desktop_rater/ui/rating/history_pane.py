"""History of a task: the pane, its commands, and the loader of earlier changes for undo."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop_rater.format.change import REDO_ACTION, UNDO_ACTION, Change, Progress
from desktop_rater.format.edit import Difference, differences, plain_rater_content
from desktop_rater.format.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Border, Evidence, SkipReason
from desktop_rater.format.rubric import Question
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.operations.rating.history import MAX_REVISIONS, RevisionEntry, load_history
from desktop_rater.operations.rating.save import FROM_FILE_ACTION
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import same_value
from desktop_rater.rubric.load import label_of_value
from desktop_rater.rubric.repeat import REPEAT_ACTION
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.pages.browser import display_host
from desktop_rater.ui.pages.evidence_fields import reason_text, verdict_name
from desktop_rater.ui.pages.page_states import local_day_and_time
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form_view import skip_reason_text
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.session import WENT_BACK, Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, isolated
from desktop_rater.ui.widgets.layouts import NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

translate = QCoreApplication.translate
MAX_HISTORY_TEXT_LENGTH = 80


def revision_texts(entry: RevisionEntry, task: Task, rubric: Rubric) -> tuple[str, ...]:
    """Return a text for each change of a revision."""
    if not entry.revision:
        return (translate("History", "The task as received"),)
    if entry.rating is None:
        return (translate("History", "This state can't be read: the stored data was altered"),)
    if not entry.differences:
        return (translate("History", "No answer changed"),)
    return tuple(difference_text(difference, task, rubric) for difference in entry.differences)


def revision_origin_text(entry: RevisionEntry) -> str:
    """Return how a revision came about, if not by an ordinary edit."""
    actions = set(entry.done)
    texts = {
        UNDO_ACTION: translate("History", "by Undo"),
        REDO_ACTION: translate("History", "by Redo"),
        WENT_BACK: translate("History", "by restoring an earlier state"),
        REPEAT_ACTION: translate("History", "by repeating another target's answers"),
        FROM_FILE_ACTION: translate("History", "from a file"),
    }
    return next((text for name, text in texts.items() if name in actions and len(actions) == 1), "")


def difference_text(difference: Difference, task: Task, rubric: Rubric) -> str:
    """Return a text for one change, with its place in front."""
    change = _answer_text(difference, rubric) if difference.question else _change_text(difference)
    place = difference_place_text(difference, task)
    if not place:
        return formatting.capitalized(change)
    template = (
        translate("History", "{place}, {what}") if difference.question else translate("History", "{place}: {what}")
    )
    return template.format(place=place, what=change)


def difference_place_text(difference: Difference, task: Task) -> str:
    """Return the place, as in "Target 7, claim 2"; empty for the task as a whole."""
    place = difference.place
    if place.target is None:
        return _response_text(place, task)
    order = {response.id: index for index, response in enumerate(task.responses)}
    targets = sorted(task.targets or (), key=lambda target: (order.get(target.response, 0), target.start or 0))
    number = next((number for number, target in enumerate(targets, 1) if target.id == place.target), None)
    gone = translate("History", "Target {name}, which is no longer there").format(
        name=isolated(place.target[:MAX_HISTORY_TEXT_LENGTH])
    )
    text = translate("History", "Target {n}").format(n=number) if number is not None else gone
    if place.claim is None or not difference.claim_number:
        return text
    return translate("History", "{target}, claim {n}").format(target=text, n=difference.claim_number)


def _response_text(place: Place, task: Task) -> str:
    if place.response is None:
        return ""
    if len(task.responses) < 2:
        return translate("History", "Response")
    return translate("History", "Response {name}").format(
        name=isolated(task_stops.response_letter(place.response)[:MAX_HISTORY_TEXT_LENGTH])
    )


def _answer_text(difference: Difference, rubric: Rubric) -> str:
    compiled = rubric.questions.get(difference.question)
    name = (
        _question_text(compiled.question, rubric)
        if compiled is not None
        else difference.question[:MAX_HISTORY_TEXT_LENGTH]
    )
    if difference.kind == "cleared":
        return translate("History", "{question}: answer cleared").format(question=name)
    value = _value_text(compiled.question if compiled is not None else None, difference.value)
    return translate("History", "{question}: {value}").format(question=name, value=value)


def previous_answer_text(difference: Difference, rubric: Rubric) -> str:
    """Return the previous answer; empty if there was none."""
    value = difference.value if difference.kind == "cleared" else difference.before
    if not difference.question or value is None:
        return ""
    compiled = rubric.questions.get(difference.question)
    return _value_text(compiled.question if compiled is not None else None, value)


def _question_text(question: Question, rubric: Rubric) -> str:
    """Return the short name of a question; quote its text if it has none or shares it."""
    section = question.section
    alone = sum(compiled.question.section == section for compiled in rubric.questions.values()) == 1
    return question_subject(question) if (section and alone) or question.kind == "text" else _quoted_text(question.ask)


def _value_text(question: Question | None, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_value_text(question, part) for part in value) or translate("History", "nothing")
    choice = (
        next((candidate for candidate in question.choices if same_value(candidate.id, value)), None)
        if question is not None
        else None
    )
    if choice is not None:
        return choice.label
    if isinstance(value, dict):
        return _quoted_text(label_of_value(question, value) if question is not None else str(value))
    if isinstance(value, str):
        return _quoted_text(value)
    return formatting.figure(value)[:MAX_HISTORY_TEXT_LENGTH]


def _quoted_text(text: str) -> str:
    flat = " ".join(text.split())
    return formatting.quoted(f"{flat[: MAX_HISTORY_TEXT_LENGTH - 1]}…" if len(flat) > MAX_HISTORY_TEXT_LENGTH else flat)


def _change_text(difference: Difference) -> str:
    value = difference.value
    if isinstance(value, Evidence):
        return _evidence_text(difference.kind, value)
    if isinstance(value, Border):
        return _border_text(difference.kind, value)
    if difference.kind == "link_judged":
        page, verdict = value
        template = translate("History", "link {page}: {verdict}")
        none = translate("History", "no verdict")
        return template.format(page=page[:MAX_HISTORY_TEXT_LENGTH], verdict=verdict_name(verdict).lower() or none)
    template = {
        "claim_added": translate("History", "recorded, {text}"),
        "claim_changed": translate("History", "is now {text}"),
        "claim_removed": translate("History", "removed, {text}"),
        "acknowledged": translate("History", "a warning was acknowledged"),
        "open_again": translate("History", "acknowledgement of a warning withdrawn"),
        "note": translate("History", "note to the QA lead, {text}"),
        "taken_up": translate("History", "skip withdrawn"),
        "skipped": translate("History", "the task is skipped: {reason}"),
        "finished": translate("History", "the task is finished"),
        "unfinished": translate("History", "the task is unfinished again"),
    }[difference.kind]
    if difference.kind == "note" and not value:
        return translate("History", "the note to the QA lead is removed")
    reason = skip_reason_text(value.reason) if isinstance(value, SkipReason) else ""
    return template.format(
        text=_quoted_text(value) if isinstance(value, str) else "", reason=reason[:MAX_HISTORY_TEXT_LENGTH]
    )


def _evidence_text(kind: str, piece: Evidence) -> str:
    name = _quoted_text(piece.title) if piece.title.strip() else display_host(piece.url)
    name = name or translate("History", "without a page")
    if kind == "evidence_removed":
        return translate("History", "evidence removed, {page}").format(page=name)
    names = {
        SUPPORTING: translate("History", "supports"),
        CONTRADICTING: translate("History", "contradicts"),
        NEUTRAL: translate("History", "does not decide, {reason}").format(reason=reason_text(piece)),
    }
    stance = names[piece.stance] if piece.stance is not None else ""
    template = translate("History", "evidence added, {page}")
    if kind == "evidence_changed":
        template = translate("History", "evidence changed, {page}")
    quote = _quoted_text(piece.quote) if not is_blank(piece.quote) else ""
    return ", ".join(part for part in (template.format(page=name), stance, quote) if part)


def _border_text(kind: str, border: Border) -> str:
    if kind == "border_back":
        return translate("History", "borders reset to the bundle's")
    if (border.start, border.end) == (border.was_start, border.was_end):
        return translate("History", "the borders are reported, {text}").format(text=_quoted_text(border.comment))
    return translate("History", "now contains {text}").format(text=_quoted_text(border.quote))


class HistoryList(RowList):
    """List of states; Return shows the state of a row instead of going on."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("history_list", two_lines=True, marks=False, parent=parent)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_show_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_show_key(event):
            self.entered.emit()
            return
        super().keyPressEvent(event)


def _is_show_key(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers()


class HistoryPane(NamedGroup):
    """History pane under the response, closed at first. It knows rows and their ids only."""

    show_wanted = Signal()
    back_wanted = Signal()
    shut_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="history")
        self.setAccessibleName(self.tr("History of this task"))
        self.list = HistoryList()
        self.model = ListRowModel(self)
        self.list.setAccessibleName(self.tr("Changes, latest first"))
        self.list.setModel(self.model)
        self.list.entered.connect(self.show_wanted)
        self.list.doubleClicked.connect(lambda _index: self.show_wanted.emit())
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._update_buttons())
        theme.set_ground(self.list.viewport(), "surface")
        tight_column(self, horizontal_line(), self._make_head(), horizontal_line(), (self.list, 1), spacing=0)
        self._current_id = ""
        self._may_go_back = True
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "panel")
        title = PlainLabel(self.tr("History"), bold=True)
        self._summary = ElidedLabel(name="history_words", size="small", ink="text2")
        self.shows = KeyButton(
            self.tr("Show"), "Enter", flat=True, name="history_show", clicked=self.show_wanted, enter_at=self.list
        )
        self.back = KeyButton(self.tr("Restore this state"), name="history_back", clicked=self.back_wanted)
        shut = KeyButton(self.tr("Close"), "F7", flat=True, name="close_history", clicked=self.shut_wanted)
        row = fill(QHBoxLayout(head), title, (self._summary, 1), self.shows, self.back, shut)

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), 0, theme.px(8), 0)
            row.setSpacing(theme.px(6))
            head.setFixedHeight(theme.px(40))

        theme.follow(head, measure)
        return head

    @property
    def chosen(self) -> str | None:
        index = self.list.currentIndex()
        return self.model.rows[index.row()].id if index.isValid() else None

    def show_rows(self, rows: Sequence[ListRow], summary: str, *, counts: str, may_go_back: bool) -> None:
        """Show the rows, with `counts` the id of the current state; the selection is kept."""
        chosen = self.chosen
        self._current_id, self._may_go_back = counts, may_go_back
        self._summary.setText(summary)
        self.model.show(rows)
        row = max(0, self.model.row_of(chosen))
        if rows and self.list.currentIndex() != self.model.index(row):
            self.list.setCurrentIndex(self.model.index(row))
        self._update_buttons()

    def choose(self, name: str) -> None:
        index: QModelIndex = self.model.index(max(0, self.model.row_of(name)))
        self.list.setCurrentIndex(index)

    def _update_buttons(self) -> None:
        has_choice = self.chosen is not None
        self.shows.setEnabled(has_choice)
        self.back.setEnabled(has_choice and self._may_go_back and self.chosen != self._current_id)


UNSAVED_REVISION = -1  # revision number of a state not stored yet


class HistoryCommands(QObject):
    """Connect the session, the history pane and the revisions read for it."""

    announced = Signal(str)  # the state shown now, for screen readers

    def __init__(self, window: MainWindow, session: Session, perform: WorkRunner) -> None:
        super().__init__(window)
        self._session = session
        self._perform = perform
        self._form_pane = window.form_pane
        self._entries: dict[str, RevisionEntry] = {}
        self._shown_id = ""  # id of the row whose state is shown
        self._query: Progress | None = None
        self.pane = HistoryPane()
        window.text_pane.add_below(self.pane)
        self._guidelines: QWidget = window.parts["guidelines"]  # they take the same space
        self._guidelines.installEventFilter(self)
        self.pane.show_wanted.connect(self.show_chosen)
        self.pane.back_wanted.connect(self.go_back)
        self.pane.shut_wanted.connect(self.leave)
        session.opened.connect(self._close)
        session.saver.not_saved.connect(lambda _error: self._refresh())
        perform.changed.connect(self._changed)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"history": self.toggle}

    def toggle(self) -> None:
        if self.leave() or self._session.task is None:
            return
        self._guidelines.hide()
        self._session.pause_typing()
        self.pane.show()
        self.pane.list.setFocus()
        # Text typed last is being saved: it appears with the resulting change.
        self._refresh()

    def leave(self) -> bool:
        """Return to the current state and close the pane; return `False` if it is not open."""
        if self.pane.isHidden():
            return False
        self.come_back()
        self._close()
        self._form_pane.form.setFocus()
        return True

    def show_chosen(self) -> None:
        """Show the selected state read-only; show the current state editable."""
        entry = self._entries.get(self.pane.chosen or "")
        if entry is None or entry.rating is None:
            return
        if self.pane.chosen == self._current_id():
            self.come_back()
            return
        self._session.show_earlier_state(entry.rating, self._state_text(entry), entry.differences)
        message = self.tr("This is an earlier state: {state}. It is read-only.")
        message = message.format(state=self._state_text(entry))
        ways: list[tuple[str, Callable[[], object]]] = [(self.tr("Back to the current state"), self.come_back)]
        if self._session.can_restore_state:
            ways.insert(0, (self.tr("Restore this state"), self.go_back))
        self._form_pane.banners.show_banner("looking_back", "info", message, ways)
        self.announced.emit(message)
        self._shown_id = str(entry.revision)
        self._show_entries()

    def come_back(self) -> None:
        self._form_pane.banners.drop("looking_back")
        if self._session.shows_earlier_state:
            self._shown_id = ""
            self._session.show_current_state()
            self._show_entries()
            self.announced.emit(self.tr("Back to the current state"))

    def go_back(self) -> None:
        """Make the selected state the current one."""
        entry = self._entries.get(self.pane.chosen or "")
        if entry is None or entry.rating is None or not self._session.can_restore_state:
            return
        self._form_pane.banners.drop("looking_back")
        self._session.restore_state(entry.rating)
        message = self.tr("Restored: {state}.").format(state=self._state_text(entry))
        self._form_pane.banners.show_banner("undo", "info", message, [(self.tr("Undo"), self._session.undo)])
        self._close()
        self._form_pane.form.setFocus()

    def _changed(self, change: Change) -> None:
        session = self._session
        if session.task is not None and (session.bundle, session.task.id) in change.tasks:
            self._refresh()

    def _refresh(self) -> None:
        """Read the revisions again while the pane is open."""
        session = self._session
        if self.pane.isHidden() or session.task is None:
            return
        if self._query is not None:
            self._perform.cancel(self._query)
        task = session.task.id

        def arrived(entries: tuple[RevisionEntry, ...]) -> None:
            self._query = None
            if session.task is not None and session.task.id == task and not self.pane.isHidden():
                self._entries = {str(entry.revision): entry for entry in (*self._unsaved_entry(entries), *entries)}
                self._show_entries()

        self._query = self._perform.ask(load_history, session.bundle, task, session.rating.rater, done=arrived)

    def _unsaved_entry(self, entries: tuple[RevisionEntry, ...]) -> tuple[RevisionEntry, ...]:
        """Return the state in the window as an entry, if it is not stored yet."""
        now, last = self._session.current_rating, entries[0].rating if entries else None
        if last is None or plain_rater_content(last) == plain_rater_content(now):
            return ()
        changed = differences(last, now)
        return (
            RevisionEntry(
                revision=UNSAVED_REVISION, changed="", status=now.status, done=(), rating=now, differences=changed
            ),
        )

    def _current_id(self) -> str:
        """Return the id of the current state: the latest one."""
        return next(iter(self._entries), "")

    def _show_entries(self) -> None:
        task, rubric = self._session.task, self._session.rubric
        if task is None or rubric is None:
            return
        rows = [self._row(entry, revision_texts(entry, task, rubric)) for entry in self._entries.values()]
        summary = self.tr("1 state") if len(rows) == 1 else self.tr("{n} states").format(n=len(rows))
        if rows and "0" not in self._entries:
            summary = self.tr("the latest {n} states").format(n=MAX_REVISIONS)
        self.pane.show_rows(rows, summary, counts=self._current_id(), may_go_back=self._session.can_restore_state)

    def _row(self, entry: RevisionEntry, texts: tuple[str, ...]) -> ListRow:
        name = str(entry.revision)
        end = self.tr("not saved yet") if entry.revision == UNSAVED_REVISION else ""
        if entry.revision > 0:
            end = self.tr("revision {n}").format(n=entry.revision)
        counts = name == self._current_id()
        status = self.tr("now") if counts else self.tr("shown") if name == self._shown_id else ""
        more = "; ".join(part for part in (*texts[1:], revision_origin_text(entry)) if part)
        return ListRow(
            name,
            texts[0],
            end=local_day_and_time(entry.changed) if entry.changed else "",
            detail=more,
            detail_end=", ".join(part for part in (status, end) if part),
            bold=counts,
        )

    def _state_text(self, entry: RevisionEntry) -> str:
        time = local_day_and_time(entry.changed)
        return self.tr("as it was on {time}").format(time=time) if entry.changed else self.tr("as received")

    def _close(self) -> None:
        self._form_pane.banners.drop("looking_back")
        self._entries, self._shown_id = {}, ""
        self.pane.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the history when the guidelines open, which take the same space."""
        if watched is self._guidelines and event.type() == QEvent.Type.ShowToParent:
            self.come_back()
            self._close()
        return False
