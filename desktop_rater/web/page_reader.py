"""Page from a response: states by its status, type and size; its content is read in a child process."""

import threading
from collections.abc import Sequence

from desktop_rater.model.change import Progress
from desktop_rater.model.page import Page, PageState
from desktop_rater.web.decoding import media_kind, media_type_name, parse_media_type, sniff_kind
from desktop_rater.web.limits import WEB_LIMITS, WebLimits
from desktop_rater.web.reader_process import PageContent, ReaderEnded, ReaderProcess, ReadRequest, child_command
from desktop_rater.web.response import WebResponse

_SLICE = 0.05
_STATES: dict[int, tuple[PageState, str]] = {
    401: ("login", "The site requires a user name and a password."),
    402: ("login", "The site asks for payment."),
    404: ("not_found", "The page does not exist on this site."),
    410: ("not_found", "The site has removed this page."),
    429: ("refused", "The site received too many requests. Try again later."),
    451: ("refused", "The site may not show this page, for legal reasons."),
}
_COPIED_FIELDS = tuple(name for name in PageContent.__struct_fields__ if name not in ("state", "why", "spent"))


class PageReader:
    """Reads pages one at a time, from any thread, in one child process that starts at first use and is reused."""

    def __init__(self, limits: WebLimits = WEB_LIMITS, command: Sequence[str] | None = None) -> None:
        self._limits = limits
        self._command = command or child_command(limits.child_bytes)
        self._turn_lock = threading.Lock()
        self._process: ReaderProcess | None = None

    @property
    def child(self) -> int:
        """Return the id of the child process; 0 if there is none."""
        process = self._process
        return process.pid if process is not None and process.is_alive else 0

    def warm_up(self) -> None:
        """Start the child without waiting for it, while a page is being fetched."""
        if self._turn_lock.acquire(blocking=False):
            try:
                self._started()
            finally:
                self._turn_lock.release()

    def read(self, response: WebResponse, *, progress: Progress) -> Page:
        """Return the page. Its content never raises; `Cancelled` does."""
        state, why = status_state(response.status)
        media_type = parse_media_type(response.header("content-type"))
        kind, name = sniff_kind(response.body, media_kind(media_type))
        if kind == "other":
            kind_name = name or media_type_name(media_type)
            reading = PageContent(state="other_type", why=f"This is {kind_name}, which the reader can't show.")
        elif kind != "pdf" and len(response.body) > self._limits.html_bytes:
            size = self._limits.html_bytes // (1024 * 1024)
            reading = PageContent(state="too_large", why=f"The page has more than {size} MB of text.")
        elif not response.body:
            reading = PageContent(state="ok", why="The response is empty.")
        else:
            reading = self._ask(
                ReadRequest(
                    kind=kind,
                    final_url=response.final_url,
                    content_type=response.header("content-type"),
                    body=response.body,
                    elements=self._limits.elements,
                    depth=self._limits.depth,
                    seconds=self._limits.parse_seconds,
                ),
                progress,
            )
        return _page(response, media_type, reading, state, why)

    def close(self) -> None:
        """End the child, and the page that it is reading. The next page starts another."""
        if self._process is not None:
            self._process.kill()
        with self._turn_lock:
            if self._process is not None:
                self._process.kill()
            self._process = None

    def _ask(self, ask: ReadRequest, progress: Progress) -> PageContent:
        while not self._turn_lock.acquire(timeout=_SLICE):
            progress(0, 0)
        try:
            return self._started().ask(ask, lambda: progress(0, 0))
        except ReaderEnded as ended:
            late = f"The page could not be read within {self._limits.parse_seconds:g} s."
            why = late if ended.late else "The page could not be read: reading it took too much memory, or failed."
            return PageContent(state="broken", why=why)
        finally:
            self._turn_lock.release()

    def _started(self) -> ReaderProcess:
        if self._process is None or not self._process.is_alive:
            if self._process is not None:
                self._process.kill()  # closes the pipes of one that died
            self._process = ReaderProcess(self._command, self._limits.start_seconds)
        return self._process


def status_state(status: int) -> tuple[PageState, str]:
    """Return the state for a status, and a sentence."""
    if status in _STATES:
        return _STATES[status]
    if 400 <= status < 500:
        return "refused", f"The site refused this page, with status {status}."
    if status >= 500:
        return "failed", f"The site failed, with status {status}. It may answer later."
    return "ok", ""


def _page(response: WebResponse, media_type: str, reading: PageContent, state: PageState, why: str) -> Page:
    """Build the page. An error page keeps its content, but its status decides; a 403 with a login form is a login."""
    if state == "ok" or (response.status == 403 and reading.state == "login"):
        state, why = reading.state, reading.why
    if response.cut:
        why = why or "The page is longer than what was stored."
    return Page(
        url=response.url,
        final_url=response.final_url,
        state=state,
        status=response.status,
        why=why,
        fetched=response.fetched,
        redirects=tuple(hop.url for hop in response.hops),
        media_type=media_type,
        rendered=response.rendered,
        **{name: getattr(reading, name) for name in _COPIED_FIELDS},
    )
