"""Page from a response: its state by status, type and size, and its content, read in a child process."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.page import Page, PageLink, PageState
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.decoding import media_kind, media_type_name, parse_media_type, sniff_kind
from desktop_rater.pages.response import WEB_LIMITS, WebLimits, WebResponse

_SIZE = 4
MAX_FRAME_BYTES = 64 * 1024 * 1024
CHILD_READY = b"ready"  # the first frame of a child, when everything is loaded


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A body, its type, and its origin; the parent gives up after `seconds`."""

    kind: str
    final_url: str
    content_type: str
    body: bytes
    elements: int
    depth: int
    seconds: float


class PageContent(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a `Page` that comes from its body. `spent`: the child should not be used again."""

    state: PageState
    why: str = ""
    title: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    lang: str = ""
    html: str = ""
    whole_html: str = ""
    text: str = ""
    whole_text: str = ""
    unshown: tuple[tuple[int, int], ...] = ()
    whole_unshown: tuple[tuple[int, int], ...] = ()
    left_out: dict[str, int] = {}
    links: tuple[PageLink, ...] = ()
    images: int = 0
    spent: bool = False


def send_message(stream: IO[bytes], message: ReadRequest | PageContent) -> None:
    """Send one message as a frame of MessagePack."""
    write_frame(stream, msgspec.msgpack.encode(message))


def write_frame(stream: IO[bytes], frame: bytes) -> None:
    """Write one frame: four bytes of length, then the data."""
    stream.write(len(frame).to_bytes(_SIZE, "big") + frame)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes:
    """Read the next frame; no bytes at the end of the stream. Raises ValueError if it is too large."""
    head = stream.read(_SIZE)
    if len(head) < _SIZE:
        return b""
    size = int.from_bytes(head, "big")
    if size > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {size} bytes")
    frame = stream.read(size)
    return frame if len(frame) == size else b""


# A hidden argument of the packaged program, which has no `-m`.
READ_PAGES = "read-pages"
# What Python and the loader need, and nothing confidential.
_ENVIRONMENT = (
    "PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL",
    "TZ", "HOME", "APPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "TMPDIR",
)  # fmt: skip
_SLICE = 0.05


class ReaderEnded(Exception):
    """The child ended, or had to be ended, without an answer; `late` if it timed out."""

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late


def child_command(memory: int) -> list[str]:
    """Return the command that starts the child."""
    if getattr(sys, "frozen", False):
        return [sys.executable, READ_PAGES, str(memory)]
    # -P: never load a module from the current folder; -I: nor by variables of the environment.
    isolation = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, isolation, "-X", "utf8", "-m", "desktop_rater.pages.child", str(memory)]


class ReaderProcess:
    """A child and its pipes. One request at a time; none after `kill`."""

    def __init__(self, command: Sequence[str], start_seconds: float) -> None:
        self._ready = threading.Event()
        self._ready_deadline = time.monotonic() + start_seconds
        flags = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            creationflags=flags,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, ask: ReadRequest, check_cancelled: Callable[[], None]) -> PageContent:
        """Return the content that the child reads. Raises as `exchange`."""
        try:
            frame = self.exchange(msgspec.msgpack.encode(ask), ask.seconds, check_cancelled)
            content = msgspec.msgpack.decode(frame, type=prepared_type(PageContent))
        except msgspec.DecodeError:
            self.kill()
            raise ReaderEnded(late=False) from None
        if content.spent:
            self.kill()
        return content

    def exchange(self, frame: bytes, seconds: float, check_cancelled: Callable[[], None]) -> bytes:
        """Send a frame; return the frame that the child answers.

        `check_cancelled` is called every 50 ms; if it raises, the child is killed. The time begins when the child has
        started. Raises ReaderEnded.
        """
        answer = _PendingFrame()
        thread = threading.Thread(target=self._exchange, args=(frame, answer), name="reading", daemon=True)
        thread.start()
        end = None
        try:
            while not answer.finished.wait(_SLICE):
                check_cancelled()
                now = time.monotonic()
                if end is None and self._ready.is_set():
                    end = now + seconds
                if now >= (self._ready_deadline if end is None else end):
                    raise ReaderEnded(late=end is not None)
            if not answer.frame:
                raise ReaderEnded(late=False)
        except BaseException:
            self.kill()
            raise
        return answer.frame

    def kill(self) -> None:
        """End the child at once and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # Closing fails if unsent data is left.
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _exchange(self, frame: bytes, answer: "_PendingFrame") -> None:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None, "it was started with pipes"
        assert answers is not None, "it was started with pipes"
        try:
            if not self._ready.is_set() and read_frame(answers) != CHILD_READY:
                raise ValueError("no child of ours")
            self._ready.set()
            write_frame(requests, frame)
            answer.frame = read_frame(answers)
        except (OSError, ValueError):
            # The child was killed or died, or sent invalid bytes.
            answer.frame = b""
        finally:
            answer.finished.set()


class _PendingFrame:
    """Result that the thread hands over; no bytes if there is none."""

    def __init__(self) -> None:
        self.finished = threading.Event()
        self.frame = b""


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
        elif kind not in ("pdf", "epub") and len(response.body) > self._limits.html_bytes:
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
        library=response.library,
        **{name: getattr(reading, name) for name in _COPIED_FIELDS},
    )
