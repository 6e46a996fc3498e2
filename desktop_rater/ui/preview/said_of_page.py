"""What is said of a page that is shown, and of one that is not, in words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.text.pages import page_of
from desktop_rater.ui import spelling
from desktop_rater.ui.preview.shown_url import host_of

if TYPE_CHECKING:
    from desktop_rater.model.page import Page, PageState

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

CONTEXT = "PageState"

# State → what is so, and why where the page itself does not say.
WHY_NOT: dict[PageState, tuple[str, str]] = {
    "ok": (
        QT_TRANSLATE_NOOP("PageState", "There is no text on this page"),
        QT_TRANSLATE_NOOP("PageState", "What it shows is made of pictures or by a program that does not run here."),
    ),
    "login": (
        QT_TRANSLATE_NOOP("PageState", "This page asks to sign in or to pay"),
        QT_TRANSLATE_NOOP("PageState", "{host} shows it to its own readers only."),
    ),
    "not_found": (
        QT_TRANSLATE_NOOP("PageState", "There is no such page"),
        QT_TRANSLATE_NOOP("PageState", "{host} is there and does not know this address."),
    ),
    "refused": (
        QT_TRANSLATE_NOOP("PageState", "This page is not shown to us"),
        QT_TRANSLATE_NOOP("PageState", "{host} refuses it, as some sites do to programs that read."),
    ),
    "failed": (
        QT_TRANSLATE_NOOP("PageState", "The site has trouble of its own"),
        QT_TRANSLATE_NOOP("PageState", "{host} could not make this page."),
    ),
    "blocked": (
        QT_TRANSLATE_NOOP("PageState", "This address is not opened here"),
        QT_TRANSLATE_NOOP("PageState", "It does not lead to a public page of the web."),
    ),
    "too_large": (
        QT_TRANSLATE_NOOP("PageState", "This page is too large to read here"),
        QT_TRANSLATE_NOOP("PageState", "Nothing of it is kept."),
    ),
    "other_type": (
        QT_TRANSLATE_NOOP("PageState", "This is not a text"),
        QT_TRANSLATE_NOOP("PageState", "Pages, plain text and PDF are read here."),
    ),
    "unreachable": (
        QT_TRANSLATE_NOOP("PageState", "{host} is not reached"),
        QT_TRANSLATE_NOOP("PageState", "There is no such host, or no network."),
    ),
    "timeout": (
        QT_TRANSLATE_NOOP("PageState", "{host} does not answer"),
        QT_TRANSLATE_NOOP("PageState", "Nothing came in time."),
    ),
    "broken": (
        QT_TRANSLATE_NOOP("PageState", "This page can't be read"),
        QT_TRANSLATE_NOOP("PageState", "What came is not what it says it is."),
    ),
}

AS_TEXT = {
    "application/pdf": QT_TRANSLATE_NOOP("PageState", "PDF as text"),
    "text/plain": QT_TRANSLATE_NOOP("PageState", "Plain text"),
    "text/markdown": QT_TRANSLATE_NOOP("PageState", "Markdown as it stands"),
    "text/csv": QT_TRANSLATE_NOOP("PageState", "A table as text"),
    "application/json": QT_TRANSLATE_NOOP("PageState", "Data as text"),
}


def speak(text: str) -> str:
    """A text of this table in the language of the window."""
    return QCoreApplication.translate(CONTEXT, text)


def why_not(page: Page) -> tuple[str, str]:
    """What is so of a page that is not shown, and why."""
    title, why = WHY_NOT[page.state]
    host = host_of(page.final_url or page.url)
    return speak(title).format(host=host), page.why or speak(why).format(host=host)


def day_and_time(when: str) -> str:
    """A time of the formats, as it was here."""
    try:
        here = datetime.fromisoformat(when).astimezone()
    except ValueError:
        return when
    return spelling.day_and_clock(here)


def said_of_shown(page: Page, *, offline: bool) -> tuple[str, ...]:
    """What a reader has to know of a page besides its text, the weightiest first."""
    said = []
    if page.stored:
        words = QT_TRANSLATE_NOOP("PageState", "Offline: stored copy of {time}")
        if not offline:
            words = QT_TRANSLATE_NOOP("PageState", "Stored copy of {time}")
        said.append(speak(words).format(time=day_and_time(page.fetched)))
    if page.state == "login":
        said.append(speak(QT_TRANSLATE_NOOP("PageState", "It asks to sign in or to pay: this may not be all of it")))
    elif page.why:
        said.append(page.why.rstrip("."))
    said.extend(_redirected(page))
    if page.media_type in AS_TEXT:
        said.append(speak(AS_TEXT[page.media_type]))
    elif page.images:
        words = QT_TRANSLATE_NOOP("PageState", "{n} pictures are not loaded")
        one = QT_TRANSLATE_NOOP("PageState", "1 picture is not loaded")
        said.append(speak(one) if page.images == 1 else speak(words).format(n=page.images))
    return tuple(said)


def _redirected(page: Page) -> tuple[str, ...]:
    if page_of(page.url) == page_of(page.final_url):
        return ()
    if page.url.startswith("https:") and page.final_url.startswith("http:"):
        words = QT_TRANSLATE_NOOP("PageState", "Redirected to {host}, and not encrypted there")
    elif host_of(page.url) == host_of(page.final_url):
        return (speak(QT_TRANSLATE_NOOP("PageState", "Redirected on the same site")),)
    else:
        words = QT_TRANSLATE_NOOP("PageState", "Redirected to {host}")
    return (speak(words).format(host=host_of(page.final_url)),)
