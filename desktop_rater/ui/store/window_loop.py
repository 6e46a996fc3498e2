"""Run the window until the user quits: filled again in another language, reopened after a restore or a recovery."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol

from msgspec import Struct, structs
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.store.errors import StoreError
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import Store
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.store import restore, update_page
from desktop_rater.ui.store.connections import WINDOW_COMMAND, ReadOnlyMode, StorePlace, UpdatedStore
from desktop_rater.ui.window.companions import cursor_of, put_cursor
from desktop_rater.ui.window.jobs import Jobs, WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import Screens
from desktop_rater.ui.window.startup import application, apply_settings, install_language, settings_of
from desktop_rater.ui.window.window_place import keep_within_screen, place_window
from desktop_rater.ui.window.window_requests import QuitRequests

Field = QLineEdit | QPlainTextEdit
WidgetKey = tuple[str, int]  # object name, and the number among the widgets of that name
LOAD_TIMEOUT_MS = 10_000
SETTLING_ROUNDS = 5


class ContentState(Struct, frozen=True):
    """The screen, the page, typed texts, scrolled places and the focus; the open task is remembered in the store."""

    screen: str
    page: str  # its URL
    had_task: bool
    focus: WidgetKey | None
    texts: dict[WidgetKey, tuple[str, int]]
    places: dict[WidgetKey, int]

    @classmethod
    def of(cls, window: MainWindow, screens: Screens, session: Session, browsing: PageBrowser) -> "ContentState":
        focus = window.focusWidget()
        texts, places, found = {}, {}, None
        for key, widget in _named_widgets(window):
            if widget is focus:
                found = key
            if isinstance(widget, Field) and not widget.isReadOnly():
                if window.form_pane.isAncestorOf(widget):
                    continue  # answers are in the store, and belong to their rater
                texts[key] = _text_of(widget), cursor_of(widget)
            elif isinstance(widget, QAbstractScrollArea) and widget.verticalScrollBar().value():
                places[key] = widget.verticalScrollBar().value()
        page = browsing.page.url if browsing.is_open and browsing.page is not None else ""
        return cls(screens.name, page, session.task is not None, found, texts, places)

    def restore(self, window: MainWindow, screens: Screens, desk: TaskLoader, browsing: PageBrowser) -> None:
        """Wait until the task is open again, and restore the state. Typed keys wait as well."""
        arrived: list[object] = []
        for signal in (desk.settled, desk.rater_wanted, desk.all_done):
            signal.connect(lambda: arrived.append(True))
        deadline = QDeadlineTimer(LOAD_TIMEOUT_MS)
        while not (arrived or (window.rating_widget.currentIndex() > 0 and not self.had_task) or deadline.hasExpired()):
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 50)
        screens.go(self.screen)
        if self.page:
            browsing.open_stored(self.page)
        while browsing.is_loading and not deadline.hasExpired():  # a page takes the focus when it is shown
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 50)
        for _ in range(SETTLING_ROUNDS):  # layouts, and texts that are filled after the first layout
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        widgets = dict(_named_widgets(window))
        for key, (text, cursor) in self.texts.items():
            widget = widgets.get(key)
            if isinstance(widget, Field):
                _put_text(widget, text)
                put_cursor(widget, cursor)
        for key, place in self.places.items():
            widget = widgets.get(key)
            if isinstance(widget, QAbstractScrollArea):
                widget.verticalScrollBar().setValue(place)
        focused = widgets.get(self.focus) if self.focus is not None else None
        if focused is not None:
            focused.setFocus()


def _named_widgets(window: QWidget) -> Iterator[tuple[WidgetKey, QWidget]]:
    """Yield the visible widgets of a window that have a name, not those of its dialogs."""
    numbers: Counter[str] = Counter()
    for widget in window.findChildren(QWidget):
        name = widget.objectName()
        if name and widget.window() is window and widget.isVisible():
            numbers[name] += 1
            yield (name, numbers[name]), widget


def _text_of(field: Field) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def _put_text(field: Field, text: str) -> None:
    if _text_of(field) == text:
        return
    if isinstance(field, QLineEdit):
        field.clear()
        field.insert(text)  # counts as typed, unlike `setText`: filters follow
    else:
        field.setPlainText(text)


CONTENT_SETTINGS = {"rater", "language"}  # every part of the window depends on them, so its content is made anew


class OpenWindow(Protocol):
    """The parts of an open window that the window loop uses."""

    @property
    def window(self) -> MainWindow: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def session(self) -> Session: ...
    @property
    def desk(self) -> TaskLoader: ...
    @property
    def browsing(self) -> PageBrowser: ...
    @property
    def screens(self) -> Screens: ...
    @property
    def perform(self) -> WorkRunner: ...
    @property
    def preferences(self) -> Preferences: ...
    @property
    def read_only(self) -> ReadOnlyMode: ...
    @property
    def place(self) -> StorePlace: ...

    def close(self, *, keep_writer: bool = False) -> None: ...


BuildWindow = Callable[[SettingsFile, UpdatedStore, MainWindow | None], OpenWindow]


def run_window(
    folder: Path,
    build: BuildWindow,
    *,
    now: Callable[[], datetime],
    settings: SettingsFile | None = None,
    frame: MainWindow | None = None,
) -> int:
    """Show a window until the user is done. Return the exit status; raise `RaterError` if no window can be shown.

    `settings` is given if they have been applied to the application already, `frame` a bare window that is
    already visible.
    """
    app = application()
    if settings is None:
        settings = settings_of(folder, now)
        apply_settings(app, settings)
    message: restore.StartMessage | None = None
    place = folder  # another one once the store was moved
    while True:
        outcome = update_page.update_store(place, frame, now)
        if outcome.left:
            return 0
        try:
            updated = outcome.updated if place == folder else UpdatedStore(open_writer(place, command=WINDOW_COMMAND))
            opened = build(settings, updated, frame)
        except StoreError as error:
            frame = None
            message = _rescue(app, place, error, now)
            if message is None:
                raise
            continue
        frame = None
        if message is not None:
            opened.window.banners.show_banner("restore", message.kind, message.text)
        filled = FilledWindow(app, opened, build, settings)
        status = filled.run()
        reasons, settings = filled.reasons, filled.settings
        if not reasons:
            return status
        returning = any(isinstance(reason, Path) for reason in reasons)
        place = folder if returning else filled.folder or place
        message = restore.install_last_prepared(place, reasons, now=now)
        damage = next((reason for reason in reversed(reasons) if isinstance(reason, RaterError)), None)
        if message is None and damage is not None:
            message = _rescue(app, place, damage, now)
        filled.delete()


def _rescue(
    app: QApplication, folder: Path, error: RaterError, now: Callable[[], datetime]
) -> restore.StartMessage | None:
    from desktop_rater.ui.store.rescue_page import show_rescue_page  # noqa: PLC0415 - only for damage

    return show_rescue_page(app, folder, error, now=now)


class FilledWindow(QObject):
    """A window with its content, which is made anew behind the frame when a setting that all of it shows is changed.

    `reasons` collects the reasons to open another window: a backup, damage, or a released lock.
    """

    def __init__(self, app: QApplication, opened: OpenWindow, build: BuildWindow, settings: SettingsFile) -> None:
        super().__init__(app)
        self.reasons: list[object] = []
        self.opened = opened
        self._app = app
        self._build = build
        self._file = settings
        self._is_open = True
        self._moved: Store | None = None  # the writer, until the window shows the folder in which it goes on
        self.folder: Path | None = None  # this folder
        self._follow()

    @property
    def settings(self) -> SettingsFile:
        """The settings as they are now, without the errors of the file."""
        current = self.opened.preferences.now
        return structs.replace(self._file, settings=current, set_aside=None, wrong=(), unreadable="")

    def run(self) -> int:
        """Show the window until it is closed. Return the exit status."""
        previous_hook = sys.excepthook

        def report_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            if issubclass(kind, KeyboardInterrupt):
                previous_hook(kind, error, trace)
                return
            self.opened.perform.crashed.emit(error.with_traceback(trace))

        sys.excepthook = report_crash
        requests = QuitRequests(self._app, lambda: self.opened.window.save())  # noqa: PLW0108 - it is replaced
        try:
            window = self.opened.window
            if not window.isVisible():
                place_window(window, self.opened.preferences.now.window_place)
            window.show()
            keep_within_screen(window)
            return self._app.exec()
        finally:
            requests.close()
            sys.excepthook = previous_hook
            if self._is_open:
                self.opened.close()

    def delete(self) -> None:
        """Delete the window after it was closed, with all its parts."""
        if self._is_open:
            self.opened.window.deleteLater()
            self.opened.jobs.deleteLater()
        self.deleteLater()

    def _follow(self) -> None:
        opened = self.opened
        opened.preferences.changed.connect(self._apply_setting)
        opened.window.released.connect(self._fill_again)
        opened.place.moved.connect(self._follow_store)
        for signal in (opened.window.reopen_wanted, opened.read_only.writing_wanted, opened.place.return_wanted):
            signal.connect(self._close)

    def _close(self, reason: object = None) -> None:
        self.reasons.append(reason)
        # Deferred, because the widget that emits the signal belongs to the closing window.
        QTimer.singleShot(0, self.opened.window, self.opened.window.close)

    def _apply_setting(self, name: str) -> None:
        if name in CONTENT_SETTINGS:
            QTimer.singleShot(0, self.opened.window, self.opened.window.release)

    def _follow_store(self, moved: Store) -> None:
        """Fill the window from the folder in which its store goes on."""
        self._moved = moved
        QTimer.singleShot(0, self.opened.window, self.opened.window.release)

    def _fill_again(self) -> None:
        QTimer.singleShot(0, self, self._replace_content)  # deferred as above

    def _replace_content(self) -> None:
        window, jobs, settings = self.opened.window, self.opened.jobs, self.settings
        state = ContentState.of(window, self.opened.screens, self.opened.session, self.opened.browsing)
        moved, self._moved = self._moved, None
        self.opened.close(keep_writer=moved is not None)
        window.remove_content()
        jobs.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        install_language(self._app, settings.settings.language)
        try:
            # Not closed in between: until it is open again, its files could be replaced.
            self.opened = self._build(settings, UpdatedStore(moved), window)
        except StoreError as error:
            self._is_open = False
            self.reasons.append(error)
            self._app.exit()
            return
        self._follow()
        if moved is not None and moved.moved_from is not None:
            self.folder = moved.folder
            self.opened.place.show_moved(moved.moved_from, moved.displacement)
        state.restore(window, self.opened.screens, self.opened.desk, self.opened.browsing)
        window.setUpdatesEnabled(True)
