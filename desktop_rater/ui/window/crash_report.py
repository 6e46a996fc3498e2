"""The crash report: where a bug happened, never the texts that are being rated."""

import platform
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QWidget

import desktop_rater
from desktop_rater.files import DestinationError, replaced_file
from desktop_rater.operations.missing_library import library_error
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import read_only_text
from desktop_rater.ui.widgets.labels import WrappedLabel, isolated, visible
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.text_view import small_fixed_font
from desktop_rater.ui.window.file_dialogs import FileChoice
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.main_window import MainWindow

WIDTH, HEIGHT = 680, 460
PAUSE_MS = 1_000
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
    """Reports bugs in a banner, which leaves the keyboard to the rater. Its button shows where they happened."""

    def __init__(self, window: MainWindow, files: FileChoice) -> None:
        super().__init__(window)
        self._window = window
        self._counts: dict[str, int] = {}  # by place
        self._notice = ""
        self._is_due = False  # something happened that the banner does not say yet
        self._pause = DelayedCall(self, PAUSE_MS, self._show)
        self.dialog = DetailsDialog(window, files, "crash", self.tr("Unexpected error"))

    def show(self, error: BaseException) -> None:
        """Report a bug. The banner changes once a second at most: the bug may be in what paints it."""
        places = error_places(error)
        self._counts[places] = self._counts.get(places, 0) + 1
        missing = library_error(error)
        self._notice = self.tr("This is a bug in the program. Your answers remain on the screen.")
        if missing is not None:
            self._notice = f"{missing.title}. {missing.message} {missing.hint}"
        self._is_due = True
        if not self._pause.isActive():
            self._show()

    def _show(self) -> None:
        if not self._is_due:
            return
        self._is_due = False
        self._pause.start()
        total = sum(self._counts.values())
        more = self.tr("Unexpected errors since the start: {n}.").format(n=formatting.number(total))
        text = f"{self._notice} {more}" if total > 1 else self._notice
        shown = self._window.banners.banner("crash")
        if shown is not None:
            shown.label.setText(text)
        else:
            self._window.banners.show_banner("crash", "block", text, [(self.tr("Details"), self.show_details)])

    def show_details(self) -> None:
        """Show where each bug happened, and the versions."""
        places = [f"{place}\n({n} times)" if n > 1 else place for place, n in self._counts.items()]
        contents = self.tr("The details show where it happened. They contain none of the texts being rated.")
        self.dialog.show_details(f"{self._notice} {contents}", "\n\n".join((*places, "\n".join(versions()))))


class DetailsDialog(WindowDialog):
    """A notice and a text to read, copy and save."""

    def __init__(self, window: QWidget, files: FileChoice, name: str, title: str) -> None:
        super().__init__(window, name, title)
        self._files = files
        self._text = ""
        column = tight_column(self, spacing=12, margins=(24, 20, 24, 16))
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
