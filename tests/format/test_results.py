"""Results can be checked with nothing else at hand, and whatever was altered in them is found."""

import hashlib
import json
import zipfile

import msgspec
import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.format.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.format.results import ResultLines, ResultsDraft, open_results, write_results
from desktop_rater.format.safe_zip import Limits
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.format.write import Spool
from tests.format.zips import CREATED, PAGE, PAGE_HASH, PAGE_NAME, bundle, listed, names_in, pack, task

TASKS = [json.dumps(task(f"t-{number}"), indent=None).encode() + b"\r" for number in range(3)]
RATINGS = [
    {"task": "t-0", "rater": "r-17", "status": "complete", "answers": {"targets": {"s1": {"factual": "no"}}}},
    {"task": "t-1", "rater": "r-17", "status": "skipped", "skipped": {"reason": "harmful"}},
    {"task": "t-2", "rater": "r-17", "status": "complete", "note": "Grüße, 🌿\u2028"},
]
HISTORY = [
    HistoryLine(task=f"t-{number}", revision=1, changed=CREATED, done="answered", sha256=64 * "a")
    for number in range(3)
]
NEW = ResultsDraft(
    bundle=BundleRef(id="kelp", revision=1, sha256=64 * "b"),
    rater="r-17",
    rubric="own@1",
    counts=Counts(tasks=4, complete=2, skipped=1),
    moment=CREATED,
    partial=True,
    supersedes=64 * "c",
    rubric_toml='id = "own"\n',
)


@pytest.fixture
def page(tmp_path):
    page = tmp_path / "page"
    page.write_bytes(PAGE)
    return page


@pytest.fixture
def path(tmp_path):
    return tmp_path / "r.zip"


LINES = [canonical_json(rating) for rating in RATINGS]


def written(path, new=NEW, *, ratings=RATINGS, tasks=TASKS, history=HISTORY):
    write(path, new, [canonical_json(rating) for rating in ratings], tasks, history)
    return path


def write(path, new=NEW, ratings=LINES, tasks=TASKS, history=HISTORY, **more):
    with Spool(path.parent) as spool:
        lines = ResultLines(spool)
        lines.add(ratings, tasks, history)
        return write_results(path, new, lines, **more)


def with_page(page):
    return msgspec.structs.replace(NEW, snapshots={PAGE_HASH: page})


def files_of(path):
    with zipfile.ZipFile(path) as zip_:
        return {name: zip_.read(name) for name in zip_.namelist()}


def verify(opened):
    """Read all that can be read."""
    opened.verify_files()
    for lines in (opened.ratings(), opened.tasks(), opened.history()):
        for _ in lines:
            pass


def refused(path, *words):
    with pytest.raises(BundleError) as caught, open_results(path) as opened:
        verify(opened)
    assert caught.value.hint
    for word in words:
        assert word in caught.value.message, caught.value.message
    return caught.value


def relisted(path, **changed):
    """The results with other files, and a manifest that lists them truly; `None` leaves a file out."""
    files = files_of(path)
    manifest = json.loads(files.pop("manifest.json"))
    for name, data in changed.items():
        files.pop(name, None)
        if data is not None:
            files[name] = data
    manifest["files"] = listed(files)
    return pack(path, {"manifest.json": json.dumps(manifest), **files})


def test_results_come_back_as_they_left(path, page):
    digest = write(path, with_page(page))
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    with open_results(path) as opened:
        assert [line.rating.status for line in opened.ratings()] == ["complete", "skipped", "complete"]
        assert [json.loads(line.raw) for line in opened.ratings()] == RATINGS
        assert [line.raw for line in opened.tasks()] == TASKS, "to the byte"
        assert list(opened.history()) == HISTORY
        assert opened.rubric_toml == 'id = "own"\n'
        assert opened.snapshots == (PAGE_HASH,)
        assert b"".join(opened.snapshot(PAGE_HASH)) == PAGE
        manifest = opened.manifest
        verify(opened)
    assert (manifest.bundle, manifest.rater, manifest.rubric) == (NEW.bundle, "r-17", "own@1")
    assert (manifest.counts, manifest.partial, manifest.supersedes) == (NEW.counts, True, 64 * "c")
    assert sorted(manifest.files) == ["history.jsonl", "ratings.jsonl", "rubric.toml", PAGE_NAME, "tasks.jsonl"]
    assert sorted(files_of(path)) == sorted([*manifest.files, "manifest.json"])


