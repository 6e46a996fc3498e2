"""What every hub promises, on each kind of server that a team may have."""

import hashlib
import os
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.hub_names import assignment_name, bundle_name, hash_in_name, results_name, returned_name
from desktop_rater.hub.errors import RETRIED_ERROR_KINDS, HubError
from tests.examples import examples
from tests.hub.grounds import KINDS

WRITERS = 12
ROUNDS = min(examples(25), 100)
TRIES = 8
MOST = 64 * 1024 * 1024
RATERS = ("Jörg Müller", "评级员", "con", "a/b\\c", "..", "x" * 200, "r 17 + 50 % #?", "r_1.2-3", "R-17", "r-17")


def put(hub, file_of, content, name=None):
    path, sha256 = file_of(content)
    name = name or results_name("r-17", "lr-2026", 1, sha256)
    return name, hub.put_new(name, path, sha256, Progress())


def got(hub, name, most=MOST):
    pieces = []
    count = hub.get(name, pieces.append, Progress(), most=most)
    content = b"".join(pieces)
    assert count == len(content)
    return content


def test_what_one_puts_there_everybody_finds(ground, file_of):
    name, how = put(ground.open(), file_of, b"results of a rater")
    other = ground.open()
    assert how == "put"
    assert got(other, name) == b"results of a rater"
    assert other.exists(name, Progress())
    assert [(one.name, one.size) for one in other.list("results", Progress())] == [(name, 18)]
    assert ground.found() == {name: b"results of a rater"}, "and nothing is left beside it"


def test_putting_it_again_changes_nothing(ground, file_of):
    name, _ = put(ground.open(), file_of, b"results of a rater")
    assert put(ground.open(), file_of, b"results of a rater") == (name, "there")
    assert ground.found() == {name: b"results of a rater"}


def test_other_bytes_under_a_name_are_never_replaced(ground, file_of):
    path, sha256 = file_of(b"results of a rater")
    name = results_name("r-17", "lr-2026", 1, sha256)
    ground.lay(name, b"results of a ra")  # as a server that tears leaves it
    with pytest.raises(HubError) as caught:
        ground.open().put_new(name, path, sha256, Progress())
    assert caught.value.kind == "other"
    assert ground.whole() == {name: b"results of a ra"}


def test_a_file_that_is_not_what_its_name_promises_never_goes(ground, file_of):
    path, sha256 = file_of(b"results of a rater")
    path.write_bytes(b"results of a robber")
    name = results_name("r-17", "lr-2026", 1, sha256)
    with pytest.raises(HubError):
        ground.open().put_new(name, path, sha256, Progress())
    assert ground.whole() == {}


def test_raters_may_be_called_as_they_like(ground, file_of):
    wanted = {}
    for rater in RATERS:
        _, sha256 = file_of(rater.encode())
        wanted |= dict.fromkeys((results_name(rater, rater, 7, sha256), returned_name(rater, sha256)), rater.encode())
    for name, content in wanted.items():
        put(ground.open(), file_of, content, name)
    hub = ground.open()
    assert {name: got(hub, name) for name in wanted} == wanted
    listed = [one.name for folder in ("results", "returned") for one in hub.list(folder, Progress())]
    assert listed == sorted(listed)
    # Windows gives two raters whose names differ in case one folder, with the name of the first.
    same = str.casefold if (ground.kind, os.name) == ("folder", "nt") else str
    assert sorted(map(same, listed)) == sorted(map(same, ground.found())) == sorted(map(same, wanted))


def test_an_empty_file_is_a_file(ground, file_of):
    name, how = put(ground.open(), file_of, b"")
    assert (how, got(ground.open(), name)) == ("put", b"")


def test_a_large_file_goes_piece_by_piece_and_tells_how_far_it_is(ground, file_of):
    content = random.Random(1).randbytes(20_000_000)
    path, sha256 = file_of(content)
    name = bundle_name("large", 1, sha256)
    told, pieces = [], []
    assert ground.open().put_new(name, path, sha256, Progress(lambda done, total: told.append((done, total)))) == "put"
    ground.open().get(name, pieces.append, Progress(), most=MOST)
    assert b"".join(pieces) == content
    assert len(pieces) > 1
    assert (len(content), len(content)) in told


def test_a_file_larger_than_it_can_be_is_not_read_to_its_end(ground, file_of):
    name, _ = put(ground.open(), file_of, bytes(3_000_000))
    came = []
    with pytest.raises(HubError) as caught:
        ground.open().get(name, came.append, Progress(), most=1_000_000)
    assert caught.value.kind == "torn"
    assert sum(map(len, came)) <= 1_000_000


