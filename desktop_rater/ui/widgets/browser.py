"""Open an address in the web browser of the system, or a folder in its file manager."""

import shutil
import sys

from PySide6.QtCore import QProcess, QProcessEnvironment, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rater.operations.missing_library import system_environment


def open_in_browser(url: str) -> None:
    """Open a URL in the web browser, or one of a folder in the file manager.

    Neither may load the libraries of the packaged program, which may be older.
    """
    opener = shutil.which("xdg-open") if getattr(sys, "frozen", False) else None
    if opener is None or sys.platform != "linux":
        QDesktopServices.openUrl(QUrl(url))
        return
    environment = QProcessEnvironment()
    for name, value in system_environment().items():
        environment.insert(name, value)
    process = QProcess()
    process.setProgram(opener)
    process.setArguments([url])
    process.setProcessEnvironment(environment)
    process.startDetached()
