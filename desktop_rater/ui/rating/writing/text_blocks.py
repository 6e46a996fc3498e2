"""Dialog for the rater's own text blocks: short names and the texts that they stand for."""

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.ui.rating.form.typed_questions import FieldEdit, GrowingTextEdit
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.preferences import Preferences

WIDTH, HEIGHT = 560, 460


def edit_text_blocks(window: QWidget, preferences: Preferences) -> None:
    """Open the dialog over a window."""
    dialog = TextBlocksDialog(window, preferences)
    dialog.finished.connect(dialog.deleteLater)
    dialog.ask()


class TextBlocksDialog(WindowDialog):
    """The blocks in a list, and the fields of the one that is added or changed. Changes apply at once."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window, "text_blocks", self.tr("Text blocks"))
        self._preferences = preferences
        column = QVBoxLayout(self)
        theme.pad(column, 24, 16, 24, 12)
        column.setSpacing(theme.px(8))
        hint = self.tr("In a comment, type ; and the name, then Tab: the text takes its place.")
        column.addWidget(WrappedLabel(hint, ink="text2"))
        self.list = RowList("text_block_list", two_lines=True, marks=False, label=self.tr("Text blocks"))
        self.rows = ListRowModel(self)
        self.list.setModel(self.rows)
        self.list.selectionModel().currentChanged.connect(self._show_block)
        column.addWidget(self.list, 1)
        column.addLayout(self._make_fields())
        column.addLayout(self._make_foot())
        QShortcut("Del", self.list, self.remove)
        self._refresh()

    def _make_fields(self) -> QGridLayout:
        grid = QGridLayout()
        self.name, self.text = FieldEdit(), GrowingTextEdit()
        for row, (field, name, label) in enumerate(
            ((self.name, "block_name", self.tr("Name")), (self.text, "block_text", self.tr("Text")))
        ):
            field.setObjectName(name)
            field.setAccessibleName(visible(label))
            grid.addWidget(PlainLabel(label, ink="text2"), row, 0)
            grid.addWidget(field, row, 1)
        self.name.textChanged.connect(self._show_state)
        self.text.textChanged.connect(self._show_state)
        return grid

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        self._remove = KeyButton(self.tr("Remove"), "Del", name="block_remove", clicked=self.remove)
        self._keep = KeyButton(self.tr("Keep"), "Ctrl Enter", primary=True, name="block_keep", clicked=self.keep)
        close = KeyButton(self.tr("Close"), "Esc", name="block_close", clicked=self.accept)
        for key in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(key, self, self.keep)
        foot.addWidget(self._remove)
        foot.addStretch(1)
        foot.addWidget(close)
        foot.addWidget(self._keep)
        return foot

    @property
    def _entry(self) -> tuple[str, str]:
        """Return name and text as typed; a name is one word, without its sign."""
        return "".join(self.name.text().split()).lstrip(";"), self.text.text().strip()

    def ask(self) -> None:
        self.open_with(WIDTH, HEIGHT)
        self.name.setFocus()

    def keep(self) -> None:
        """Add the block, or replace the text of the one with this name."""
        name, text = self._entry
        if not self._keep.isEnabled():
            return
        self._preferences.set("text_blocks", {**self._preferences.now.text_blocks, name: text})
        self.name.show_text("")
        self.text.show_text("")
        self._refresh()
        self.name.setFocus()

    def remove(self) -> None:
        """Remove the block with the name in the field."""
        blocks = dict(self._preferences.now.text_blocks)
        if blocks.pop(self._entry[0], None) is not None:
            self._preferences.set("text_blocks", blocks)
            self._refresh()

    def _refresh(self) -> None:
        blocks = sorted(self._preferences.now.text_blocks.items())
        self.rows.show([ListRow(name, f";{name}", detail=" ".join(text.split())[:300]) for name, text in blocks])
        self._show_state()

    def _show_block(self, index: QModelIndex) -> None:
        if index.isValid():
            name = index.data(LIST_ROW_ROLE).id
            self.name.show_text(name)
            self.text.show_text(self._preferences.now.text_blocks[name])
            self._show_state()

    def _show_state(self) -> None:
        name, text = self._entry
        blocks = self._preferences.now.text_blocks
        setting = {**blocks, name: text}
        self._keep.setEnabled(bool(name and text) and SETTINGS_BY_ID["text_blocks"].accepts(setting))
        self._remove.setEnabled(name in blocks)
