"""State of a page: its texts, a line above the page, the error in its place, and the dimming layer."""

import time
from datetime import datetime

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from desktop_rater.format.page import Page, PageState
from desktop_rater.format.rating import LibraryName
from desktop_rater.operations.pages.stored_pages import StoredCopy
from desktop_rater.store.pages import OriginKind
from desktop_rater.text.urls import host_of, page_key
from desktop_rater.translation import N_
from desktop_rater.ui.pages.browser import PageBrowser, display_host
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.formatting import library_text
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, isolated, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, ScrollColumn, fill, tight_column
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme import fixed_font
from desktop_rater.ui.window.focus import WindowDialog

CONTEXT = "PageState"

# State → title, and the reason where the page itself gives none.
PAGE_ERRORS: dict[PageState, tuple[str, str]] = {
    "ok": (
        N_("PageState", "There is no text on this page"),
        N_("PageState", "Its content consists of images, or is created by scripts, which do not run here."),
    ),
    "login": (
        N_("PageState", "This page requires signing in or paying"),
        N_("PageState", "{host} shows it to registered readers only."),
    ),
    "not_found": (
        N_("PageState", "There is no such page"),
        N_("PageState", "{host} has no page at this address."),
    ),
    "refused": (
        N_("PageState", "Access to this page was refused"),
        N_("PageState", "{host} refuses automated access, as some sites do."),
    ),
    "failed": (
        N_("PageState", "The site has a server error"),
        N_("PageState", "{host} could not deliver this page."),
    ),
    "blocked": (
        N_("PageState", "This address is not opened here"),
        N_("PageState", "It is not a public page on the web."),
    ),
    "too_large": (
        N_("PageState", "This page is too large to read here"),
        N_("PageState", "Nothing of it is kept."),
    ),
    "other_type": (
        N_("PageState", "This is not a text"),
        N_("PageState", "The reader supports web pages, plain text and PDF."),
    ),
    "unreachable": (
        N_("PageState", "{host} cannot be reached"),
        N_("PageState", "The host does not exist, or there is no network connection."),
    ),
    "timeout": (
        N_("PageState", "{host} does not answer"),
        N_("PageState", "There was no response in time."),
    ),
    "broken": (
        N_("PageState", "This page can't be read"),
        N_("PageState", "The content does not match its declared type."),
    ),
}

TEXT_KINDS = {
    "application/pdf": N_("PageState", "PDF as text"),
    "text/plain": N_("PageState", "Plain text"),
    "text/markdown": N_("PageState", "Markdown source"),
    "text/csv": N_("PageState", "A table as text"),
    "application/json": N_("PageState", "Data as text"),
}


def page_state_text(text: str) -> str:
    """Translate a text of this table."""
    return QCoreApplication.translate(CONTEXT, text)


def page_error_texts(page: Page) -> tuple[str, str]:
    """Return title and reason for a page that is not shown."""
    title, why = PAGE_ERRORS[page.state]
    host = display_host(page.final_url or page.url)
    return page_state_text(title).format(host=host), page.why or page_state_text(why).format(host=host)


def local_day_and_time(when: str) -> str:
    """Return a stored time in local notation."""
    try:
        local = datetime.fromisoformat(when).astimezone()
    except ValueError:
        return when
    return formatting.day_and_clock(local)


# Origin of a stored page → text. A date that a stranger's file states is left out where it can't be true.
_ORIGINS: dict[OriginKind, str] = {
    "fetched": N_("PageState", "Fetched here on {time}"),
    "rendered": N_("PageState", "Rendered here by the live view on {time}"),
    "library": N_("PageState", "From {library}, offline library"),
    "bundle": N_("PageState", "Came with the bundle {bundle}"),
    "results": N_("PageState", "From the results of {rater}, as the rater states"),
    "unknown": N_("PageState", "Stored before origins were recorded"),
}


def origin_notes(copy: StoredCopy) -> tuple[str, ...]:
    """Return where a stored page came from, the date that it states, and the address if it is another one."""
    origin = copy.origin
    template = page_state_text(_ORIGINS[origin.kind])
    time, bundle, rater = local_day_and_time(origin.arrived), isolated(origin.bundle), isolated(origin.rater)
    library = library_text(LibraryName(name=origin.library, date=origin.library_date))
    notes = [template.format(time=time, bundle=bundle, rater=rater, library=library)]
    if not origin.is_own:
        dated = N_("PageState", "Dated {time}") if copy.fetched else ""
        undated = N_("PageState", "Without a date that can be true")
        notes.append(page_state_text(dated or undated).format(time=local_day_and_time(copy.fetched)))
    if copy.elsewhere:
        elsewhere = N_("PageState", "The file is of another address, on {host}")
        notes.append(page_state_text(elsewhere).format(host=display_host(copy.elsewhere)))
    return tuple(notes)


