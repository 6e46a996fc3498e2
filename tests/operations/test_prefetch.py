"""Every link of a bundle is fetched beforehand: several at once, one per host, politely, and the next run goes on."""

import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.page import Page
from desktop_rater.operations.pages.prefetch import PREFETCH_WORKERS, HostQueue, links_to_fetch, prefetch
from desktop_rater.operations.pages.stored_pages import store_page
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import FetchedPage, Web
from desktop_rater.store import snapshots
from desktop_rater.store.errors import NotInStore

from .bundles import NOON, RATER, make, rating, take_in, task, write_lines, writer

HOSTS = tuple(f"127.0.0.{number}" for number in range(2, 10))


class Site:
    """A server on many hosts that counts who talks to it, and answers when it is let."""

    def __init__(self):
        self.asked: Counter[str] = Counter()
        self.busy: Counter[str] = Counter()
        self.most_at_a_host = self.most = 0
        self.waits: list[str] = []  # of the answers to come: Retry-After
        self.arrived = threading.Semaphore(0)
        self.gate = threading.Event()
        self.gate.set()
        self._lock = threading.Lock()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                site.answer(self)

            def log_message(self, format, *args):  # noqa: A002 - the parent's name
                pass

        self._servers = [ThreadingHTTPServer((host, 0), Handler) for host in HOSTS]
        for server in self._servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, host, path="/"):
        return f"http://{HOSTS[host]}:{self._servers[host].server_port}{path}"

    def answer(self, request):
        host = request.connection.getsockname()[0]
        with self._lock:
            self.asked[f"{host}{request.path}"] += 1
            self.busy[host] += 1
            self.most = max(self.most, self.busy.total())
            self.most_at_a_host = max(self.most_at_a_host, *self.busy.values())
            wait = self.waits.pop() if self.waits else ""
        self.arrived.release()
        self.gate.wait(20)
        with self._lock:
            self.busy[host] -= 1
        request.send_response(503 if wait else 404 if "gone" in request.path else 200)
        request.send_header("Content-Type", "text/plain")
        if wait:
            request.send_header("Retry-After", wait)
        request.end_headers()
        request.wfile.write(f"This is {host}{request.path}.".encode())

    def close(self):
        self.gate.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()


@pytest.fixture
def site():
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def web():
    with Web(Guard(allow_loopback=True), WebLimits(), time.monotonic, lambda: NOON) as web:
        yield web


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        yield store


def saying(name, *urls, **more):
    return task(name, f"See {' and '.join(urls)} for more." if urls else "Nothing.", **more)


def imported(store, tmp_path, *tasks):
    take_in(store, make(tmp_path / "b.zip", tasks))


def fetch(store, web, urls, progress=None, pause=0.0):
    return prefetch(
        urls, web, lambda fetched: store_page(store, fetched, "b"), progress=progress or Progress(), pause=pause
    )


def test_every_link_of_a_bundle_is_fetched_once_and_kept(store, web, site, tmp_path):
    tools = [{"name": "search", "status": "ok", "input": {}, "output": {"found": [site.url(1, "/tool"), site.url(0)]}}]
    first = saying("t-1", site.url(0), f"{site.url(0)}#part")
    first["responses"][0]["tools"] = tools
    second = saying("t-2", site.url(0), context=[{"id": "c1", "title": "", "text": "", "url": site.url(2, "/context")}])
    imported(store, tmp_path, first, second)
    evidence = [
        {"id": "e1", "target": "s1", "url": site.url(3, "/evidence")},
        {"id": "e2", "target": "s1", "url": "no url"},
    ]
    lines = write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)])
    rate_from_file(store, "b", lines, RATER, progress=Progress(), now=lambda: NOON)
    links = links_to_fetch(store, "b")
    wanted = [site.url(0), site.url(1, "/tool"), site.url(3, "/evidence"), site.url(2, "/context")]
    assert (list(links.urls), links.known) == (wanted, 0)
    done = fetch(store, web, links.urls)
    assert (done.fetched, done.missing) == (4, ())
    assert set(site.asked.values()) == {1}
    assert len(snapshots.list_snapshots(store.folder)) == 4


