"""The place where the rater left off, and the dialogs of the start page."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeySequence, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.operations.bundles.revisions import MAX_NAMED, RemovalCheck
from desktop_rater.operations.rating.overview import LeftOff, NewGuideline
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.rubric.check import counted_unit
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.text.markdown import markdown_words, shown_words
from desktop_rater.ui.rating.target_strip import state_text
from desktop_rater.ui.rating.task_stops import TargetState, all_target_states, stop_of, task_stops
from desktop_rater.ui.start import texts
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, draw_text, isolated, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, tight_row
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.window.focus import WindowDialog

MAX_SHAPES, SHAPE, SHAPE_GAP = 15, 14, 9
MAX_TEXT = 300


@dataclass(frozen=True)
class StopView:
    """A task at one of its stops: `number` of `total` among those of its kind, 0 for the whole task."""

    task: str
    prompt: str
    text: str
    place: str
    states: tuple[TargetState, ...]
    current: int


def stop_view(task: Task, rating: Rating, rubric: Rubric, outcome: CheckOutcome, place: Place) -> StopView:
    """Return what the card shows of a task."""
    stops = task_stops(rubric, task, outcome)
    states = all_target_states(rubric, task, rating, outcome, stops)
    stop = stop_of(place)
    is_open = [candidate for candidate in stops if states[candidate].kind in {"todo", "part", "suggested"}]
    if stop not in stops or (stop == TASK_PLACE and is_open):  # nothing is remembered, or parts of the task are open
        stop = next(iter(is_open), stops[0])
    unit = counted_unit(rubric)
    alike = [other for other in stops if (other.target is None) == (stop.target is None) and other.response is not None]
    is_counted = stop in alike and unit in {"targets", "responses"} and (unit == "targets") == (stop.target is not None)
    where = texts.place_text(unit, alike.index(stop) + 1, len(alike)) if is_counted else ""
    quote = next((target.quote for target in task.targets or () if target.id == stop.target), None) or ""
    response = task.response(stop.response or "")
    if response is not None and response.format == "markdown":
        quote = markdown_words(quote)
    return StopView(
        task=task.id,
        prompt=" ".join(shown_words(task.prompt.text).split())[:MAX_TEXT],
        text=" ".join(quote.split())[:MAX_TEXT],
        place=where,
        states=tuple(states[other] for other in stops),
        current=stops.index(stop),
    )


def view_of(found: LeftOff) -> StopView:
    """Return what the card shows of a stored position."""
    return stop_view(found.task, found.rating, found.rubric, found.outcome, found.spot.place)


class StateStrip(NamedGroup):
    """The states of the stops of a task as shapes, the current one in a box; of many, those around it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_strip")
        self.setAccessibleName(self.tr("Targets"))
        self._states: tuple[TargetState, ...] = ()
        self._current = self._first = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_states(self, states: tuple[TargetState, ...], current: int) -> None:
        self._first = max(0, min(current - MAX_SHAPES // 2, len(states) - MAX_SHAPES))
        self._states, self._current = states[self._first : self._first + MAX_SHAPES], current - self._first
        done = sum(state.kind in {"label", "done", "skipped"} for state in states)
        counted = self.tr("{done} of {total} done").format(done=done, total=len(states))
        each = (f"{number} {state_text(state)}" for number, state in enumerate(states, 1))
        self.setAccessibleDescription(visible(", ".join((counted, *each))))
        self.setVisible(len(states) > 1)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(len(self._states) * theme.px(SHAPE + SHAPE_GAP), theme.px(22))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        step, size, ground = theme.px(SHAPE + SHAPE_GAP), theme.px(SHAPE), theme.color(self, "panel")
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for number, state in enumerate(self._states):
            left = self.width() - (number + 1) * step if mirrored else number * step
            field = QRectF(left, 0, step, self.height()).adjusted(1.5, 1.5, -1.5, -1.5)
            if number == self._current:
                painter.setPen(QPen(theme.color(self, "cur_edge"), 1.5))
                painter.setBrush(theme.color(self, "cur"))
                painter.drawRoundedRect(field, 3, 3)
                painter.setPen(theme.color(self, "text"))
                draw_text(painter, field, Qt.AlignmentFlag.AlignCenter, str(self._first + number + 1))
                continue
            tone = theme.tone(state.tone)
            ink = (
                QColor(tone.ink)
                if tone is not None
                else theme.color(self, shapes.STATES.get(state.kind, ("", "text2"))[1])
            )
            center = field.center()
            square = QRectF(center.x() - size / 2, center.y() - size / 2, size, size)
            shapes.paint_shape(painter, square, state.shape, ink, ground)
        painter.end()


class LeftOffCard(QWidget):
    """A task of the selected bundle, and what Enter does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_card")
        column = QVBoxLayout(self)
        theme.pad(column, 16, 14, 16, 14, spacing=8)
        self.bundle = ElidedLabel(name="start_card_bundle", size="small", ink="text2")
        self.task = ElidedLabel(name="start_card_task", size="small", ink="text2")
        self.task.setAlignment(Qt.AlignmentFlag.AlignRight)
        top = tight_row(spacing=12)
        top.addWidget(self.bundle, 3)
        top.addWidget(self.task, 1)
        column.addLayout(top)
        self.prompt = WrappedLabel(name="start_card_prompt", size="title", bold=True)
        column.addWidget(self.prompt)
        self.text = WrappedLabel(name="start_card_text", ink="text2")
        column.addWidget(self.text)
        for label in (self.prompt, self.text):
            theme.follow_language(label)
        foot = tight_row(spacing=12)
        buttons = QWidget()
        flow = FlowLayout(buttons, spacing=8, alike=False)
        self.go = KeyButton("", "Enter", primary=True, name="start_go")
        self.pick = KeyButton(self.tr("Pick a task"), "/", name="start_pick")
        for button in (self.go, self.pick):
            flow.addWidget(button)
        foot.addWidget(buttons, 1)
        self.strip = StateStrip()
        foot.addWidget(self.strip, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(foot)

    def show_place(self, title: str, view: StopView | None, *, open_now: bool) -> None:
        """Show a task of a bundle. `open_now`: the window shows this very task when it goes on."""
        self.bundle.setText(title)
        self.task.setText(view.task if view is not None else "")
        self.prompt.setText(_shortened(view.prompt, 160) if view is not None else title)
        text = _shortened(view.text, 200) if view is not None else ""
        place = view.place if view is not None else ""
        self.text.setText(
            self.tr("{place}: {text}").format(place=formatting.capitalized(place), text=text)
            if text and place
            else text
        )
        self.text.setVisible(bool(text))
        self.go.set_label(self._go_text(title, view, open_now=open_now))
        self.strip.show_states(view.states if view is not None else (), view.current if view is not None else 0)

    def _go_text(self, title: str, view: StopView | None, *, open_now: bool) -> str:
        if view is None or not open_now:
            return self.tr("Open {bundle}").format(bundle=isolated(_shortened(title, 60)))
        task = isolated(visible(view.task[:40]))
        if not view.place:
            return self.tr("Continue: {task}").format(task=task)
        return self.tr("Continue: {task}, {place}").format(task=task, place=view.place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.setPen(QPen(theme.color(self, "line"), 1))
        painter.setBrush(theme.color(self, "panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.end()


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 2].rstrip()} …"


WIDTH, WIDE, TEXT_HEIGHT = 480, 640, 320


class StartDialog(WindowDialog):
    """A title, a body, and two buttons: what is wanted, and keeping all as it is."""

    def __init__(self, window: QWidget, name: str, title: str) -> None:
        super().__init__(window, name, title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(24, 20, 24, 16)
        self.column.setSpacing(12)
        self.column.addWidget(WrappedLabel(title, name=f"{name}_title", size="title", bold=True))
        for key in ("Return", "Enter"):  # also from a field
            QShortcut(QKeySequence(key), self).activated.connect(self.press_enter)

    def press_enter(self) -> None:
        """Do what the primary button does."""
        self.accept()

    def add_buttons(self, *buttons: KeyButton) -> None:
        """Add the buttons, the last one at the end."""
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        for button in buttons:
            foot.addWidget(button)
        self.column.addLayout(foot)


class RemovalQuestion(StartDialog):
    """Says what a bundle holds, and removes it or says why not. Enter keeps it."""

    def __init__(
        self, window: QWidget, check: RemovalCheck, confirm: Callable[[], object], hide: Callable[[], object]
    ) -> None:
        title = self.tr("Remove {bundle}?").format(bundle=isolated(visible(" ".join(check.title.split())[:120])))
        super().__init__(window, "remove_bundle", title)
        self.column.addWidget(WrappedLabel(self._holdings(check), name="remove_bundle_holdings"))
        reason = self._reason(check)
        self.column.addWidget(WrappedLabel(reason, name="remove_bundle_reason"))
        keep = KeyButton(self.tr("Keep it"), "Enter", primary=True, name="remove_bundle_keep", clicked=self.reject)
        if check.refusal:
            other = KeyButton(self.tr("Hide it"), "H", name="remove_bundle_hide", clicked=self.accept)
            self.accepted.connect(hide)
        else:
            other = KeyButton(self.tr("Remove it"), "R", name="remove_bundle_go", clicked=self.accept)
            self.accepted.connect(confirm)
        key = QShortcut(QKeySequence("H" if check.refusal else "R"), self)
        key.activated.connect(self.accept)
        self.add_buttons(other, keep)
        self._keep = keep

    def _holdings(self, check: RemovalCheck) -> str:
        held = check.holdings
        counts = (
            (held.tasks, self.tr("1 task"), self.tr("{n} tasks")),
            (held.ratings, self.tr("1 rating"), self.tr("{n} ratings")),
            (held.pages, self.tr("1 stored page"), self.tr("{n} stored pages")),
        )
        words = [one if count == 1 else many.format(n=formatting.number(count)) for count, one, many in counts]
        return self.tr("It holds {what}.").format(what=formatting.listing([*words, formatting.megabytes(held.bytes)]))

    def _reason(self, check: RemovalCheck) -> str:
        if check.audited:
            return self.tr("It can't be removed: this store holds results or reviews of it.")
        if not check.on_hold:
            return self.tr("All of this is deleted. The file of the bundle can be imported again.")
        names = [isolated(visible(rating.task[:60])) for rating in check.on_hold[:MAX_NAMED]]
        more = len(check.on_hold) - len(names)
        text = formatting.listing(names)
        if more > 0:
            text = self.tr("{tasks} and {n} more").format(tasks=text, n=formatting.number(more))
        return self.tr("It can't be removed: neither exported nor sent are the ratings of {tasks}.").format(tasks=text)

    def ask(self) -> None:
        self.open_with(WIDTH)
        self._keep.setFocus()

    def press_enter(self) -> None:
        self.reject()


class GoalDialog(StartDialog):
    """Asks for the number of targets a day; 0 is no goal."""

    def __init__(self, window: QWidget, goal: int, confirm: Callable[[int], object]) -> None:
        super().__init__(window, "goal", self.tr("Your goal"))
        text = self.tr("Targets or responses a day. 0 is no goal. Nobody else sees it.")
        self.column.addWidget(WrappedLabel(text, name="goal_text"))
        self.number = QSpinBox()
        self.number.setObjectName("goal_number")
        self.number.setAccessibleName(self.tr("Targets a day"))
        self.number.setRange(0, SETTINGS_BY_ID["goal"].max)
        self.number.setValue(goal)
        self.column.addWidget(self.number)
        cancel = KeyButton(self.tr("Cancel"), "Esc", name="goal_cancel", clicked=self.reject)
        self.add_buttons(
            cancel, KeyButton(self.tr("Keep"), "Enter", primary=True, name="goal_keep", clicked=self.accept)
        )
        self.accepted.connect(lambda: confirm(self.number.value()))

    def ask(self) -> None:
        self.open_with(WIDTH)
        self.number.setFocus()
        self.number.selectAll()


class GuidelineChanges(StartDialog):
    """The lines of a guideline that a new revision of a bundle changed."""

    def __init__(self, window: QWidget, change: NewGuideline, seen: Callable[[], object]) -> None:
        title = self.tr("Changes of the guideline: {bundle}")
        super().__init__(window, "guideline_changes", title.format(bundle=isolated(visible(change.title[:120]))))
        self.text = QPlainTextEdit()
        self.text.setObjectName("guideline_changes_text")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Changed lines"))
        self.text.setMinimumHeight(TEXT_HEIGHT)
        self.text.setPlainText("\n\n".join(self._changes(change)))
        self.column.addWidget(self.text)
        self.add_buttons(KeyButton(self.tr("Read"), "Enter", primary=True, name="changes_read", clicked=self.accept))
        self.accepted.connect(seen)

    def _changes(self, change: NewGuideline) -> list[str]:
        before, after = change.before.splitlines(), change.after.splitlines()
        texts = []
        for kind, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            old, new = ("\n".join(lines).strip() for lines in (before[start:end], after[new_start:new_end]))
            texts += [self.tr("Before: {text}").format(text=visible(old))] if old else []
            texts += [self.tr("Now: {text}").format(text=visible(new))] if new else []
        return texts

    def ask(self) -> None:
        self.open_with(WIDE)
        self.text.setFocus()
