"""Rows of buttons with keys: choices, and the claims of a target."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.model.rating import Claim
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import MIN_TARGET_SIZE
from desktop_rater.ui.widgets.labels import PlainLabel, visible
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.keys import key_text

MAX_CLAIM_KEYS, MAX_SPOKEN_LENGTH = 9, 100
CLAIM_KEYS = tuple(f"Alt+{number}" for number in range(1, MAX_CLAIM_KEYS + 1))


class ChoiceRow(NamedGroup):
    """A label, and a checkable button for each choice: id → text.

    `keys` are those of actions; without them the digits from 1 choose while the row has the focus.
    """

    chosen = Signal(str)

    def __init__(
        self,
        name: str,
        label: str,
        choices: Mapping[str, str],
        *,
        keys: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(visible(label))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._flow = flow = FlowLayout(self, spacing=5, alike=False)
        self._label = text = PlainLabel(label, size="small")
        theme.set_ink(text)
        self.buttons: dict[str, ChoiceButton] = {}
        flow.addWidget(text)
        for number, (choice, words) in enumerate(choices.items(), 1):
            button = ChoiceButton(
                words,
                keys[number - 1] if keys else str(number),
                name=f"{name}_{choice}",
                clicked=partial(self._choose, choice),
            )
            self.buttons[choice] = button
            flow.addWidget(button)
        theme.follow(text, lambda: text.setFixedHeight(theme.px(CONTROL)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the label where the buttons alone fit on one line."""
        super().resizeEvent(event)
        gap = self._flow.spacing()
        buttons = sum(button.sizeHint().width() + gap for button in self.buttons.values()) - gap
        self._label.setHidden(buttons <= self.width() < buttons + gap + self._label.sizeHint().width())

    def show_choice(self, choice: str | None, suggested: str | None = None) -> None:
        """Check a choice, and mark another as suggested."""
        for name, button in self.buttons.items():
            button.setChecked(name == choice)
            button.set_suggested(name == suggested and choice is None)

    @property
    def digits(self) -> str:
        """Return the digits that choose."""
        return "".join(str(number) for number in range(1, len(self.buttons) + 1))

    def take_key(self, key: str) -> bool:
        """Choose by a digit; return False if the key is no choice."""
        if not key or key not in self.digits:
            return False
        self._choose(list(self.buttons)[self.digits.index(key)])
        return True

    def _choose(self, choice: str) -> None:
        self.chosen.emit(choice)


class ClaimButton(ChoiceButton):
    """Button as low as the line of text that it is in."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(MIN_TARGET_SIZE))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ClaimButtons(NamedGroup):
    """A checkable button for each claim of a target, switched by Alt and its number."""

    switched = Signal(int)  # counted from 1

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Claims that the page speaks of"))
        self._flow = FlowLayout(self, spacing=4, alike=False)
        self._buttons: list[ChoiceButton] = []
        self._keys = PlainLabel(size="small", ink="text2")
        theme.follow(self._keys, lambda: self._keys.setFixedHeight(theme.px(MIN_TARGET_SIZE)))

    def show_claims(self, claims: Sequence[Claim], chosen: Collection[str]) -> None:
        """Show a button for each claim; those that are chosen are checked."""
        self._flow.removeWidget(self._keys)
        while len(self._buttons) < len(claims):
            number = len(self._buttons) + 1
            button = ClaimButton(f"c{number}")
            button.setObjectName(f"{self.objectName()}_{number}")
            button.clicked.connect(partial(self._switch, number))
            self._buttons.append(button)
            self._flow.addWidget(button)
        self._flow.addWidget(self._keys)
        last = min(len(claims), MAX_CLAIM_KEYS)
        self._keys.setText(key_text(f"Alt+{last}") if last == 1 else f"{key_text('Alt+1')}–{last}")
        for index, button in enumerate(self._buttons):
            button.setVisible(index < len(claims))
            if index < len(claims):
                button.setChecked(claims[index].id in chosen)
                button.set_meaning(" ".join(claims[index].text.split())[:MAX_SPOKEN_LENGTH])

    def focus_first(self) -> None:
        if self._buttons:
            self._buttons[0].setFocus()

    def _switch(self, number: int) -> None:
        self.switched.emit(number)
