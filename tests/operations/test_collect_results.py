"""A lead brings the results of a hub into a folder: all of them, whole, once, and nothing else."""

import hashlib
import threading
from pathlib import Path

import pytest

from desktop_rater.format import hub_names
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubFile
from desktop_rater.operations.hub.collect import collect_results

from .desk_hubs import all_files, folder_hub
from .hubs import Around

RATERS = ("ana", "ben", "cy")


def put(hub, folder, content, rater="ana", bundle="b", revision=1):
    """What a rater's laptop puts there."""
    digest = hashlib.sha256(content).hexdigest()
    file = folder / "content"
    file.write_bytes(content)
    name = hub_names.results_name(rater, bundle, revision, digest)
    hub.put_new(name, file, digest, Progress())
    return name


def put_key(hub, folder, rater, content):
    digest = hashlib.sha256(content).hexdigest()
    file = folder / "content"
    file.write_bytes(content)
    name = hub_names.key_name(rater, digest)
    hub.put_new(name, file, digest, Progress())
    return name


def collect(hub, folder, progress=None):
    return collect_results(hub, folder, chance=lambda: 0.0, progress=progress or Progress())


def files_in(folder):
    """All but the marker."""
    return set(all_files(folder)) - {"hub.json"}


def test_all_results_and_keys_come_into_a_new_folder_that_looks_like_the_hub(hub, tmp_path):
    names = {put(hub, tmp_path, f"{rater} {at}".encode(), rater, revision=at) for rater in RATERS for at in (1, 2)}
    key = put_key(hub, tmp_path, "ana", b"a key")
    collected = collect(hub, tmp_path / "out")
    assert set(collected.fetched) == names | {key}
    assert (collected.there, collected.failed, collected.project) == (0, (), "kelp")
    assert all_files(tmp_path / "out") == all_files(tmp_path / "hub")


def test_what_is_there_is_not_fetched_again(hub, tmp_path):
    put(hub, tmp_path, b"first")
    collect(hub, tmp_path / "out")
    new = put(hub, tmp_path, b"second", "ben")
    fetched = []

    def get(name, *given, **named):
        fetched.append(name)
        return hub.get(name, *given, **named)

    collected = collect(Around(hub, get=get), tmp_path / "out")
    assert (collected.fetched, collected.there) == ((new,), 1)
    assert fetched == ["hub.json", new]


def test_torn_and_altered_results_are_named_and_the_others_come(hub, tmp_path):
    bad = [put(hub, tmp_path, f"bad {at}".encode() * 50, "eve", revision=at) for at in range(1, 8)]
    for name in bad:
        (tmp_path / "hub" / name).write_bytes(b"bad")
    good = put(hub, tmp_path, b"good")
    collected = collect(hub, tmp_path / "out")
    assert collected.fetched == (good,)
    assert [(name, why.kind) for name, why in collected.failed] == [(name, "torn") for name in bad]
    assert files_in(tmp_path / "out") == {good}, "nothing half is left"
    whole = f"bad {1}".encode() * 50
    (tmp_path / "hub" / bad[0]).write_bytes(whole)
    assert collect(hub, tmp_path / "out").fetched == (bad[0],), "once it is whole it comes"


@pytest.mark.parametrize(
    "name",
    [
        f"results/../../evil/{'a' * 64}.zip",
        f"results/ana/..\\b/1-{'a' * 64}.zip",
        f"/results/ana/b/1-{'a' * 64}.zip",
        f"results/ana/b/c/1-{'a' * 64}.zip",
        f"results/ana/b/1-{'a' * 64}.json",
        f"results/con/b/1-{'a' * 64}.zip",
        f"results/a na/b/1-{'a' * 64}.zip",
        f"keys/ana/b/{'a' * 64}.json",
        "results/ana/b/notes.txt",
    ],
)
def test_a_name_that_nobody_gives_is_never_fetched(hub, tmp_path, name):
    fetched = []

    def get(asked, *given, **named):
        fetched.append(asked)
        return hub.get(asked, *given, **named)

    hostile = Around(hub, get=get, list=lambda folder, *_: (HubFile(name, 5),) if folder == "results" else ())
    collected = collect(hostile, tmp_path / "out")
    assert fetched == ["hub.json"]
    assert [one for one, _ in collected.failed] == [name]
    assert files_in(tmp_path / "out") == set()


def test_cancelled_it_leaves_nothing_half_and_goes_on_the_next_time(hub, tmp_path):
    names = {put(hub, tmp_path, b"x" * 5000 + str(at).encode(), revision=at) for at in range(1, 41)}
    progress = Progress(lambda done, total: progress.stop() if total == 40 and done >= 5 else None)
    with pytest.raises(Cancelled):
        collect(hub, tmp_path / "out", progress)
    some = {name: content for name, content in all_files(tmp_path / "out").items() if name != "hub.json"}
    assert 5 <= len(some) < 40
    assert all(hub_names.hash_in_name(name) == hashlib.sha256(content).hexdigest() for name, content in some.items())
    collected = collect(hub, tmp_path / "out")
    assert (collected.there, len(collected.fetched)) == (len(some), 40 - len(some))
    assert files_in(tmp_path / "out") == names


