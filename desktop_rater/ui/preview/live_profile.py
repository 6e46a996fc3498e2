"""What the browser engine remembers and may do: next to nothing, and that only while a task is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWebEngineCore import QWebEngineProfile, QWebEngineSettings

from desktop_rater.ui.preview.live_guard import Interceptor

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, QUrl
    from PySide6.QtWebEngineCore import QWebEngineCookieStore, QWebEngineDownloadRequest

    from desktop_rater.web.guard import Guard

Attribute = QWebEngineSettings.WebAttribute

# Everything that has a switch and is not needed to read a page.
OFF = (
    Attribute.JavascriptEnabled,  # until the rater switches it on
    Attribute.JavascriptCanOpenWindows,
    Attribute.JavascriptCanAccessClipboard,
    Attribute.JavascriptCanPaste,
    Attribute.LocalStorageEnabled,
    Attribute.LocalContentCanAccessFileUrls,
    Attribute.LocalContentCanAccessRemoteUrls,
    Attribute.HyperlinkAuditingEnabled,
    Attribute.ErrorPageEnabled,  # the view says it itself
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
    Attribute.ReadingFromCanvasEnabled,  # it tells machines apart
    Attribute.BackForwardCacheEnabled,
)
ON = (
    Attribute.AutoLoadImages,
    Attribute.WebRTCPublicInterfacesOnly,
    Attribute.PlaybackRequiresUserGesture,
)


class LiveProfile(QWebEngineProfile):
    """Off the record: one for each task. `refused(url)` is told of downloads, `blocked(why, is_page)` of requests."""

    def __init__(
        self,
        guard: Guard,
        refused: Callable[[QUrl], None],
        blocked: Callable[[str, bool], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)  # without a name it is off the record
        self._refused = refused
        self.setHttpCacheType(QWebEngineProfile.HttpCacheType.MemoryHttpCache)
        self.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
        self.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime)
        self.setPushServiceEnabled(False)
        self.setSpellCheckEnabled(False)
        settings = self.settings()
        for attribute in OFF:
            settings.setAttribute(attribute, False)
        for attribute in ON:
            settings.setAttribute(attribute, True)
        settings.setUnknownUrlSchemePolicy(QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes)
        # Kept here too: without a name in Python the engine would ask an empty shell, which lets everything through.
        self._interceptor = Interceptor(guard, blocked, self)
        self.setUrlRequestInterceptor(self._interceptor)
        self.cookieStore().setCookieFilter(_no_cookie)
        self.downloadRequested.connect(self._download)

    def _download(self, request: QWebEngineDownloadRequest) -> None:
        request.cancel()
        self._refused(request.url())


def _no_cookie(_request: QWebEngineCookieStore.FilterRequest) -> bool:
    """Asked before a cookie is set or sent, and before a page stores anything else; so often that nobody counts."""
    return False