def source_note(page: Page, copy: StoredCopy | None) -> str:
    """Return where the text of a page comes from, if that is not its site and its origin does not say it."""
    kind = "rendered" if page.rendered else "library" if page.library is not None else ""
    if not kind or (copy is not None and copy.origin.kind == kind):
        return ""
    if page.library is not None:
        return page_state_text(_ORIGINS["library"]).format(library=library_text(page.library))
    return page_state_text(N_("PageState", "As a live view rendered it: its text may come from scripts"))


def unreadable_text(text: str, *, of_quote: bool = False) -> str:
    """Return how many characters of a page, or of a quote from it, could not be decoded; "" if all could."""
    count = text.count("\ufffd")
    if of_quote:
        singular = N_("PageState", "1 character of this quote could not be read")
        template = N_("PageState", "{n} characters of this quote could not be read")
    else:
        singular = N_("PageState", "1 character of the page could not be read")
        template = N_("PageState", "{n} characters of the page could not be read")
    return page_state_text(singular if count == 1 else template).format(n=formatting.number(count)) if count else ""


# What the main text leaves out → one, several.
_LEFT_OUT: dict[str, tuple[str, str]] = {
    "paragraphs": (N_("PageState", "1 paragraph"), N_("PageState", "{n} paragraphs")),
    "list_items": (N_("PageState", "1 list item"), N_("PageState", "{n} list items")),
    "tables": (N_("PageState", "1 table"), N_("PageState", "{n} tables")),
    "captions": (N_("PageState", "1 caption"), N_("PageState", "{n} captions")),
}
_PICTURES = (
    N_("PageState", "1 picture is not loaded"),
    N_("PageState", "{n} pictures are not loaded"),
)
_STRUCK = (
    N_("PageState", "1 struck-out part is not quoted"),
    N_("PageState", "{n} struck-out parts are not quoted"),
)


def _counted(texts: tuple[str, str], count: int) -> str:
    return page_state_text(texts[count != 1]).format(n=formatting.number(count))


def left_out_text(page: Page) -> str:
    """Return what the main text leaves out, by kind; an empty text if it is nothing."""
    parts = [_counted(texts, page.left_out[kind]) for kind, texts in _LEFT_OUT.items() if kind in page.left_out]
    template = page_state_text(N_("PageState", "Left out: {parts}"))
    return template.format(parts=", ".join(parts)) if parts else ""


def page_notes(page: Page, copy: StoredCopy | None, *, offline: bool, whole: bool = False) -> tuple[str, ...]:
    """Return the notes on a visible page, the most important first; `whole`: all of it is shown."""
    notes = []
    if offline:
        notes.append(page_state_text(N_("PageState", "Offline")))
    if unreadable := unreadable_text(page.whole_text):
        notes.append(unreadable)
    if copy is not None:
        notes.extend(origin_notes(copy))
    if source := source_note(page, copy):
        notes.append(source)
    if page.state == "login":
        notes.append(page_state_text(N_("PageState", "Requires signing in or paying: the text may be incomplete")))
    elif page.why:
        notes.append(page.why.rstrip("."))
    notes.extend(_redirected(page))
    if page.media_type in TEXT_KINDS:
        notes.append(page_state_text(TEXT_KINDS[page.media_type]))
    elif page.images:
        notes.append(_counted(_PICTURES, page.images))
    if not whole and (left_out := left_out_text(page)):
        notes.append(left_out)
    if struck := page.left_out.get("struck"):
        notes.append(_counted(_STRUCK, struck))
    return tuple(notes)


def _redirected(page: Page) -> tuple[str, ...]:
    if page_key(page.url) == page_key(page.final_url):
        return ()
    if page.url.startswith("https:") and page.final_url.startswith("http:"):
        template = N_("PageState", "Redirected to {host}, unencrypted")
    elif display_host(page.url) == display_host(page.final_url):
        return (page_state_text(N_("PageState", "Redirected on the same site")),)
    else:
        template = N_("PageState", "Redirected to {host}")
    return (page_state_text(template).format(host=display_host(page.final_url)),)


HEIGHT = 30
PROGRESS_DELAY_MS = 300  # faster loads show no progress
DIMMING_ALPHA = 0.45


