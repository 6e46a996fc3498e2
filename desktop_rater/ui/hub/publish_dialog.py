"""Dialog for a lead to publish a bundle on the hub for some raters."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktop_rater.text.untrusted import normalised_name
from desktop_rater.ui.hub.dialog_page import PAD, PAD_TOP, HubDialogPage, fit_dialog, page_button, set_optional_text
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.window.focus import FocusRestorer

WIDTH, MAX_RATERS_LENGTH = 560, 1_000_000
CONFIRM = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class PublishDialog(QDialog):
    """Dialog in which Ctrl Enter publishes, and Esc cancels the upload, then closes."""

    bundle_wanted = Signal()
    publish_wanted = Signal(object, object)  # Path, tuple of raters
    stop_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("publish")
        self.setWindowTitle(self.tr("Publish a bundle"))
        self._window = window
        self._focus = FocusRestorer()
        self._known_raters: tuple[str, ...] = ()
        self._path: Path | None = None
        self._is_running = False
        self._page = HubDialogPage("publish_page")
        self._page.title.setText(self.windowTitle())
        self.text_label = self._page.add_text("publish_words")
        self._fill()
        column = QVBoxLayout(self)
        theme.pad(column, PAD, PAD_TOP, PAD, PAD)
        column.addWidget(self._page)

    def _fill(self) -> None:
        page = self._page
        self.choose = page_button("publish_choose", self.tr("Bundle …"), self.bundle_wanted.emit)
        self.file = ElidedLabel(name="publish_file")
        row = tight_row(spacing=12)
        row.addWidget(self.choose)
        row.addWidget(self.file, 1)
        page.column.addLayout(row)
        self.raters = GrowingTextEdit(name="publish_raters", label=self.tr("Raters to assign it to, one per line"))
        self.raters.max_length = MAX_RATERS_LENGTH
        self.raters.textChanged.connect(self._show)
        page.add_section(self.raters.accessibleName(), self.raters)
        self.all = page_button("publish_all", "", self._take_all)
        wide = tight_row()
        wide.addWidget(self.all)
        wide.addStretch(1)
        page.column.addLayout(wide)
        self.error_label = page.add_text("publish_trouble", "block")
        self.progress_label = page.add_text("publish_doing", "text")
        page.column.addStretch(1)
        self._leave = page_button("publish_leave", self.tr("Cancel"), self.reject, "Esc")
        self._go = page_button("publish_go", self.tr("Publish"), self.confirm, "Ctrl Enter", primary=True)
        page.add_buttons((), (self._leave, self._go))

    def ask(self, hub: str, raters: Sequence[str]) -> None:
        """Open the dialog for the hub of that title; `known`: raters who have signed in there."""
        self._known_raters = tuple(raters)
        template = self.tr("The bundle is uploaded to {hub}, without its gold answers unless it is for practice.")
        set_optional_text(self.text_label, template.format(hub=isolated(hub)))
        self.all.set_label(self.tr("Add all raters of this hub ({n})").format(n=len(self._known_raters)))
        self.all.setVisible(bool(self._known_raters))
        self.show_error("")
        self._focus.remember()
        self._show()
        self.open()
        self._fit()
        (self.raters if self._path is not None else self.choose).setFocus()

    def set_bundle(self, path: Path) -> None:
        self._path = path
        self.show_error("")
        self.raters.setFocus()

    def show_progress(self, text: str) -> None:
        """Show progress, and disable the fields."""
        self._is_running = True
        set_optional_text(self.progress_label, text)
        self._show()

    def show_error(self, text: str) -> None:
        """Show an error, or none, and enable the fields."""
        self._is_running = False
        set_optional_text(self.progress_label, "")
        set_optional_text(self.error_label, text)
        self._show()

    def finish(self) -> None:
        """Clear the fields and close after a successful upload."""
        self._is_running = False
        self._path = None
        self.raters.show_text("")
        self.accept()

    @property
    def entered_raters(self) -> tuple[str, ...]:
        lines = (normalised_name(line) for line in self.raters.text().split("\n"))
        return tuple(dict.fromkeys(line for line in lines if line))

    def confirm(self) -> None:
        if self._go.isEnabled():
            self.publish_wanted.emit(self._path, self.entered_raters)

    def reject(self) -> None:
        """Esc: stop a running upload; otherwise close."""
        if self._is_running:
            self.stop_wanted.emit()
            return
        super().reject()

    def done(self, result: int) -> None:
        """Close, and return the focus to where it was."""
        super().done(result)
        self._focus.restore(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in CONFIRM and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.confirm()
            return
        super().keyPressEvent(event)

    def _take_all(self) -> None:
        self.raters.show_text("\n".join(dict.fromkeys((*self.entered_raters, *self._known_raters))))
        self._show()
        self.raters.setFocus()

    def _fit(self) -> None:
        fit_dialog(self, self._page, self._window, WIDTH, may_shrink=False)

    def _show(self) -> None:
        self.file.setText(self._path.name if self._path is not None else self.tr("No bundle is chosen yet."))
        for part in (self.choose, self.raters, self.all):
            part.setEnabled(not self._is_running)
        self._go.setEnabled(self._path is not None and bool(self.entered_raters) and not self._is_running)
        if self.isVisible():
            self._fit()
