"""The panel that chooses how final labels are decided, and decides the listed places in one step."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit.items import EVERYTHING, FLAGS, Flag, ItemFilter, ReviewItem
from desktop_rater.audit.questions import (
    LABEL_METHODS,
    METHOD_MEANINGS,
    MODEL_METHODS,
    LabelChoice,
    LabelMethod,
    probability_of,
)
from desktop_rater.audit.sampling import (
    SAMPLING_METHODS,
    STRATIFY_KEYS,
    ReviewSample,
    SampleRequest,
    SamplingMethod,
    StratifyBy,
)
from desktop_rater.ui.review.items import flag_text, method_text, percent_text
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.fields import FieldEdit
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, isolated, set_optional_text
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.keys import cap_text

translate = QCoreApplication.translate


class ChoicePanel(NamedGroup):
    """A heading and rows of choices; hidden until a subclass shows it."""

    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, name=f"{name}_panel")
        self._prefix = name
        theme.set_ground(self, "panel")
        body = QWidget()
        tight_column(self, horizontal_line(), body, spacing=0)
        self._heading = WrappedLabel("", size="interface", bold=True)
        self.column = fill(QVBoxLayout(body), self._heading)
        theme.pad(self.column, PANE, 12, PANE, 12, spacing=8)
        self.hide()

    def set_heading(self, name: str, heading: str) -> None:
        """Set the accessible name and the heading."""
        self.setAccessibleName(name)
        self._heading.setText(heading)

    def make_choices(
        self, name: str, rows: Sequence[tuple[Any, str]], choose: Callable[[Any], None], *, keys: bool = True
    ) -> dict[Any, ChoiceButton]:
        """Add a row of choices: pairs of value and text. With `keys`, their digits are shown."""
        box = QWidget()
        flow = FlowLayout(box, spacing=6, alike=False)
        buttons = {}
        for number, (value, text) in enumerate(rows, 1):
            button = ChoiceButton(
                text,
                str(number) if keys else "",
                name=f"{self._prefix}_{name}_{number}",
                clicked=lambda _on=False, value=value: choose(value),
            )
            flow.addWidget(button)
            buttons[value] = button
        self.column.addWidget(box)
        return buttons

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def leave(self) -> bool:
        """Close without an effect; return whether it was open."""
        was_open = self.is_open
        if was_open:
            self.hide()
            self.left.emit()
        return was_open


SHARES = ("5", "10", "20", "50")
MAX_SEED = 2_000_000_000
METHODS_WITH_SHARE = {"share", "stratified"}


class SamplePanel(ChoicePanel):
    """A panel above the verdict bar. Digits choose the method, Ctrl Enter draws."""

    wanted = Signal(object)  # Draw

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("sample", parent)
        self.set_heading(self.tr("Draw a sample"), self.tr("Which targets do you want to review?"))
        self._how: SamplingMethod = "all"
        self._by: StratifyBy = "disagreement"
        self._share = SHARES[1]
        self._flags: tuple[Flag, ...] = ()
        self._rater = ""
        self._hows = self.make_choices(
            "how", [(how, self._method_text(how)) for how in SAMPLING_METHODS], lambda how: self._choose(how=how)
        )
        shares = [(share, self.tr("{n} %").format(n=share)) for share in SHARES]
        self._shares = self.make_choices("share", shares, lambda share: self._choose(share=share), keys=False)
        strata = {
            "disagreement": self.tr("by disagreement"),
            "label": self.tr("by label"),
            "rater": self.tr("by rater"),
        }
        self._bys = self.make_choices(
            "by", [(by, strata[by]) for by in STRATIFY_KEYS], lambda by: self._choose(by=by), keys=False
        )
        self.column.addLayout(self._make_last_row())
        self._only_label = WrappedLabel(name="sample_only", size="small", ink="text2")
        self.column.addWidget(self._only_label)
        self._current_label = WrappedLabel(name="sample_was", size="small", ink="text2")
        self.column.addWidget(self._current_label)

    def _make_last_row(self) -> QHBoxLayout:
        self.seed = FieldEdit(name="sample_seed", label=self.tr("Seed"))
        self.seed.setValidator(QIntValidator(0, MAX_SEED, self.seed))
        theme.follow(self.seed, lambda: self.seed.setMaximumWidth(theme.px(120)))
        return tight_row(
            None,
            PlainLabel(self.tr("Seed")),
            self.seed,
            1,
            KeyButton(self.tr("Cancel"), "Esc", flat=True, name="sample_cancel", clicked=self.leave),
            KeyButton(self.tr("Draw"), "Ctrl Enter", primary=True, name="sample_draw", clicked=self.confirm),
            spacing=8,
        )

    def _method_text(self, how: SamplingMethod) -> str:
        return {
            "all": self.tr("All"),
            "share": self.tr("A share"),
            "stratified": self.tr("A share of each kind"),
            "gold-misses": self.tr("All that differ from gold"),
        }[how]

    # -- state

    def open(self, sample: ReviewSample | None, seed: int, wanted: ItemFilter = EVERYTHING) -> None:
        """Open the panel; `sample` is the current one, `seed` the default.

        Only places with the marks and the rater of the list's filter are drawn from.
        """
        self.seed.show_text(str(sample.seed if sample is not None else seed))
        self._flags, self._rater = tuple(flag for flag in FLAGS if flag in wanted.flags), wanted.rater
        self._only_label.setText(self._only_text(self._flags, self._rater))
        self._only_label.setVisible(bool(self._only_label.text()))
        current = ""
        if sample is not None:
            text = self.tr("Current sample: {n} of {total} targets, seed {seed}. {how}.")
            current = text.format(
                n=formatting.number(len(sample.places)),
                total=formatting.number(sample.of),
                how=self._method_text(sample.how),
                seed=sample.seed,
            )
            current = f"{current} {self._only_text(sample.flags, sample.rater)}".rstrip()
            self._how, self._by = sample.how, sample.by or self._by
        set_optional_text(self._current_label, current)
        self._show()
        self.show()

    def _only_text(self, flags: Sequence[Flag], rater: str) -> str:
        """Return which places alone are drawn from; nothing for all."""
        only = [*map(flag_text, flags), *([isolated(rater)] if rater else [])]
        return self.tr("Drawn only from: {filters}").format(filters=", ".join(only)) if only else ""

    def take_key(self, key: str) -> bool:
        """Choose the method by its digit."""
        if not self.is_open or not key.isdigit() or not 1 <= int(key) <= len(SAMPLING_METHODS):
            return False
        self._choose(how=SAMPLING_METHODS[int(key) - 1])
        return True

    def confirm(self) -> bool:
        """Draw the sample; return whether the panel was open."""
        if not self.is_open:
            return False
        shared = self._how in METHODS_WITH_SHARE
        share = int(self._share) / 100 if shared else None
        by = self._by if self._how == "stratified" else None
        self.hide()
        seed = int(self.seed.text() or "0")
        self.wanted.emit(
            SampleRequest(how=self._how, seed=seed, share=share, by=by, flags=self._flags, rater=self._rater)
        )
        self.left.emit()
        return True

    def _choose(self, how: SamplingMethod | None = None, share: str = "", by: StratifyBy | None = None) -> None:
        self._how, self._share, self._by = how or self._how, share or self._share, by or self._by
        self._show()

    def _show(self) -> None:
        for buttons, chosen in ((self._hows, self._how), (self._shares, self._share), (self._bys, self._by)):
            for value, button in buttons.items():
                button.setChecked(value == chosen)
        for button in self._shares.values():
            button.setEnabled(self._how in METHODS_WITH_SHARE)
        for button in self._bys.values():
            button.setEnabled(self._how == "stratified")


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
        self._meaning = WrappedLabel(name="labels_meaning", size="small", ink="text2")
        fill(
            self.column,
            self._meaning,
            WrappedLabel(self.tr("A label less probable than this is left open:"), size="small"),
        )
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
        self._meaning.setText(f"{method_text(self._by)}: {translate('Report', METHOD_MEANINGS[self._by])}")
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
