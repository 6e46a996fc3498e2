"""The browser engine of this process, set up once: its proxy runs, and its flags are said, before it is loaded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from desktop_rater.ui.preview import live_flags
from desktop_rater.web.proxy import USER, GuardedProxy

if TYPE_CHECKING:
    from desktop_rater.web.guard import Guard

NAME = "live_engine"


class LiveEngine(QObject):
    """Lives with the application, as the engine does: its flags name the proxy's port as long as the process runs."""

    ending = Signal()  # pages have to go before the engine does
    turned_down = Signal(str, str, bool)  # host:port, why, and whether by the guard: from the threads of the proxy

    def __init__(self, app: QCoreApplication, guard: Guard, token: str) -> None:
        super().__init__(app)
        self.setObjectName(NAME)
        self.proxy = GuardedProxy(guard, token, turned_down=self.turned_down.emit)
        self.proxy.start()
        app.aboutToQuit.connect(self.ending)
        app.aboutToQuit.connect(self.proxy.stop)
        # Else the open window would be built anew around its first live page, to draw with the graphics card.
        os.environ.setdefault("QT_QUICK_BACKEND", "software")
        os.environ[live_flags.VARIABLE] = live_flags.flags(
            self.proxy.host, self.proxy.port, os.environ.get(live_flags.VARIABLE, "")
        )

    @property
    def login(self) -> tuple[str, str]:
        """What the proxy wants to hear."""
        return USER, self.proxy.token


def engine_with(guard: Guard, token: str) -> LiveEngine:
    """The engine of this process, which asks that guard from now on."""
    app = QCoreApplication.instance()
    assert app is not None
    found = app.findChild(LiveEngine, NAME, Qt.FindChildOption.FindDirectChildrenOnly)
    if found is None:
        return LiveEngine(app, guard, token)
    found.proxy.guard = guard
    return found
