"""Libraries on a hub: published, fetched, resumed and checked; bundles that want them, and the start page."""

import json
import shutil
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.manifests import FileEntry
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.operations.rating.overview import read_overview
from desktop_rater.plugins.library import publish
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.publish import PublishedLibrary, fetch_library, publish_library
from desktop_rater.ui.start.texts import detail_text, libraries_text
from tests.hub.grounds import make_ground
from tests.operations.bundles import RATER, make, noon, take_in, task, write_lines, writer

NONE = Progress()
LEAD, STRANGER = SigningKey(bytes(range(32))), SigningKey(bytes(range(1, 33)))
MARKER = f'{{"format": "desktop-rater/hub", "version": 1, "project": "p-1", "lead_key": "{LEAD.public}"}}'.encode()
CONTENTS = {"a.html": b"<p>Kelp" * 9, "tides/b.txt": b"", "tides/ebb é.txt": bytes(range(256)) * 30, "z.md": b"# Z"}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(publish, "_PART", 1_000)


@pytest.fixture(params=["folder", "rclone"])
def ground(request, tmp_path):
    made = make_ground(request.param, request.getfixturevalue, tmp_path)
    made.lay("hub.json", MARKER)
    yield made
    made.close()


@pytest.fixture
def library(tmp_path):
    for name, content in CONTENTS.items():
        path = tmp_path / "kelp" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Library(id="kelp", name="Kelp", kind="folder", date="2026-03-01", sources=(str(tmp_path / "kelp"),))


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_library_is_published_once_and_fetched_unchanged(ground, library, tmp_path):
    hub = ground.open()
    wanted = publish_library(hub, library, LEAD, NONE)
    on_hub = ground.whole()
    assert publish_library(hub, library, LEAD, NONE) == wanted
    assert ground.whole() == on_hub, "nothing is sent again"
    fetched = fetch_library(tmp_path / "other", hub, "kelp", "", {}, NONE)
    assert (fetched.name, fetched.kind, fetched.date) == ("Kelp", "folder", "2026-03-01")
    assert files_in(Path(*fetched.sources)) == CONTENTS

    (tmp_path / "kelp" / "new.txt").write_text("New", "utf-8")
    newer = publish_library(hub, library, LEAD, NONE)
    for digest, count in (("", 5), (wanted["sha256"], 4)):
        fetched = fetch_library(tmp_path / f"store {count}", hub, "Kelp", digest, {}, NONE)
        assert len(files_in(Path(*fetched.sources))) == count
    assert newer["sha256"] != wanted["sha256"]
    with pytest.raises(RaterError, match="no such library"):
        fetch_library(tmp_path / "third", hub, "Kelp", "0" * 64, {}, NONE)


def test_only_what_the_lead_signed_or_nobody_is_fetched(tmp_path, library, request):
    ground = make_ground("folder", request.getfixturevalue, tmp_path)
    ground.lay("hub.json", MARKER)
    hub = ground.open()
    trusted = {"p-1": STRANGER.public}

    def fetch(name, lead_keys=MappingProxyType({})):
        return fetch_library(tmp_path / name, hub, "Kelp", "", lead_keys, NONE)

    publish_library(hub, library, LEAD, NONE)
    assert not fetch("signed").unsigned
    with pytest.raises(RaterError, match=r"Kelp is signed with another key than the lead's\."):
        fetch("other lead", trusted)
    content = next(content for name, content in ground.whole().items() if "/1-" in name)
    changed = content.replace(b"2026-03-01", b"2026-11-01")
    ground.lay(f"libraries/kelp/2-{sha256(changed)}.json", changed)
    with pytest.raises(RaterError, match="The description of Kelp was changed after it was signed"):
        fetch("changed")
    publish_library(hub, library, STRANGER, NONE)
    with pytest.raises(RaterError, match="another key"):
        fetch("foreign")
    assert not fetch("trusted", trusted).unsigned
    publish_library(hub, library, None, NONE)
    assert fetch("unsigned", trusted).unsigned


class StopAfter:
    """A progress that cancels after some calls."""

    def __init__(self, calls):
        self.left = calls

    def __call__(self, _done, _total):
        self.left -= 1
        if self.left < 0:
            raise Cancelled


