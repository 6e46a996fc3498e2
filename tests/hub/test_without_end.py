"""Servers that say more than they were asked, or never come to an end: nothing is mixed up, and nothing grows."""

import os
import time
import tracemalloc
from datetime import UTC, datetime

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.http.client import ServerClient
from desktop_rater.http.request import Deadline, HttpError, RequestUrl, parse_http_date
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment
from desktop_rater.hub.webdav import MultistatusParser
from tests.hub.folders import WORDS, hub_in, kind_of, named, put
from tests.hub.grounds import s3_url
from tests.hub.scripted import HOST, Say, Scripted, say

MEANS = HubEnvironment(time.monotonic, lambda: datetime.now(UTC), lambda: "token000", "client00", allow_loopback=True)
BEGINNING = b"<m:multistatus xmlns:m='DAV:'>"


@pytest.mark.parametrize(
    "more",
    [
        say(204).raw + b"A page, though there can be none.",
        say(200, b"mine").raw + say(200, b"nobody asked for this").raw,
        say(200, b"mine").raw + b"\x00\xff",
        b"HTTP/1.1 204 Whatever\r\nContent-Length: 5\r\n\r\n",  # it comes a moment later
    ],
    ids=["a body of none", "a second answer", "two bytes", "a body that comes later"],
)
def test_what_is_said_too_much_is_not_taken_for_the_next_answer(more):
    answers = iter([Say(more), say(200, b"the second")])
    with Scripted(lambda _asked: next(answers)) as scripted:
        server = ServerClient(time.monotonic)
        where = RequestUrl("http", HOST, scripted.port, b"/")
        said = []
        for _ in range(2):
            with server.stream("MOVE", where, [], Progress(), most=1000) as reply:
                said.append((reply.status, b"".join(reply.chunks)))
        server.close()
    assert said[1] == (200, b"the second")
    assert (len(scripted.asked), scripted.connections) == (2, 2)


def test_a_few_bytes_that_drip_do_not_get_the_time_of_a_large_file():
    now = [0.0]
    patience = Deadline(Progress(), lambda: now[0], 60, 16 * 1024)
    patience.sent = 20_000_000  # at once
    patience.check()
    with pytest.raises(HttpError, match="time limit"):
        for _ in range(100):
            now[0] += 1
            patience.received += 1
            patience.check()
    assert 60 <= now[0] <= 61


def test_a_large_file_that_keeps_coming_gets_all_the_time_that_it_takes():
    now = [0.0]
    patience = Deadline(Progress(), lambda: now[0], 60, 16 * 1024)
    for _ in range(10_000):
        now[0] += 1
        patience.received += 17 * 1024
        patience.check()


@pytest.mark.parametrize(
    "piece",
    [
        b"<a>" * 20_000,
        b"<a b='" + b"x" * 60_000,
        b"<!--" + b"x" * 60_000,
        b"<m:response><m:href>/a</m:href></m:response>" * 1_500,
    ],
    ids=["deep", "one tag", "one comment", "many"],
)
def test_a_list_of_a_folder_that_has_no_end_takes_no_memory(piece):
    tracemalloc.start()
    reader, fed = MultistatusParser(), 0
    reader.feed(BEGINNING)
    with pytest.raises(ValueError, match="can have|too long"):
        for _ in range(1_000):
            fed += len(piece)
            reader.feed(piece if fed == len(piece) or b"response" in piece or b"<a>" in piece else b"x" * 60_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert fed < 4_000_000
    assert peak < 60_000_000


def test_a_bucket_whose_pages_hold_nothing_comes_to_an_end():
    def page(_asked):
        token = f"<NextContinuationToken>{len(scripted.asked)}</NextContinuationToken>"
        return say(200, f"<ListBucketResult><IsTruncated>true</IsTruncated>{token}</ListBucketResult>".encode())

    with Scripted(page) as scripted:
        hub = open_hub(parse_address(s3_url("bucket/team", f"http://{HOST}:{scripted.port}")), MEANS)
        with pytest.raises(HubError) as caught:
            hub.list("", Progress())
        hub.close()
    assert caught.value.kind == "not_a_hub"
    assert caught.value.title == "The hub's list of files does not end."
    assert len(scripted.asked) < 1_100


@pytest.mark.parametrize("text", ["Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 1001 00:00:00 GMT"])
def test_a_clock_that_nobody_can_reckon_with_tells_nothing(text):
    assert parse_http_date(text) is None


def test_a_file_larger_than_ours_under_our_name_is_not_read_to_its_end(tmp_path):
    root = tmp_path / "hub"
    there = root / named(WORDS)
    there.parent.mkdir(parents=True)
    there.touch()
    os.truncate(there, 2**42)  # reading it would take hours
    assert kind_of(lambda: put(hub_in(root), WORDS)) == "other"
