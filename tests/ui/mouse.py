"""A rater without a keyboard: clicks what is on the screen at its place, scrolls by the wheel, and types only texts."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QScrollArea, QWidget

from tests.ui.rooms import part, settle

WHEEL_STEP = 120
MOST_STEPS = 60


class Mouse:
    """The pointer over a window."""

    def __init__(self, room, qtbot):
        self.room = room
        self.window = room.window
        self.qtbot = qtbot

    def click(self, widget):
        """Scroll a widget into view as one does, and click what is then at its place: itself, and nothing over it."""
        self.qtbot.waitUntil(widget.isVisible)
        settle()
        self.bring_into_view(widget)
        self.click_at(widget, widget.rect().center())

    def click_at(self, widget, at):
        """Click a place of a widget as it stands now."""
        place = widget.mapTo(self.window, at)
        hit = self.window.childAt(place)
        if hit.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents):
            hit = widget
        assert hit is widget or widget.isAncestorOf(hit), f"{hit!r} lies over {widget!r}"
        QTest.mouseClick(hit, Qt.MouseButton.LeftButton, pos=hit.mapFrom(self.window, place))

    def click_text(self, view, position):
        """Scroll to a place of a text, and click it."""
        cursor = QTextCursor(view.document())
        cursor.setPosition(position)
        settle()
        for _ in range(MOST_STEPS):
            place = view.cursorRect(cursor).center()
            if view.viewport().rect().contains(place):
                break
            self.wheel(view.viewport(), -WHEEL_STEP if place.y() > 0 else WHEEL_STEP)
        self.click_at(view.viewport(), view.cursorRect(cursor).center())

    def bring_into_view(self, widget):
        area = _scroll_area(widget)
        for _ in range(MOST_STEPS if area is not None else 0):
            place = widget.mapTo(area.viewport(), widget.rect().center())
            if area.viewport().rect().contains(place):
                return
            self.wheel(area.viewport(), -WHEEL_STEP if place.y() > 0 else WHEEL_STEP)

    def wheel(self, widget, turned):
        middle = QPointF(widget.rect().center())
        event = QWheelEvent(
            middle,
            QPointF(widget.mapToGlobal(middle)),
            QPoint(),
            QPoint(0, turned),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)

    def button(self, words, within=None):
        """Return the button that a user reads these words on."""
        return next((one for one in self.buttons(within) if words in one.accessibleName() or words in one.text()), None)

    def buttons(self, within=None):
        found = (within or self.window).findChildren(QAbstractButton)
        return [one for one in found if one.isVisible() and one.isEnabled()]

    def press(self, words, within=None):
        """Click a button as soon as it is there."""
        self.qtbot.waitUntil(lambda: self.button(words, within) is not None)
        self.click(self.button(words, within))

    def choose(self, question, choice):
        """Click a choice of a question by its words."""
        row = self.row(question)
        self.click(next(one for one in row.findChildren(QAbstractButton) if one.label == choice))

    def row(self, question):
        """Return the row of a question that is asked now."""
        rows = self.window.findChildren(QWidget, f"question_{question}")
        return next(row for row in rows if row.isVisible())

    def menu(self, menu, item):
        """Choose from a menu of the window."""
        bar = self.window.menuBar()
        title = next(one for one in bar.actions() if one.text().replace("&", "") == menu)
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(title).center())
        opened = title.menu()
        assert isinstance(opened, QMenu)
        action = next(one for one in opened.actions() if one.text().replace("&", "").startswith(item))
        QTest.mouseClick(opened, Qt.MouseButton.LeftButton, pos=opened.actionGeometry(action).center())
        assert not opened.isVisible()
        self.window.activateWindow()  # as a window manager does; this platform has none
        self.qtbot.waitUntil(self.window.isActiveWindow)

    def part(self, name):
        return part(self.room, name)


def _scroll_area(widget):
    """Return the innermost area that scrolls over a widget."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above
