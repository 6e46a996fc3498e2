"""Groups with names, the order of panes, and announcements, for screen readers."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QSplitter, QWidget


class NamedGroup(QFrame):
    """A part of the window with an accessible name, which screen readers say on entering it.

    Qt reports a frame as a group, and a plain `QWidget` as filler whose name is skipped. A factory of accessible
    objects in Python is no way out: it crashes on the items of Qt WebEngine.
    """

    def __init__(self, parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)


class OrderedSplitter(QSplitter):
    """A splitter whose panes screen readers read in the order in which they stand; Qt's own reverses it."""

    def addWidget(self, widget: QWidget) -> None:
        super().addWidget(widget)
        self._keep_order()

    def insertWidget(self, index: int, widget: QWidget) -> None:
        super().insertWidget(index, widget)
        self._keep_order()

    def _keep_order(self) -> None:
        panes = [pane for index in range(self.count()) if (pane := self.widget(index)) is not None]
        for pane in reversed(panes):
            pane.lower()


def announce(source: QObject, text: str) -> None:
    """Have a screen reader say `text` after what it is saying now."""
    event = QAccessibleAnnouncementEvent(source, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)