def test_the_first_full_results_by_a_built_in_rubric(path):
    new = ResultsDraft(
        bundle=NEW.bundle,
        rater="r",
        rubric="span-factuality@3",
        counts=Counts(tasks=3, complete=2, skipped=1),
        moment=CREATED,
    )
    with open_results(written(path, new)) as opened:
        verify(opened)
        assert opened.rubric_toml is None
        assert opened.manifest.supersedes is None
        assert opened.manifest.partial is False
    assert "supersedes" not in json.loads(files_of(path)["manifest.json"])


def test_ratings_are_canonical_json_in_the_order_they_came(path):
    lines = files_of(written(path))["ratings.jsonl"].split(b"\n")
    assert lines[1] == b'{"rater":"r-17","skipped":{"reason":"harmful"},"status":"skipped","task":"t-1"}'
    assert "Grüße, 🌿\u2028".encode() in lines[2]
    assert lines[3] == b""


def test_the_same_ratings_give_the_same_bytes(path, tmp_path, page):
    one = written(path, with_page(page)).read_bytes()
    assert written(tmp_path / "again.zip", with_page(page)).read_bytes() == one


@pytest.mark.parametrize("name", ["ratings.jsonl", "tasks.jsonl", "history.jsonl", "rubric.toml", PAGE_NAME])
def test_one_altered_byte_is_found(path, page, name):
    files = files_of(written(path, with_page(page)))
    data = bytearray(files[name])
    data[len(data) // 2] ^= 1
    refused(pack(path, {**files, name: bytes(data)}), name)


@pytest.mark.parametrize("name", ["ratings.jsonl", "tasks.jsonl", "history.jsonl"])
def test_a_file_that_is_missing_is_named(path, name):
    refused(relisted(written(path), **{name: None}), f"does not list {name}")


def test_nothing_may_be_there_that_is_not_listed(path):
    files = files_of(written(path))
    refused(pack(path, {**files, PAGE_NAME: PAGE}), f"{PAGE_NAME} is not listed")
    refused(pack(path, {**files, "guidelines.md": b""}), "guidelines.md is not allowed in this file")


def test_a_bundle_is_not_results(path):
    error = refused(bundle(path), "`format` is 'desktop-rater/bundle'")
    assert error.hint == "Ask the rater to export again."


def test_counts_must_be_those_of_the_ratings(path):
    refused(written(path, ratings=RATINGS[:2], tasks=TASKS[:2]), "1 complete and 1 skipped", "2 and 1")


def test_two_ratings_of_one_task_are_refused(path):
    new = ResultsDraft(
        bundle=NEW.bundle, rater="r", rubric="r@1", counts=Counts(tasks=4, complete=3, skipped=1), moment=CREATED
    )
    refused(written(path, new, ratings=[*RATINGS, RATINGS[0]]), "ratings.jsonl, line 4: line 1 rates the same task")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("ratings.jsonl", b'{"rater": "x"}\n', "ratings.jsonl, line 1: `task` is missing"),
        ("ratings.jsonl", b'{"task": "t-0", "status": "done"}\n', 'line 1, task "t-0": field `status`'),
        ("tasks.jsonl", b'{"id": "t-0"}\n', 'tasks.jsonl, line 1, task "t-0": `prompt` is missing'),
        ("history.jsonl", b'{"task": "t-0"}\n', 'history.jsonl, line 1, task "t-0": `revision` is missing'),
        ("history.jsonl", b"kelp\n", "history.jsonl, line 1: not JSON"),
    ],
)
def test_a_line_that_is_not_what_it_should_be_is_refused(path, name, data, words):
    if name == "tasks.jsonl":
        written(path, ratings=RATINGS)
    else:
        written(path)
    refused(relisted(path, **{name: data}), words)


def test_a_newer_format_says_which_program_can_open_it(path):
    files = files_of(written(path))
    files["manifest.json"] = b'{"format": "desktop-rater/results", "version": 3}'
    error = refused(pack(path, files), "It uses version 3 of the results format")
    assert "supports version 3" in error.hint


def test_a_failed_export_leaves_the_last_one(path):
    old = written(path).read_bytes()
    with pytest.raises(BundleError, match="larger than"):
        write(path, limits=Limits(lines_bytes=100))
    bad = ResultsDraft(bundle=NEW.bundle, rater="r", rubric="", counts=NEW.counts, moment=CREATED)
    with pytest.raises(BundleError, match="rubric"):
        written(path, bad)
    assert path.read_bytes() == old
    assert names_in(path.parent) == [path.name]
