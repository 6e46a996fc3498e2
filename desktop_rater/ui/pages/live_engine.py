"""Browser engine of the process: its proxy and flags are set before it is loaded, once."""

import os
import shlex
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from desktop_rater.pages.guard import Guard
from desktop_rater.pages.proxy import PROXY_USER, GuardedProxy

VARIABLE = "QTWEBENGINE_CHROMIUM_FLAGS"

# All traffic of the engine goes through the proxy, which asks the guard.
FLAGS: tuple[str, ...] = (
    "--proxy-server=http://{host}:{port}",
    "--proxy-bypass-list=<-loopback>",  # without it, loopback would bypass the proxy
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {host}",  # no DNS lookups in the engine, not even prefetched ones
    "--disable-quic",  # UDP bypasses the proxy
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--no-pings",
    "--disable-features=WebGPUService",
    "--disable-blink-features=Serial,WebHID,WebXR",
)

# Only these flags of the user are allowed: for displays and drivers, and for diagnosing them.
ALLOWED = (
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--enable-gpu",
    "--enable-logging",
    "--force-device-scale-factor",
    "--ignore-gpu-blocklist",
    "--in-process-gpu",
    "--lang",
    "--log-level",
    "--ozone-platform",
    "--use-angle",
    "--use-gl",
    "--v",
)


def engine_flags(host: str, port: int, user_flags: str = "") -> str:
    """Return the value of the variable: the allowed flags of the user, then ours."""
    ours = [flag.format(host=host, port=port) for flag in FLAGS]
    return " ".join(_quoted([*allowed_flags(shlex.split(user_flags)), *ours]))


def allowed_flags(user_flags: Iterable[str]) -> list[str]:
    """Return the user's flags that are allowed."""
    return [flag for flag in user_flags if flag.partition("=")[0] in ALLOWED]


def _quoted(arguments: Iterable[str]) -> list[str]:
    # Qt splits at blanks and knows double quotes only.
    return [f'"{argument}"' if " " in argument else argument for argument in arguments if '"' not in argument]


NAME = "live_engine"


class LiveEngine(QObject):
    """Engine that lives as long as the application, because its flags name the port of the proxy."""

    ending = Signal()  # pages must be deleted before the engine
    turned_down = Signal(str, str, bool)  # host:port, reason, refused by the guard?; from the proxy's threads
    proxy_gone = Signal()  # pages reach nothing any more; from the proxy's thread

    def __init__(self, app: QCoreApplication, guard: Guard, token: str) -> None:
        super().__init__(app)
        self.setObjectName(NAME)
        self.proxy = GuardedProxy(guard, token, turned_down=self.turned_down.emit, gone=self.proxy_gone.emit)
        self.proxy.start()
        app.aboutToQuit.connect(self.ending)
        app.aboutToQuit.connect(self.proxy.stop)
        # Otherwise the window would be recreated for its first live page, to render with the GPU.
        os.environ.setdefault("QT_QUICK_BACKEND", "software")
        os.environ[VARIABLE] = engine_flags(self.proxy.host, self.proxy.port, os.environ.get(VARIABLE, ""))

    @property
    def login(self) -> tuple[str, str]:
        """Return user and token; empty if the proxy is gone, since another program may listen on its port."""
        return ("", "") if self.proxy.is_gone else (PROXY_USER, self.proxy.token)


def loaded_engine() -> LiveEngine | None:
    """Return the engine of this process, if it is loaded."""
    app = QCoreApplication.instance()
    assert app is not None
    return app.findChild(LiveEngine, NAME, Qt.FindChildOption.FindDirectChildrenOnly)


def engine_with(guard: Guard, token: str) -> LiveEngine:
    """Return the engine of this process, and make it use the given guard."""
    engine, app = loaded_engine(), QCoreApplication.instance()
    if engine is None:
        assert app is not None
        return LiveEngine(app, guard, token)
    engine.proxy.guard = guard
    return engine
