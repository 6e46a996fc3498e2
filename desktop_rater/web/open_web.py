"""The web as the rest of the program sees it: a URL goes in, a page comes out, and what came can be kept."""

from __future__ import annotations

import hashlib
import re
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from desktop_rater.model.limits import format_time
from desktop_rater.model.page import Page
from desktop_rater.web import warc
from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.web.answer import Answer
    from desktop_rater.web.guard import Guard
    from desktop_rater.web.limits import WebLimits
    from desktop_rater.web.read import Reader

_NAME = re.compile(r"([0-9a-f]{64})\.warc\.gz")
_LATER = frozenset({429, 503})


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A page and, where it shows something, the bytes to be kept: `page.snapshot` is their SHA-256.

    `content` is equal for two that showed the same by the same way. `wait` is after how many seconds the server wants
    to be asked again; 0 where it does not say.
    """

    page: Page
    warc: bytes = b""
    content: str = ""
    wait: float = 0


class Reopened(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page, read again; `content` as that of `Fetched`, and empty where nothing could be read."""

    page: Page
    content: str = ""


class Web:
    """A guard, a fetcher and a reader in one. Any number of threads may use it at a time.

    `clock` counts seconds and never goes back; `now` is aware. What the web does wrong is a state of the page and never
    an exception; only `Cancelled` is raised.
    """

    def __init__(
        self, guard: Guard, limits: WebLimits, clock: Callable[[], float], now: Callable[[], datetime]
    ) -> None:
        self.guard = guard
        self._limits = limits
        self._clock = clock
        self._now = now
        self._reader: Reader | None = None
        self._lock = Lock()

    def open(self, url: str, progress: Progress) -> Fetched:
        """Fetch a page and read it."""
        from desktop_rater.web.fetch import fetch  # noqa: PLC0415 - httpx comes with the first page, not at the start

        now = self._now()
        # It starts while the page is on its way.
        self._started().warm_up()
        try:
            answer = fetch(url, guard=self.guard, limits=self._limits, progress=progress, clock=self._clock, now=now)
        except WebError as error:
            return Fetched(page=_refused(url, error, format_time(now)))
        page = self._read(answer, progress)
        wait = _wait(answer, now)
        if not page.shows:
            return Fetched(page=page, wait=wait)
        packed = warc.write(answer)
        page = replace(page, snapshot=hashlib.sha256(packed).hexdigest())
        return Fetched(page=page, warc=packed, content=warc.content_of(answer), wait=wait)

    def reopen(self, path: Path, progress: Progress) -> Page:
        """Read a stored page. One that can't be read is a page of the state `broken`."""
        return self.reread(path, progress).page

    def reread(self, path: Path, progress: Progress) -> Reopened:
        """As `reopen`, with what tells whether two stored pages are the same."""
        progress(0, 0)
        try:
            sha256 = _unaltered(path)
            answer = warc.read(path)
        except WebError as error:
            return Reopened(page=replace(_refused("", error, ""), stored=True))
        page = replace(self._read(answer, progress), snapshot=sha256, stored=True)
        return Reopened(page=page, content=warc.content_of(answer))

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

    def _read(self, answer: Answer, progress: Progress) -> Page:
        return self._started().read(answer, progress=progress)

    def _started(self) -> Reader:
        from desktop_rater.web.read import Reader  # noqa: PLC0415 - see above

        with self._lock:
            if self._reader is None:
                self._reader = Reader(self._limits)
            return self._reader


def _refused(url: str, error: WebError, fetched: str) -> Page:
    return Page(
        url=url,
        final_url=error.url or url,
        state=error.state,
        why=str(error),
        fetched=fetched,
        redirects=tuple(hop.url for hop in error.hops),
    )


def _unaltered(path: Path) -> str:
    """The SHA-256 of a stored page. Raises `WebError` where its name says another one."""
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise warc.broken(f"{error.strerror or error}") from error
    name = _NAME.fullmatch(path.name)
    if name is not None and name[1] != sha256:
        raise warc.broken("It was altered since it was stored: it is not what its name says")
    return sha256


def _wait(answer: Answer, now: datetime) -> float:
    """Retry-After in seconds: a number, or a date."""
    said = answer.header("retry-after").strip()
    if answer.status not in _LATER or not said:
        return 0
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (TypeError, ValueError, OverflowError):  # no date, or one without a zone
        return 0
