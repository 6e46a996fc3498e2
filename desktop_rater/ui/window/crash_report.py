"""The crash report: where a bug happened, never the texts that are being rated."""

import platform
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

import desktop_rater
from desktop_rater.ui.widgets.labels import WrappedLabel, visible

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

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._seen: set[str] = set()
        self.dialog: QDialog | None = None

    def show(self, error: BaseException) -> None:
        self.reported.emit(error)
        text = crash_details(error)
        open_now = self.dialog is not None and self.dialog.isVisible()
        if text in self._seen or open_now:
            return
        self._seen.add(text)
        self.dialog = _CrashDialog(text, self._parent)
        self.dialog.open()


class _CrashDialog(QDialog):
    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("crash")
        self.setWindowTitle(self.tr("Unexpected error"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        notice = self.tr(
            "This is a bug in the program. Your answers remain on the screen. The details below show "
            "where it happened; they contain none of the texts being rated."
        )
        column.addWidget(WrappedLabel(notice))
        details_view = QPlainTextEdit()
        details_view.setObjectName("crash_details")
        details_view.setAccessibleName(self.tr("Details"))
        details_view.setReadOnly(True)
        details_view.setPlainText(visible(text))
        details_view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        details_view.setMinimumSize(560, 240)
        column.addWidget(details_view)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy details"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
