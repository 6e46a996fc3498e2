"""Which places the lead looks at: all, a share, a share of each kind, or all that missed the gold, drawn by a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit.sampling import BYS, HOWS, Draw
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import FieldEdit
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.audit.sampling import By, How, Sample

SHARES = ("5", "10", "20", "50")
MOST_SEED = 2_000_000_000
SHARED = {"share", "stratified"}


class SamplePanel(QWidget):
    """Over what is judged, while it is open. Digits choose what is drawn, Ctrl Enter draws."""

    wanted = Signal(object)  # Draw
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sample_panel")
        self.setAccessibleName(self.tr("Draw a sample"))
        theme.ground(self, "panel")
        self._how: How = "all"
        self._by: By = "disagreement"
        self._share = SHARES[1]
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(line())
        body = QWidget()
        outer.addWidget(body)
        column = QVBoxLayout(body)
        head = PlainLabel(self.tr("Which targets do you look at?"))
        theme.write(head, bold=True)
        column.addWidget(head)
        self._hows = self._choices("how", column, [(how, self._how_words(how)) for how in HOWS], self._choose_how)
        shares = [(one, self.tr("{n} %").format(n=one)) for one in SHARES]
        self._shares = self._choices("share", column, shares, self._choose_share, keys=False)
        self._bys = self._choices("by", column, [(by, self._by_words(by)) for by in BYS], self._choose_by, keys=False)
        column.addLayout(self._make_last())
        self._was = WrappedLabel(name="sample_was")
        theme.write(self._was, "small")
        theme.quiet(self._was)
        column.addWidget(self._was)

        def measure() -> None:
            column.setContentsMargins(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12))
            column.setSpacing(theme.px(8))

        theme.follow(body, measure)
        self.hide()

    def _choices(
        self,
        name: str,
        column: QVBoxLayout,
        rows: Sequence[tuple[Any, str]],
        choose: Callable[[Any], None],
        *,
        keys: bool = True,
    ) -> dict[Any, ChoiceButton]:
        box = QWidget()
        flow = FlowLayout(box, spacing=6, alike=False)
        buttons = {}
        for at, (value, words) in enumerate(rows, 1):
            button = ChoiceButton(words, str(at) if keys else "")
            button.setObjectName(f"sample_{name}_{at}")
            button.clicked.connect(lambda _on=False, value=value: choose(value))
            flow.addWidget(button)
            buttons[value] = button
        column.addWidget(box)
        return buttons

    def _make_last(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(PlainLabel(self.tr("Seed")))
        self.seed = FieldEdit()
        self.seed.setObjectName("sample_seed")
        self.seed.setAccessibleName(self.tr("Seed"))
        self.seed.setValidator(QIntValidator(0, MOST_SEED, self.seed))
        theme.follow(self.seed, lambda: self.seed.setMaximumWidth(theme.px(120)))
        row.addWidget(self.seed)
        row.addStretch(1)
        cancel = KeyButton(self.tr("Cancel"), "Esc", flat=True)
        cancel.setObjectName("sample_cancel")
        cancel.clicked.connect(self.leave)
        row.addWidget(cancel)
        draw = KeyButton(self.tr("Draw"), "Ctrl Enter", primary=True)
        draw.setObjectName("sample_draw")
        draw.clicked.connect(self.confirm)
        row.addWidget(draw)
        return row

    def _how_words(self, how: How) -> str:
        return {
            "all": self.tr("All"),
            "share": self.tr("A share"),
            "stratified": self.tr("A share of each kind"),
            "gold-misses": self.tr("All that miss the gold"),
        }[how]

    def _by_words(self, by: By) -> str:
        return {
            "disagreement": self.tr("by disagreement"),
            "label": self.tr("by label"),
            "rater": self.tr("by rater"),
        }[by]

    # -- what is chosen

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def open(self, sample: Sample | None, seed: int) -> None:
        """Ask; `sample` is the one that holds, `seed` what is proposed."""
        self.seed.show_text(str(sample.seed if sample is not None else seed))
        said = ""
        if sample is not None:
            words = self.tr("Drawn now: {n} of {total} targets, seed {seed}. {how}.")
            said = words.format(
                n=spelling.number(len(sample.places)),
                total=spelling.number(sample.of),
                how=self._how_words(sample.how),
                seed=sample.seed,
            )
            self._how, self._by = sample.how, sample.by or self._by
        self._was.setText(said)
        self._was.setVisible(bool(said))
        self._show()
        self.show()

    def leave(self) -> bool:
        """Draw nothing; whether it was open."""
        was = self.is_open
        if was:
            self.hide()
            self.left.emit()
        return was

    def take_key(self, key: str) -> bool:
        """Choose what is drawn by its digit."""
        if not self.is_open or not key.isdigit() or not 1 <= int(key) <= len(HOWS):
            return False
        self._choose_how(HOWS[int(key) - 1])
        return True

    def confirm(self) -> bool:
        """Draw; whether it was asked for."""
        if not self.is_open:
            return False
        shared = self._how in SHARED
        share = int(self._share) / 100 if shared else None
        by = self._by if self._how == "stratified" else None
        self.hide()
        self.wanted.emit(Draw(how=self._how, seed=int(self.seed.text() or "0"), share=share, by=by))
        self.left.emit()
        return True

    def _choose_how(self, how: How) -> None:
        self._how = how
        self._show()

    def _choose_share(self, share: str) -> None:
        self._share = share
        self._show()

    def _choose_by(self, by: By) -> None:
        self._by = by
        self._show()

    def _show(self) -> None:
        for buttons, chosen in ((self._hows, self._how), (self._shares, self._share), (self._bys, self._by)):
            for value, button in buttons.items():
                button.setChecked(value == chosen)
        for button in self._shares.values():
            button.setEnabled(self._how in SHARED)
        for button in self._bys.values():
            button.setEnabled(self._how == "stratified")
