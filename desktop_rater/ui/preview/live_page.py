"""A page of the browser engine that can open, keep, ask and take nothing. What it tries is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, QTimer, QUrl, Signal
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEnginePermission, QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView

from desktop_rater.ui.preview.live_guard import why_refused
from desktop_rater.ui.preview.live_profile import LiveProfile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtNetwork import QAuthenticator
    from PySide6.QtWebEngineCore import (
        QWebEngineCertificateError,
        QWebEngineClientCertificateSelection,
        QWebEngineDesktopMediaRequest,
        QWebEngineFileSystemAccessRequest,
        QWebEngineFullScreenRequest,
        QWebEngineNewWindowRequest,
        QWebEngineRegisterProtocolHandlerRequest,
        QWebEngineWebAuthUxRequest,
    )
    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.preview.live_engine import LiveEngine

Script = QWebEngineSettings.WebAttribute.JavascriptEnabled
Level = QWebEnginePage.JavaScriptConsoleMessageLevel
Action = QWebEnginePage.WebAction
MENU = (Action.Back, Action.Forward, Action.Reload, Action.Copy, Action.SelectAll)
# What the engine says when a page wants to hold the rater back, in its own words.
LEAVE = "Are you sure you want to leave this page? Changes that you made may not be saved."


class LivePage(QWebEnginePage):
    """A child of whoever shows it. Its profile is destroyed after it, never before."""

    set_out = Signal()  # for a page that may be tried
    refused = Signal(str)  # a kind of `live_words`
    blocked = Signal(str)  # why nobody goes where the page itself was to lead
    bad_certificate = Signal(QUrl, str)  # where, and why
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
        self.permissionRequested.connect(self._permission)
        self.certificateError.connect(self._certificate)
        self.selectClientCertificate.connect(self._client_certificate)
        self.fullScreenRequested.connect(self._full_screen)
        self.fileSystemAccessRequested.connect(self._file_system)
        self.registerProtocolHandlerRequested.connect(self._handler)
        self.desktopMediaRequested.connect(self._screen)
        self.webAuthUxRequested.connect(self._security_key)
        self.printRequested.connect(lambda: self._refuse("print"))
        self.newWindowRequested.connect(self._window)

    # -- JavaScript

    @property
    def runs_script(self) -> bool:
        return self.settings().testAttribute(Script)

    def run_script(self, on: bool) -> None:
        """Let pages of the site at hand run JavaScript, or no longer."""
        if on != self.runs_script:
            self.settings().setAttribute(Script, on)
            self.script_changed.emit()

    # -- asked by the engine

    def acceptNavigationRequest(self, url: QUrl | str, _kind: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        url = QUrl(url)
        if not isMainFrame and url.scheme() == "about":
            return True  # an empty frame, or one with its text in the page
        why = why_refused(self.guard, url)
        if why:
            self._refuse("navigation")
            if isMainFrame:
                self.blocked.emit(why)
            return False
        if isMainFrame and self.url().host() and url.host() != self.url().host():
            self.run_script(False)
        if isMainFrame:
            self.set_out.emit()
        return True

    def chooseFiles(
        self, _mode: QWebEnginePage.FileSelectionMode, _before: Sequence[str], _types: Sequence[str]
    ) -> list[str]:
        self._refuse("file")
        return []

    def javaScriptAlert(self, _origin: QUrl | str, _words: str) -> None:
        self._refuse("dialog")

    def javaScriptConfirm(self, _origin: QUrl | str, words: str) -> bool:
        self._refuse("dialog")
        return words == QCoreApplication.translate("QWebEnginePage", LEAVE)

    def javaScriptPrompt(self, _origin: QUrl | str, _words: str, _default: str) -> tuple[bool, str]:
        self._refuse("dialog")
        return False, ""

    def javaScriptConsoleMessage(self, _level: Level, _words: str, _line: int, _source: str) -> None:
        """What a page tells its makers is for nobody here; the engine would print it."""

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
        """Nobody signs in here.

        An answer can't be withheld in Python, and the engine tries an empty one 32 times: a page is stopped before.
        """
        self._refuse("sign_in")
        if url == self.requestedUrl():
            self.sign_in_wanted.emit(url)
            QTimer.singleShot(0, self, lambda: self.triggerAction(Action.Stop))

    def _permission(self, permission: QWebEnginePermission) -> None:
        permission.deny()
        self._refuse("permission")

    def _certificate(self, error: QWebEngineCertificateError) -> None:
        error.rejectCertificate()
        self._refuse("certificate")
        if error.isMainFrame():
            self.bad_certificate.emit(error.url(), error.description())

    def _client_certificate(self, selection: QWebEngineClientCertificateSelection) -> None:
        selection.selectNone()
        self._refuse("sign_in")

    def _full_screen(self, request: QWebEngineFullScreenRequest) -> None:
        request.reject()
        self._refuse("full_screen")

    def _window(self, request: QWebEngineNewWindowRequest) -> None:
        """A link that the rater follows opens in this page; what a page opens by itself does not open."""
        if not request.isUserInitiated():
            self._refuse("window")
            return
        url = request.requestedUrl()
        QTimer.singleShot(0, self, lambda: self.load(url))

    def _file_system(self, request: QWebEngineFileSystemAccessRequest) -> None:
        request.reject()
        self._refuse("file")

    def _handler(self, request: QWebEngineRegisterProtocolHandlerRequest) -> None:
        request.reject()
        self._refuse("handler")

    def _screen(self, request: QWebEngineDesktopMediaRequest) -> None:
        request.cancel()
        self._refuse("screen")

    def _security_key(self, request: QWebEngineWebAuthUxRequest) -> None:
        request.cancel()
        self._refuse("security_key")


def view_of(page: LivePage, parent: QWidget) -> QWebEngineView:
    """A place to look at a page; its menu has nothing that saves, opens or inspects."""
    view = QWebEngineView(page, parent)
    view.setAcceptDrops(False)
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    for action in MENU:
        view.addAction(page.action(action))
    return view
