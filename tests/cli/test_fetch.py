"""Pages by command: fetched, prefetched, shown without a network, searched, and taken from results."""

import json
import os
import signal
import subprocess
import sys

import pytest

from desktop_rater.format.strict_json import sha256
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.warc import write_snapshot
from desktop_rater.store import snapshots
from tests.operations.bundles import make, rating, task, write_lines
from tests.pages.servers import HostileServer


@pytest.fixture
def server():
    server = HostileServer()
    yield server
    server.close()


@pytest.fixture
def bundle(run, tmp_path, server):
    """A bundle in the store whose one task links to three pages, of which one is gone."""
    links = " ".join(server.url(path) for path in ("/page", "/pdf", "/missing"))
    run("import", make(tmp_path / "b.zip", [task("t-1", f"See {links} for more.")]), status=0)
    return "b"


def files(tmp_path):
    return [path.name.partition(".")[0] for path in snapshots.list_snapshots(tmp_path / "store")]


def test_a_page_is_shown_and_kept(run, tmp_path, server):
    answer = run("fetch", server.url("/chain/1"), "--allow-loopback", "--json")
    said = answer.json
    assert answer.status == 0
    assert (said["url"], said["final_url"]) == (server.url("/chain/1"), server.url("/page"))
    assert (said["state"], said["stored"]) == ("ok", False)
    assert "Canberra" in said["text"]
    assert said["title"]
    assert [said["snapshot"]] == files(tmp_path)
    words = run("fetch", server.url("/page"), "--allow-loopback")
    assert said["title"] in words.out
    assert said["text"].splitlines()[0] in words.out


def test_without_a_network_the_stored_copy_is_shown(run, tmp_path, server):
    was = run("fetch", server.url(), "--allow-loopback", "--json").json
    server.close()
    answer = run("fetch", server.url(), "--allow-loopback", "--json", status=0)
    assert {key: answer.json[key] for key in ("text", "snapshot", "stored", "fetched")} == {
        "text": was["text"],
        "snapshot": was["snapshot"],
        "stored": True,
        "fetched": was["fetched"],
    }
    assert f"stored copy of {was['fetched']}" in answer.err
    assert run("fetch", server.url("/pdf"), "--allow-loopback").status == 1


def test_a_page_of_which_characters_could_not_be_read_says_how_many(run, server):
    answer = run("fetch", server.url("/wrong-charset"), "--allow-loopback", status=0)
    assert "Characters of the page that could not be read, and became U+FFFD: 4." in answer.err
    assert "U+FFFD" not in run("fetch", server.url("/text"), "--allow-loopback").err


def test_offline_no_packet_is_sent(run, server):
    run("fetch", server.url(), "--allow-loopback")
    before = server.connections
    assert run("fetch", server.url(), "--offline", "--json").json["stored"]
    assert run("fetch", server.url("/pdf"), "--offline", "--json").json["state"] == "unreachable"
    assert server.connections == before


def test_looking_offline_makes_no_store(run, tmp_path):
    assert "No copy of this page" in run("fetch", "https://kelp.example/", "--offline", status=1).err
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("/missing", "not_found"),
        ("/forbidden", "refused"),
        ("/error", "failed"),
        ("/image", "other_type"),
        ("/bomb/64", "too_large"),
        ("/double-gzip", "broken"),
        ("/to-file", "blocked"),
    ],
)
def test_a_page_that_is_not_shown_says_why(run, tmp_path, server, path, state):
    answer = run("fetch", server.url(path), "--allow-loopback", "--json")
    assert (answer.status, answer.json["state"], answer.json["snapshot"]) == (1, state, None)
    assert answer.json["why"] in answer.err
    assert files(tmp_path) == []


def test_this_computer_is_not_fetched_from_unless_a_test_asks(run, server):
    for url in (
        server.url(),
        server.url().replace("127.0.0.1", "localhost"),
        "http://169.254.169.254/",
        "http://10.0.0.1/",
    ):
        answer = run("fetch", url, "--json")
        assert (answer.status, answer.json["state"]) == (1, "blocked")
    assert server.connections == 0


