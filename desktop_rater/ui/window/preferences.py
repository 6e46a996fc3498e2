"""The current settings: emits each change, and writes the file a moment later."""

from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop_rater import settings
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.settings_file import SettingsFile, write_settings
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.jobs import Jobs

WRITE_DELAY_MS = 300


def setting_text(text: str) -> str:
    """Return a text of the settings table in the language of the window."""
    return QCoreApplication.translate(settings.SETTINGS_CONTEXT, text)


class Preferences(QObject):
    """The current settings. Without a path nothing is written: for the tour and for self-tests of packages."""

    changed = Signal(str)  # the id of a setting
    write_failed = Signal(object)  # RaterError

    def __init__(self, file: SettingsFile, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = file.settings
        self._further = file.further
        self._path = file.path
        self._jobs = jobs
        self._pause = DelayedCall(self, WRITE_DELAY_MS, self.flush)

    def set(self, name: str, value: Any) -> None:
        """Change a setting. Raises `ValueError` for an invalid value."""
        new_settings: Settings = settings.with_setting(self.now, name, value)
        if new_settings != self.now:
            self.now = new_settings
            self._pause.start()
            self.changed.emit(name)

    def step(self, name: str, steps: int) -> None:
        """Change a number by steps; 0 resets it to the default."""
        self.set(name, settings.stepped_value(self.now, name, steps))

    def flush(self) -> None:
        if not self._pause.isActive() and self.sender() is not self._pause:
            return
        self._pause.stop()
        path, now, further = self._path, self.now, self._further
        if path is None:
            return

        def write(_progress: Progress) -> None:
            write_settings(path, now, further)

        self._jobs.start(write, queue="store", receiver=self, failed=self.write_failed.emit)


def settings_warning(file: SettingsFile) -> str:
    """Return a warning about the settings file; "" if it was read completely."""
    text = ""
    if file.set_aside is not None:
        text = QCoreApplication.translate(
            "Preferences",
            "The settings file can't be read. It has been renamed to {name}, and the default settings are used.",
        ).format(name=file.set_aside.name)
    elif file.unreadable:
        text = QCoreApplication.translate(
            "Preferences", "The settings file can't be read: {why}. The default settings are used."
        ).format(why=file.unreadable)
    elif file.wrong:
        text = QCoreApplication.translate(
            "Preferences", "The settings file has invalid values for {names}. The default is used instead."
        ).format(names=", ".join(file.wrong))
    return text
