"""Live view: a page rendered by a browser engine, which is loaded with the first page."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QTimer, QUrl, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import delete

from desktop_rater.pages.guard import Guard
from desktop_rater.pages.page_reader import status_state
from desktop_rater.pages.proxy import PROXY_STATUSES, host_and_port
from desktop_rater.pages.response import Rendering, WebError
from desktop_rater.text.urls import page_key
from desktop_rater.translation import N_
from desktop_rater.ui.pages.browser import ShownPage, display_host, page_outcome
from desktop_rater.ui.pages.live_engine import LiveEngine, engine_with, loaded_engine
from desktop_rater.ui.pages.live_rendering import SCRIPT, has_content, png_of, rendering_of
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import fill, tight_column, tight_row
from desktop_rater.ui.widgets.theme_tokens import PANE

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineLoadingInfo
    from PySide6.QtWebEngineWidgets import QWebEngineView

    from desktop_rater.ui.pages.live_page import LivePage

HEIGHT = 30
CONTEXT = "LiveWords"

# Kinds of attempts, and their names in a list: "request 3".
REFUSAL_KINDS: Mapping[str, str] = {
    "request": N_("LiveWords", "request"),
    "navigation": N_("LiveWords", "navigation"),
    "window": N_("LiveWords", "new window"),
    "download": N_("LiveWords", "download"),
    "permission": N_("LiveWords", "camera, location, notifications and the like"),
    "certificate": N_("LiveWords", "bad certificate"),
    "sign_in": N_("LiveWords", "sign-in"),
    "dialog": N_("LiveWords", "dialog"),
    "file": N_("LiveWords", "file"),
    "handler": N_("LiveWords", "protocol handler"),
    "full_screen": N_("LiveWords", "full screen"),
    "screen": N_("LiveWords", "recording the screen"),
    "security_key": N_("LiveWords", "security key"),
    "print": N_("LiveWords", "printing"),
}


class LiveRefusals:
    """Counter of what a page was refused."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        self.counts[kind] += 1

    @property
    def summary(self) -> str:
        """Return a one-line summary; "" if nothing was refused."""
        count = self.counts.total()
        if not count:
            return ""
        if count == 1:
            return QCoreApplication.translate("LiveWords", "1 thing refused")
        return QCoreApplication.translate("LiveWords", "{count} things refused").format(count=formatting.number(count))

    @property
    def details(self) -> str:
        """Return one line per kind, the most frequent first."""
        return "\n".join(
            f"{QCoreApplication.translate(CONTEXT, REFUSAL_KINDS[kind])}: {formatting.number(count)}"
            for kind, count in self.counts.most_common()
        )


class LiveBar(QWidget):
    """Bar as high as the reader's banners.

    The count of refusals and the button to stop loading share one place, because a narrow page has no space for both.
    """

    script_wanted = Signal(bool)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("live_bar")
        theme.set_ground(self, "panel")
        self._script_on = False
        self._state = ElidedLabel(name="live_script_state", size="small", ink="text2")
        self._state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = tight_row(self, self._state, spacing=theme.px(8))
        theme.pad(row, PANE, 0, PANE, 0)
        self.script = LinkButton(
            "", "Shift R", name="live_script", clicked=lambda: self.script_wanted.emit(not self._script_on)
        )
        fill(row, self.script, 1)
        self.refused = PlainLabel(name="live_refused", size="small", ink="text2")
        row.addWidget(self.refused)
        self.stop = LinkButton(self.tr("Stop loading"), name="live_stop", clicked=self.stop_wanted)
        self.stop.hide()
        row.addWidget(self.stop)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))
        self.show_script(False)

    def show_script(self, on: bool) -> None:
        """Show whether JavaScript is on, and offer to change it."""
        self._script_on = on
        self._state.setText(self.tr("JavaScript is on for this site") if on else self.tr("JavaScript is off"))
        self.script.set_label(self.tr("Switch off") if on else self.tr("Switch on"))
        self.script.setAccessibleName(self.tr("Switch JavaScript off") if on else self.tr("Switch JavaScript on"))

    def show_refused(self, refusals: LiveRefusals) -> None:
        self.refused.setText(refusals.summary)
        set_tooltip(self.refused, refusals.details)

    def show_loading(self, host: str) -> None:
        """Show that a page of that host is loading; "" if none is."""
        self.stop.setVisible(bool(host))
        self.refused.setHidden(bool(host))
        self.stop.setAccessibleName(visible(self.tr("Stop loading {host}").format(host=host) if host else ""))


APPLICATION_WORLD = 1  # of scripts; the page's own scripts run in world 0
BLANK_CHECK_MS = 500  # until a page without content is looked at again: its scripts may still be at work


