"""Access to the web for the rest of the program: fetch a URL as a page, with a snapshot to store."""

import hashlib
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.page import Page
from desktop_rater.format.values import format_time
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import Rendering, WebError, WebLimits, WebResponse, broken_snapshot

if TYPE_CHECKING:
    from desktop_rater.pages.page_reader import PageReader


_NAME = re.compile(r"([0-9a-f]{64})\.warc\.gz")
_BUSY = frozenset({429, 503})


class FetchedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page and, if it shows something, the bytes to store: `page.snapshot` is their SHA-256.

    `content` is equal for two that showed the same by the same redirects. `wait` is the server's Retry-After in
    seconds; 0 if none.
    """

    page: Page
    warc: bytes = b""
    content: str = ""
    wait: float = 0


class FetchedPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture: what to store, as of a page, and its bytes; none if `fetched.page` says why there is none."""

    fetched: FetchedPage
    data: bytes = b""


class ReopenedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page, read again; `content` is as in `FetchedPage`, and empty if nothing could be read."""

    page: Page
    content: str = ""


class Web:
    """A guard, a fetcher and a reader in one. Thread-safe.

    `clock` is monotonic, in seconds; `now` is aware. Failures of the web are states of the page, never exceptions; only
    `Cancelled` is raised.
    """

    def __init__(
        self, guard: Guard, limits: WebLimits, clock: Callable[[], float], now: Callable[[], datetime]
    ) -> None:
        self.guard = guard
        self._limits = limits
        self._clock = clock
        self._now = now
        self._reader: PageReader | None = None
        self._lock = Lock()

    def open(self, url: str, progress: Progress) -> FetchedPage:
        from desktop_rater.http.request import parse_retry_after  # noqa: PLC0415 - only when it is used
        from desktop_rater.pages.fetch import fetch_response  # noqa: PLC0415 - httpx comes with the first page, not at the start

        now = self._now()
        # The child starts while the page is being fetched.
        self._started_reader().warm_up()
        try:
            response = fetch_response(
                url, guard=self.guard, limits=self._limits, progress=progress, clock=self._clock, now=now
            )
        except WebError as error:
            return FetchedPage(page=_error_page(url, error, format_time(now)))
        page = self.read_page(response, progress)
        wait = 0.0
        if response.status in _BUSY:
            headers = {name.lower(): value for name, value in response.headers}
            wait = parse_retry_after(headers, now) or 0.0
        return self._packed(response, page, wait) if page.shows else FetchedPage(page=page, wait=wait)

    def _packed(self, response: WebResponse, page: Page, wait: float = 0) -> FetchedPage:
        """Return a page with what is stored of it."""
        from desktop_rater.pages import warc  # noqa: PLC0415 - a start reads no stored page

        packed = warc.write_snapshot(response)
        page = replace(page, snapshot=hashlib.sha256(packed).hexdigest())
        return FetchedPage(page=page, warc=packed, content=warc.snapshot_content_key(response), wait=wait)

    def read_response(self, response: WebResponse, progress: Progress) -> FetchedPage:
        """Read what another part of the program has in the form of a response, as a fetched page is read."""
        page = self.read_page(response, progress)
        return self._packed(response, page) if page.shows else FetchedPage(page=page)

    def read_rendering(self, rendering: Rendering, progress: Progress) -> FetchedPage:
        """Read a page that the live view rendered, as a fetched one is read."""
        body = rendering.html.encode("utf-8", "replace")
        response = WebResponse(
            url=rendering.url,
            final_url=rendering.url,
            status=200,
            headers=(("Content-Type", "text/html; charset=utf-8"),),
            raw=body,
            body=body,
            fetched=format_time(self._now()),
            rendered=True,
            picture=rendering.picture,
            cut=rendering.cut,
        )
        return self.read_response(response, progress)

    def read_picture(self, path: Path, progress: Progress) -> bytes:
        """Return the picture of a stored page that the live view rendered; empty if there is none."""
        from desktop_rater.pages import warc  # noqa: PLC0415 - see above

        progress(0, 0)
        try:
            _verified_sha256(path)
            return warc.read_snapshot_picture(path)
        except WebError:
            return b""

    def open_picture(self, url: str, progress: Progress) -> FetchedPicture:
        """Fetch a picture as it is stored and shown: PNG, JPEG or WebP. Its bytes are not decoded here."""
        from desktop_rater.pages.fetch import fetch_response  # noqa: PLC0415 - see above

        now = self._now()
        try:
            response = fetch_response(
                url,
                guard=self.guard,
                limits=self._limits,
                progress=progress,
                clock=self._clock,
                now=now,
                picture=True,
            )
        except WebError as error:
            return FetchedPicture(fetched=FetchedPage(page=_error_page(url, error, format_time(now))))
        page = Page(
            url=url,
            final_url=response.final_url,
            state="ok" if response.status < 400 and response.body else "other_type",
            status=response.status,
            fetched=response.fetched,
            media_type=response.header("content-type").partition(";")[0].strip().lower(),
        )
        if page.state != "ok":
            return FetchedPicture(
                fetched=FetchedPage(page=replace(page, why=f"No picture came (status {page.status})."))
            )
        return FetchedPicture(fetched=self._packed(response, page), data=response.body)

    def reopen(self, path: Path, progress: Progress) -> Page:
        """Read a stored page. If it can't be read, the page has the state `broken`."""
        return self.reread(path, progress).page

    def reread(self, path: Path, progress: Progress) -> ReopenedPage:
        """Read a stored page like `reopen`, with the key that tells whether two stored pages are the same."""
        from desktop_rater.pages import warc  # noqa: PLC0415 - see above

        progress(0, 0)
        try:
            sha256 = _verified_sha256(path)
            response = warc.read_snapshot(path)
        except WebError as error:
            return ReopenedPage(page=replace(_error_page("", error, ""), stored=True))
        page = replace(self.read_page(response, progress), snapshot=sha256, stored=True)
        return ReopenedPage(page=page, content=warc.snapshot_content_key(response))

    def close(self) -> None:
        """End the process that reads pages, if there is one."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def read_page(self, response: WebResponse, progress: Progress) -> Page:
        """Read a response as a page, without packing it as a snapshot."""
        return self._started_reader().read(response, progress=progress)

    def _started_reader(self) -> "PageReader":
        from desktop_rater.pages.page_reader import PageReader  # noqa: PLC0415 - see above

        with self._lock:
            if self._reader is None:
                self._reader = PageReader(self._limits)
            return self._reader


def _error_page(url: str, error: WebError, fetched: str) -> Page:
    return Page(
        url=url,
        final_url=error.url or url,
        state=error.state,
        why=str(error),
        fetched=fetched,
        redirects=tuple(hop.url for hop in error.hops),
    )


def _verified_sha256(path: Path) -> str:
    """Return the SHA-256 of a stored page. Raises `WebError` if its name contains another one."""
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise broken_snapshot(f"{error.strerror or error}") from error
    name = _NAME.fullmatch(path.name)
    if name is not None and name[1] != sha256:
        raise broken_snapshot("It was changed after it was stored: its checksum does not match its name")
    return sha256
