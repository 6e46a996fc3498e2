"""Fetch every link of a bundle beforehand, for the train: several at once, one per host, politely, resumable."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from desktop_rater.model.change import Change
from desktop_rater.model.page import PageState
from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.rubric.links import links_of
from desktop_rater.store import evidence, pages, snapshots, tasks
from desktop_rater.text.pages import page_of
from desktop_rater.work import rubrics
from desktop_rater.work.host_turns import HostTurns
from desktop_rater.work.open_task import bundle_of, task_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop_rater.model.task import Task
    from desktop_rater.store.store import Store
    from desktop_rater.web.open_web import Fetched

AT_ONCE = 4
PAUSE = 1.0  # seconds between two pages of one host
LONGEST_WAIT = 60.0  # seconds that a host is waited for, when it asks for time
_LOOK = 0.1  # seconds between two looks at whether to stop
_KEPT = frozenset({"ok", "login"})


class Opens(Protocol):
    """What fetches a page: `web.open_web.Web`, or whatever behaves as it does."""

    def open(self, url: str, progress: Progress) -> Fetched:
        """Fetch a page and read it; any number of threads may ask."""
        ...


class Links(msgspec.Struct, frozen=True, kw_only=True):
    """The links that are to be fetched, in the order of the tasks; `known` more are stored already."""

    urls: tuple[str, ...]
    known: int


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A link that shows no page, and why."""

    url: str
    state: PageState
    why: str


class Prefetched(Change, frozen=True, kw_only=True):
    """`fetched` links show a page and are stored; `missing` do not."""

    fetched: int
    missing: tuple[Missing, ...]


def links_to_fetch(store: Store, bundle_id: str, *, task_id: str = "", fetch_again: bool = False) -> Links:
    """Every link of a bundle, or of one task of it: of responses, tool output, context and evidence, each page once.

    What a stored page is there for is left out, unless `fetch_again`. Placeholders are left out in any case.
    """
    bundle = bundle_of(store, bundle_id)
    placeholders = rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle_id).file.links.placeholders
    named = evidence.urls(store, bundle_id)
    rows = [tasks.get(store, bundle_id, task_id)] if task_id else tasks.stream(store, bundle_id)
    by_page: dict[str, str] = {}
    for stored in rows:
        for url in (*_of_task(task_of(stored), placeholders), *named.get(stored.id, ())):
            page = page_of(url)
            if page is not None:
                by_page.setdefault(page, url)
    there = set() if fetch_again else _there(store, bundle_id)
    wanted = tuple(url for page, url in by_page.items() if page not in there)
    return Links(urls=wanted, known=len(by_page) - len(wanted))


def prefetch(
    urls: Sequence[str],
    web: Opens,
    keep: Callable[[Fetched], object],
    *,
    progress: Progress,
    pause: float = PAUSE,
    clock: Callable[[], float] = time.monotonic,
) -> Prefetched:
    """Fetch pages; `keep` is called with each as it comes, on this thread, and stores it.

    Four at once, one per host; a host that asks for time gets it once. Raises `Cancelled`, and what `keep` raises:
    then what was kept stays, and the next run goes on behind it.
    """
    with _Workers(urls, web, pause, clock) as workers:
        missing = []
        fetched = 0
        for came in workers.results(progress):
            keep(came)
            page = came.page
            fetched += page.shows
            if not page.shows:
                missing.append(Missing(url=page.url, state=page.state, why=page.why))
        return Prefetched(fetched=fetched, missing=tuple(missing))


class _Workers:
    """Threads that fetch. Whoever leaves the context ends them, at once."""

    def __init__(self, urls: Sequence[str], web: Opens, pause: float, clock: Callable[[], float]) -> None:
        self._total = len(urls)
        self._web = web
        self._pause = pause
        self._turns = HostTurns(urls, clock)
        self._asked_for_time: set[str] = set()
        self._came: SimpleQueue[Fetched | BaseException | None] = SimpleQueue()
        self._stops = [Progress() for _ in range(AT_ONCE)]
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="prefetch")

    def __enter__(self) -> Self:
        for stop in self._stops:
            self._pool.submit(self._work, stop)
        return self

    def __exit__(self, *exc: object) -> None:
        self._turns.close()
        for stop in self._stops:
            stop.stop()
        self._pool.shutdown()

    def results(self, progress: Progress) -> Iterator[Fetched]:
        """Each page as it comes. Whether to stop is asked also while nothing comes."""
        done = 0
        working = AT_ONCE
        while working:
            progress(done, self._total)
            with suppress(Empty):
                came = self._came.get(timeout=_LOOK)
                if isinstance(came, BaseException):
                    raise came
                if came is None:
                    working -= 1
                    continue
                yield came
                done += 1
        progress(done, self._total)

    def _work(self, stop: Progress) -> None:
        try:
            while (url := self._turns.take()) is not None:
                fetched = self._web.open(url, stop)
                again = 0 < fetched.wait <= LONGEST_WAIT and url not in self._asked_for_time
                if again:
                    self._asked_for_time.add(url)
                else:
                    self._came.put(fetched)
                pause = max(self._pause, min(fetched.wait, LONGEST_WAIT))
                self._turns.give_back(url, pause=pause, again=again)
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - it is raised where the results are read
            self._came.put(error)
        self._came.put(None)


def _of_task(task: Task, placeholders: tuple[str, ...]) -> Iterator[str]:
    yield from (link.url for link in links_of(task, placeholders) if link.counts)
    yield from (document.url for document in task.context)


def _there(store: Store, bundle_id: str) -> set[str]:
    """The pages of which a stored copy is there."""
    return {
        page
        for page, last in pages.last_states(store, bundle_id).items()
        if last.state in _KEPT and last.snapshot and snapshots.path(store.folder, last.snapshot)
    }
