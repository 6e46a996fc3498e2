"""What screen readers are told beyond names: roles of groups, and announcements."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

# The classes for which Qt would report a role that screen readers skip, with its name.
PLAIN_CLASSES = ("QWidget", "QFrame")


def install_group_roles() -> None:
    """Report each plain widget that has an accessible name as a group, so that its name is read on entering it."""
    QAccessible.installFactory(_group_of)


def _group_of(class_name: str, widget: QObject) -> QAccessibleInterface | None:
    # Qt asks for the most derived class first: a control has been answered before its base class is asked for.
    if class_name in PLAIN_CLASSES and isinstance(widget, QWidget) and widget.accessibleName():
        return QAccessibleWidget(widget, QAccessible.Role.Grouping)
    return None


def announce(source: QObject, text: str) -> None:
    """Have a screen reader say `text` after what it is saying now."""
    event = QAccessibleAnnouncementEvent(source, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)
