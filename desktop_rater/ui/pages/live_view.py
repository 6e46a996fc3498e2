"""Live view: a page rendered by a browser engine, which is loaded with the first page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import delete

from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.address_bar import display_host
from desktop_rater.ui.pages.live_bar import LiveBar
from desktop_rater.ui.pages.live_engine import LiveEngine, engine_with, loaded_engine
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.pages.live_texts import LiveRefusals
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.labels import WrappedLabel
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.web.errors import WebError
from desktop_rater.web.guard import Guard
from desktop_rater.web.proxy import PROXY_STATUSES, host_and_port
from desktop_rater.web.response import Rendering

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineLoadingInfo
    from PySide6.QtWebEngineWidgets import QWebEngineView

    from desktop_rater.ui.pages.live_page import LivePage


APPLICATION_WORLD = 1  # of scripts; the page's own scripts run in world 0


class LiveView(QWidget):
    """Live view. `token` is a secret shared by engine and proxy; `machine` decides whether the engine may be loaded."""

    page_shown = Signal(str)  # the requested URL: its page is visible
    title_changed = Signal(str)
    address_changed = Signal(str)
    moved = Signal()  # the history has changed

    def __init__(
        self, guard: Guard, token: str, *, machine: LiveViewSupport | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("live_view")
        self._guard = guard
        self._token = token
        self._machine = machine
        self._engine: LiveEngine | None = None
        self._requested_url = ""  # requested URL that is not loading yet
        self._loading_url = ""  # URL that is loading
        self._missing = ""  # library that the engine needs and the system lacks
        self._proxy_errors: dict[str, str] = {}  # host:port → reason given by the proxy
        self.page: LivePage | None = None
        self.view: QWebEngineView | None = None
        self.refusals = LiveRefusals()
        self._lay_out()

    def _lay_out(self) -> None:
        column = tight_column(self, spacing=0)
        self.bar = LiveBar()
        self.bar.script_wanted.connect(self._run_script)
        self.bar.stop_wanted.connect(self.stop)
        column.addWidget(self.bar)
        self.banners = Banners()
        self.banners.setObjectName("live_banners")
        column.addWidget(self.banners)
        self._stack = QStackedWidget()
        column.addWidget(self._stack, 1)
        placeholder = QWidget()
        theme.set_ground(placeholder, "surface")
        inner = QVBoxLayout(placeholder)
        theme.pad(inner, 24, 24, 24, 24)
        self.not_here = WrappedLabel(name="live_not_here")
        inner.addWidget(self.not_here)
        inner.addStretch(1)
        self._stack.addWidget(placeholder)

    # -- navigation

    @property
    def why_not(self) -> str:
        """Return why there is no live view on this machine; "" if there is one."""
        # Checked each time, but the result does not change once the engine is loaded.
        engine = loaded_engine()
        if engine is not None and engine.proxy.is_gone:
            return self.tr(
                "The live view has lost its connection to the network. Start the program again to use the live view."
            )
        if self._missing:
            return self.tr("The browser engine can't be loaded: {why}.").format(why=self._missing)
        return live_view_obstacle(self._machine or LiveViewSupport())

    @property
    def url(self) -> str:
        """Return the URL shown, or before that the one requested."""
        current = self.page.url().toString() if self.page is not None else ""
        return current or self._requested_url or self._loading_url

    @property
    def title(self) -> str:
        return self.page.title() if self.page is not None else ""

    @property
    def selected_text(self) -> str:
        return self.page.selectedText() if self.page is not None else ""

    def open(self, url: str) -> None:
        """Show a page, with JavaScript off until the rater switches it on."""
        why = self.why_not
        self.bar.setHidden(bool(why))
        if why:
            template = self.tr("The live view is not available here. {why} The reader shows the text of the page.")
            self.not_here.setText(template.format(why=why))
            self._requested_url = url
            return
        refused = address_refusal(self._guard, url)
        self._drop_banners()
        if refused:
            self._show_info(refused)
            return
        try:
            page = self.page or self._make_page()
        except ImportError as error:  # a library of the system is missing
            self._missing = str(error)
            self.open(url)
            return
        page.run_script(False)
        self._requested_url = url
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

    def mark(self, text: str) -> None:
        """Highlight a text in the page; "" clears the highlights."""
        if self.page is not None:
            self.page.findText(text)

    def forget(self) -> None:
        """Delete the page and everything it left in memory."""
        self._requested_url = self._loading_url = ""
        self._proxy_errors.clear()
        self._drop_banners()
        self.refusals = LiveRefusals()
        self.bar.show_refused(self.refusals)
        if self.page is None or self.view is None:
            return
        page, view = self.page, self.view
        self.page = self.view = None
        self._stack.removeWidget(view)
        # Immediately and in this order: the engine must not lose a profile before its page.
        delete(view)
        delete(page)

    def capture(self, done: Callable[[Rendering | None], None]) -> None:
        """Pass on the page as it is shown now; `None` if there is none, or if it has gone on meanwhile."""
        # Only here: it is not needed to show pages.
        from desktop_rater.ui.pages.live_rendering import SCRIPT, png_of, rendering_of  # noqa: PLC0415

        page, view = self.page, self.view
        if page is None or view is None:
            done(None)
            return
        url, title = page.url(), page.title()

        def read(result: object) -> None:
            if self.page is page and page.url() == url:
                picture = png_of(view.grab().toImage())
                done(rendering_of(result, bytes(url.toEncoded().data()).decode(), title, picture))
            else:
                done(None)

        page.runJavaScript(SCRIPT, APPLICATION_WORLD, read)

    # -- the engine

    def _make_page(self) -> LivePage:
        engine = self._engine or self._load_engine()
        # The engine is loaded only here: it costs a second and a hundred megabytes.
        from desktop_rater.ui.pages.live_page import LivePage, create_view  # noqa: PLC0415

        page = self.page = LivePage(engine, self)
        page.navigation_started.connect(self._drop_banners)
        page.refused.connect(self._refused)
        page.blocked.connect(self._show_info)
        certificate = self.tr("{host} has no valid certificate and is not shown: {why}")
        file = self.tr("{host} offers a file, which this viewer does not download. The reader shows PDFs.")
        sign_in = self.tr("{host} requires signing in, which this viewer does not support. Use the system's browser.")
        page.bad_certificate.connect(partial(self._report, certificate))
        page.download_refused.connect(partial(self._report, file))
        page.sign_in_wanted.connect(partial(self._report, sign_in))
        page.script_changed.connect(lambda: self.bar.show_script(page.runs_script))
        page.loadingChanged.connect(self._loading)
        page.titleChanged.connect(self.title_changed)
        page.urlChanged.connect(self._moved)
        page.renderProcessTerminated.connect(self._crashed)
        self.view = create_view(page, self)
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
        self._engine.proxy_gone.connect(self._cut_off)
        return self._engine

    def _cut_off(self) -> None:
        """Close the page, and say why there is none."""
        url = self.url
        self.forget()
        self.open(url)

    def _act(self, name: str) -> None:
        if self.page is not None:
            self.page.triggerAction(self.page.WebAction[name])

    def _run_script(self, on: bool) -> None:
        if self.page is not None:
            self.page.run_script(on)
            self.reload()

    # -- loading

    def _loading(self, info: QWebEngineLoadingInfo) -> None:
        status, statuses = info.status(), type(info).LoadStatus
        host = display_host(info.url().toString())
        self.bar.show_loading(host if status == statuses.LoadStartedStatus else "")
        http = info.errorDomain() == type(info).ErrorDomain.HttpStatusCodeDomain
        code = info.errorCode() if http else 0
        if status == statuses.LoadStartedStatus:
            # Events of the page before do not belong to the requested one.
            here = page_key(info.url().toString()) == page_key(self._requested_url)
            self._loading_url, self._requested_url = (self._requested_url, "") if here else ("", self._requested_url)
        elif status == statuses.LoadSucceededStatus or (code and code not in PROXY_STATUSES):
            self._show(host, code)
        elif status == statuses.LoadFailedStatus and self.banners.text("page") is None:
            reason = self._proxy_errors.get(host_and_port(info.url().toString()), "")
            self._show_info(reason or self.tr("{host} does not respond.").format(host=host))
        self.moved.emit()

    def _show(self, host: str, code: int) -> None:
        """Show the page, or an error page, once a site has answered."""
        url, self._loading_url = self._loading_url, ""
        if code >= 400 and self.banners.text("page") is None:
            self._show_info(self.tr("{host} answered with {code}.").format(host=host, code=code))
        self.page_shown.emit(url or self.url)

    def _moved(self, url: QUrl) -> None:
        self.address_changed.emit(url.toString())
        self.moved.emit()

    def _crashed(self) -> None:
        text = self.tr("The page has crashed. Your answers are not affected.")
        self.banners.show_banner("crash", "warn", text, [(self.tr("Reload"), self.reload)])

    def _refused(self, kind: str) -> None:
        self.refusals.add(kind)
        self.bar.show_refused(self.refusals)

    def _turned_down(self, place: str, why: str, blocked: bool) -> None:
        self._proxy_errors[place] = why
        if self.page is None or not blocked:
            return
        self._refused("request")
        if place == host_and_port(self._requested_url or self._loading_url or self.url):
            self._show_info(why)

    def _report(self, template: str, url: QUrl, why: str = "") -> None:
        self._show_info(template.format(host=display_host(url.toString()), why=why))

    def _show_info(self, text: str) -> None:
        self.banners.show_banner("page", "info", text)

    def _drop_banners(self) -> None:
        for key in ("page", "crash"):
            self.banners.drop(key)


def address_refusal(guard: Guard, url: str) -> str:
    """Return why the guard refuses a URL; "" if it is allowed."""
    try:
        guard.check_url(url)
    except WebError as error:
        return str(error)
    return ""