class LiveView(QWidget):
    """Live view. `token` is a secret shared by engine and proxy; `machine` decides whether the engine may be loaded."""

    page_shown = Signal(str)  # the requested URL: the site's answer is visible
    reader_wanted = Signal(str, str)  # URL of a page that can't be shown, and the reason
    used = Signal()  # the rater scrolls or selects
    title_changed = Signal(str)
    address_changed = Signal(str)
    moved = Signal()  # the history or the page shown has changed

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
        self._refused_url = ""  # requested URL that was not shown
        self._is_loading = False
        self.shown: ShownPage | None = None
        self._shown_before: ShownPage | None = None  # until the next page has arrived
        self._requested_urls: dict[str | None, str] = {}  # page → URL that was requested and led there
        self._look_again = QTimer(self, singleShot=True, interval=BLANK_CHECK_MS)
        self._look_again.timeout.connect(self._look)
        self._missing = ""  # library that the engine needs and the system lacks
        self._proxy_errors: dict[str, str] = {}  # host:port → reason given by the proxy
        self.page: LivePage | None = None
        self.view: QWebEngineView | None = None
        self.refusals = LiveRefusals()
        self._lay_out()

    def _lay_out(self) -> None:
        self.bar = LiveBar()
        self.bar.script_wanted.connect(self.run_script)
        self.bar.stop_wanted.connect(self.stop)
        self.banners = Banners()
        self.banners.setObjectName("live_banners")
        self._stack = QStackedWidget()
        tight_column(self, self.bar, self.banners, (self._stack, 1), spacing=0)
        placeholder = QWidget()
        theme.set_ground(placeholder, "surface")
        inner = QVBoxLayout(placeholder)
        theme.pad(inner, 24, 24, 24, 24)
        self.not_here = WrappedLabel(name="live_not_here")
        fill(inner, self.not_here, 1)
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
    def is_loading(self) -> bool:
        return self.page is not None and bool(self._is_loading or self._requested_url)

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
            self._refuse(url, refused)
            return
        try:
            page = self.page or self._make_page()
        except ImportError as error:  # a library of the system is missing
            self._missing = str(error)
            self.open(url)
            return
        page.run_script(False)
        self._requested_url, self._loading_url = url, ""
        self._set_shown(None)
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
        self._is_loading, self._shown_before = False, None
        self._requested_urls.clear()
        self._set_shown(None)
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
        page, view = self.page, self.view
        if page is None or view is None:
            done(None)
            return
        url, title = page.url(), page.title()

        def read(result: object) -> None:
            if self.page is page and page.url() == url:
                picture = png_of(view.grab().toImage())
                done(rendering_of(result, _address(url), title, picture))
            else:
                done(None)

        page.runJavaScript(SCRIPT, APPLICATION_WORLD, read)

    # -- the engine

    def _make_page(self) -> "LivePage":
        engine = self._engine or self._load_engine()
        # The engine is loaded only here: it costs a second and a hundred megabytes.
        from desktop_rater.ui.pages.live_page import LivePage, create_view  # noqa: PLC0415

        page = self.page = LivePage(engine, self)
        page.navigation_started.connect(self._drop_banners)
        page.refused.connect(self._refused)
        page.blocked.connect(self._show_info)
        certificate = self.tr("{host} has no valid certificate and is not shown: {why}")
        sign_in = self.tr("{host} requires signing in, which this viewer does not support. Use the system's browser.")
        page.bad_certificate.connect(partial(self._report, certificate))
        page.download_refused.connect(self._refuse_file)
        page.sign_in_wanted.connect(partial(self._report, sign_in))
        page.script_changed.connect(lambda: self.bar.show_script(page.runs_script))
        page.loadingChanged.connect(self._loading)
        page.titleChanged.connect(self.title_changed)
        page.urlChanged.connect(self._moved)
        page.renderProcessTerminated.connect(self._crashed)
        page.scrollPositionChanged.connect(self._use)
        page.selectionChanged.connect(self._use)
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

    def run_script(self, on: bool) -> None:
        """Reload the page with JavaScript on or off."""
        if self.page is not None:
            self.page.run_script(on)
            self.reload()

    # -- loading

    def _loading(self, info: "QWebEngineLoadingInfo") -> None:
        status, statuses = info.status(), type(info).LoadStatus
        host = display_host(info.url().toString())
        self._is_loading = status == statuses.LoadStartedStatus
        self.bar.show_loading(host if self._is_loading else "")
        http = info.errorDomain() == type(info).ErrorDomain.HttpStatusCodeDomain
        code = info.errorCode() if http else 0
        # Events of the page before do not belong to the requested one.
        if page_key(_address(info.url())) == page_key(self._requested_url):
            self._loading_url, self._requested_url = self._requested_url, ""
        elif self._is_loading:
            self._loading_url = ""
        if self._is_loading:
            self._refused_url = ""
            self._shown_before = self.shown or self._shown_before
            self._set_shown(None)
        elif status == statuses.LoadSucceededStatus or (code >= 400 and code not in PROXY_STATUSES):
            self._show(host, code)
        elif not self._requested_url:
            self._show_failure(_address(info.url()), failed=status == statuses.LoadFailedStatus)
        self.moved.emit()

    def _show(self, host: str, code: int) -> None:
        """Show the page, or an error page, once a site has answered."""
        page = self.page
        if page is None:
            return
        final = _address(page.url())
        url = self._loading_url or self._requested_urls.get(page_key(final), final)
        self._requested_urls[page_key(final)] = url
        self._loading_url, self._shown_before = "", None
        state, _why = status_state(code)
        shown = ShownPage(
            url, final, page.title(), page_outcome(state, shows=code < 400), shows=code < 400, answered=True, live=True
        )
        if code < 400:
            self._look(shown)
            return
        if self.banners.text("page") is None:
            self._show_info(self.tr("{host} answered with {code}.").format(host=host, code=code))
        self._set_shown(shown)

    def _look(self, shown: ShownPage | None = None) -> None:
        """Find out whether there is anything on the page: it may be blank for want of JavaScript."""
        page, expected = self.page, shown or self.shown
        if page is None or expected is None:
            return

        def looked(result: object) -> None:
            here = page_key(_address(page.url())) == page_key(expected.final_url)
            if self.page is not page or self.is_loading or not here:
                return
            if has_content(result):
                self.banners.drop("blank")
                self._set_shown(replace(expected, title=page.title(), outcome="nothing", shows=True, answered=True))
                return
            self._set_shown(replace(expected, outcome="not_shown", shows=False, answered=False))
            if not expected.answered and self.banners.text("blank") is None:  # for a second time
                text = self.tr("There is nothing to see on this page yet, so the link does not count as opened.")
                self.banners.show_banner("blank", "info", text)
            self._look_again.start()

        page.runJavaScript(SCRIPT, APPLICATION_WORLD, looked)

    def _show_failure(self, url: str, *, failed: bool) -> None:
        """Leave a requested page to the reader; keep the page from which the rater followed a link."""
        requested, self._loading_url = self._loading_url, ""
        reason = self.banners.text("page") or self._proxy_errors.get(host_and_port(url), "")
        if failed and not reason:
            reason = self.tr("{host} does not respond.").format(host=display_host(url))
        if requested:
            self._refuse(requested, reason)
            return
        if reason and self.banners.text("page") is None:
            self._show_info(reason)
        before, page = self._shown_before, self.page
        if before is not None and page is not None and page_key(_address(page.url())) == page_key(before.final_url):
            self._set_shown(before)

    def _refuse(self, url: str, reason: str) -> None:
        """Leave a requested page to the reader."""
        self._requested_url = self._loading_url = ""
        self._refused_url = url
        if reason:
            self._show_info(reason)
        self._set_shown(None)
        self.reader_wanted.emit(url, reason)

    def _refuse_file(self, url: QUrl) -> None:
        template = self.tr("{host} offers a file, which this viewer does not download. The reader shows PDFs.")
        reason = template.format(host=display_host(url.toString()))
        requested = self._loading_url or self._requested_url or self._refused_url
        if requested:
            self._refuse(requested, reason)
            return
        ways = [(self.tr("Show in the reader"), partial(self.reader_wanted.emit, _address(url), ""))]
        self.banners.show_banner("page", "info", reason, ways)

    def _set_shown(self, page: ShownPage | None) -> None:
        self._look_again.stop()
        if page != self.shown:
            self.shown = page
            self.moved.emit()
            if page is not None and page.answered:
                self.page_shown.emit(page.url)

    def _moved(self, url: QUrl) -> None:
        shown, address = self.shown, _address(url)
        if shown is not None and page_key(address) != page_key(shown.final_url):  # by a script of the page
            self._set_shown(replace(shown, url=address, final_url=address))
        self.address_changed.emit(url.toString())
        self.moved.emit()

    def _use(self) -> None:
        focus = QApplication.focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)):  # a script can scroll, too
            self.used.emit()

    def _crashed(self) -> None:
        self._set_shown(None)
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
        for key in ("page", "crash", "blank"):
            self.banners.drop(key)


def address_refusal(guard: Guard, url: str) -> str:
    """Return why the guard refuses a URL; "" if it is allowed."""
    try:
        guard.check_url(url)
    except WebError as error:
        return str(error)
    return ""


def _address(url: QUrl) -> str:
    return bytes(url.toEncoded().data()).decode()
