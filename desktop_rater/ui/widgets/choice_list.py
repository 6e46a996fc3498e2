"""A searchable list of choices, opened where a menu would cover the screen."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import visible

WIDTH, HEIGHT = 320, 380
LONGEST_MENU = 12  # choices; more are a list that is searched


class ChoiceList(QFrame):
    """A popup with a field and the choices that contain its words; Space or a click ticks one.

    `chosen` is emitted when it closes, if other choices are ticked.
    """

    chosen = Signal(tuple)

    def __init__(
        self,
        name: str,
        title: str,
        choices: Sequence[tuple[str, str]],
        current: Sequence[str],
        shorten: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName(f"{name}_list")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(visible(title))
        self.field = LineField(self, name=f"{name}_search", placeholder=self.tr("Search"), label=self.tr("Search"))
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget(self)
        self.list.setObjectName(f"{name}_choices")
        self.list.setAccessibleName(visible(title))
        self.list.setUniformItemSizes(True)
        for value, text in choices:
            item = QListWidgetItem(visible(shorten(text)), self.list)
            item.setData(Qt.ItemDataRole.UserRole, value)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if value in current else Qt.CheckState.Unchecked)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._search)
        self.field.entered.connect(self.close)
        self.field.left.connect(self.close)
        self._first = self.values()
        theme.follow(self, lambda: self.setFixedSize(theme.px(WIDTH), theme.px(HEIGHT)))

    def values(self) -> tuple[str, ...]:
        """Return the ticked values, in the order of the list."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def open(self, below: QWidget) -> None:
        """Show the list below a widget, ready to be searched."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.move(below.mapToGlobal(QPoint(0, below.height())))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.close()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            first = (row for row in range(self.list.count()) if not self.list.isRowHidden(row))
            self.list.setCurrentRow(next(first, -1))
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self.values() != self._first:
            self._first = self.values()
            self.chosen.emit(self._first)

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        for row in range(self.list.count()):
            name = self.list.item(row).text().casefold()
            self.list.setRowHidden(row, not all(word in name for word in words))