def test_a_hub_that_goes_away_ends_the_run_and_keeps_what_came(hub, tmp_path):
    for at in range(1, 81):
        put(hub, tmp_path, str(at).encode(), revision=at)
    answered, lock = [], threading.Lock()

    def get(name, *given, **named):
        with lock:
            answered.append(name)
            away = len(answered) > 10
        if away:
            raise HubError("away", "The hub did not answer.")
        return hub.get(name, *given, **named)

    with pytest.raises(HubError, match="did not answer"):
        collect(Around(hub, get=get), tmp_path / "out")
    assert 1 <= len(files_in(tmp_path / "out")) <= 9
    assert len(answered) < 60, "it does not go on asking for all of them"


def test_one_that_never_comes_does_not_hold_up_the_others(hub, tmp_path):
    names = [put(hub, tmp_path, str(at).encode(), revision=at) for at in range(1, 11)]

    def get(name, *given, **named):
        if name == names[3]:
            raise HubError("busy", "Later.", retry_after=0.0)
        return hub.get(name, *given, **named)

    collected = collect(Around(hub, get=get), tmp_path / "out")
    assert [(name, why.kind) for name, why in collected.failed] == [(names[3], "busy")]
    assert set(collected.fetched) == set(names) - {names[3]}


def test_one_that_hiccups_comes_with_the_next_try(hub, tmp_path):
    name = put(hub, tmp_path, b"results")
    tries = []

    def get(asked, *given, **named):
        tries.append(asked)
        if tries.count(name) == 1 and asked == name:
            raise HubError("away", "It broke.")
        return hub.get(asked, *given, **named)

    assert collect(Around(hub, get=get), tmp_path / "out").fetched == (name,)


def test_of_another_hub_or_none_nothing_is_fetched(hub, tmp_path):
    put(hub, tmp_path, b"results")
    (tmp_path / "hub" / "hub.json").unlink()
    with pytest.raises(HubError):
        collect(hub, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_results_of_two_projects_are_not_mixed_up_in_one_folder(hub, tmp_path):
    name = put(hub, tmp_path, b"kelp")
    collect(hub, tmp_path / "out")
    dunes = folder_hub(tmp_path / "dunes", "dunes")
    put(dunes, tmp_path, b"dunes")
    with pytest.raises(BundleError, match="another project"):
        collect(dunes, tmp_path / "out")
    assert files_in(tmp_path / "out") == {name}


def test_a_file_of_that_name_that_is_no_marker_stays_as_it_is(hub, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "hub.json").write_bytes(b"my notes")
    name = put(hub, tmp_path, b"kelp")
    assert collect(hub, tmp_path / "out").fetched == (name,)
    assert (tmp_path / "out" / "hub.json").read_bytes() == b"my notes"


def test_what_stands_in_the_way_here_holds_up_nothing_else(hub, tmp_path):
    blocked = [put(hub, tmp_path, b"one", "ana"), put(hub, tmp_path, b"two", "ben")]
    good = put(hub, tmp_path, b"three", "cy")
    (tmp_path / "out" / "results").mkdir(parents=True)
    (tmp_path / "out" / "results" / "ana").write_bytes(b"a file")
    (tmp_path / "out" / blocked[1]).mkdir(parents=True)
    collected = collect(hub, tmp_path / "out")
    assert collected.fetched == (good,)
    assert [name for name, _ in collected.failed] == blocked
    assert str(Path("results/ana")) in collected.failed[0][1].message


def test_what_one_rater_has_closed_holds_up_nobody_elses(hub, tmp_path):
    closed = put(hub, tmp_path, b"closed", "ana")
    good = [put(hub, tmp_path, rater.encode(), rater) for rater in ("ben", "cy")]
    no = HubError("rights", "That may not be read.")

    def get(name, *given, **named):
        if name == closed:
            raise no
        return hub.get(name, *given, **named)

    collected = collect(Around(hub, get=get), tmp_path / "out")
    assert (collected.fetched, collected.failed) == (tuple(good), ((closed, no),))


@pytest.mark.posix("links need a special right on Windows")
@pytest.mark.parametrize("link", ["results", "results/ana", "results/ana/b", "keys", "file", "hub.json"])
def test_no_link_leads_results_out_of_the_folder(hub, tmp_path, link):
    name = put(hub, tmp_path, b"of ana")
    put_key(hub, tmp_path, "ana", b"{}")
    out, victim = tmp_path / "out", tmp_path / "victim"
    link_path = out / (name if link == "file" else link)
    link_path.parent.mkdir(parents=True)
    victim.mkdir()
    target = victim / "not yet there" if link in {"file", "hub.json"} else victim
    link_path.symlink_to(target, target_is_directory=target.is_dir())
    if link == "hub.json":
        with pytest.raises(BundleError, match="link"):
            collect(hub, out)
    else:
        failed = dict(collect(hub, out).failed)
        assert failed
        assert all("in its place" in str(why) for why in failed.values())
    assert list(victim.iterdir()) == []


@pytest.mark.posix("links need a special right on Windows")
def test_the_folder_itself_may_be_a_link(hub, tmp_path):
    put(hub, tmp_path, b"of ana")
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real", target_is_directory=True)
    assert len(collect(hub, tmp_path / "out").fetched) == 1
    assert collect(hub, tmp_path / "out").there == 1
