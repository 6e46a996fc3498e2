"""Panels at the bottom of a pane, opened on request: choices, and the sample to draw."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit.sampling import (
    SAMPLING_METHODS,
    STRATIFY_KEYS,
    ReviewSample,
    SampleRequest,
    SamplingMethod,
    StratifyBy,
)
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.typed_questions import FieldEdit
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE


class ChoicePanel(NamedGroup):
    """A heading and rows of choices; hidden until a subclass shows it."""

    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_panel")
        self._prefix = name
        theme.set_ground(self, "panel")
        outer = tight_column(self, spacing=0)
        outer.addWidget(horizontal_line())
        body = QWidget()
        outer.addWidget(body)
        self.column = QVBoxLayout(body)
        self._heading = WrappedLabel("", size="interface", bold=True)
        self.column.addWidget(self._heading)
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
        self._current_label = WrappedLabel(name="sample_was", size="small", ink="text2")
        self.column.addWidget(self._current_label)

    def _make_last_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(PlainLabel(self.tr("Seed")))
        self.seed = FieldEdit()
        self.seed.setObjectName("sample_seed")
        self.seed.setAccessibleName(self.tr("Seed"))
        self.seed.setValidator(QIntValidator(0, MAX_SEED, self.seed))
        theme.follow(self.seed, lambda: self.seed.setMaximumWidth(theme.px(120)))
        row.addWidget(self.seed)
        row.addStretch(1)
        row.addWidget(KeyButton(self.tr("Cancel"), "Esc", flat=True, name="sample_cancel", clicked=self.leave))
        row.addWidget(KeyButton(self.tr("Draw"), "Ctrl Enter", primary=True, name="sample_draw", clicked=self.confirm))
        return row

    def _method_text(self, how: SamplingMethod) -> str:
        return {
            "all": self.tr("All"),
            "share": self.tr("A share"),
            "stratified": self.tr("A share of each kind"),
            "gold-misses": self.tr("All that differ from gold"),
        }[how]

    # -- state

    def open(self, sample: ReviewSample | None, seed: int) -> None:
        """Open the panel; `sample` is the current one, `seed` the default."""
        self.seed.show_text(str(sample.seed if sample is not None else seed))
        current = ""
        if sample is not None:
            text = self.tr("Current sample: {n} of {total} targets, seed {seed}. {how}.")
            current = text.format(
                n=formatting.number(len(sample.places)),
                total=formatting.number(sample.of),
                how=self._method_text(sample.how),
                seed=sample.seed,
            )
            self._how, self._by = sample.how, sample.by or self._by
        self._current_label.setText(current)
        self._current_label.setVisible(bool(current))
        self._show()
        self.show()

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
        self.wanted.emit(SampleRequest(how=self._how, seed=int(self.seed.text() or "0"), share=share, by=by))
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
