"""The panel that chooses how final labels are decided, and decides the listed places in one step."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.items import ReviewItem
from desktop_rater.audit.label_rules import LABEL_METHODS, MODEL_METHODS, LabelChoice, LabelMethod, probability_of
from desktop_rater.ui.review.choice_panel import ChoicePanel
from desktop_rater.ui.review.texts import method_text, percent_text
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.window.keys import cap_text

THRESHOLDS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99)


class LabelPanel(ChoicePanel):
    """Panel below the list. Digits choose the method, Ctrl Enter applies it, D decides the listed places."""

    wanted = Signal(object)  # LabelChoice
    bulk_wanted = Signal(float)  # the threshold

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("labels", parent)
        self.set_heading(self.tr("Final labels"), self.tr("Final labels where you have not decided"))
        self._current = LabelChoice()
        self._by: LabelMethod = "majority"
        self._threshold = 0.0
        self._items: Sequence[ReviewItem] = ()
        methods = [(by, method_text(by)) for by in LABEL_METHODS]
        self._methods = self.make_choices("by", methods, self._choose_method)
        self.column.addWidget(WrappedLabel(self.tr("A label less probable than this is left open:"), size="small"))
        thresholds = [(share, percent_text(share) if share else self.tr("none")) for share in THRESHOLDS]
        self._thresholds = self.make_choices("threshold", thresholds, self._choose_threshold, keys=False)
        self._state_label = WrappedLabel(name="labels_state", size="small", ink="text2")
        self.column.addWidget(self._state_label)
        box = QWidget()
        flow = FlowLayout(box, spacing=8, alike=False)
        self._bulk = KeyButton("", "D", name="labels_decide", clicked=self.decide)
        cancel = KeyButton(self.tr("Cancel"), "Esc", flat=True, name="labels_cancel", clicked=self.leave)
        use = KeyButton(self.tr("Use"), "Ctrl Enter", primary=True, name="labels_use", clicked=self.confirm)
        for button in (self._bulk, cancel, use):
            flow.addWidget(button)
        self.column.addWidget(box)

    def open(self, choice: LabelChoice, listed: Sequence[ReviewItem]) -> None:
        """Open the panel. `choice` is the present one, `listed` the places shown."""
        self._current, self._items = choice, listed
        self._by, self._threshold = choice.by, choice.threshold
        self._show()
        self.show()

    def take_key(self, key: str) -> bool:
        """Choose the method by its digit, or decide the listed places."""
        if not self.is_open:
            return False
        if key == "D":
            self.decide()
            return True
        if not key.isdigit() or not 1 <= int(key) <= len(LABEL_METHODS):
            return False
        self._choose_method(LABEL_METHODS[int(key) - 1])
        return True

    def confirm(self) -> bool:
        """Apply the choice; return whether the panel was open."""
        if not self.is_open:
            return False
        self.hide()
        self.wanted.emit(LabelChoice(by=self._by, threshold=self._threshold))
        self.left.emit()
        return True

    def decide(self) -> None:
        """Decide the listed places that are probable enough."""
        if self._bulk.isEnabled():
            self.hide()
            self.bulk_wanted.emit(self._threshold)
            self.left.emit()

    def _choose_method(self, by: LabelMethod) -> None:
        self._by = by
        self._show()

    def _choose_threshold(self, threshold: float) -> None:
        self._threshold = threshold
        self._show()

    def _show(self) -> None:
        for by, button in self._methods.items():
            button.setChecked(by == self._by)
        for threshold, button in self._thresholds.items():
            button.setChecked(threshold == self._threshold)
        in_use = self._by == self._current.by
        count = sum(is_decidable(item, self._threshold) for item in self._items) if in_use else 0
        text = self.tr("Decide 1 place") if count == 1 else self.tr("Decide {n} places")
        self._bulk.set_label(text.format(n=formatting.number(count)))
        self._bulk.setEnabled(count > 0)
        settled = sum(item.final is not None for item in self._items)
        text = self.tr("In use: {method}. {n} of the {total} shown have a final label, {own} of them by you.")
        state = text.format(
            method=method_text(self._current.by, self._current.threshold),
            n=formatting.number(settled),
            total=formatting.number(len(self._items)),
            own=formatting.number(sum(item.decided for item in self._items)),
        )
        bulk = self.tr("Use the method first to decide places by it.")
        if in_use:
            text = self.tr("{n} of the {total} shown can be decided by it in one step (undo: {key}), {rest} stay.")
            total = len(self._items)
            bulk = text.format(
                n=formatting.number(count),
                total=formatting.number(total),
                rest=formatting.number(total - count),
                key=cap_text("Ctrl Z"),
            )
        self._state_label.setText(f"{state} {bulk}" if self._items else "")


def is_decidable(item: ReviewItem, threshold: float) -> bool:
    """Return whether a decision by the method in use would be probable enough; not where the lead has decided."""
    if item.decided or not item.posterior:
        return False
    if item.final is not None:
        return probability_of(item.posterior, item.final.value) >= threshold
    tied = len(item.posterior) > 1 and item.posterior[0][1] == item.posterior[1][1]
    most = item.posterior[0][1]
    return most >= threshold and (not tied if item.method in MODEL_METHODS else 2 * most > 1)
