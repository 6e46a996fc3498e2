"""The switch between the parts of the report screen: agreement, the audit's result, and text scores."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP

AGREEMENT, RESULT, TEXTS = "agreement", "result", "validation"
PARTS = {
    AGREEMENT: QT_TRANSLATE_NOOP("Report", "Agreement"),
    RESULT: QT_TRANSLATE_NOOP("Report", "Audit result"),
    TEXTS: QT_TRANSLATE_NOOP("Report", "Text scores"),
}


class PartSwitch(QWidget):
    """A button for each part; `wanted` carries the part to show."""

    wanted = Signal(str)

    def __init__(self, current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_parts")
        self._current = current
        row = tight_row(self, spacing=4)
        self.buttons: dict[str, ChoiceButton] = {}
        for part, text in PARTS.items():
            button = ChoiceButton(
                QCoreApplication.translate("Report", text),
                parent=self,
                name=f"report_part_{part}",
                clicked=lambda _on=False, part=part: self._choose(part),
            )
            row.addWidget(button)
            self.buttons[part] = button
        self.buttons[current].setChecked(True)

    def _choose(self, part: str) -> None:
        """Emit the part; the switch itself always shows the part that it belongs to."""
        for name, button in self.buttons.items():
            button.setChecked(name == self._current)
        if part != self._current:
            self.wanted.emit(part)
