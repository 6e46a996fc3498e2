"""A panel of choices at the bottom of a pane, opened on request."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.labels import WrappedLabel
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
            button = ChoiceButton(text, str(number) if keys else "")
            button.setObjectName(f"{self._prefix}_{name}_{number}")
            button.clicked.connect(lambda _on=False, value=value: choose(value))
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
