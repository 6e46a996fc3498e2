"""Web engine profile that stores next to nothing, and only while a task is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import QWebEngineProfile, QWebEngineSettings

from desktop_rater.ui.pages.live_guard import GuardInterceptor
from desktop_rater.web.guard import Guard

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineCookieStore, QWebEngineDownloadRequest


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
