"""A lead puts a bundle on the hub: which one, and for whom. While it is sent nothing else can be done here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.form.typed import GrowingEdit
from desktop_rater.ui.hub.page import PAD, PAD_TOP, Page, button, say
from desktop_rater.ui.plain import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent

WIDTH = 560
CONFIRM = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class PublishDialog(QDialog):
    """Ctrl Enter publishes, Esc cancels what runs, then leaves. The focus returns to where it was."""

    bundle_wanted = Signal()
    publish_wanted = Signal(object, object)  # Path, tuple of raters
    stop_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("publish")
        self.setWindowTitle(self.tr("Publish a bundle"))
        self._window = window
        self._focus = FocusBack()
        self._known: tuple[str, ...] = ()
        self._path: Path | None = None
        self._runs = False
        self._page = Page("publish_page")
        self._page.title.setText(self.windowTitle())
        self.words = self._page.said("publish_words")
        self._fill()
        self._column = QVBoxLayout(self)
        theme.pad(self._column, PAD, PAD_TOP, PAD, PAD)
        self._column.addWidget(self._page)

    def _fill(self) -> None:
        page = self._page
        self.choose = button("publish_choose", self.tr("Bundle …"), self.bundle_wanted.emit)
        self.file = ElidedLabel(name="publish_file")
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.choose)
        row.addWidget(self.file, 1)
        page.column.addLayout(row)
        self.raters = GrowingEdit()
        self.raters.setObjectName("publish_raters")
        self.raters.setAccessibleName(self.tr("Raters who get it, one a line"))
        self.raters.textChanged.connect(self._show)
        page.section(self.raters.accessibleName(), self.raters)
        self.all = button("publish_all", "", self._take_all)
        wide = QHBoxLayout()
        wide.setContentsMargins(0, 0, 0, 0)
        wide.addWidget(self.all)
        wide.addStretch(1)
        page.column.addLayout(wide)
        self.trouble = page.said("publish_trouble", "block")
        self.doing = page.said("publish_doing", "text")
        page.column.addStretch(1)
        self._leave = button("publish_leave", self.tr("Cancel"), self.reject, "Esc")
        self._go = button("publish_go", self.tr("Publish"), self.confirm, "Ctrl Enter", primary=True)
        page.add_foot((), (self._leave, self._go))

    def ask(self, hub: str, known: Sequence[str]) -> None:
        """Open, for the hub of that title; `known`: raters of whom something was seen there."""
        self._known = tuple(known)
        words = self.tr("It goes to {hub}. Gold stays here, unless it is for practice.")
        say(self.words, words.format(hub=isolated(hub)))
        self.all.set_label(self.tr("All raters known there: {n}").format(n=len(self._known)))
        self.all.setVisible(bool(self._known))
        self.show_trouble("")
        self._focus.remember()
        self._show()
        self.open()
        self._fit()
        (self.raters if self._path is not None else self.choose).setFocus()

    def take_bundle(self, path: Path) -> None:
        """Which one it is."""
        self._path = path
        self.show_trouble("")
        self.raters.setFocus()

    def show_doing(self, words: str) -> None:
        """It is under way; nothing can be changed meanwhile."""
        self._runs = True
        say(self.doing, words)
        self._show()

    def show_trouble(self, words: str) -> None:
        """It did not go, or nothing is wrong."""
        self._runs = False
        say(self.doing, "")
        say(self.trouble, words)
        self._show()

    def finish(self) -> None:
        """It is published."""
        self._runs = False
        self._path = None
        self.raters.show_text("")
        self.accept()

    @property
    def named(self) -> tuple[str, ...]:
        """The raters who are written down, each once."""
        lines = (" ".join(line.split()) for line in self.raters.text().split("\n"))
        return tuple(dict.fromkeys(line for line in lines if line))

    def confirm(self) -> None:
        """Publish, where all is said that has to be."""
        if self._go.isEnabled():
            self.publish_wanted.emit(self._path, self.named)

    def reject(self) -> None:
        """Esc: stop what runs, and only then leave."""
        if self._runs:
            self.stop_wanted.emit()
            return
        super().reject()

    def done(self, result: int) -> None:
        """Close; the focus goes back to where it was."""
        super().done(result)
        self._focus.give(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in CONFIRM and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.confirm()
            return
        super().keyPressEvent(event)

    def _take_all(self) -> None:
        self.raters.show_text("\n".join(dict.fromkeys((*self.named, *self._known))))
        self._show()
        self.raters.setFocus()

    def _fit(self) -> None:
        """As high as what is said needs, and never lower than it was: nothing jumps while somebody writes."""
        wide = min(theme.px(WIDTH), self._window.width() - 32)
        edges = self.contentsMargins() + self._column.contentsMargins()
        high = self._page.height_at(wide - edges.left() - edges.right()) + edges.top() + edges.bottom()
        high = max(high, self.height() if self.isVisible() and self.width() == wide else 0)
        self.resize(wide, min(high, self._window.height() - 32))

    def _show(self) -> None:
        self.file.setText(self._path.name if self._path is not None else self.tr("No bundle is chosen yet."))
        for part in (self.choose, self.raters, self.all):
            part.setEnabled(not self._runs)
        self._go.setEnabled(self._path is not None and bool(self.named) and not self._runs)
        if self.isVisible():
            self._fit()