@pytest.mark.parametrize(
    "words",
    [
        ["fetch", "no-such-bundle"],
        ["fetch", "file:///etc/passwd"],
        ["fetch", "ftp://kelp.example/"],
        ["fetch", "https://kelp.example/", "--bundle", "no-such-bundle"],
        ["fetch", "b", "--offline"],
        ["fetch"],
        ["pages", "search", "no-such-bundle", "kelp"],
        ["pages", "take", "no-such-file.zip"],
    ],
)
def test_what_is_not_there_is_refused_and_makes_no_store(run, tmp_path, words):
    assert run(*words, status=2).out == ""
    if words[:2] != ["pages", "take"]:
        assert not (tmp_path / "store").exists()


def test_every_link_of_a_bundle_is_fetched_for_the_train(run, tmp_path, server, bundle):
    answer = run("fetch", bundle, "--allow-loopback", "--json")
    said = answer.json
    assert answer.status == 1
    assert (said["bundle"], said["fetched"], said["known"]) == (bundle, 2, 0)
    assert [(one["url"], one["state"]) for one in said["missing"]] == [(server.url("/missing"), "not_found")]
    assert server.url("/missing") in answer.err
    assert len(files(tmp_path)) == 2
    before = server.hits
    said = run("fetch", bundle, "--allow-loopback", "--json").json
    assert (said["fetched"], said["known"]) == (0, 2)
    assert server.hits["/page"] == before["/page"]
    assert run("fetch", bundle, "--again", "--allow-loopback", "--json").json["fetched"] == 2
    assert len(files(tmp_path)) == 2
    assert run("doctor").status == 0


def test_a_page_can_be_fetched_for_a_bundle_and_is_found_there(run, server, bundle):
    run("fetch", server.url("/page"), "--bundle", bundle, "--allow-loopback")
    answer = run("pages", "search", bundle, "canberra", "--json", status=0)
    (hit,) = answer.json["hits"]
    assert hit["url"] == server.url("/page")
    start, end = hit["marks"][0]
    assert hit["snippet"][start:end] == "Canberra"
    assert run("pages", "search", bundle, "nowhere").out == "No stored page contains these words.\n"


def test_pages_that_came_with_a_bundle_are_found_once_they_are_read(run, tmp_path, server):
    run("fetch", server.url("/page"), "--allow-loopback", status=0)
    collected = tmp_path / "store" / "snapshots"
    make(tmp_path / "b.zip", [task("t-1")], snapshots=collected)
    other = ["--store", tmp_path / "other"]
    run(*other, "import", tmp_path / "b.zip")
    answer = run(*other, "pages", "search", "b", "canberra", "--json")
    assert (answer.status, answer.json) == (1, {"hits": [], "unread": 1})
    assert "pages read" in answer.err
    assert run(*other, "pages", "read", "--json").json == {"read": 1, "broken": []}
    assert len(run(*other, "pages", "search", "b", "canberra", "--json").json["hits"]) == 1


def test_evidence_of_results_opens_in_another_store(run, tmp_path, server, bundle):
    said = run("fetch", server.url("/page"), "--bundle", bundle, "--allow-loopback", "--json").json
    evidence = [{"id": "e1", "target": "s1", "stance": "supporting", "url": said["url"], "snapshot": said["snapshot"]}]
    lines = write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)])
    run("rate", bundle, "--from", lines, "--rater", "r-17")
    assert run("export", bundle, "--rater", "r-17", "--out", tmp_path / "r.zip").status == 0
    assert run("check", tmp_path / "r.zip").status == 0
    server.close()
    lead = ["--store", tmp_path / "lead"]
    answer = run(*lead, "pages", "take", tmp_path / "r.zip", "--json")
    assert (answer.status, answer.json) == (0, {"bundle": bundle, "new": 1, "known": 0, "broken": []})
    answer = run(*lead, "fetch", said["url"], "--offline", "--bundle", bundle, "--rater", "r-17", "--json")
    assert (answer.status, answer.json["text"]) == (0, said["text"])
    origin = answer.json["origin"]
    assert (origin["kind"], origin["bundle"], origin["rater"], origin["alone"]) == ("results", bundle, "r-17", True)
    assert "a claim of r-17" in answer.err
    assert run(*lead, "fetch", said["url"], "--offline", "--bundle", bundle).status == 1
    assert run(*lead, "fetch", said["url"], "--offline", "--bundle", bundle, "--rater", "r-18").status == 1
    assert "--bundle, and --rater" in run(*lead, "fetch", said["url"], "--offline").err
    assert run(*lead, "doctor").status == 0


