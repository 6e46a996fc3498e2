"""The one application of a process, and its look."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from desktop_rater.paths import resources
from desktop_rater.ui import languages, spelling, theme
from desktop_rater.ui.overrides import cover_overrides

if TYPE_CHECKING:
    from desktop_rater.settings import Settings

LOOKS = {"theme", "contrast", "zoom", "reading_size"}


def apply_look(now: Settings) -> None:
    """Show the window as the settings say."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        theme.apply(app, theme.Look(now.theme, now.contrast, now.zoom, now.reading_size))  # ty: ignore[invalid-argument-type]


def application() -> QApplication:
    """The one application, in the look that the window is measured in."""
    cover_overrides()
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    qInstallMessageHandler(_log)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("desktop-rater")
    app.setApplicationDisplayName("Desktop Rater")
    app.setStyle("Fusion")
    spelling.use(languages.SOURCE)
    for file in sorted((resources() / "fonts").glob("*.otf")):  # a package brings Inter along
        QFontDatabase.addApplicationFont(str(file))
    theme.apply(app, theme.Look())
    return app


def _log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Qt's own words, but for one that the offscreen platform says at every show of a window."""
    del kind, context
    if "propagateSizeHints" not in message:
        sys.stderr.write(f"{message}\n")