class PageStateLine(NamedGroup):
    """Line with what the rater has to know of the page, or with the progress of loading."""

    picture_wanted = Signal()
    live_wanted = Signal()
    whole_wanted = Signal()

    def __init__(self, browsing: PageBrowser, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="page_state")
        self._browsing = browsing
        self._may_show_sha = self._offers_live = False
        self._began = 0.0
        self._row = QHBoxLayout(self)
        self._icon = Icon("offline", ink="text")
        self.text_label = WrappedLabel(name="page_state_words", size="small")
        self._sha = PlainLabel(name="page_sha", ink="text2")
        self._way = LinkButton("", name="page_state_way", clicked=self._go)
        self._picture = LinkButton(self.tr("Picture"), name="page_picture", clicked=self.picture_wanted)
        self._whole = LinkButton(self.tr("Whole page"), name="page_whole", clicked=self.whole_wanted)
        for part in (self._icon, self.text_label, self._sha, self._picture, self._whole, self._way):
            self._row.addWidget(part, int(part is self.text_label))
        self._tick = QTimer(self, interval=1_000)
        self._tick.timeout.connect(self._update_waiting)
        self._delay = DelayedCall(self, PROGRESS_DELAY_MS, self._show_waiting)
        theme.follow(self, self._measure)
        self.hide()

    @property
    def is_waiting(self) -> bool:
        return self._tick.isActive()

    def begin(self) -> None:
        """Start to load: the line appears only if it takes a while."""
        self._began = time.monotonic()
        self._delay.start()

    def end(self) -> None:
        self._delay.stop()
        self._tick.stop()

    def show_page(self, page: Page, copy: StoredCopy | None, *, offline: bool, live: bool, whole: bool) -> None:
        """Show the notes on a page; `live`: where it has hardly any text, the live view may show more."""
        self.end()
        notes = page_notes(page, copy, offline=offline, whole=whole)
        self.text_label.setText(". ".join(notes))
        self._icon.setVisible(offline or page.state == "login")
        self._icon.show_icon("offline" if offline else "triangle-exclamation", "text" if offline else "warn")
        sha = page.snapshot or ""
        self._may_show_sha = offline and bool(sha)
        self._sha.setText(self.tr("sha256 {start}…{end}").format(start=sha[:4], end=sha[-4:]))
        set_tooltip(self._sha, sha)
        self._offers_live = live and bool(page.why) and not page.stored and not page.rendered
        self._way.set_label(self.tr("Show the live page") if self._offers_live else self.tr("Fetch again"))
        has_site = not host_of(page.url).endswith(".invalid")  # not a document of a library that has none
        self._way.setVisible(self._offers_live or (page.stored and has_site and not offline))
        self._picture.setVisible(page.rendered and page.stored)
        self._whole.setVisible(not whole and bool(left_out_text(page)))
        self.setAccessibleName(self.text_label.text())
        self.setVisible(bool(notes))
        self._fit()

    def _show_waiting(self) -> None:
        self._tick.start()
        self._icon.hide()
        self._picture.hide()
        self._whole.hide()
        self._may_show_sha = False
        self._fit()
        self._way.set_label(self.tr("Cancel"))
        self._way.show()
        self.show()
        self._update_waiting()

    def _update_waiting(self) -> None:
        seconds = int(time.monotonic() - self._began)
        text = self.tr("Fetching {host}, {n} s").format(host=display_host(self._browsing.loading_url), n=seconds)
        self.text_label.setText(text)
        self.setAccessibleName(visible(text))

    def _go(self) -> None:
        if self._browsing.is_loading:
            self._browsing.cancel()
        elif self._offers_live:
            self.live_wanted.emit()
        else:
            self._browsing.reload()

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(16), theme.px(4), theme.px(8), theme.px(4))
        self._row.setSpacing(theme.px(8))
        self.setMinimumHeight(theme.px(HEIGHT))
        font = fixed_font()
        font.setPixelSize(theme.px(12))
        self._sha.setFont(font)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the SHA-256 only if the notes fit beside it."""
        notes = self.text_label.fontMetrics().horizontalAdvance(self.text_label.text())
        needed = self._icon.width() + notes + self._sha.sizeHint().width() + theme.px(40)
        self._sha.setVisible(self._may_show_sha and needed <= self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color(self, "info_back"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color(self, "line"))
        painter.end()


# Without an answer, or with an error of the server, the live view has nothing else to show.
LIVE_SHOWS_NO_MORE: frozenset[PageState] = frozenset({"blocked", "unreachable", "timeout", "not_found", "failed"})


class PageErrorView(ScrollColumn):
    """Error in place of a page: title, reason and actions."""

    outside_wanted = Signal()
    live_wanted = Signal()

    def __init__(self, browsing: PageBrowser, parent: QWidget | None = None) -> None:
        super().__init__("no_page", parent, focus=Qt.FocusPolicy.ClickFocus)
        self._browsing = browsing
        body = QWidget()
        theme.set_ground(body, "surface")
        self.title = WrappedLabel(name="no_page_title", size="title", bold=True)
        self.why = WrappedLabel(name="no_page_why")
        self.note = WrappedLabel(name="no_page_note", size="small", ink="text2")
        ways = QWidget()
        flow = FlowLayout(ways, spacing=8)
        ways.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._again = KeyButton(self.tr("Try again"), "Ctrl R", name="try_again", clicked=browsing.reload)
        self._copy = KeyButton("", name="show_copy", clicked=browsing.show_copy)
        self._count = KeyButton(self.tr("Count as opened"), name="count_as_opened", clicked=self._count_as_opened)
        self._outside = KeyButton(self.tr("Open in the browser…"), name="open_outside", clicked=self.outside_wanted)
        self._live = KeyButton(self.tr("Show the live page"), "R", name="show_live", clicked=self.live_wanted)
        self._buttons = (self._live, self._copy, self._again, self._outside, self._count)
        for button in self._buttons:
            flow.addWidget(button)
        column = tight_column(body, self.title, self.why, self.note, spacing=8)
        theme.pad(column, 28, 24, 28, 24)
        column.addSpacing(8)
        fill(column, ways, 1)
        self.setWidget(body)

    def show_page(self, page: Page, *, counted: bool, by_hand: bool, live: bool) -> None:
        """Show why there is no page. `counted`: it was opened before; `live`: the live view may show it."""
        title, why = page_error_texts(page)
        self.title.setText(title)
        self.why.setText(why)
        copy = self._browsing.stored_copy
        self._copy.setVisible(copy is not None)
        if copy is not None:
            when = copy.fetched or copy.origin.arrived
            self._copy.set_label(self.tr("Show the copy of {time}").format(time=local_day_and_time(when)))
        self._live.setVisible(live and page.state not in LIVE_SHOWS_NO_MORE)
        self._outside.setVisible(page.state != "blocked")
        self._again.setVisible(page.state != "blocked")
        self.show_counted(counted=counted or not page.is_unseen, by_hand=by_hand, answered=not page.is_unseen)
        self.setAccessibleName(visible(f"{title}. {why}"))
        self.verticalScrollBar().setValue(0)

    def show_counted(self, *, counted: bool, by_hand: bool = False, answered: bool = False) -> None:
        self._count.setVisible(not counted)
        yes = self.tr("The link counts as opened: its page was shown before.")
        if answered:
            yes = self.tr("The link counts as opened: this is what the site answers.")
        elif by_hand:
            yes = self.tr("You count the link as opened. The results say that it was not.")
        no = self.tr("The link does not count as opened: you have not seen what is there.")
        self.note.setText(yes if counted else no)

    def _count_as_opened(self) -> None:
        self._browsing.count_as_opened()
        self.show_counted(counted=True, by_hand=True)

    def focus_action(self) -> None:
        first = next((button for button in self._buttons if not button.isHidden()), None)
        (first if first is not None else self).setFocus()


class DimmingLayer(QWidget):
    """Layer that dims the previous page while another one is loading."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        ground = QColor(theme.color(self, "surface"))
        ground.setAlphaF(DIMMING_ALPHA)
        painter = QPainter(self)
        painter.fillRect(self.rect(), ground)
        painter.end()


class PagePictureDialog(WindowDialog):
    """The part of the page that could be seen when it was stored."""

    def __init__(self, window: QWidget, title: str) -> None:
        super().__init__(window, "page_picture_dialog", self.tr("Picture of the page: {title}").format(title=title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text = WrappedLabel(
            self.tr("What could be seen on the screen when the page was stored."), name="page_picture_text", ink="text2"
        )
        self._area = QScrollArea()
        self._area.setWidgetResizable(False)
        tight_column(self, self._text, (self._area, 1), spacing=8, margins=(12, 12, 12, 12))

    def show_png(self, data: bytes) -> None:
        """Open with a picture of unknown origin, or say that there is none that can be shown."""
        from desktop_rater.ui.rating.guidelines import read_picture  # noqa: PLC0415 - rarely needed

        image = read_picture(data)
        picture = PlainLabel(name="page_picture_shown")
        picture.setPixmap(QPixmap.fromImage(image))
        picture.setAccessibleName(visible(self.windowTitle()))
        self._area.setWidget(picture)
        self._area.setVisible(not image.isNull())
        if image.isNull():
            self._text.setText(self.tr("No picture is stored with this page, or none that can be shown."))
        self.open_with(920, 640 if not image.isNull() else None)
