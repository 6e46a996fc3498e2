"""Startup: the application object, its language, override handlers, and the first paint of the window."""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache, update_wrapper
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import PySide6
from msgspec import Struct
from PySide6.QtCore import (
    QCoreApplication,
    QDeadlineTimer,
    QEvent,
    QEventLoop,
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    QObject,
    QSize,
    QTimer,
    QtMsgType,
    QTranslator,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QFontDatabase, QIcon, QImageReader, QPixmap
from PySide6.QtWidgets import QApplication
from shiboken6 import Shiboken

from desktop_rater.operations.rating.settings_file import SettingsFile, read_settings
from desktop_rater.paths import resources, settings_file
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.window_place import keep_within_screen, place_window
from desktop_rater.windows_api import set_application_id

if TYPE_CHECKING:
    from desktop_rater.ui.window.preferences import Preferences

DESKTOP_ID = "org.desktoprater.DesktopRater"  # of the desktop entry, whose icon and name the desktop shows
SMALL_ICON, ICON_SIZES = (16, 20, 24, 32), (48, 64, 128, 256)  # in pixels
SOURCE_LANGUAGE = "en"
TRANSLATOR_NAME = "translator"
COLLECTION_MS = 1_000
# Of the oldest generation, before it is collected again: that takes the longest.
GROWTH, LEAST_OBJECTS = 1.25, 10_000


class GarbageCollector(QObject):
    """Collects garbage between events, instead of the interpreter, for as long as the application lives.

    The interpreter would collect in whichever thread allocates, at any allocation. A closed window that is destroyed
    in a worker's thread, or while Qt goes through its widgets, ends the process.
    """

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        gc.disable()
        self._survivors = 0  # of the last collection of all objects; 0 before the first
        self._oldest_due_after = gc.get_threshold()[2]  # collections of the middle generation
        timer = QTimer(self, interval=COLLECTION_MS)
        timer.timeout.connect(self._collect_due_generation)
        timer.start()

    def _collect_due_generation(self) -> None:
        """Collect the oldest generation whose threshold is passed, as the interpreter would."""
        youngest, middle, oldest = gc.get_count()
        limits = gc.get_threshold()
        if oldest > self._oldest_due_after and self._oldest_has_grown():
            # What a window is made of stays: going through it at each collection would take longer than a frame.
            (gc.collect if self._survivors else gc.freeze)()
            self._survivors = max(1, _count_oldest())
            self._oldest_due_after = limits[2]
        elif middle > limits[1]:
            gc.collect(1)
        elif youngest > limits[0]:
            gc.collect(0)

    def _oldest_has_grown(self) -> bool:
        """Return whether a collection is worth it. Counting takes long, too: the next count waits as the first did."""
        self._oldest_due_after += gc.get_threshold()[2]
        return _count_oldest() >= GROWTH * max(self._survivors, LEAST_OBJECTS)


def _count_oldest() -> int:
    return len(gc.get_objects(generation=2))


def available_languages() -> tuple[str, ...]:
    """Return the language codes of the source and of all translations."""
    files = sorted((resources() / "translations").glob("desktop_rater_*.qm"))
    return (SOURCE_LANGUAGE, *(path.stem.removeprefix("desktop_rater_") for path in files))


def resolve_language(setting: str) -> str:
    """Return the language of a setting; for "system", the first of the system's languages that is available."""
    if setting != "system":
        return setting if setting in available_languages() else SOURCE_LANGUAGE
    system_languages = (name.split("-")[0] for name in QLocale.system().uiLanguages())
    return next((name for name in system_languages if name in available_languages()), SOURCE_LANGUAGE)


def install_language(app: QApplication, setting: str) -> str:
    """Install a language; windows that are already open keep theirs."""
    for old in app.findChildren(QTranslator, TRANSLATOR_NAME):
        app.removeTranslator(old)
        old.setParent(None)
        old.deleteLater()
    language = resolve_language(setting)
    formatting.use_language(language)
    if language != SOURCE_LANGUAGE:
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for folder, file in (
            (qt, f"qtbase_{language}"),
            (str(resources() / "translations"), f"desktop_rater_{language}"),
        ):
            translator = QTranslator(app)
            translator.setObjectName(TRANSLATOR_NAME)
            if translator.load(file, folder):
                app.installTranslator(translator)
    return language


OURS = "desktop_rater."
QT = "PySide6."

# With exactly the parameters of the override: Qt uses their number to decide how many signal arguments to pass.
_COVERED = """
def cover(override):
    def covered({parameters}):
        try:
            return override({parameters})
        except {handler}
    return covered
"""
# Python before 3.12 completes an exception when it is raised again. PySide 6.9 may lose one, 6.11 loses none.
LOSES_EXCEPTIONS = PySide6.__version_info__ < (6, 11)
NEEDS_COVER = LOSES_EXCEPTIONS or sys.version_info < (3, 12)
_HANDLER = "Exception: sys.excepthook(*sys.exc_info())" if LOSES_EXCEPTIONS else "BaseException: raise"


def cover_overrides() -> None:
    """Add a handler to each override, in loaded classes and in those created later."""
    if not NEEDS_COVER or "__init_subclass__" in vars(Shiboken.Object):
        return

    def cover_new(kind: type[Shiboken.Object], **named: Any) -> None:
        super(Shiboken.Object, kind).__init_subclass__(**named)
        _cover(kind)

    Shiboken.Object.__init_subclass__ = classmethod(cover_new)  # ty: ignore[invalid-assignment]
    for kind in set(subclasses_of(Shiboken.Object)):
        _cover(kind)


def subclasses_of(kind: type) -> Iterator[type]:
    """Yield all loaded subclasses; repeatedly with multiple inheritance."""
    for derived in type.__subclasses__(kind):
        yield derived
        yield from subclasses_of(derived)


def _cover(kind: type) -> None:
    if not kind.__module__.startswith(OURS):
        return
    written = vars(kind)
    of_qt = (vars(base).keys() for base in kind.__mro__ if base.__module__.startswith(QT))
    for name in {name for names in of_qt for name in written.keys() & names}:
        if isinstance(written[name], FunctionType) and not name.startswith("__"):
            setattr(kind, name, _wrapped(written[name]))


def _wrapped(override: FunctionType) -> FunctionType:
    code = override.__code__
    if code.co_kwonlyargcount or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
        raise TypeError(f"{override.__qualname__} overrides a method of Qt, whose arguments come one by one.")
    covered = _cover_with(", ".join(code.co_varnames[: code.co_argcount]))(override)
    covered.__defaults__ = override.__defaults__
    update_wrapper(covered, override)
    return covered


@cache
def _cover_with(parameters: str) -> Callable[[FunctionType], FunctionType]:
    names: dict[str, Any] = {"sys": sys}
    exec(compile(_COVERED.format(parameters=parameters, handler=_HANDLER), "<override>", "exec"), names)  # noqa: S102 - names of our own source
    return names["cover"]


SIZE_SETTINGS = {"zoom", "reading_size"}
LOOK_SETTINGS = {"theme", "contrast", *SIZE_SETTINGS}
LOOK_DELAY_MS = 120  # longer than the interval at which a held key repeats
LAYOUT_PASSES = 3  # a wrapped text in a scrolled pane may be laid out again after its pane


def apply_look(now: Settings, *, styled: bool = True) -> None:
    """Apply the look of the settings to the application."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        theme.apply(app, theme.Look(now.theme, now.contrast, now.zoom, now.reading_size), styled=styled)  # ty: ignore[invalid-argument-type]


class LookUpdater(QObject):
    """Applies the look of the settings after the last of several steps, with no repaint before all is laid out."""

    def __init__(self, preferences: "Preferences") -> None:
        super().__init__(preferences)
        self._preferences = preferences
        self._pause = DelayedCall(self, LOOK_DELAY_MS, self.apply)

    def follow(self, name: str) -> None:
        """Apply a changed setting, a size only when no further step has followed it."""
        if name in SIZE_SETTINGS:
            self._pause.start()
        elif name in LOOK_SETTINGS:
            self.apply()

    def apply(self) -> None:
        self._pause.stop()
        windows = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
        for window in windows:
            window.setUpdatesEnabled(False)
        apply_look(self._preferences.now)
        for _ in range(LAYOUT_PASSES):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        for window in windows:
            window.setUpdatesEnabled(True)


class DesktopApplication(QApplication):
    """The application, which macOS tells of files that the user opens, also before there is a window."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        self._early: list[Path] = []
        self._open_files: Callable[[tuple[Path, ...]], object] | None = None

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        path = Path(event.file())
        if self._open_files is None:
            self._early.append(path)
        else:
            self._open_files((path,))
        return True

    def open_files_by(self, open_files: Callable[[tuple[Path, ...]], object]) -> None:
        """Set what opens files, beginning with those that arrived earlier."""
        self._open_files, early, self._early = open_files, self._early, []
        if early:
            open_files(tuple(early))


def application(*, styled: bool = True) -> QApplication:
    """Return the application, created with the default look if necessary; for `styled` see `theme.apply`."""
    cover_overrides()
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    qInstallMessageHandler(_log)
    set_application_id(DESKTOP_ID)
    app = DesktopApplication(sys.argv[:1])
    GarbageCollector(app)
    app.setApplicationName("desktop-rater")
    app.setApplicationDisplayName("Desktop Rater")
    app.setDesktopFileName(DESKTOP_ID)
    app.setStyle("Fusion")
    formatting.use_language(SOURCE_LANGUAGE)
    for file in sorted((resources() / "fonts").glob("*.otf")):  # packages include Inter
        QFontDatabase.addApplicationFont(str(file))
    theme.apply(app, theme.Look(), styled=styled)
    return app


def application_icon() -> QIcon:
    """Return the icon in its usual sizes; the small ones have a drawing of their own."""
    icon = QIcon()
    for size in (*SMALL_ICON, *ICON_SIZES):
        name = "desktop-rater-small.svg" if size in SMALL_ICON else "desktop-rater.svg"
        reader = QImageReader(str(resources() / "application" / name))
        reader.setScaledSize(QSize(size, size))
        icon.addPixmap(QPixmap.fromImageReader(reader))
    return icon


def _log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Write Qt's messages to stderr, except one that the offscreen platform emits whenever a window is shown."""
    del context
    if "propagateSizeHints" not in message:
        sys.stderr.write(f"{message}\n")
    if kind == QtMsgType.QtFatalMsg and "platform plugin" in message:
        _exit_without_platform()


def _exit_without_platform() -> None:
    """Exit with a message if a system library is why no platform can be loaded, where Qt would only abort."""
    from ctypes import CDLL  # noqa: PLC0415 - rarely needed

    from desktop_rater.operations.missing_library import report_library_error  # noqa: PLC0415 - as above

    platforms = ["xcb", "wayland"] if os.environ.get("WAYLAND_DISPLAY") else ["xcb"]
    for platform in platforms:
        try:
            CDLL(str(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / f"platforms/libq{platform}.so"))
        except OSError as error:
            if report_library_error(error.__cause__ or error):  # PyInstaller raises an error of its own
                os._exit(1)


def process_events_until(condition: Callable[[], bool], timeout_ms: int = 20_000) -> bool:
    """Process events until a condition holds or the time is over; return whether it holds."""
    deadline = QDeadlineTimer(timeout_ms)
    while not condition() and not deadline.hasExpired():
        QApplication.processEvents()
    return condition()


PAINT_TIMEOUT_MS = 300  # on systems that show windows later, it appears complete


class FirstPaint(Struct, frozen=True):
    """A visible frame and the settings that were applied."""

    window: MainWindow
    settings: SettingsFile


class _PaintWatcher(QObject):
    """Records whether a widget has been painted."""

    done = False

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.done = self.done or event.type() == QEvent.Type.Paint
        return False


def paint_first(folder: Path, *, now: Callable[[], datetime]) -> FirstPaint:
    """Show the frame of the window before its store is open."""
    app = application(styled=False)
    loaded = settings_of(folder, now)
    apply_settings(app, loaded, styled=False)
    window = MainWindow()
    watcher = _PaintWatcher(window)
    window.installEventFilter(watcher)
    place_window(window, loaded.settings.window_place)
    window.show()
    deadline = QDeadlineTimer(PAINT_TIMEOUT_MS)
    while not watcher.done and not deadline.hasExpired():
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, PAINT_TIMEOUT_MS)
    window.removeEventFilter(watcher)
    keep_within_screen(window)
    return FirstPaint(window, loaded)


def settings_of(folder: Path, now: Callable[[], datetime]) -> SettingsFile:
    """Return the window's settings for a store."""
    return read_settings(settings_file(folder), now=now())


def apply_settings(app: QApplication, loaded: SettingsFile, *, styled: bool = True) -> None:
    """Apply language and look of the settings."""
    install_language(app, loaded.settings.language)
    apply_look(loaded.settings, styled=styled)
