"""Groups with names and announcements, for screen readers."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame


class NamedGroup(QFrame):
    """A part of the window with an accessible name, which screen readers say on entering it.

    Qt reports a frame as a group, and a plain `QWidget` as filler whose name is skipped. A factory of accessible
    objects in Python is no way out: it crashes on the items of Qt WebEngine.
    """


def announce(source: QObject, text: str) -> None:
    """Have a screen reader say `text` after what it is saying now."""
    event = QAccessibleAnnouncementEvent(source, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)
