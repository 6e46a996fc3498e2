"""The box that chooses a bundle: its rows show the progress and the due date of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import ZoomedComboBox, visible

ID_ROLE, DETAIL_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
POPUP_WIDTH, ROW_HEIGHT = 460, 28
MAX_TITLE = 200


@dataclass(frozen=True)
class BundleChoice:
    """A bundle in the box; `detail` is its progress and due date."""

    id: str
    title: str
    detail: str = ""


class DetailDelegate(QStyledItemDelegate):
    """Adds the detail to the title in the open box, in rows that a pointer hits."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, theme.px(ROW_HEIGHT)))

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        detail = index.data(DETAIL_ROLE)
        if detail:
            option.text = f"{index.data()}  ·  {detail}"


class BundleBox(ZoomedComboBox):
    """The bundles in the order in which they are due. The last row may lead to those that are hidden."""

    opening = Signal()  # before its rows are shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bundles")
        self.setAccessibleName(self.tr("Bundle"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.view().setItemDelegate(DetailDelegate(self))

    def show_bundles(self, choices: Sequence[BundleChoice], hidden: str, current: str) -> None:
        """Show other bundles, and the row of the hidden ones unless it is empty."""
        self.clear()
        for choice in choices:
            self.addItem(visible(" ".join(choice.title.split())[:MAX_TITLE]), choice.id)
            self._describe(self.count() - 1, choice.detail)
        if hidden:
            self.addItem(hidden)
        self.setCurrentIndex(self.findData(current))
        self.setVisible(self.count() > 1)

    def show_details(self, choices: Sequence[BundleChoice]) -> None:
        """Show the progress of bundles, in this order; those that are not in the box are ignored."""
        details = {choice.id: choice.detail for choice in choices}
        known = {self.itemData(row): self.itemText(row) for row in range(self.count())}
        ordered = [BundleChoice(choice.id, known[choice.id], choice.detail) for choice in choices if choice.id in known]
        if len(ordered) == len(known) - (None in known) and not self.view().isVisible():
            self.show_bundles(ordered, known.get(None, ""), self.currentData() or "")
            return
        for row in range(self.count()):
            self._describe(row, details.get(self.itemData(row), ""))

    def _describe(self, row: int, detail: str) -> None:
        self.setItemData(row, detail, DETAIL_ROLE)
        spoken = ", ".join(part for part in (self.itemText(row), detail) if part)
        self.setItemData(row, spoken, Qt.ItemDataRole.AccessibleTextRole)
        self.setItemData(row, spoken, Qt.ItemDataRole.ToolTipRole)

    def showPopup(self) -> None:
        self.opening.emit()
        self.view().setMinimumWidth(min(theme.px(POPUP_WIDTH), self.window().width() - theme.px(32)))
        super().showPopup()