def test_the_links_of_one_task_can_be_fetched_alone(store, site, tmp_path):
    imported(store, tmp_path, saying("t-1", site.url(0)), saying("t-2", site.url(1)))
    assert links_to_fetch(store, "b", task_id="t-2").urls == (site.url(1),)


def test_placeholders_and_what_is_no_url_are_left_alone(store, tmp_path):
    imported(store, tmp_path, saying("t-1", "https://www.example.com/x", "https://...", "http://a b", "http://u@h/"))
    placeholder_free = [url for url in links_to_fetch(store, "b").urls if "www.example.com" not in url]
    assert placeholder_free == ["http://a"]


def test_a_bundle_that_is_not_there_is_said_to_be_missing(store):
    with pytest.raises(NotInStore):
        links_to_fetch(store, "b")


def test_four_are_fetched_at_once_and_one_of_each_host(store, web, site):
    site.gate.clear()
    urls = [site.url(host, f"/{number}") for number in range(3) for host in range(6)]
    thread = threading.Thread(target=lambda: prefetch(urls, web, lambda _: None, progress=Progress(), pause=0))
    thread.start()
    assert all(site.arrived.acquire(timeout=20) for _ in range(PREFETCH_WORKERS))
    site.gate.set()
    thread.join(60)
    assert not thread.is_alive()
    assert site.asked.total() == len(urls)
    assert (site.most, site.most_at_a_host) == (PREFETCH_WORKERS, 1)


def test_the_next_run_goes_on_where_the_last_one_was_stopped(store, web, site, tmp_path):
    imported(store, tmp_path, saying("t-1", *(site.url(number % 8, f"/{number}") for number in range(12))))
    seen = []

    def publish(done, total):
        seen.append((done, total))
        if done == 5:
            progress.stop()

    progress = Progress(publish)
    with pytest.raises(Cancelled):
        fetch(store, web, links_to_fetch(store, "b").urls, progress)
    assert seen[0] == (0, 12)
    links = links_to_fetch(store, "b")
    assert links.known == len(snapshots.list_snapshots(store.folder)) == 6  # one more was on its way
    fetch(store, web, links.urls)
    assert links_to_fetch(store, "b").urls == ()
    assert len(snapshots.list_snapshots(store.folder)) == 12


def test_all_of_it_is_fetched_again_on_demand(store, web, site, tmp_path):
    imported(store, tmp_path, saying("t-1", site.url(0)))
    fetch(store, web, links_to_fetch(store, "b").urls)
    assert links_to_fetch(store, "b", fetch_again=True).urls == (site.url(0),)


def test_a_page_whose_file_is_gone_is_fetched_again(store, web, site, tmp_path):
    imported(store, tmp_path, saying("t-1", site.url(0)))
    fetch(store, web, links_to_fetch(store, "b").urls)
    snapshots.list_snapshots(store.folder)[0].unlink()
    assert links_to_fetch(store, "b").urls == (site.url(0),)


def test_a_dead_link_is_named_and_tried_again_next_time(store, web, site, tmp_path):
    imported(store, tmp_path, saying("t-1", site.url(0, "/gone"), site.url(1)))
    done = fetch(store, web, links_to_fetch(store, "b").urls)
    assert [(one.url, one.state) for one in done.missing] == [(site.url(0, "/gone"), "not_found")]
    assert done.missing[0].why
    assert links_to_fetch(store, "b").urls == (site.url(0, "/gone"),)


