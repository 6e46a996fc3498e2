"""The crash report: where a bug happened, never the texts that are being rated."""

import platform
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

import desktop_rater
from desktop_rater.files import DestinationError, replaced_file
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import read_only_text
from desktop_rater.ui.widgets.labels import WrappedLabel, isolated, visible
from desktop_rater.ui.widgets.text_view import small_fixed_font
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.transfer import FileChoice
from desktop_rater.work.missing_library import library_error

WIDTH, HEIGHT = 680, 460
_PACKAGE = Path(desktop_rater.__file__).parent.parent


def versions() -> tuple[str, ...]:
    """Return the versions of the program and of what it runs on."""
    return (
        f"Desktop Rater {desktop_rater.__version__}",
        f"Python {platform.python_version()}",
        f"PySide6 {PySide6.__version__}",
        f"Qt {qVersion()}",
        f"SQLite {sqlite3.sqlite_version}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    )


def error_places(error: BaseException) -> str:
    """Return the types and frames of an exception and its causes.

    Neither messages nor variables: those can contain the texts that are being rated.
    """
    return "\n".join(_lines(error))


def crash_details(error: BaseException) -> str:
    """Return where an exception happened, and the versions."""
    return "\n".join((error_places(error), "", *versions()))


def _lines(error: BaseException) -> Iterator[str]:
    seen: set[int] = set()
    exception: BaseException | None = error
    while exception is not None and id(exception) not in seen:
        seen.add(id(exception))
        yield f"{type(exception).__module__}.{type(exception).__qualname__}".removeprefix("builtins.")
        for frame in traceback.extract_tb(exception.__traceback__):
            yield f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}"
        exception = exception.__cause__ or (None if exception.__suppress_context__ else exception.__context__)
        if exception is not None:
            yield "after"


def _short(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else "/".join(path.parts[-2:])


class CrashReport(QObject):
    """Shows a bug once: neither the same bug again nor another bug opens a second dialog."""

    reported = Signal(object)  # the exception, also without a dialog of its own

    def __init__(self, parent: QWidget, files: FileChoice) -> None:
        super().__init__(parent)
        self._parent = parent
        self._files = files
        self._seen: set[str] = set()
        self.dialog: DetailsDialog | None = None

    def show(self, error: BaseException) -> None:
        self.reported.emit(error)
        text = crash_details(error)
        open_now = self.dialog is not None and self.dialog.isVisible()
        if text in self._seen or open_now:
            return
        self._seen.add(text)
        self.dialog = DetailsDialog(self._parent, self._files, "crash", self.tr("Unexpected error"))
        notice = self.tr(
            "This is a bug in the program. Your answers remain on the screen. The details below show "
            "where it happened; they contain none of the texts being rated."
        )
        if (missing := library_error(error)) is not None:
            notice = f"{missing.title}. {missing.message} {missing.hint}"
        self.dialog.show_details(notice, text)


class DetailsDialog(WindowDialog):
    """A notice and a text to read, copy and save."""

    def __init__(self, window: QWidget, files: FileChoice, name: str, title: str) -> None:
        super().__init__(window, name, title)
        self._files = files
        self._text = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self.notice = WrappedLabel(name=f"{name}_notice")
        column.addWidget(self.notice)
        self.details = read_only_text(f"{name}_details", self.tr("Details"))
        self.details.setFont(small_fixed_font())
        column.addWidget(self.details, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for part, label, function in (
            ("copy", self.tr("Copy"), lambda: QGuiApplication.clipboard().setText(self._text)),
            ("save", self.tr("Save…"), self._save),
        ):
            foot.addWidget(KeyButton(label, name=f"{name}_{part}", clicked=function))
        foot.addStretch(1)
        close = KeyButton(self.tr("Close"), "Esc", primary=True, name=f"{name}_close", clicked=self.reject)
        foot.addWidget(close)
        column.addLayout(foot)
        close.setFocus()

    def show_details(self, notice: str, text: str, *, at_end: bool = False) -> None:
        """Open the dialog with a text, at its start or its end."""
        self._text = text
        self.notice.setText(notice)
        self.details.setPlainText(visible(text))
        if at_end:
            self.details.moveCursor(QTextCursor.MoveOperation.End)
        self.open_with(WIDTH, HEIGHT)

    def _save(self) -> None:
        suggested = f"desktop-rater-{self.objectName()}.txt"
        path = self._files.save_file(self, self.windowTitle(), suggested, self.tr("Texts (*.txt)"))
        if path is None:
            return
        try:
            with replaced_file(path) as partial:
                partial.write_text(self._text, "utf-8")
            self.notice.setText(self.tr("Saved as {name}.").format(name=isolated(path.name)))
        except (OSError, DestinationError) as error:
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            self.notice.setText(self.tr("Not saved: {why}").format(why=visible(why)))
