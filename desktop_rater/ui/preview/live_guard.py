"""The guard, asked by the browser engine before each navigation and request: by what the address says.

It runs in the window's own thread, so it looks up no names. That is done by the proxy, where the socket connects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWebEngineCore import QWebEngineUrlRequestInfo, QWebEngineUrlRequestInterceptor

from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, QUrl

    from desktop_rater.web.guard import Guard

# A socket is asked for as what its handshake is.
SOCKETS = {"ws": "http", "wss": "https"}
# They hold what they show, and reach nothing. As pages they would have no address that anybody can check.
INLINE = {"data", "blob"}
Kind = QWebEngineUrlRequestInfo.ResourceType
FRAMES = {Kind.ResourceTypeMainFrame, Kind.ResourceTypeSubFrame}


def why_refused(guard: Guard, url: QUrl) -> str:
    """Why nobody goes there; "" where it may be tried."""
    scheme = url.scheme()
    text = bytes(url.toEncoded().data()).decode("ascii", "replace")
    try:
        guard.check_url(SOCKETS.get(scheme, scheme) + text[len(scheme) :])
    except WebError as error:
        return str(error)
    return ""


class Interceptor(QWebEngineUrlRequestInterceptor):
    """Blocks what the guard refuses. `refused(why, is_page)` is told of it."""

    def __init__(self, guard: Guard, refused: Callable[[str, bool], None], parent: QObject) -> None:
        super().__init__(parent)
        self._guard = guard
        self._refused = refused

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url, kind = info.requestUrl(), info.resourceType()
        if url.scheme() in INLINE and kind not in FRAMES:
            return
        why = why_refused(self._guard, url)
        if why:
            info.block(True)
            self._refused(why, kind == Kind.ResourceTypeMainFrame)