def test_a_host_that_asks_for_time_gets_it_once(store, web, site):
    site.waits = ["1"]
    done = fetch(store, web, [site.url(0, "/a"), site.url(0, "/b"), site.url(1)])
    assert (done.fetched, done.missing) == (3, ())
    assert site.asked.total() == 4
    site.waits = ["1", "1"]
    (missing,) = fetch(store, web, [site.url(0, "/c")]).missing
    assert (missing.state, site.asked[f"{HOSTS[0]}/c"]) == ("failed", 2)


def test_a_host_that_asks_for_an_hour_is_left_for_the_next_run(store, web, site):
    site.waits = ["3600"]
    (missing,) = fetch(store, web, [site.url(0)]).missing
    assert (missing.state, site.asked.total()) == ("failed", 1)


def test_stopping_is_heard_while_every_server_is_silent(store, web, site):
    site.gate.clear()
    progress = Progress()

    def stop():
        assert all(site.arrived.acquire(timeout=20) for _ in range(PREFETCH_WORKERS))
        progress.stop()

    threading.Thread(target=stop).start()
    with pytest.raises(Cancelled):
        fetch(store, web, [site.url(host) for host in range(6)], progress)


def test_trouble_with_the_store_ends_the_run(web, site):
    def keep_not(_fetched):
        raise NotInStore("The disk is full.")

    with pytest.raises(NotInStore, match="disk is full"):
        prefetch([site.url(host) for host in range(8)], web, keep_not, progress=Progress(), pause=0)
    assert threading.active_count() < 40


def test_a_fault_of_the_fetcher_is_not_swallowed():
    class Broken:
        def open(self, url, progress):
            raise KeyError(url)

    with pytest.raises(KeyError):
        prefetch(["https://a.example/"], Broken(), lambda _: None, progress=Progress())


def test_nothing_to_fetch_is_nothing_to_do(web):
    done = prefetch([], web, lambda _: None, progress=Progress())
    assert (done.fetched, done.missing) == (0, ())


class Still:
    """A clock that a test moves; whoever waits by it is told."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_hosts_take_turns_and_rest_between_two_pages():
    clock = Still()
    turns = HostQueue(["http://a/1", "http://a/2", "http://B/1", "http://b/2"], clock)
    assert [turns.next_url(), turns.next_url()] == ["http://a/1", "http://B/1"]
    turns.finish("http://B/1", pause=5)
    turns.finish("http://a/1", pause=9)
    clock.now = 5
    assert turns.next_url() == "http://b/2"
    clock.now = 9
    assert turns.next_url() == "http://a/2"
    turns.finish("http://a/2", pause=0, again=True)
    assert turns.next_url() == "http://a/2"
    turns.finish("http://a/2", pause=0)
    turns.finish("http://b/2", pause=0)
    assert turns.next_url() is None


def test_whoever_waits_for_a_turn_is_let_go_when_it_is_over():
    turns = HostQueue(["http://a/1", "http://a/2"], Still())
    turns.next_url()
    waiting = threading.Thread(target=turns.next_url)
    waiting.start()
    turns.close()
    waiting.join(20)
    assert not waiting.is_alive()


def test_a_url_that_nobody_can_read_has_its_turn_too():
    turns = HostQueue(["http://[half", "http://a/"], Still())
    assert {turns.next_url(), turns.next_url()} == {"http://[half", "http://a/"}


def test_many_links_of_many_hosts_are_no_burden():
    urls = [f"http://h{number % 20_000}.example/{number}" for number in range(60_000)]
    turns = HostQueue(urls, Still())
    taken = []
    while (url := turns.next_url()) is not None:
        taken.append(url)
        turns.finish(url, pause=0)
    assert sorted(taken) == sorted(urls)


def test_what_was_fetched_is_handed_over_on_the_thread_that_asked():
    class Quick:
        def open(self, url, progress):
            return FetchedPage(page=Page(url=url, final_url=url, state="not_found"))

    threads = set()
    prefetch(
        [f"http://h{number}/" for number in range(20)],
        Quick(),
        lambda _: threads.add(threading.current_thread()),
        progress=Progress(),
    )
    assert threads == {threading.current_thread()}
