"""Networks that break: whatever is cut, lost or spoilt, no file is ever half there under its name."""

import hashlib
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.hub_names import hash_in_name, results_name
from desktop_rater.hub.errors import RETRIED_ERROR_KINDS, HubError
from tests.examples import examples
from tests.hub.servers.fault_proxy import Fault, always, at, on

SIZE = 300_000
QUARTERS = (0, SIZE // 4, SIZE // 2, 3 * SIZE // 4, SIZE - 1)
MOST = 10_000_000
MOST_REQUESTS = 12  # of one put that goes wrong: it may look, make folders and try once more, and no more than that


class Sending:
    """Files that a test sends one after the other, each under its name."""

    def __init__(self, ground, file_of, seed=0):
        self._ground, self._file_of = ground, file_of
        self._dice = random.Random(seed)
        self._turn = 0
        self.file_with_new_bytes()

    def file_with_new_bytes(self, size=SIZE):
        self._turn += 1
        self.content = self._dice.randbytes(size)
        self.path, self.sha256 = self._file_of(self.content)
        self.name = results_name("r-17", "lr-2026", self._turn, self.sha256)

    def put(self, hub=None, progress=None):
        return (hub or self._ground.open()).put_new(self.name, self.path, self.sha256, progress or Progress())

    def trouble(self, hub=None):
        """The trouble that putting it ends with, or None; what lies there is sound in any case."""
        try:
            self.put(hub)
        except HubError as caught:
            self.look()
            return caught
        assert self._ground.found()[self.name] == self.content
        return None

    def look(self):
        for name, content in self._ground.whole().items():
            assert hashlib.sha256(content).hexdigest() == hash_in_name(name), (
                f"{name} is half there: {len(content)} bytes"
            )

    def goes_through(self):
        """With the network back, another try ends it."""
        self._ground.proxy.forget()
        assert self.put() in ("put", "there")
        assert self._ground.found()[self.name] == self.content


@pytest.fixture
def sending(faulty, file_of):
    return Sending(faulty, file_of)


@pytest.mark.parametrize("quiet", [False, True], ids=["reset", "end"])
def test_a_cut_upload_is_never_visible_under_its_final_name(faulty, sending, quiet):
    dice = random.Random(3)
    for place in (*QUARTERS, *(dice.randrange(SIZE) for _ in range(examples(3)))):
        sending.file_with_new_bytes()
        faulty.proxy.forget()
        faulty.proxy.rule = always(Fault(upload=place, quiet=quiet), "PUT")
        trouble = sending.trouble()
        assert trouble is not None, f"cut after {place} bytes"
        assert trouble.kind in RETRIED_ERROR_KINDS, trouble
        assert faulty.proxy.count() <= MOST_REQUESTS
        sending.goes_through()
    assert len(faulty.whole()) == len(QUARTERS) + examples(3)


@pytest.mark.parametrize("how", ["dropped", "lost"])
def test_a_connection_may_break_at_every_step(faulty, sending, how):
    """Before the server hears of a request, or after it did as asked: the next try ends with one correct file."""
    sending.put()
    steps = faulty.proxy.count()
    assert steps >= 2
    for step in range(steps):
        sending.file_with_new_bytes()
        faulty.proxy.forget()
        faulty.proxy.rule = at(step, Fault(dropped=how == "dropped", lost=how == "lost"))
        trouble = sending.trouble()
        assert trouble is None or trouble.kind in RETRIED_ERROR_KINDS, (step, trouble)
        sending.goes_through()
    assert len(faulty.whole()) == steps + 1


def test_a_broken_connection_on_every_step_ends_with_few_requests(faulty, sending):
    faulty.proxy.rule = always(Fault(lost=True))
    trouble = sending.trouble()
    assert trouble is not None
    assert trouble.kind in RETRIED_ERROR_KINDS
    assert faulty.proxy.count() <= MOST_REQUESTS
    sending.goes_through()


def test_bytes_that_change_on_their_way_up_are_noticed(faulty, sending):
    faulty.proxy.rule = always(Fault(flip_upload=SIZE // 2), "PUT")
    with pytest.raises(HubError):
        sending.put()
    if faulty.is_s3:
        # It is its name that a file goes up under, so a spoilt one stays; it is never taken for what it should be.
        with pytest.raises(HubError):
            faulty.open().get(sending.name, lambda _: None, Progress(), most=MOST)
        return
    assert sending.name not in faulty.found()
    sending.goes_through()


def test_bytes_that_change_on_their_way_down_are_noticed(faulty, sending):
    faulty.proxy.rule = always(Fault(flip_answer=100), "GET")
    with pytest.raises(HubError):
        sending.put()
    sending.goes_through()
    faulty.proxy.rule = always(Fault(flip_answer=SIZE - 1), "GET")
    with pytest.raises(HubError):
        faulty.open().get(sending.name, lambda _: None, Progress(), most=MOST)


@pytest.mark.parametrize("quiet", [False, True], ids=["reset", "end"])
def test_an_answer_that_is_cut_is_never_taken_for_a_whole_file(faulty, sending, quiet):
    sending.put()
    for place in QUARTERS:
        faulty.proxy.forget()
        faulty.proxy.rule = always(Fault(answer=place, quiet=quiet), "GET")
        came = []
        with pytest.raises(HubError) as caught:
            faulty.open().get(sending.name, came.append, Progress(), most=MOST)
        assert caught.value.kind in RETRIED_ERROR_KINDS, caught.value
        assert sending.content.startswith(b"".join(came))
        assert faulty.proxy.count() <= MOST_REQUESTS


def test_a_list_that_is_cut_is_never_taken_for_a_short_one(faulty, sending):
    """Else what is there would look as if it were gone."""
    for _ in range(5):
        sending.file_with_new_bytes(10)
        sending.put()
    verb = "GET" if faulty.is_s3 else "PROPFIND"
    for place in (0, 300, 900):
        faulty.proxy.rule = always(Fault(answer=place, quiet=True), verb)
        with pytest.raises(HubError) as caught:
            faulty.open().list("results", Progress())
        assert caught.value.kind in {*RETRIED_ERROR_KINDS, "not_a_hub"}


def test_a_server_that_falls_silent_is_given_up(faulty, sending):
    """Its clock runs a hundred times as fast as ours, so half a minute is over at once."""
    faulty.proxy.rule = on("PUT", Fault(stall=True), Fault(stall=True), Fault(stall=True))
    hub = faulty.open(clock=lambda: time.monotonic() * 100)
    with ThreadPoolExecutor(1) as pool:
        trouble = pool.submit(sending.trouble, hub).result(50)
    assert trouble is not None
    assert trouble.kind in RETRIED_ERROR_KINDS
    sending.goes_through()


def test_whoever_waits_for_a_silent_server_can_cancel(faulty, sending):
    progress = Progress()

    def stop_at_the_upload(seen):
        if seen.method == "PUT":
            progress.stop()
            return Fault(stall=True)
        return None

    faulty.proxy.rule = stop_at_the_upload
    with ThreadPoolExecutor(1) as pool, pytest.raises(Cancelled):
        pool.submit(sending.put, None, progress).result(20)
    sending.look()
    sending.goes_through()
