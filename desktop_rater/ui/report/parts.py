"""The parts of the report screen: agreement and those of plug-ins; and the switch between them."""

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import QCoreApplication, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from desktop_rater.hooks import hook, resolve
from desktop_rater.translation import N_
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.window.action_row import OfferedPart

AGREEMENT = "agreement"


class ReportPart(Protocol):
    """The report screen's interface to a part; most of it is as in a `Screen`, and `functions` like its `actions`.

    `part_wanted` carries the name of another part to show, or "" to go back to the agreement; `open_wanted` carries
    task, place and rater to open in the review. `offers_parts`: the actions that show other parts are available in it.
    """

    @property
    def changed(self) -> SignalInstance: ...
    @property
    def part_wanted(self) -> SignalInstance: ...
    @property
    def open_wanted(self) -> SignalInstance: ...
    @property
    def page(self) -> QWidget: ...
    @property
    def title(self) -> str: ...
    @property
    def status_text(self) -> str: ...
    @property
    def mode(self) -> str: ...
    @property
    def offers_parts(self) -> bool: ...

    def open(self, page: str, /) -> None: ...
    def functions(self) -> Mapping[str, Callable[[], object]]: ...
    def take_key(self, key: str, /) -> bool: ...
    def panes(self) -> tuple[QWidget, ...]: ...


def offered_parts() -> dict[str, OfferedPart]:
    """Return the parts beside the agreement by name."""
    return {name: resolve(place) for name, place in hook("report_parts").items()}


class PartSwitch(QWidget):
    """A button for each part; `wanted` carries the part to show."""

    wanted = Signal(str)

    def __init__(self, current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_parts")
        self._current = current
        row = tight_row(self, spacing=4)
        self.buttons: dict[str, ChoiceButton] = {}
        texts = {AGREEMENT: N_("Report", "Agreement")}
        texts |= {name: part.text for name, part in offered_parts().items()}
        for part, text in texts.items():
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
