"""Dialogs that ask for a file or a folder, and the programs of the system that show one."""

import re
import shutil
import sys
from pathlib import Path
from typing import Protocol

from PySide6 import QtCore, QtGui, QtWidgets  # their classes are made when they are used
from PySide6.QtCore import QObject, QUrl
from PySide6.QtWidgets import QWidget

from desktop_rater.files import unused_path
from desktop_rater.operations.missing_library import system_environment


class FileChoice(Protocol):
    """Asks the rater for a file; tests and the tour implement it without dialogs."""

    def bundles(self, parent: QWidget) -> tuple[Path, ...]: ...
    def folder(self, parent: QWidget, title: str = "") -> Path | None: ...
    def report(self, parent: QWidget, suggested: str) -> Path | None: ...
    def results(self, parent: QWidget, suggested: str) -> Path | None: ...
    def final(self, parent: QWidget, suggested: str) -> Path | None: ...
    def backup(self, parent: QWidget) -> Path | None: ...
    def hub(self, parent: QWidget) -> Path | None: ...
    def certificates(self, parent: QWidget) -> Path | None: ...
    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None: ...
    def save_file(self, parent: QWidget, title: str, suggested: str, filters: str) -> Path | None: ...


class FileDialogs(QObject):
    """The file dialogs of the system."""

    def bundles(self, parent: QWidget) -> tuple[Path, ...]:
        filters = self.tr("Bundles and results (*.rater *.zip);;All files (*)")
        names, _ = QtWidgets.QFileDialog.getOpenFileNames(parent, self.tr("Open bundles or results"), "", filters)
        return tuple(map(Path, names))

    def folder(self, parent: QWidget, title: str = "") -> Path | None:
        title = title or self.tr("Open a folder of results or a dataset")
        return _path(QtWidgets.QFileDialog.getExistingDirectory(parent, title))

    def report(self, parent: QWidget, suggested: str) -> Path | None:
        """Ask for the file of a report; its suffix decides the format."""
        filters = self.tr("Reports (*.html *.csv);;All files (*)")
        return self.save_file(parent, self.tr("Save the report"), suggested, filters)

    def results(self, parent: QWidget, suggested: str) -> Path | None:
        return self.save_file(parent, self.tr("Export results"), suggested, self.tr("Results (*.zip)"))

    def final(self, parent: QWidget, suggested: str) -> Path | None:
        """Ask for the file of the final labels; its suffix decides the format."""
        filters = self.tr("Results and tables (*.zip *.csv *.jsonl *.parquet)")
        return self.save_file(parent, self.tr("Save the final labels"), suggested, filters)

    def backup(self, parent: QWidget) -> Path | None:
        filters = self.tr("Backups (*.zip *.sqlite3);;All files (*)")
        return self.open_file(parent, self.tr("Restore a backup"), filters)

    def hub(self, parent: QWidget) -> Path | None:
        return _path(QtWidgets.QFileDialog.getExistingDirectory(parent, self.tr("Choose the folder of the hub")))

    def certificates(self, parent: QWidget) -> Path | None:
        filters = self.tr("Certificates (*.pem *.crt *.cer);;All files (*)")
        return _path(
            QtWidgets.QFileDialog.getOpenFileName(parent, self.tr("Choose a file with certificates"), "", filters)[0]
        )

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        return _path(QtWidgets.QFileDialog.getOpenFileName(parent, title, "", filters)[0])

    def save_file(self, parent: QWidget, title: str, suggested: str, filters: str) -> Path | None:
        """Ask for a file to write; a name without one of the endings of `filters` gets that of `suggested`.

        The dialog did not ask about replacing that name, so a file that has it stays.
        """
        path = _path(QtWidgets.QFileDialog.getSaveFileName(parent, title, suggested, filters)[0])
        if path is None or path.name.lower().endswith(tuple(re.findall(r"\*(\.\w+)", filters))):
            return path
        return unused_path(path.with_name(path.name + Path(suggested).suffix))


def _path(name: str) -> Path | None:
    return Path(name) if name else None


def open_in_browser(url: str) -> None:
    """Open a URL in the web browser, or one of a folder in the file manager.

    Neither may load the libraries of the packaged program, which may be older.
    """
    opener = shutil.which("xdg-open") if getattr(sys, "frozen", False) else None
    if opener is None or sys.platform != "linux":
        QtGui.QDesktopServices.openUrl(QUrl(url))
        return
    environment = QtCore.QProcessEnvironment()
    for name, value in system_environment().items():
        environment.insert(name, value)
    process = QtCore.QProcess()
    process.setProgram(opener)
    process.setArguments([url])
    process.setProcessEnvironment(environment)
    process.startDetached()
