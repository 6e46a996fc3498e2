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
from desktop_rater.ui.store.backups import BackupRunner
from desktop_rater.ui.window.startup import application
from desktop_rater.work.rating import save
from desktop_rater.work.rating.browse import bundle_list

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.model.change import Change
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
    """Watch of a widget that tells whether it was painted since `forget`.

    Of a window, wait for `UpdateRequest`: Qt paints everything that changed in it while it handles this event.
    """

    yet = False

    def __init__(self, widget: QWidget, kind: QEvent.Type = QEvent.Type.Paint) -> None:
        super().__init__(widget)
        self._kind = kind
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.yet = self.yet or event.type() == self._kind
        return False

    def forget(self) -> None:
        """Wait for the next painting."""
        self.yet = False


class Stage:
    """An open window on a store. `stored` are the moments at which answers were on disk."""

    def __init__(self, store: Path) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        self.app = application()
        self.stored: list[float] = []
        self.room = app.build_application(store, rater=RATER, now=partial(datetime.now, UTC), save=self._save)
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

    def until(self, there: Callable[[], object]) -> None:
        """Let the event loop run until something is there."""
        late = time.monotonic() + _LATE
        while not there():
            QApplication.processEvents(_WAIT)
            assert time.monotonic() < late, "it never came"

    def settle(self) -> None:
        """Let the backup that follows the start come to its end."""
        backups = self.window.findChild(BackupRunner)
        assert isinstance(backups, BackupRunner)
        ended: list[object] = []
        backups.ended.connect(ended.append)
        self.until(lambda: ended)

    def rest(self, seconds: float = _REST) -> None:
        """Let the event loop run, as between two keys of a rater."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            QApplication.processEvents()  # without flags, whose enumerators would count as calls of the key
            time.sleep(0.001)

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