def forged(url, text, date="2099-01-01T00:00:00Z"):
    """A stored page of an address, as a stranger may write it."""
    return write_snapshot(
        WebResponse(
            url=url,
            final_url=url,
            status=200,
            fetched=date,
            headers=(("Content-Type", "text/html"),),
            raw=f"<p>{text}</p>".encode(),
            body=f"<p>{text}</p>".encode(),
        )
    )


def test_a_page_that_a_strangers_bundle_brings_for_a_known_address_answers_for_that_bundle_alone(run, tmp_path, server):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    own = run("fetch", server.url(), "--allow-loopback", "--bundle", "b", "--json").json
    collected = tmp_path / "forged"
    collected.mkdir()
    (collected / "1.warc.gz").write_bytes(forged(server.url(), "Sydney is the capital."))
    (collected / "2.warc.gz").write_bytes(forged("https://kelp.example/", "Kelp is a fish."))
    run("import", make(tmp_path / "evil.zip", [task("t-1")], snapshots=collected))
    for bundle in ("b", "evil"):
        shown = run("fetch", server.url(), "--offline", "--bundle", bundle, "--json").json
        assert (shown["text"], shown["origin"]["kind"]) == (own["text"], "fetched"), "one's own fetch comes first"
    assert run("fetch", "https://kelp.example/", "--offline", "--bundle", "b").status == 1
    answer = run("fetch", "https://kelp.example/", "--offline", "--bundle", "evil", status=0)
    assert "It came with the bundle evil on " in answer.err
    assert "2099" not in answer.err


