"""A process that says when it has painted: `python -m bench.window_start bare|first|task STORE`."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

if TYPE_CHECKING:
    from collections.abc import Callable


def main(what: str, store: str) -> None:
    """Show a window of that kind, and end with the moment at which it was painted."""
    if what == "bare":
        _bare()
    else:
        _ours(what, store)


def say() -> None:
    """Print the moment."""
    sys.stdout.write(f"{time.monotonic()}\n")
    sys.stdout.flush()


def _say_when_painted(end: Callable[[], object]) -> None:
    def say_and_end() -> None:
        say()
        end()

    QTimer.singleShot(0, say_and_end)


def _exit() -> None:
    os._exit(0)


class _Bare(QMainWindow):
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.Paint:
            _say_when_painted(_exit)
        return done


def _bare() -> None:
    app = QApplication(sys.argv[:1])
    window = _Bare()
    window.resize(1440, 900)
    window.show()
    app.exec()


def _ours(what: str, store: str) -> None:
    from desktop_rater.ui.window.main_window import MainWindow  # noqa: PLC0415 - the bare one does not load it

    if what == "first":
        _after_painting(MainWindow)
    else:
        furnish = MainWindow.build

        def furnished(window: MainWindow, session: Any, *parts: Any) -> None:
            furnish(window, session, *parts)
            session.opened.connect(lambda: session.task is not None and _watch_text(window))

        MainWindow.build = furnished  # ty: ignore[invalid-assignment]
    from desktop_rater.__main__ import main as run  # noqa: PLC0415 - as above

    sys.argv = ["desktop-rater", "--store", store]
    sys.exit(run())


def _after_painting(kind: type[QMainWindow]) -> None:
    before = kind.event

    def event(window: QMainWindow, event: QEvent) -> bool:
        done = before(window, event)
        if event.type() == QEvent.Type.Paint:
            _say_when_painted(_exit)
        return done

    kind.event = event  # ty: ignore[invalid-assignment]


def _watch_text(window: Any) -> None:
    """Wait until the response of the task is painted, and close the window, so that the next start needs no repair."""
    view = window.text_pane.panes[0].view
    before = view.paintEvent

    def paint(event: Any) -> None:
        before(event)
        view.paintEvent = before
        _say_when_painted(window.close)

    view.paintEvent = paint


if __name__ == "__main__":
    main(*sys.argv[1:])
