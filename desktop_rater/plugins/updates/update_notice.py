"""A banner for a newer version of the program: looked for once a day if the user wants that, downloaded on request."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, QTimer

from desktop_rater import __version__
from desktop_rater.app.assembly import Application
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.paths import updates_file
from desktop_rater.ui.widgets.labels import visible

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub
    from desktop_rater.plugins.updates.release import ReleaseFile, UpdateCheck

UPDATE_BANNER = "update"
FIRST_LOOK_MS, NEXT_LOOK_MS = 20_000, 3_600_000  # the second one matters to windows that stay open for days


class UpdateNotice(QObject):
    """Looks for a release at the place in the settings, in the background. Being offline is no error."""

    def __init__(self, application: Application) -> None:
        super().__init__(application.window)
        self._context = application.context
        self._banners = application.window.banners
        self._seen = updates_file(application.reader.folder)
        self._application = application
        self.downloads = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation))
        self._timer = QTimer(self, interval=FIRST_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Look for a release unless that was done today."""
        self._timer.setInterval(NEXT_LOOK_MS)
        settings = self._context.preferences.now
        if settings.update_check == "off" or not settings.update_place.strip():
            return
        place, certificates, open_hub, now = self._place, settings.hub_certificates, self._opener(), self._context.now()

        def work(progress: Progress) -> "UpdateCheck | None":
            from desktop_rater.plugins.updates.release import check_daily  # noqa: PLC0415 - only when it is used

            return check_daily(
                place,
                open_hub,
                self._seen,
                installed=__version__,
                now=now,
                certificates=certificates,
                progress=progress,
            )

        self._context.perform.fetch(work, done=self._show, failed=self._failed)

    @property
    def _place(self) -> str:
        return self._context.preferences.now.update_place

    def _opener(self) -> "Callable[[str], Hub]":
        row, reach = self._application.hub.exchange.hub_state.hub, self._context.reach

        def open_hub(address: str) -> "Hub":
            if row is not None and address in {"hub", row.url}:
                return reach.open(row.url, row.user)
            return reach.open(address, "")

        return open_hub

    def _show(self, checked: "UpdateCheck | None") -> None:
        if checked is None:
            return
        template = self.tr("Desktop Rater {new} is available. You have {installed}.")
        text = template.format(new=checked.index.release, installed=checked.installed)
        actions = [(self.tr("Don't look for updates"), lambda: self._context.preferences.set("update_check", "off"))]
        if checked.files:
            actions.insert(0, (self.tr("Download"), lambda: self._download(checked.files[0])))
        self._banners.show_banner(UPDATE_BANNER, "info", text, actions)

    def _download(self, file: "ReleaseFile") -> None:
        place, certificates = self._place, self._context.preferences.now.hub_certificates
        open_hub, folder = self._opener(), self.downloads

        def work(progress: Progress) -> Path:
            from desktop_rater.plugins.updates.release import (  # noqa: PLC0415 - only when it is used
                download_file,
                open_place,
            )

            with open_place(place, open_hub, certificates=certificates) as opened:
                return download_file(opened, file, folder, progress)[0]

        running = self._context.perform.fetch(
            work, done=self._downloaded, failed=self._failed_download, progressed=self._progressed
        )
        actions = [(self.tr("Cancel"), lambda: self._context.perform.cancel(running))]
        self._banners.show_banner(UPDATE_BANNER, "info", self.tr("Downloading …"), actions)

    def _progressed(self, done: int, total: int) -> None:
        banner = self._banners.banner(UPDATE_BANNER)
        if banner is not None and total:
            banner.label.setText(self.tr("Downloading … {percent} %").format(percent=100 * done // total))

    def _downloaded(self, path: Path) -> None:
        text = self.tr("The update is in {path}, and verified. Close the program, then install it.")
        self._banners.show_banner(UPDATE_BANNER, "info", text.format(path=visible(str(path))))

    def _failed_download(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            self._banners.show_banner(UPDATE_BANNER, "warn", visible(str(error)))

    def _failed(self, error: Exception) -> None:
        """Show an index that is refused; a place that can't be reached is looked at again later."""
        from desktop_rater.plugins.updates.release import UpdateError  # noqa: PLC0415 - only when it is used

        if isinstance(error, UpdateError) and not error.away:
            self._banners.show_banner(UPDATE_BANNER, "warn", visible(str(error)))
