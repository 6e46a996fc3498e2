"""What a run of the language model costs, the question whether that is wanted, and how far the run is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from desktop_rater.oracle.cost import Cost
    from desktop_rater.ui.scoring.model_run import Offer

WIDTH, RING = 620, 4
CENTS, SMALL = (2, 4), 0.1  # figures after the point, the more of them for what costs next to nothing
OWN, FOUND = "1", "2"


class ModelPanel(QWidget):
    """`agreed` carries whether the lead's own points are asked about. Digits choose, Ctrl Enter agrees, Esc leaves."""

    agreed = Signal(bool)
    cancelled = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_model")
        self.setAccessibleName(self.tr("Score by the language model"))
        theme.ground(self, "surface")
        self._offer: Offer | None = None
        self._own = False
        self._runs = False
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(RING, 0, RING, RING)  # a focus ring stands outside its button
        title = PlainLabel(self.tr("Score by the language model"))
        theme.write(title, "title", bold=True)
        column.addWidget(title)
        self.words = WrappedLabel(name="scoring_model_words")
        theme.write(self.words, "prompt")
        column.addWidget(self.words)
        self._choices = self._make_choices()
        column.addWidget(self._choices)
        self.cost = WrappedLabel(name="scoring_model_cost")
        theme.write(self.cost, "prompt", bold=True)
        column.addWidget(self.cost)
        self.far = WrappedLabel(name="scoring_model_far")
        theme.write(self.far, "prompt")
        column.addWidget(self.far)
        column.addLayout(self._make_ways())
        outer = QVBoxLayout(self)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(box, 4)
        row.addStretch(1)
        outer.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(2)

        def measure() -> None:
            box.setMaximumWidth(theme.px(WIDTH))
            column.setSpacing(theme.px(12))

        theme.follow(box, measure)
        self._show()

    def _make_choices(self) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=6, alike=False)
        self.own = ChoiceButton(self.tr("Your points"), OWN)
        self.own.setObjectName("scoring_model_own")
        self.found = ChoiceButton(self.tr("Points that the model finds"), FOUND)
        self.found.setObjectName("scoring_model_found")
        for button, own in ((self.own, True), (self.found, False)):
            button.clicked.connect(lambda _on=False, own=own: self._choose(own=own))
            flow.addWidget(button)
        return box

    def _make_ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.ask = KeyButton(self.tr("Ask the model"), "Ctrl Enter", primary=True)
        self.ask.setObjectName("scoring_model_ask")
        self.ask.clicked.connect(self.confirm)
        self.cancel = KeyButton(self.tr("Cancel the run"), "Del")
        self.cancel.setObjectName("scoring_model_cancel")
        self.cancel.clicked.connect(self.cancelled)
        self.back = back = KeyButton(self.tr("Back"), "Esc", flat=True)
        back.setObjectName("scoring_model_back")
        back.clicked.connect(self.left)
        for button in (self.ask, self.cancel, back):
            row.addWidget(button)
        row.addStretch(1)
        return row

    # -- what is shown

    def show_waiting(self) -> None:
        """The cost is being worked out."""
        self._offer = None
        self._show()

    def show_offer(self, offer: Offer) -> None:
        """What it would cost, before anything is asked."""
        self._offer = offer
        self._own = offer.own_cost is not None
        self._show()

    def show_run(self, done: int, total: int) -> None:
        """How far the run is."""
        self._runs = True
        words = self.tr("{done} of {total} questions answered. What is answered is kept.")
        begun = self.tr("Asking. What is answered is kept.")
        counted = words.format(done=spelling.number(done), total=spelling.number(total))
        self.far.setText(counted if total else begun)
        self._show()

    def show_ended(self) -> None:
        """Nothing runs any more, and what is left to ask has to be counted anew."""
        self._runs, self._offer = False, None
        self._show()

    def take_key(self, key: str) -> bool:
        """Choose whose points."""
        offer = self._offer
        if key not in {OWN, FOUND} or offer is None or offer.own_cost is None or self._runs:
            return False
        self._choose(own=key == OWN)
        return True

    def take_focus(self) -> None:
        """To the way on, or to the way out while there is none."""
        shown = (self.cancel if self._runs else self.ask) if self._offer is not None else self.back
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def confirm(self) -> None:
        """Agree to what stands there."""
        if self._offer is not None and not self._runs:
            self.agreed.emit(self._own)

    def _choose(self, *, own: bool) -> None:
        self._own = own
        self._show()

    def _show(self) -> None:
        offer = self._offer
        self.own.setChecked(self._own)
        self.found.setChecked(not self._own)
        self._choices.setVisible(offer is not None and offer.own_cost is not None and not self._runs)
        self.cost.setVisible(offer is not None)
        self.ask.setVisible(offer is not None and not self._runs)
        self.cancel.setVisible(self._runs)
        self.far.setVisible(self._runs)
        if offer is None:
            self.words.setText(self.tr("Working out what it would cost. Nothing is sent."))
            return
        said = self.tr(
            "The texts go to {host}, to the model {model}, without the names of who wrote them. It says of each text"
            " and point whether they agree; the score is computed here. Nothing is sent before you agree."
        )
        self.words.setText(said.format(host=isolated(offer.host), model=isolated(offer.model)))
        self.cost.setText(self._cost_words(offer.own_cost if self._own and offer.own_cost else offer.cost))

    def _cost_words(self, cost: Cost) -> str:
        if not cost.calls:
            return self.tr("All of it is answered already: it costs nothing.")
        words = self.tr("At most {calls} calls, about {into} tokens there and {out} back.")
        said = words.format(
            calls=spelling.number(cost.calls),
            into=spelling.number(cost.tokens_in),
            out=spelling.number(cost.tokens_out),
        )
        known = self.tr("{n} more are answered already.").format(n=spelling.number(cost.cached)) if cost.cached else ""
        priced = self.tr("About {money} by the prices that are set.")
        unpriced = self.tr("No prices are set, so there is no cost in money.")
        money = unpriced if cost.money is None else priced.format(money=_money(cost.money))
        return " ".join(part for part in (said, known, money) if part)


def _money(money: float) -> str:
    return spelling.decimal(money, CENTS[money < SMALL])
