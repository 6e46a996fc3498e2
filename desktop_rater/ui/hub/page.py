"""What the pages of the hub's dialog have in common: a title, words, what stands below, and buttons at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

RING = 4  # a focus ring stands outside its button, on each side
PAD, PAD_TOP = 16, 20  # of a dialog: with the room of the ring, 20 all round
ABOVE_FOOT, UNDER_HEAD = 12, 6


class Body(QWidget):
    """Tells when what it holds takes another room."""

    laid = Signal()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.laid.emit()
        return done

    def minimumSizeHint(self) -> QSize:
        # Of words that wrap Qt takes more lines than they need for the least, and the page would end in an empty band.
        return QSize(super().minimumSizeHint().width(), 0)


class Page(QWidget):
    """What is too high scrolls; the buttons of the foot stay, and wrap where there is no room."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._body = Body()
        self.laid = self._body.laid
        self.column = QVBoxLayout(self._body)
        self.column.setContentsMargins(RING, 0, RING, RING)
        scroll = QScrollArea()
        scroll.setObjectName(f"{name}_scroll")
        scroll.setAccessibleName(self.tr("Hub"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._body)
        self._outer.addWidget(scroll, 1)
        theme.follow(self, self._measure)
        self.title = WrappedLabel(name=f"{name}_title")
        theme.write(self.title, "title", bold=True)
        self.column.addWidget(self.title)

    def _measure(self) -> None:
        self.column.setSpacing(theme.px(12))
        self._outer.setSpacing(theme.px(ABOVE_FOOT))

    def height_at(self, width: int) -> int:
        """How high it has to be for nothing to be hidden."""
        self.column.activate()
        self._foot.invalidate()
        return self.column.totalHeightForWidth(width) + self._foot.totalHeightForWidth(width) + self._outer.spacing()

    def settle(self) -> None:
        """What was just hidden still has its room until then."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def take_focus(self) -> None:
        """To what one goes on with."""

    def confirm(self) -> None:
        """Enter, where nothing else has taken it."""

    def said(self, name: str, ink: str = "text2") -> WrappedLabel:
        """A further line of words, hidden until it says something."""
        label = WrappedLabel(name=name)
        theme.quiet(label, ink)
        label.hide()
        self.column.addWidget(label)
        return label

    def section(self, words: str, *below: QWidget) -> QWidget:
        """A heading within the page, and close under it what it is of."""
        section = QWidget()
        rows = QVBoxLayout(section)
        rows.setContentsMargins(0, 0, 0, 0)
        theme.follow(section, lambda: rows.setSpacing(theme.px(UNDER_HEAD)))
        head = PlainLabel(words)
        theme.write(head, bold=True)
        for widget in (head, *below):
            rows.addWidget(widget)
        self.column.addWidget(section)
        return section

    def add_foot(self, ways: tuple[KeyButton, ...], last: tuple[KeyButton, ...]) -> None:
        """`ways` at the leading side, `last` at the trailing one."""
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(RING, RING, RING, RING)
        for buttons, stretch in ((ways, 1), (last, 0)):
            box = QWidget()
            flow = FlowLayout(box, spacing=8, alike=False)
            for button in buttons:
                flow.addWidget(button)
            foot.addWidget(box, stretch)
        self._outer.addLayout(foot)


def say(label: WrappedLabel, words: str) -> None:
    """Show words, or nothing where there are none."""
    label.setText(words)
    label.setVisible(bool(words))


def button(name: str, words: str, does: Callable[[], object], key: str = "", *, primary: bool = False) -> KeyButton:
    """A button of a page."""
    made = KeyButton(words, key, primary=primary)
    made.setObjectName(name)
    made.clicked.connect(lambda _on=False: does())
    return made
