"""A page from an answer: states by its status, its type and its size; what it holds is read in a process of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from desktop_rater.model.page import Page
from desktop_rater.web.limits import LIMITS
from desktop_rater.web.media import kind_of, looks_like, media_type_of, name_of
from desktop_rater.web.reading import Ask, Reading
from desktop_rater.web.reading_process import ReadingEnded, ReadingProcess, child_command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.page import PageState
    from desktop_rater.model.progress import Progress
    from desktop_rater.web.answer import Answer
    from desktop_rater.web.limits import WebLimits

_SLICE = 0.05
_STATES: dict[int, tuple[PageState, str]] = {
    401: ("login", "The site asks for a name and a password."),
    402: ("login", "The site asks for payment."),
    404: ("not_found", "The site has no such page."),
    410: ("not_found", "The site has removed this page."),
    429: ("refused", "The site was asked too often. It may answer later."),
    451: ("refused", "The site may not show this page, for legal reasons."),
}
_TOLD = tuple(name for name in Reading.__struct_fields__ if name not in ("state", "why", "spent"))


class Reader:
    """Reads pages one at a time, from any thread, in one child that starts at first use and is kept."""

    def __init__(self, limits: WebLimits = LIMITS, command: Sequence[str] | None = None) -> None:
        self._limits = limits
        self._command = command or child_command(limits.child_bytes)
        self._turn = threading.Lock()
        self._process: ReadingProcess | None = None

    @property
    def child(self) -> int:
        """The process that reads; 0 where there is none."""
        process = self._process
        return process.pid if process is not None and process.is_alive else 0

    def warm_up(self) -> None:
        """Start the child, without waiting for it: while a page is on its way there is time for that."""
        if self._turn.acquire(blocking=False):
            try:
                self._started()
            finally:
                self._turn.release()

    def read(self, answer: Answer, *, progress: Progress) -> Page:
        """The page. What it holds never raises; `Cancelled` does."""
        state, why = _said_by(answer.status)
        media_type = media_type_of(answer.header("content-type"))
        kind, name = looks_like(answer.body, kind_of(media_type))
        if kind == "other":
            what = name or name_of(media_type)
            reading = Reading(state="other_type", why=f"This is {what}, which the reader can't show.")
        elif kind != "pdf" and len(answer.body) > self._limits.html_bytes:
            size = self._limits.html_bytes // (1024 * 1024)
            reading = Reading(state="too_large", why=f"The page has more than {size} MB of text.")
        elif not answer.body:
            reading = Reading(state="ok", why="The answer is empty.")
        else:
            reading = self._ask(self._question(answer, kind), progress)
        return _page(answer, media_type, reading, state, why)

    def close(self) -> None:
        """End the child, and with it the page that it is at. The next page starts another."""
        if self._process is not None:
            self._process.kill()
        with self._turn:
            if self._process is not None:
                self._process.kill()
            self._process = None

    def _question(self, answer: Answer, kind: str) -> Ask:
        return Ask(
            kind=kind,
            final_url=answer.final_url,
            content_type=answer.header("content-type"),
            body=answer.body,
            elements=self._limits.elements,
            depth=self._limits.depth,
            seconds=self._limits.parse_seconds,
        )

    def _ask(self, ask: Ask, progress: Progress) -> Reading:
        while not self._turn.acquire(timeout=_SLICE):
            progress(0, 0)
        try:
            return self._started().ask(ask, lambda: progress(0, 0))
        except ReadingEnded as ended:
            late = f"The page could not be read within {self._limits.parse_seconds:g} s."
            why = late if ended.late else "The page could not be read: reading it took too much memory, or failed."
            return Reading(state="broken", why=why)
        finally:
            self._turn.release()

    def _started(self) -> ReadingProcess:
        if self._process is None or not self._process.is_alive:
            self._process = ReadingProcess(self._command, self._limits.start_seconds)
        return self._process


def _said_by(status: int) -> tuple[PageState, str]:
    """The state that a status stands for, and a sentence."""
    if status in _STATES:
        return _STATES[status]
    if 400 <= status < 500:
        return "refused", f"The site refused this page, with status {status}."
    if status >= 500:
        return "failed", f"The site failed, with status {status}. It may answer later."
    return "ok", ""


def _page(answer: Answer, media_type: str, reading: Reading, state: PageState, why: str) -> Page:
    """What an error page holds is kept, but its status decides; a 403 that lets people sign in is a login."""
    if state == "ok" or (answer.status == 403 and reading.state == "login"):
        state, why = reading.state, reading.why
    return Page(
        url=answer.url,
        final_url=answer.final_url,
        state=state,
        status=answer.status,
        why=why,
        fetched=answer.fetched,
        redirects=tuple(hop.url for hop in answer.hops),
        media_type=media_type,
        **{name: getattr(reading, name) for name in _TOLD},
    )
