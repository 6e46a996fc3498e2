"""Preview of a rubric while it is written: a window that reloads the file after each save."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QFileSystemWatcher, QObject, Signal
from PySide6.QtGui import QAction

from desktop_rater.app.assembly import Application, build_application
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.paths import SAMPLE_FILES
from desktop_rater.plugins.authoring.preview import PREVIEW_RATER, PreviewSource, renew_preview
from desktop_rater.settings import Settings
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.store.connections import UpdatedStore
from desktop_rater.ui.store.window_loop import run_window
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.startup import application, apply_settings

SETTLED_MS = 150  # editors write a file in several steps
PREVIEW_BANNER = "preview"
# Actions that are pointless in a preview, where nothing is stored.
HIDDEN_ACTIONS = ("import", *SAMPLE_FILES, "export", "back_up", "restore")


class RubricPreview(QObject):
    """Watches the rubric's file and reloads it."""

    renewed = Signal()  # the form shows the current file
    refused = Signal()  # the current file can't be loaded

    def __init__(
        self,
        window: MainWindow,
        perform: WorkRunner,
        session: Session,
        actions: Mapping[str, QAction],
        previewed: PreviewSource,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._session = session
        self._previewed = previewed
        self._now = now
        self._loaded = self._content()
        self._write_timer = DelayedCall(self, SETTLED_MS, self._reload)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda _path: self._write_timer.start())
        self._watcher.directoryChanged.connect(lambda _path: self._write_timer.start())
        self._watch()
        for name in HIDDEN_ACTIONS:
            actions[name].setVisible(False)  # hidden, because other code enables and disables some of them
        window.setAcceptDrops(False)
        self._show_banner()

    def _show_banner(self) -> None:
        reason = self.tr("Answers given here are discarded when the window is closed.")
        self._window.show_state(self.tr("Preview"), reason)
        text = self.tr("This is a preview of {name}. {why}")
        if self._previewed.file is not None:
            text = self.tr("This is a preview of {name}. It is updated whenever the file changes. {why}")
        text = text.format(name=self._name, why=reason)
        self._window.banners.show_banner(PREVIEW_BANNER, "info", text)

    @property
    def _name(self) -> str:
        file = self._previewed.file
        return file.name if file is not None else self._previewed.rubric

    def _watch(self) -> None:
        """Watch the file and its folder: many editors replace the file by a new one."""
        file = self._previewed.file
        if file is not None:
            self._watcher.addPaths([str(path) for path in (file, file.resolve().parent) if path.exists()])

    def _content(self) -> bytes | None:
        """Return the content of the file; `None` while it does not exist, as between two steps of an editor."""
        try:
            return self._previewed.file.read_bytes() if self._previewed.file is not None else None
        except OSError:
            return None

    def _reload(self) -> None:
        self._watch()
        content = self._content()
        if content is None or content == self._loaded:
            return
        self._loaded = content
        self._session.pause_typing()
        work = partial(renew_preview, now=self._now)
        self._perform.perform(work, self._previewed, done=self._renewed, failed=self._refused)

    def _renewed(self, _imported: object) -> None:
        text = self.tr("The form shows the current {name}.").format(name=self._name)
        self._window.banners.show_banner(PREVIEW_BANNER, "info", text)
        self.renewed.emit()

    def _refused(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            text = self.tr("{why} The form still shows the previous version.")
            why = " ".join(part for part in (f"{error.title}:", error.message) if part)
            self._window.banners.show_banner(PREVIEW_BANNER, "block", text.format(why=why))
            self.refused.emit()


def preview_rubric(previewed: PreviewSource, settings: Settings, *, now: Callable[[], datetime]) -> int:
    """Open the window on a rubric draft, in a store used only for this; return the exit status."""
    loaded = SettingsFile(settings=replace(settings, rater=PREVIEW_RATER))
    apply_settings(application(), loaded)
    return run_window(previewed.store, partial(build_preview, previewed, now=now), now=now, settings=loaded)


def build_preview(
    previewed: PreviewSource,
    settings: SettingsFile,
    updated: UpdatedStore | None = None,
    frame: MainWindow | None = None,
    *,
    now: Callable[[], datetime],
) -> Application:
    """Build the window for a started preview."""
    built = build_application(
        previewed.store, rater=settings.settings.rater, now=now, settings=settings, updated=updated, window=frame
    )
    built.screens.offer({})
    built.screens.offer_start(None)
    RubricPreview(built.window, built.perform, built.session, built.commands.actions, previewed, now)
    return built
