"""Prefetch all links of a bundle: in parallel, one at a time per host, with pauses, resumable."""

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Condition
from typing import Protocol, Self

import msgspec

from desktop_rater.format.change import Cancelled, Change, Progress
from desktop_rater.format.page import PageState
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating.open_task import decode_task, load_bundle
from desktop_rater.pages.web_client import FetchedPage
from desktop_rater.rubric.links import task_links
from desktop_rater.store import pages, ratings, snapshots, tasks
from desktop_rater.store.store import Store
from desktop_rater.text.urls import host_of, page_key


class HostQueue:
    """URLs for several workers. `clock` returns monotonic seconds."""

    def __init__(self, urls: Iterable[str], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = Condition()
        self._waiting: dict[str, deque[str]] = {}
        for url in urls:
            self._waiting.setdefault(host_of(url), deque()).append(url)
        # Heap of idle hosts: (not before, number, host). The number keeps the order of the URLs.
        self._idle = [(0.0, number, host) for number, host in enumerate(self._waiting)]
        self._number = len(self._idle)
        self._active = 0
        self._closed = False

    def next_url(self) -> str | None:
        """Return the next URL as soon as its host may be contacted; `None` if there are no more."""
        with self._changed:
            while not self._closed and (self._idle or self._active):
                soonest = self._idle[0][0] - self._clock() if self._idle else None
                if soonest is not None and soonest <= 0:
                    host = heapq.heappop(self._idle)[2]
                    self._active += 1
                    return self._waiting[host].popleft()
                self._changed.wait(soonest)
            return None

    def finish(self, url: str, *, pause: float, again: bool = False) -> None:
        """Mark `url` as finished, or requeue it if `again`; its host is left idle for `pause` seconds."""
        host = host_of(url)
        with self._changed:
            self._active -= 1
            if again:
                self._waiting[host].appendleft(url)
            if self._waiting[host]:
                self._number += 1
                heapq.heappush(self._idle, (self._clock() + pause, self._number, host))
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


PREFETCH_WORKERS = 4
HOST_PAUSE = 1.0  # seconds between two pages of a host
MAX_HOST_WAIT = 60.0  # maximum seconds to wait for a host that asks for it
_CANCEL_INTERVAL = 0.1  # seconds between two checks for cancellation
_STORED_STATES = frozenset({"ok", "login"})


class PageFetcher(Protocol):
    """Page fetcher: `pages.web_client.Web`, or a substitute."""

    def open(self, url: str, progress: Progress) -> FetchedPage: ...


class LinksToFetch(msgspec.Struct, frozen=True, kw_only=True):
    """Links to fetch, in task order. `known`: number of further links that are stored already."""

    urls: tuple[str, ...]
    known: int


class MissingPage(msgspec.Struct, frozen=True, kw_only=True):
    """A link without a page, with the reason."""

    url: str
    state: PageState
    why: str


class PrefetchResult(Change, frozen=True, kw_only=True):
    """Outcome of a prefetch. `fetched`: number of stored pages; `missing`: links without a page."""

    fetched: int
    missing: tuple[MissingPage, ...]


RESERVED = ".invalid"  # the end of hosts that never exist


def links_to_fetch(store: Store, bundle_id: str, *, task_id: str = "", fetch_again: bool = False) -> LinksToFetch:
    """Return the links of a bundle, or of one task: in responses, tool output, context and evidence, each once.

    Stored pages are left out unless `fetch_again`, placeholders always, and documents of libraries without an address.
    """
    bundle = load_bundle(store, bundle_id)
    placeholders = rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle_id).file.links.placeholders
    evidence_urls = ratings.evidence_urls(store, bundle_id)
    rows = [tasks.get_task(store, bundle_id, task_id)] if task_id else tasks.stream_tasks(store, bundle_id)
    by_page: dict[str, str] = {}
    for stored in rows:
        task = decode_task(stored)
        links = (link.url for link in task_links(task, placeholders) if link.counts)
        for url in (*links, *(document.url for document in task.context), *evidence_urls.get(stored.id, ())):
            page = page_key(url)
            if page is not None and not host_of(url).endswith(RESERVED):
                by_page.setdefault(page, url)
    stored_pages = set() if fetch_again else _stored_pages(store, bundle_id)
    urls = tuple(url for page, url in by_page.items() if page not in stored_pages)
    return LinksToFetch(urls=urls, known=len(by_page) - len(urls))


def prefetch(
    urls: Sequence[str],
    web: PageFetcher,
    keep: Callable[[FetchedPage], object],
    *,
    progress: Progress,
    pause: float = HOST_PAUSE,
    clock: Callable[[], float] = time.monotonic,
) -> PrefetchResult:
    """Fetch pages; `keep` is called with each one on this thread, and stores it.

    Four at once, one per host; a page is retried once if its host asks for time. Raises `Cancelled`, and what `keep`
    raises; stored pages remain, and the next run continues.
    """
    with _Workers(urls, web, pause, clock) as workers:
        missing = []
        fetched = 0
        for result in workers.results(progress):
            keep(result)
            page = result.page
            fetched += page.shows
            if not page.shows:
                missing.append(MissingPage(url=page.url, state=page.state, why=page.why))
        return PrefetchResult(fetched=fetched, missing=tuple(missing))


class _Workers:
    """Fetching threads, which end when the context is left."""

    def __init__(self, urls: Sequence[str], web: PageFetcher, pause: float, clock: Callable[[], float]) -> None:
        self._total = len(urls)
        self._web = web
        self._pause = pause
        self._turns = HostQueue(urls, clock)
        self._retried: set[str] = set()
        self._results: SimpleQueue[FetchedPage | BaseException | None] = SimpleQueue()
        self._stops = [Progress() for _ in range(PREFETCH_WORKERS)]
        self._pool = ThreadPoolExecutor(PREFETCH_WORKERS, thread_name_prefix="prefetch")

    def __enter__(self) -> Self:
        for stop in self._stops:
            self._pool.submit(self._work, stop)
        return self

    def __exit__(self, *exc: object) -> None:
        self._turns.close()
        for stop in self._stops:
            stop.stop()
        self._pool.shutdown()

    def results(self, progress: Progress) -> Iterator[FetchedPage]:
        """Yield each page as it arrives, checking regularly for cancellation."""
        count = 0
        working = PREFETCH_WORKERS
        while working:
            progress(count, self._total)
            with suppress(Empty):
                result = self._results.get(timeout=_CANCEL_INTERVAL)
                if isinstance(result, BaseException):
                    raise result
                if result is None:
                    working -= 1
                    continue
                yield result
                count += 1
        progress(count, self._total)

    def _work(self, stop: Progress) -> None:
        try:
            while (url := self._turns.next_url()) is not None:
                fetched = self._web.open(url, stop)
                again = 0 < fetched.wait <= MAX_HOST_WAIT and url not in self._retried
                if again:
                    self._retried.add(url)
                else:
                    self._results.put(fetched)
                pause = max(self._pause, min(fetched.wait, MAX_HOST_WAIT))
                self._turns.finish(url, pause=pause, again=again)
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again by results()
            self._results.put(error)
        self._results.put(None)


def _stored_pages(store: Store, bundle_id: str) -> set[str]:
    return {
        page
        for page, last in pages.last_states(store, bundle_id).items()
        if last.state in _STORED_STATES and last.snapshot and snapshots.snapshot_path(store.folder, last.snapshot)
    }
