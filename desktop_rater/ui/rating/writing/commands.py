"""Help in comment fields: offers while typing, the spell check, and the context menu with text blocks."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.ui.rating.form.typed_questions import GrowingTextEdit
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.writing.offers import BLOCK_SIGN, WritingOffers
from desktop_rater.ui.rating.writing.spelling import SpellingHelp
from desktop_rater.ui.rating.writing.text_blocks import edit_text_blocks
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences


class WritingCommands(QObject):
    """Connect the comment fields of a window with what helps to fill them."""

    def __init__(
        self, window: MainWindow, session: Session, perform: WorkRunner, preferences: Preferences, rater: str
    ) -> None:
        super().__init__(window)
        self._window, self._preferences = window, preferences
        self.offers = WritingOffers(window, session, perform, rater, lambda: preferences.now.text_blocks)
        self.spelling = SpellingHelp(window, session, perform, preferences)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"text_blocks": self.edit_blocks}

    def edit_blocks(self) -> None:
        edit_text_blocks(self._window, self._preferences)

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Give a comment field the menu when it has the focus for the first time."""
        custom = Qt.ContextMenuPolicy.CustomContextMenu
        if not isinstance(new, GrowingTextEdit) or not new.property("offers") or new.contextMenuPolicy() == custom:
            return
        if new.window() is self._window:
            new.setContextMenuPolicy(custom)
            new.customContextMenuRequested.connect(lambda point: self.show_menu(new, point))

    def show_menu(self, edit: GrowingTextEdit, point: QPoint) -> None:
        """Show the field's usual menu with suggestions for an unknown word above, and text blocks below."""
        menu = edit.createStandardContextMenu()
        menu.setObjectName("comment_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.spelling.add_to_menu(menu, edit, point)
        menu.addSeparator()
        blocks = menu.addMenu(self.tr("Text blocks"))
        for name, text in sorted(self._preferences.now.text_blocks.items()):
            action = blocks.addAction(visible(BLOCK_SIGN + name).replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, text=text: edit.insertPlainText(text))
        blocks.addSeparator()
        blocks.addAction(self.tr("Edit…")).triggered.connect(self.edit_blocks)
        menu.popup(edit.viewport().mapToGlobal(point))