def test_publishing_and_fetching_continue_after_a_break(tmp_path, library, request, monkeypatch):
    ground = make_ground("folder", request.getfixturevalue, tmp_path)
    hub = ground.open()
    ground.lay("hub.json", MARKER)
    fetched_names, get, breaks = [], type(hub).get, 0
    for calls in range(3, 10_000, 5):
        try:
            publish_library(hub, library, LEAD, Progress(StopAfter(calls)))
            break
        except Cancelled:
            breaks += 1
            assert not [name for name in ground.whole() if name.startswith("libraries/") and name.endswith(".json")]
    assert breaks > 3
    finished = [name for name in ground.whole() if name.endswith(".part")]
    assert len(finished) == -(-sum(map(len, CONTENTS.values())) // 1_000)

    def counted(self, name, *rest, **more):
        size = get(self, name, *rest, **more)
        fetched_names.append(name)
        return size

    monkeypatch.setattr(type(hub), "get", counted)
    for calls in range(3, 10_000, 5):
        try:
            fetched = fetch_library(tmp_path / "store", hub, "Kelp", "", {}, Progress(StopAfter(calls)))
            break
        except Cancelled:
            assert not list((tmp_path / "store").rglob("library.json"))
    assert files_in(Path(*fetched.sources)) == CONTENTS
    parts = [name for name in fetched_names if name.endswith(".part")]
    assert sorted(parts) == sorted(finished), "no part is fetched twice"


def test_what_is_damaged_on_the_hub_or_on_the_way_is_refused(tmp_path, library, request):
    ground = make_ground("folder", request.getfixturevalue, tmp_path)
    ground.lay("hub.json", MARKER)
    hub = ground.open()
    publish_library(hub, library, LEAD, NONE)
    end = sum(map(len, CONTENTS.values())) % 1_000
    last = b"".join(content for _, content in sorted(CONTENTS.items()))[-end:]
    part = f"libraries/kelp/{sha256(publish._HEAD + last)}.part"
    content = ground.whole()[part]
    ground.lay(part, content[:-1] + b"?")
    with pytest.raises(RaterError, match="incomplete"):
        fetch_library(tmp_path / "store", hub, "Kelp", "", {}, NONE)
    ground.lay(part, content)
    (arrived,) = list((tmp_path / "store").rglob("a.html"))  # it is changed here before the rest comes
    arrived.write_bytes(b"?" * len(CONTENTS["a.html"]))
    with pytest.raises(RaterError, match="did not arrive whole"):
        fetch_library(tmp_path / "store", hub, "Kelp", "", {}, NONE)
    assert files_in(Path(*fetch_library(tmp_path / "store", hub, "Kelp", "", {}, NONE).sources)) == CONTENTS


@pytest.mark.parametrize(
    "name", ["../a", "/a", "a/../../b", "C:\\a", "a\\b", "a//b", "", "con", "a\n", "b.", "x" * 300, "a:b"]
)
def test_a_description_that_would_write_elsewhere_is_refused(name):
    entry = FileEntry(sha256="0" * 64, bytes=0)
    described: dict[str, Any] = {"format": "desktop-rater/library", "version": 1, "name": "K", "kind": "folder"}
    described["part_bytes"] = 9
    assert PublishedLibrary(**described, parts=(), files={"a/b c.txt": entry})
    with pytest.raises(ValueError, match="can't be stored"):
        PublishedLibrary(**described, parts=(), files={name: entry})
    with pytest.raises(ValueError, match="same on some systems"):
        PublishedLibrary(**described, parts=(), files={"a": entry, "A": entry})
    with pytest.raises(ValueError, match="does not match"):
        PublishedLibrary(**described, parts=("0" * 64,), files={"a": entry})


def test_a_bundle_names_the_libraries_that_it_wants_and_the_start_page_those_that_are_missing(tmp_path):
    named = ("Tide tables", json.dumps({"name": "Kelp", "date": "2026-03-01", "sha256": "0" * 64}))
    path = make(tmp_path / "b.zip", [task("t-1")], libraries=named)
    with writer(tmp_path / "store") as store:
        take_in(store, path)
        (bundle,) = read_overview(store, RATER, now=noon()).bundles
        assert bundle.missing_libraries == ("Tide tables", "Kelp (2026-03-01)")
        assert detail_text(bundle).startswith("Library missing: Tide tables, Kelp (2026-03-01) · ")
        assert "Tide tables, Kelp (2026-03-01)" in libraries_text(bundle)
        for name in ("kelp", "tide-tables"):
            (tmp_path / "store" / "libraries" / name).mkdir(parents=True)
            (tmp_path / "store" / "libraries" / name / "library.json").touch()
        (bundle,) = read_overview(store, RATER, now=noon()).bundles
        assert bundle.missing_libraries == ()
        assert "Library" not in detail_text(bundle) + libraries_text(bundle)
    for wrong in ('{"name": ""}', '{"name": "a", "date": "today"}', "{", '{"name": "a", "sha256": "x"}'):
        with pytest.raises(RaterError):
            make(tmp_path / "wrong.zip", [task("t-1")], libraries=(wrong,))


def test_wanted_libraries_stay_in_what_is_made_of_a_bundle_and_the_commands_get_one(run, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kelp.txt").write_text("Giant kelp grows half a metre a day in cold water. " * 9, "utf-8")
    (tmp_path / "hub").mkdir()
    shared = tmp_path / "hub" / "shared"
    assert run("hub", "init", f"folder:{shared}", "--project", "p-1").status == 0
    assert run("library", "add", "Kelp", tmp_path / "docs", "--date", "2026-03-01").status == 0
    wanted = run("library", "publish", "Kelp", "--hub", f"folder:{shared}").out.strip()
    assert run("library", "fetch", "Kelp", "--hub", f"folder:{shared}").status == 2, "it is there"
    lines, out = write_lines(tmp_path / "t.jsonl", [task("t-1"), task("t-2")]), tmp_path / "b.zip"
    assert run("bundle", "make", "--library", wanted, "--library", "Tides", "--out", out, lines).status == 0
    assert run("bundle", "split", "2", out).status == 0
    assert "libraries: Kelp, Tides" in run("bundle", "inspect", out).out
    for path in (out, tmp_path / "b-part-1.zip"):
        assert inspect_bundle(path, NONE).libraries == ("Kelp", "Tides")
    assert run("library", "remove", "Kelp").status == 0
    shutil.rmtree(tmp_path / "docs")
    assert run("library", "fetch", "Kelp", "--hub", f"folder:{shared}", "--json").json["passages"] > 0
    assert "half a metre" in run("library", "search", "kelp").out
    assert run("library", "publish", "Kelp").status == 2, "no hub is connected"
