"""Check of each navigation and request of the browser engine, by its URL, without DNS lookups."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import QWebEngineUrlRequestInfo, QWebEngineUrlRequestInterceptor

from desktop_rater.web.errors import WebError
from desktop_rater.web.guard import Guard

# A WebSocket is checked as its HTTP handshake.
SOCKETS = {"ws": "http", "wss": "https"}
# These hold their own content and access nothing. As pages they would have no address to check.
INLINE = {"data", "blob"}
ResourceType = QWebEngineUrlRequestInfo.ResourceType
FRAMES = {ResourceType.ResourceTypeMainFrame, ResourceType.ResourceTypeSubFrame}


def refusal_reason(guard: Guard, url: QUrl) -> str:
    """Return why a URL is refused; "" if it is allowed."""
    scheme = url.scheme()
    text = bytes(url.toEncoded().data()).decode("ascii", "replace")
    try:
        guard.check_url(SOCKETS.get(scheme, scheme) + text[len(scheme) :])
    except WebError as error:
        return str(error)
    return ""


class GuardInterceptor(QWebEngineUrlRequestInterceptor):
    """Request interceptor that blocks what the guard refuses, and reports it to `refused(why, is_page)`."""

    def __init__(self, guard: Guard, refused: Callable[[str, bool], None], parent: QObject) -> None:
        super().__init__(parent)
        self._guard = guard
        self._refused = refused

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url, kind = info.requestUrl(), info.resourceType()
        if url.scheme() in INLINE and kind not in FRAMES:
            return
        why = refusal_reason(self._guard, url)
        if why:
            info.block(True)
            self._refused(why, kind == ResourceType.ResourceTypeMainFrame)