def test_what_is_not_there_is_not_there(ground):
    hub = ground.open()
    name = assignment_name("r-17", "0" * 64)
    assert hub.list("assignments/r-17", Progress()) == ()
    assert not hub.exists(name, Progress())
    with pytest.raises(HubError) as caught:
        got(hub, name)
    assert caught.value.kind == "gone"


def test_what_others_leave_there_is_not_listed(ground, file_of):
    name, _ = put(ground.open(), file_of, b"ours")
    folder = name.rpartition("/")[0]
    for stray in (f"{'0' * 64}.sync-conflict-1.zip", ".tmp-c-1", "README.txt", "Thumbs.db", f".{'0' * 64}.zip"):
        ground.lay(f"{folder}/{stray}", b"stray")
    assert [one.name for one in ground.open().list("results", Progress())] == [name]


@pytest.mark.parametrize("ground", KINDS, indirect=True)  # a proxy changes nothing about it, and it takes seconds
def test_a_list_goes_on_where_servers_begin_a_new_page(ground):
    files = {
        results_name(f"r-{at % 7}", "b", 1, hashlib.sha256(b"%d" % at).hexdigest()): b"%d" % at for at in range(1_100)
    }
    for name, content in files.items():
        ground.lay(name, content)
    listed = ground.open().list("results", Progress())
    assert {one.name: one.size for one in listed} == {name: len(content) for name, content in files.items()}
    assert [one.name for one in listed] == sorted(files)
    some = ground.open().list("results/r-3/b", Progress())
    assert [one.name for one in some] == [name for name in sorted(files) if name.startswith("results/r-3/b/")]


def test_a_folder_whose_name_begins_alike_is_another_one(ground):
    sha256 = hashlib.sha256(b"1").hexdigest()
    ground.lay(assignment_name("r-1", sha256), b"1")
    ground.lay(assignment_name("r-17", sha256), b"1")
    assert [one.name for one in ground.open().list("assignments/r-1", Progress())] == [assignment_name("r-1", sha256)]


@pytest.mark.parametrize("at", [1, 3])
def test_whoever_cancels_is_heard_and_nothing_is_half_there(ground, file_of, at):
    path, sha256 = file_of(random.Random(2).randbytes(3_000_000))
    told = []

    def stop_there(done, total):
        told.append(done)
        if len(told) == at:
            progress.stop()

    progress = Progress(stop_there)
    name = results_name("r-17", "lr-2026", 1, sha256)
    with pytest.raises(Cancelled):
        ground.open().put_new(name, path, sha256, progress)
    assert all(hashlib.sha256(content).hexdigest() == hash_in_name(name) for name, content in ground.whole().items())
    assert put(ground.open(), file_of, path.read_bytes())[1] in ("put", "there")


def test_a_probe_finds_a_hub_usable_and_leaves_two_tiny_files(ground):
    first, again = (ground.open().probe(Progress()) for _ in range(2))
    for probe in (first, again):
        assert probe.usable, probe.findings
        assert all(one.words.endswith(".") for one in probe.findings)
    assert len(ground.whole()) == 2
    assert sum(map(len, ground.whole().values())) < 1_000
    # A server may finish the interrupted upload after the probe has looked for it; a later listing deletes it.
    assert sum(map(len, ground.found().values())) < 4_000


def test_twelve_writers_at_once_leave_every_file_equal_to_its_name(ground, file_of):
    """In each round twelve clients put three files at once, so four of them put the same."""
    made = [[file_of(b"%d %d" % (turn, at) * 500) for at in range(3)] for turn in range(ROUNDS)]
    hubs = [ground.open() for _ in range(WRITERS)]
    barrier = Barrier(WRITERS)

    def write(number):
        ended = []
        for turn, files in enumerate(made, 1):
            path, sha256 = files[number % 3]
            barrier.wait(60)
            try:
                ended.append(in_the_end(hubs[number], results_name("r-17", "b", turn, sha256), path, sha256))
            except HubError as trouble:
                ended.append(str(trouble))
        return ended

    with ThreadPoolExecutor(WRITERS) as pool:
        ended = list(pool.map(write, range(WRITERS)))
    assert {how for each in ended for how in each} <= {"put", "there"}
    found = ground.whole()
    assert len(found) == 3 * ROUNDS
    assert all(hashlib.sha256(content).hexdigest() == hash_in_name(name) for name, content in found.items())
    assert all(any(each[turn] == "put" for each in ended) for turn in range(ROUNDS))


def in_the_end(hub, name, path, sha256):
    """As a sync does it: what is worth another try gets one."""
    for _ in range(TRIES):
        try:
            return hub.put_new(name, path, sha256, Progress())
        except HubError as trouble:
            if trouble.kind not in RETRIED_ERROR_KINDS:
                raise
    return f"{TRIES} tries, and it is still busy"
