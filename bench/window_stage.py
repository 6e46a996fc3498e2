"""A real window without a screen, driven by keys. For processes of their own: see `bench.child`."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Self

from PySide6.QtCore import QEvent, QEventLoop, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from bench.workload import RATER
from desktop_rater import app
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.open_task import bundle_list
from desktop_rater.ui.store.connections import BackupRunner
from desktop_rater.ui.window.startup import application

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.format.change import Change
    from desktop_rater.pages.web_client import Web
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store

_WAIT = QEventLoop.ProcessEventsFlag.AllEvents | QEventLoop.ProcessEventsFlag.WaitForMoreEvents
_LATE = 600.0
_REST = 0.08


@cache
def _parsed(key: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    combination: QKeyCombination = QKeySequence.fromString(key)[0]  # ty: ignore[not-subscriptable]
    return combination.key(), combination.keyboardModifiers()


class Painted(QObject):
    """Watch that tells when a widget had been painted, with everything else that changed in its window.

    `at` is the moment at which Qt had painted it, `None` before. Qt paints a window when it handles `UpdateRequest`.
    """

    def __init__(self, widget: QWidget) -> None:
        self._widget, self._window = widget, widget.window()
        super().__init__(self._window)
        self.forget()
        for watched in {self._widget, self._window}:
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint and watched is self._widget:
            self._touched = True
        if event.type() != QEvent.Type.UpdateRequest or watched is not self._window:
            return False
        self._window.event(event)
        if self._touched and self.at is None:
            self.at = time.perf_counter()
        return True

    @property
    def yet(self) -> bool:
        """Return whether it was painted."""
        return self.at is not None

    def forget(self) -> None:
        """Wait for the next painting."""
        self.at: float | None = None
        self._touched = self._widget is self._window

    def milliseconds(self, started: float) -> float:
        """Return the milliseconds from a moment until it was painted, and end the watch."""
        assert self.at is not None
        self.setParent(None)
        return (self.at - started) * 1_000


def wait_until(there: Callable[[], object]) -> None:
    """Let the event loop run until something is there."""
    late = time.monotonic() + _LATE
    while not there():
        QApplication.processEvents(_WAIT)
        assert time.monotonic() < late, "it never came"


def rest(seconds: float = _REST) -> None:
    """Let the event loop run, as between two keys of a rater."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QApplication.processEvents()  # without flags, whose enumerators would count as calls of the key
        time.sleep(0.001)


class Stage:
    """An open window on a store. `stored` are the moments at which answers were on disk."""

    until = staticmethod(wait_until)
    rest = staticmethod(rest)

    def __init__(self, store: Path, web: Web | None = None) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        self.app = application()
        self.stored: list[float] = []
        self.room = app.build_application(store, rater=RATER, now=partial(datetime.now, UTC), save=self._save, web=web)
        self.window = self.room.window
        self.window.resize(1440, 900)
        self.window.show()
        self.window.activateWindow()
        self.until(lambda: self.room.session.task is not None and self.window.isActiveWindow())
        self.rest()

    def _save(self, store: Store, *args: Any, **named: Any) -> Change:
        change = save.save_rating(store, *args, **named)
        self.stored.append(time.perf_counter())
        return change

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.window.close()
        self.until(lambda: not self.window.isVisible())
        self.room.close()

    def settle(self) -> None:
        """Let the backup that follows the start come to its end."""
        backups = self.window.findChild(BackupRunner)
        assert isinstance(backups, BackupRunner)
        ended: list[object] = []
        backups.ended.connect(ended.append)
        self.until(lambda: ended)

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, *_parsed(key))

    def bundles(self) -> tuple[BundleRow, ...]:
        """What the store has."""
        return bundle_list(self.room.reader)

    @property
    def text(self) -> QWidget:
        """What the response is painted on."""
        return self.window.text_pane.panes[0].view.viewport()
