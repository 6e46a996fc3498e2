"""What is shown of a bug: where it happened, never the texts that are being rated."""

from __future__ import annotations

import platform
import sqlite3
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

import desktop_rater
from desktop_rater.ui.plain import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = Path(desktop_rater.__file__).parent.parent


def details(error: BaseException) -> str:
    """The types and frames of an exception and of what caused it, and the versions.

    Neither its message nor any variable: those can hold what is being rated.
    """
    versions = (
        f"Desktop Rater {desktop_rater.__version__}",
        f"Python {platform.python_version()}",
        f"PySide6 {PySide6.__version__}",
        f"SQLite {sqlite3.sqlite_version}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    )
    return "\n".join((*_lines(error), "", *versions))


def _lines(error: BaseException) -> Iterator[str]:
    seen: set[int] = set()
    step: BaseException | None = error
    while step is not None and id(step) not in seen:
        seen.add(id(step))
        yield f"{type(step).__module__}.{type(step).__qualname__}".removeprefix("builtins.")
        for frame in traceback.extract_tb(step.__traceback__):
            yield f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}"
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
        if step is not None:
            yield "after"


def _short(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else "/".join(path.parts[-2:])


class CrashReport(QObject):
    """Shows a bug once: the same bug again, or another while the dialog stands open, opens no second one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._seen: set[str] = set()
        self.dialog: QDialog | None = None

    def show(self, error: BaseException) -> None:
        text = details(error)
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
        self.setWindowTitle(self.tr("Something in the program went wrong"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        said = self.tr(
            "This is a fault of the program, not of yours. Your answers stay on screen. "
            "The details below say where it happened; none of the texts being rated is in them."
        )
        column.addWidget(WrappedLabel(said))
        shown = QPlainTextEdit()
        shown.setObjectName("crash_details")
        shown.setAccessibleName(self.tr("Details"))
        shown.setReadOnly(True)
        shown.setPlainText(text)
        shown.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        shown.setMinimumSize(560, 240)
        column.addWidget(shown)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy details"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
