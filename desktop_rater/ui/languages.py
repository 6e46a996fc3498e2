"""The language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from desktop_rater.paths import resources
from desktop_rater.ui import spelling

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

SOURCE = "en"
NAME = "translator"


def available() -> tuple[str, ...]:
    """The languages that there is a translation for, and the one of the source."""
    found = sorted((resources() / "translations").glob("desktop_rater_*.qm"))
    return (SOURCE, *(path.stem.removeprefix("desktop_rater_") for path in found))


def wanted(setting: str) -> str:
    """The language that a setting asks for: the system's first one that is there, or the one of the source."""
    if setting != "system":
        return setting if setting in available() else SOURCE
    asked = (name.split("-")[0] for name in QLocale.system().uiLanguages())
    return next((name for name in asked if name in available()), SOURCE)


def use(app: QApplication, setting: str) -> str:
    """Speak a language from now on; windows that are open already keep theirs."""
    for old in app.findChildren(QTranslator, NAME):
        app.removeTranslator(old)
        old.setParent(None)
        old.deleteLater()
    language = wanted(setting)
    spelling.use(language)
    if language != SOURCE:
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for folder, file in (
            (qt, f"qtbase_{language}"),
            (str(resources() / "translations"), f"desktop_rater_{language}"),
        ):
            translator = QTranslator(app)
            translator.setObjectName(NAME)
            if translator.load(file, folder):
                app.installTranslator(translator)
    return language
