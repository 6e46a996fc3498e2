"""The banner that says which answers are not in the store, why, and that they are tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.model.trouble import RaterError
from desktop_rater.store.trouble import DiskFailed
from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.saving import RETRY_MS

if TYPE_CHECKING:
    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.saving import Saver

KEY, AFTERWARDS = "saving", "disk"
MOST_NAMED = 3
_LONGEST = 60  # characters of an id


class UnsavedBanner(QObject):
    """Shown once for each streak of failures, and whenever the rater had it tried in vain; it says what is so now."""

    def __init__(self, saver: Saver, banners: Banners, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saver = saver
        self._banners = banners
        self._disk_failed = self._asked = False
        saver.not_saved.connect(self._show)
        saver.settled.connect(self._refresh)
        saver.saved.connect(self._saved)

    def _show(self) -> None:
        self._asked = False
        self._banners.show_banner(KEY, "block", "", [(self.tr("Try now"), self._try)])
        self._refresh(all_saved=False)

    def _try(self) -> None:
        self._asked = True
        self._saver.try_now()

    def _saved(self) -> None:
        self._asked = False
        self._banners.drop(KEY)
        if self._disk_failed and not self._saver.unsaved:
            self._disk_failed = False
            words = self.tr(
                "The disk failed for a while. All answers are saved now. Check the disk, then the store: menu Help."
            )
            self._banners.show_banner(AFTERWARDS, "warn", words)

    def _refresh(self, all_saved: bool) -> None:
        self._disk_failed |= isinstance(self._saver.trouble, DiskFailed)
        banner = self._banners.banner(KEY)
        if banner is None and self._asked and not all_saved:
            self._show()
        elif banner is not None and not all_saved:
            banner.label.setText(self._words())
            # What SQLite or the system says of it: for whoever is asked for help.
            set_tooltip(banner.label, str(self._saver.trouble) if isinstance(self._saver.trouble, RaterError) else "")

    def _words(self) -> str:
        error = self._saver.trouble
        why, way_out = (error.title, error.hint) if isinstance(error, RaterError) else (type(error).__name__, "")
        kept = self.tr("Not saved: your answers in {tasks}. They are kept, and tried again every {n} s.")
        kept = kept.format(tasks=self.named(), n=RETRY_MS // 1_000)
        return " ".join(part for part in (why if why.endswith((".", "?")) else f"{why}.", kept, way_out) if part)

    def named(self) -> str:
        """The tasks whose answers are not in the store."""
        tasks = self._saver.unsaved
        names = ", ".join(name[:_LONGEST] for name in tasks[:MOST_NAMED])
        if len(tasks) <= MOST_NAMED:
            return names
        return self.tr("{tasks} and {n} more").format(tasks=names, n=len(tasks) - MOST_NAMED)
