"""The live view: a page as its makers made it, in a browser engine that is loaded when the first page is opened.

It keeps nothing; whoever leaves a task lets it forget what it has in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import delete

from desktop_rater.text.pages import page_of
from desktop_rater.ui import theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.preview.live_available import Machine, why_not
from desktop_rater.ui.preview.live_bar import LiveBar
from desktop_rater.ui.preview.live_engine import LiveEngine, engine_with
from desktop_rater.ui.preview.live_words import Refusals
from desktop_rater.ui.preview.shown_url import host_of
from desktop_rater.web.proxy import OWN, place_of
from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineLoadingInfo
    from PySide6.QtWebEngineWidgets import QWebEngineView

    from desktop_rater.ui.preview.live_page import LivePage
    from desktop_rater.web.guard import Guard


class LiveView(QWidget):
    """`token` is a secret between the engine and its proxy; `machine` says whether the engine may be loaded at all."""

    shown = Signal(str)  # the address that was asked for: its page stands before the rater
    title_changed = Signal(str)
    address_changed = Signal(str)
    moved = Signal()  # where back and forward lead has changed

    def __init__(
        self, guard: Guard, token: str, *, machine: Machine | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("live_view")
        self._guard = guard
        self._token = token
        self._machine = machine
        self._engine: LiveEngine | None = None
        self._wanted = ""  # asked for, and not yet on its way
        self._asked = ""  # on its way
        self._told: dict[str, str] = {}  # host:port → what the proxy said of it
        self.page: LivePage | None = None
        self.view: QWebEngineView | None = None
        self.refusals = Refusals()
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.bar = LiveBar()
        self.bar.script_wanted.connect(self._run_script)
        self.bar.stop_wanted.connect(self.stop)
        column.addWidget(self.bar)
        self.banners = Banners()
        self.banners.setObjectName("live_banners")
        column.addWidget(self.banners)
        self._stack = QStackedWidget()
        column.addWidget(self._stack, 1)
        nothing = QWidget()
        theme.ground(nothing, "surface")
        words = QVBoxLayout(nothing)
        theme.pad(words, 24, 24, 24, 24)
        self.not_here = WrappedLabel(name="live_not_here")
        words.addWidget(self.not_here)
        words.addStretch(1)
        self._stack.addWidget(nothing)

    # -- going somewhere

    @property
    def why_not(self) -> str:
        """Why there is no live view on this machine; "" where there is one."""
        # The engine switches nothing off by itself: what was true before it was loaded stays true.
        return why_not(self._machine or Machine())

    @property
    def url(self) -> str:
        """The address of what is shown; before that, of what was asked for."""
        shown = self.page.url().toString() if self.page is not None else ""
        return shown or self._wanted or self._asked

    @property
    def title(self) -> str:
        return self.page.title() if self.page is not None else ""

    @property
    def selected_text(self) -> str:
        """What the rater has selected in the page."""
        return self.page.selectedText() if self.page is not None else ""

    def open(self, url: str) -> None:
        """Show a page, without JavaScript until the rater switches it on."""
        why = self.why_not
        self.bar.setHidden(bool(why))
        if why:
            words = self.tr("The live view is not available here. {why} The reader shows the text of the page.")
            self.not_here.setText(words.format(why=why))
            self._wanted = url
            return
        refused = address_refused(self._guard, url)
        self._drop_banners()
        if refused:
            self._say("page", refused)
            return
        page = self.page or self._make_page()
        page.run_script(False)
        self._wanted = url
        page.load(QUrl(url))

    def reload(self) -> None:
        self._act("Reload")

    def back(self) -> None:
        self._act("Back")

    def forward(self) -> None:
        self._act("Forward")

    def stop(self) -> None:
        self._act("Stop")

    @property
    def can_go_back(self) -> bool:
        return self.page is not None and self.page.history().canGoBack()

    @property
    def can_go_forward(self) -> bool:
        return self.page is not None and self.page.history().canGoForward()

    def mark(self, words: str) -> None:
        """Mark words in the page; none take the marks away."""
        if self.page is not None:
            self.page.findText(words)

    def forget(self) -> None:
        """The page goes, and with it all that it left in memory."""
        self._wanted = self._asked = ""
        self._told.clear()
        self._drop_banners()
        self.refusals = Refusals()
        self.bar.show_refused(self.refusals)
        if self.page is None or self.view is None:
            return
        page, view = self.page, self.view
        self.page = self.view = None
        self._stack.removeWidget(view)
        # At once and in this order: the engine takes it ill when a profile goes before its page.
        delete(view)
        delete(page)

    # -- the engine

    def _make_page(self) -> LivePage:
        engine = self._engine or self._load_engine()
        # The engine is loaded here and nowhere else: it costs a second and a hundred megabytes.
        from desktop_rater.ui.preview.live_page import LivePage, view_of  # noqa: PLC0415

        page = self.page = LivePage(engine, self)
        page.set_out.connect(self._drop_banners)
        page.refused.connect(self._refused)
        page.blocked.connect(self._blocked)
        page.bad_certificate.connect(self._bad_certificate)
        page.download_refused.connect(self._download_refused)
        page.sign_in_wanted.connect(self._sign_in_wanted)
        page.script_changed.connect(lambda: self.bar.show_script(page.runs_script))
        page.loadingChanged.connect(self._loading)
        page.titleChanged.connect(self.title_changed)
        page.urlChanged.connect(self._moved)
        page.renderProcessTerminated.connect(self._crashed)
        self.view = view_of(page, self)
        self.view.setAccessibleName(self.tr("Live page"))
        self._stack.addWidget(self.view)
        self._stack.setCurrentWidget(self.view)
        self.setFocusProxy(self.view)
        self.bar.show_script(page.runs_script)
        return page

    def _load_engine(self) -> LiveEngine:
        self._engine = engine_with(self._guard, self._token)
        self._engine.turned_down.connect(self._turned_down)
        self._engine.ending.connect(self.forget)
        return self._engine

    def _act(self, name: str) -> None:
        if self.page is not None:
            self.page.triggerAction(self.page.WebAction[name])

    def _run_script(self, on: bool) -> None:
        if self.page is not None:
            self.page.run_script(on)
            self.reload()

    # -- what becomes of a page

    def _loading(self, info: QWebEngineLoadingInfo) -> None:
        status, known = info.status(), type(info).LoadStatus
        host = host_of(info.url().toString())
        self.bar.show_loading(host if status == known.LoadStartedStatus else "")
        http = info.errorDomain() == type(info).ErrorDomain.HttpStatusCodeDomain
        code = info.errorCode() if http else 0
        if status == known.LoadStartedStatus:
            # What still comes of the page before is not what is asked for now.
            here = page_of(info.url().toString()) == page_of(self._wanted)
            self._asked, self._wanted = (self._wanted, "") if here else ("", self._wanted)
        elif status == known.LoadSucceededStatus or (code and code not in OWN):
            self._show(host, code)
        elif status == known.LoadFailedStatus and self.banners.text("page") is None:
            told = self._told.get(place_of(info.url().toString()), "")
            self._say("page", told or self.tr("{host} is not shown: the site does not answer.").format(host=host))
        self.moved.emit()

    def _show(self, host: str, code: int) -> None:
        """A site has answered, if only by saying that there is no such page."""
        asked, self._asked = self._asked, ""
        if code >= 400 and self.banners.text("page") is None:
            self._say("page", self.tr("{host} answered with {code}.").format(host=host, code=code))
        self.shown.emit(asked or self.url)

    def _moved(self, url: QUrl) -> None:
        self.address_changed.emit(url.toString())
        self.moved.emit()

    def _crashed(self) -> None:
        words = self.tr("The page stopped: its process ended. What you answered is not touched.")
        self.banners.show_banner("crash", "warn", words, [(self.tr("Reload"), self.reload)])

    def _refused(self, kind: str) -> None:
        self.refusals.add(kind)
        self.bar.show_refused(self.refusals)

    def _turned_down(self, place: str, why: str, blocked: bool) -> None:
        self._told[place] = why
        if self.page is None or not blocked:
            return
        self._refused("request")
        if place == place_of(self._wanted or self._asked or self.url):
            self._blocked(why)

    def _blocked(self, why: str) -> None:
        self._say("page", why)

    def _bad_certificate(self, url: QUrl, why: str) -> None:
        words = self.tr("{host} can't prove that it is itself, so it is not shown: {why}")
        self._say("page", words.format(host=host_of(url.toString()), why=why))

    def _download_refused(self, url: QUrl) -> None:
        words = self.tr("{host} sends a file, and nothing is downloaded here. The reader shows PDFs.")
        self._say("page", words.format(host=host_of(url.toString())))

    def _sign_in_wanted(self, url: QUrl) -> None:
        words = self.tr("{host} wants a sign-in, and nobody signs in here. The browser of the system can.")
        self._say("page", words.format(host=host_of(url.toString())))

    def _say(self, key: str, words: str) -> None:
        self.banners.show_banner(key, "info", words)

    def _drop_banners(self) -> None:
        for key in ("page", "crash"):
            self.banners.drop(key)


def address_refused(guard: Guard, url: str) -> str:
    """Why the guard refuses an address as it is written; "" where it may be tried."""
    try:
        guard.check_url(url)
    except WebError as error:
        return str(error)
    return ""
