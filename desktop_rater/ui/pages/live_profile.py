"""Web engine profile that stores next to nothing while a task is open, and the check of each of its requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)

from desktop_rater.web.errors import WebError
from desktop_rater.web.guard import Guard

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineCookieStore, QWebEngineDownloadRequest

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


Attribute = QWebEngineSettings.WebAttribute

# All features that can be switched off and are not needed to read a page.
DISABLED = (
    Attribute.JavascriptEnabled,  # until the rater switches it on
    Attribute.JavascriptCanOpenWindows,
    Attribute.JavascriptCanAccessClipboard,
    Attribute.JavascriptCanPaste,
    Attribute.LocalStorageEnabled,
    Attribute.LocalContentCanAccessFileUrls,
    Attribute.LocalContentCanAccessRemoteUrls,
    Attribute.HyperlinkAuditingEnabled,
    Attribute.ErrorPageEnabled,  # the view shows errors itself
    Attribute.PluginsEnabled,
    Attribute.PdfViewerEnabled,  # the reader shows their text
    Attribute.FullScreenSupportEnabled,
    Attribute.ScreenCaptureEnabled,
    Attribute.WebGLEnabled,
    Attribute.Accelerated2dCanvasEnabled,
    Attribute.AutoLoadIconsForPage,
    Attribute.TouchIconsEnabled,
    Attribute.FocusOnNavigationEnabled,
    Attribute.AllowRunningInsecureContent,
    Attribute.AllowGeolocationOnInsecureOrigins,
    Attribute.AllowWindowActivationFromJavaScript,
    Attribute.DnsPrefetchEnabled,
    Attribute.NavigateOnDropEnabled,
    Attribute.ReadingFromCanvasEnabled,  # it allows fingerprinting
    *([Attribute.BackForwardCacheEnabled] if hasattr(Attribute, "BackForwardCacheEnabled") else []),  # new in Qt 6.11
)
ENABLED = (Attribute.AutoLoadImages, Attribute.WebRTCPublicInterfacesOnly, Attribute.PlaybackRequiresUserGesture)


class LiveProfile(QWebEngineProfile):
    """Off-the-record profile, one per task.

    Calls `refused(url)` for downloads, and `blocked(why, is_page)` for requests.
    """

    def __init__(
        self, guard: Guard, refused: Callable[[QUrl], None], blocked: Callable[[str, bool], None], parent: QObject
    ) -> None:
        super().__init__(parent)  # without a name it is off-the-record
        self._refused = refused
        self.setHttpCacheType(QWebEngineProfile.HttpCacheType.MemoryHttpCache)
        self.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
        self.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime)
        self.setPushServiceEnabled(False)
        self.setSpellCheckEnabled(False)
        settings = self.settings()
        for attribute in DISABLED:
            settings.setAttribute(attribute, False)
        for attribute in ENABLED:
            settings.setAttribute(attribute, True)
        settings.setUnknownUrlSchemePolicy(QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes)
        # Keep a reference: if Python releases it, the engine calls an empty shell, which lets everything through.
        self._interceptor = GuardInterceptor(guard, blocked, self)
        self.setUrlRequestInterceptor(self._interceptor)
        self.cookieStore().setCookieFilter(_no_cookie)
        self.downloadRequested.connect(self._download)

    def _download(self, request: QWebEngineDownloadRequest) -> None:
        request.cancel()
        self._refused(request.url())


def _no_cookie(_request: QWebEngineCookieStore.FilterRequest) -> bool:
    """Refuse all cookies and site storage. Called too often to count."""
    return False