def test_a_page_that_one_rater_brings_is_compared_with_the_page_itself(run, tmp_path, server, bundle):
    """The lead holds a rater's copy of a page, fetches the page, and sees which sentences differ."""
    content = forged(server.url(), "Canberra is the capital city of Australia. Sydney lies on the moon.")
    name = sha256(content)
    snapshots.store_snapshot(tmp_path / "store", name, [content])
    evidence = [{"id": "e1", "target": "s1", "url": server.url(), "snapshot": name}]
    run("rate", bundle, "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)]), "--rater", "r")
    assert run("export", bundle, "--rater", "r", "--out", tmp_path / "r.zip").status == 0
    lead = ["--store", tmp_path / "lead", "pages"]
    run(*lead, "take", tmp_path / "r.zip")
    which = [server.url(), "--bundle", bundle, "--rater", "r", "--allow-loopback"]
    answer = run(*lead, "compare", *which, "--json", status=1)
    assert answer.json["same"] is False
    assert "Sydney lies on the moon." in answer.json["only_stored"]
    assert any("Griffin" in sentence for sentence in answer.json["only_fetched"])
    assert answer.json["stored"]["origin"]["alone"]
    assert "a claim of r" in answer.err
    own = run(*lead, "compare", server.url(), "--bundle", bundle, "--allow-loopback")
    assert (own.status, own.out) == (0, "The texts are the same.\n"), "one's own fetch comes first now"
    for more in ([], ["--snapshot", name]):
        named = run(*lead, "compare", *which, *more, status=1)
        assert "- Sydney lies on the moon." in named.out
    server.close()
    assert run(*lead, "compare", *which, "--json").json["fetched"]["state"] == "unreachable"
    assert run(*lead, "compare", "https://kelp.example/").status == 2


def test_an_altered_page_is_named_and_left_out_of_results(run, tmp_path, server, bundle):
    said = run("fetch", server.url("/page"), "--bundle", bundle, "--allow-loopback", "--json").json
    evidence = [{"id": "e1", "target": "s1", "stance": "supporting", "url": said["url"], "snapshot": said["snapshot"]}]
    run("rate", bundle, "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)]), "--rater", "r")
    (file,) = snapshots.list_snapshots(tmp_path / "store")
    file.write_bytes(b"half of a page")
    answer = run("export", bundle, "--rater", "r", "--out", tmp_path / "r.zip", "--json")
    assert (answer.status, answer.json["written"], answer.json["altered"]) == (1, True, [said["snapshot"]])
    assert said["snapshot"] in answer.err
    assert run("check", tmp_path / "r.zip").status == 0


def test_a_missing_page_that_evidence_names_is_a_fault_of_the_store(run, tmp_path, server, bundle):
    said = run("fetch", server.url("/page"), "--bundle", bundle, "--allow-loopback", "--json").json
    evidence = [{"id": "e1", "target": "s1", "url": said["url"], "snapshot": said["snapshot"]}]
    run("rate", bundle, "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)]), "--rater", "r")
    snapshots.list_snapshots(tmp_path / "store")[0].unlink()
    answer = run("doctor", "--json", status=1)
    assert [fault["check"] for fault in answer.json["faults"]] == ["pages"]


def test_a_hostile_title_can_do_nothing_to_a_terminal(run, tmp_path, server):
    answer = run("fetch", server.url("/to?url=http://127.0.0.1/%1b%5b31m"), "--allow-loopback")
    assert "\x1b" not in answer.out + answer.err


def child(tmp_path, *words):
    return [sys.executable, "-m", "desktop_rater", "--store", str(tmp_path / "store"), *map(str, words)]


@pytest.mark.posix("Windows has no signals to send to a process")
@pytest.mark.parametrize("path", ["/silent", "/drip", "/endless-headers"])
def test_ctrl_c_stops_a_fetch_at_once(run, tmp_path, server, path):
    run("fetch", server.url(), "--allow-loopback")
    with subprocess.Popen(
        child(tmp_path, "fetch", server.url(path), "--allow-loopback"), stderr=subprocess.PIPE
    ) as fetching:
        while not server.hits[path]:
            assert fetching.poll() is None
            os.sched_yield()
        fetching.send_signal(signal.SIGINT)
        _, err = fetching.communicate(timeout=20)
    assert fetching.returncode == 130
    assert b"Traceback" not in err
    assert run("doctor").status == 0


@pytest.mark.posix("Windows has no signals to send to a process")
def test_ctrl_c_stops_a_prefetch_and_what_came_stays(run, tmp_path, server):
    links = " ".join(server.url(path) for path in ("/page", "/silent"))
    run("import", make(tmp_path / "b.zip", [task("t-1", f"See {links} for more.")]))
    with subprocess.Popen(child(tmp_path, "fetch", "b", "--allow-loopback"), stderr=subprocess.PIPE) as fetching:
        while not server.hits["/silent"]:
            assert fetching.poll() is None
            os.sched_yield()
        fetching.send_signal(signal.SIGINT)
        _, err = fetching.communicate(timeout=20)
    assert fetching.returncode == 130
    assert b"Traceback" not in err
    assert len(files(tmp_path)) == 1


def test_fetching_loads_no_qt_and_status_no_http(tmp_path, server):
    script = (
        "import sys, json; from desktop_rater.cli.root import main\n"
        f"main(['--store', {str(tmp_path / 'store')!r}, *sys.argv[1:]])\n"
        "heavy = ('PySide6', 'httpx', 'httpcore', 'warcio', 'trafilatura', 'bs4', 'lxml', 'nh3', 'pypdf')\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules} & set(heavy))))"
    )
    loaded = {}
    for words in (["status"], ["fetch", server.url(), "--allow-loopback"]):
        done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
        loaded[words[0]] = json.loads(done.stdout.splitlines()[-1])
    assert loaded["status"] == []
    assert not {"PySide6", "trafilatura", "bs4", "lxml", "nh3", "pypdf"}.intersection(loaded["fetch"])
