"""Web engine page without permission to open, store, request or capture anything. Its attempts are counted."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, QUrl, Signal, SignalInstance
from PySide6.QtNetwork import QAuthenticator
from PySide6.QtWebEngineCore import (
    QWebEngineCertificateError,
    QWebEngineClientCertificateSelection,
    QWebEngineCookieStore,
    QWebEngineDesktopMediaRequest,
    QWebEngineDownloadRequest,
    QWebEngineFileSystemAccessRequest,
    QWebEngineFullScreenRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineRegisterProtocolHandlerRequest,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineWebAuthUxRequest,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebError
from desktop_rater.ui.pages.live_engine import LiveEngine

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


SCRIPT_ATTRIBUTE = QWebEngineSettings.WebAttribute.JavascriptEnabled
ConsoleLevel = QWebEnginePage.JavaScriptConsoleMessageLevel
Action = QWebEnginePage.WebAction
MENU = (Action.Back, Action.Forward, Action.Reload, Action.Copy, Action.SelectAll)
# The engine's question when a page wants to prevent leaving, in its own words.
LEAVE_QUESTION = "Are you sure you want to leave this page? Changes that you made may not be saved."


class LivePage(QWebEnginePage):
    """Page owned by its view. Its profile is destroyed after it, never before."""

    navigation_started = Signal()  # loading of an allowed page begins
    refused = Signal(str)  # a key of `live_words.KINDS`
    blocked = Signal(str)  # why the page itself was refused
    bad_certificate = Signal(QUrl, str)  # URL and reason
    download_refused = Signal(QUrl)
    sign_in_wanted = Signal(QUrl)
    script_changed = Signal()

    def __init__(self, engine: LiveEngine, parent: QObject) -> None:
        self.guard = engine.proxy.guard
        self._profile = LiveProfile(self.guard, self._download, self._blocked, engine)
        super().__init__(self._profile, parent)
        self.destroyed.connect(self._profile.deleteLater)
        self._engine = engine
        self.setAudioMuted(True)
        self.proxyAuthenticationRequired.connect(self._sign_in_at_proxy)
        self.authenticationRequired.connect(self._sign_in)
        self.certificateError.connect(self._refuse_certificate)
        # Kind of request → its signal, and the method of the request that refuses it.
        refusals: Mapping[str, tuple[SignalInstance, Callable[[Any], None]]] = {
            "permission": (self.permissionRequested, QWebEnginePermission.deny),
            "sign_in": (self.selectClientCertificate, QWebEngineClientCertificateSelection.selectNone),
            "full_screen": (self.fullScreenRequested, QWebEngineFullScreenRequest.reject),
            "file": (self.fileSystemAccessRequested, QWebEngineFileSystemAccessRequest.reject),
            "handler": (self.registerProtocolHandlerRequested, QWebEngineRegisterProtocolHandlerRequest.reject),
            "screen": (self.desktopMediaRequested, QWebEngineDesktopMediaRequest.cancel),
            "security_key": (self.webAuthUxRequested, QWebEngineWebAuthUxRequest.cancel),
        }
        for kind, (requested, refuse) in refusals.items():
            requested.connect(partial(self._refuse_request, kind, refuse))
        self.printRequested.connect(lambda: self._refuse("print"))
        self.newWindowRequested.connect(self._open_window)

    # -- JavaScript

    @property
    def runs_script(self) -> bool:
        return self.settings().testAttribute(SCRIPT_ATTRIBUTE)

    def run_script(self, on: bool) -> None:
        """Switch JavaScript on or off for pages of the current site."""
        if on != self.runs_script:
            self.settings().setAttribute(SCRIPT_ATTRIBUTE, on)
            self.script_changed.emit()

    # -- called by the engine

    def acceptNavigationRequest(self, url: QUrl | str, _kind: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        url = QUrl(url)
        if not isMainFrame and url.scheme() == "about":
            return True  # an empty frame, or one with inline content
        why = refusal_reason(self.guard, url)
        if why:
            self._refuse("navigation")
            if isMainFrame:
                self.blocked.emit(why)
            return False
        if isMainFrame and self.url().host() and url.host() != self.url().host():
            self.run_script(False)
        if isMainFrame:
            self.navigation_started.emit()
        return True

    def chooseFiles(
        self, _mode: QWebEnginePage.FileSelectionMode, _before: Sequence[str], _types: Sequence[str]
    ) -> list[str]:
        self._refuse("file")
        return []

    def javaScriptAlert(self, _origin: QUrl | str, _message: str) -> None:
        self._refuse("dialog")

    def javaScriptConfirm(self, _origin: QUrl | str, message: str) -> bool:
        self._refuse("dialog")
        return message == QCoreApplication.translate("QWebEnginePage", LEAVE_QUESTION)

    def javaScriptPrompt(self, _origin: QUrl | str, _message: str, _default: str) -> tuple[bool, str]:
        self._refuse("dialog")
        return False, ""

    def javaScriptConsoleMessage(self, _level: ConsoleLevel, _message: str, _line: int, _source: str) -> None:
        """Ignore console messages, which the engine would print."""

    # -- refused

    def _refuse(self, kind: str) -> None:
        self.refused.emit(kind)

    def _download(self, url: QUrl) -> None:
        self._refuse("download")
        self.download_refused.emit(url)

    def _blocked(self, why: str, is_page: bool) -> None:
        self._refuse("request")
        if is_page:
            self.blocked.emit(why)

    def _sign_in_at_proxy(self, _url: QUrl, answer: QAuthenticator, host: str) -> None:
        user, token = self._engine.login
        if host == self._engine.proxy.host:
            answer.setUser(user)
            answer.setPassword(token)

    def _sign_in(self, url: QUrl, _answer: QAuthenticator) -> None:
        """Refuse HTTP authentication.

        PySide6 cannot withhold an answer, and the engine tries an empty one 32 times: stop the page before that.
        """
        self._refuse("sign_in")
        if url == self.requestedUrl():
            self.sign_in_wanted.emit(url)
            QTimer.singleShot(0, self, lambda: self.triggerAction(Action.Stop))

    def _refuse_request(self, kind: str, refuse: Callable[[Any], None], request: object) -> None:
        refuse(request)
        self._refuse(kind)

    def _refuse_certificate(self, error: QWebEngineCertificateError) -> None:
        error.rejectCertificate()
        self._refuse("certificate")
        if error.isMainFrame():
            self.bad_certificate.emit(error.url(), error.description())

    def _open_window(self, request: QWebEngineNewWindowRequest) -> None:
        """Open a link the rater follows in this page; refuse windows the page opens by itself."""
        if not request.isUserInitiated():
            self._refuse("window")
            return
        url = request.requestedUrl()
        QTimer.singleShot(0, self, lambda: self.load(url))


def create_view(page: LivePage, parent: QWidget) -> QWebEngineView:
    """Create a view of a page; its menu cannot save, open or inspect."""
    view = QWebEngineView(page, parent)
    view.setAcceptDrops(False)
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    for action in MENU:
        view.addAction(page.action(action))
    return view
