"""Dialogs of the start page: removing a bundle, the goal, and the changes of a guideline."""

from collections.abc import Callable
from difflib import SequenceMatcher

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSpinBox, QVBoxLayout, QWidget

from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import WrappedLabel, isolated, visible
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.work.bundles.revisions import MAX_NAMED, RemovalCheck
from desktop_rater.work.rating.overview import NewGuideline

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
