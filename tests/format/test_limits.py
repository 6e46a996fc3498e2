"""What is as large as its limit is let through, and what is one larger is not."""

import hashlib
import os

import msgspec
import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError
from desktop_rater.format.safe_zip import GIB, LIMITS, MIB, Limits
from tests.format.zips import RawEntry, bundle_files, jsonl, manifest, pack, raw_zip, task, with_lines

AROUND = pytest.mark.parametrize("less", [1, 0, -1], ids=["above", "at", "below"])


def let_through(path, **limits):
    try:
        with open_bundle(path, Limits(**limits)) as bundle:
            for _ in bundle.tasks():
                pass
            bundle.verify_rest()
    except BundleError as error:
        return error.message
    return ""


def check(path, limit, most, less, words):
    """`less` is 1 where the limit is one smaller than what the bundle needs."""
    message = let_through(path, **{limit: most - less})
    assert (words in message) if less > 0 else message == "", message


@pytest.fixture
def path(tmp_path):
    """A bundle with every kind of file."""
    noise = os.urandom(5000)
    extra = {
        "rubric.toml": b'id = "own"\nversion = 1\n' + b"# hints\n" * 40,
        "guidelines.md": b"# Guidelines\n" * 60,
        "gold.jsonl": b'{"task": "t-1", "note": "' + b"x" * 3000 + b'"}\n',
        f"snapshots/{hashlib.sha256(noise).hexdigest()}.warc.gz": noise,
        "tasks.jsonl": jsonl(*(task(f"t-{number}", text="Kelp. " * 20) for number in range(40))),
    }
    return pack(tmp_path / "b.zip", {"manifest.json": manifest(extra), **extra})


def size(path, name):
    with open_bundle(path) as bundle:
        return bundle._archive.zip_file.size(name)


@AROUND
def test_the_size_of_the_zip(path, less):
    check(path, "zip_bytes", path.stat().st_size, less, "It is larger than")


@AROUND
def test_the_number_of_entries(path, less):
    check(path, "entries", 6, less, "It has 6 entries or more; the maximum is 5")


@AROUND
def test_the_list_of_entries(path, less):
    names = ["manifest.json", "rubric.toml", "guidelines.md", "gold.jsonl", f"snapshots/{64 * 'a'}.warc.gz"]
    listed = sum(46 + len(name) for name in [*names, "tasks.jsonl"])
    check(path, "directory_bytes", listed, less, "Its list of entries is larger")


@AROUND
def test_all_files_together(path, less):
    with open_bundle(path) as bundle:
        zip_file = bundle._archive.zip_file
        total = sum(zip_file.size(name) for name in zip_file.names)
    check(path, "inflated_bytes", total, less, "Its files take more than")


@AROUND
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("tasks.jsonl", "lines_bytes"),
        ("manifest.json", "manifest_bytes"),
        ("rubric.toml", "rubric_bytes"),
        ("guidelines.md", "guidelines_bytes"),
    ],
)
def test_one_file(path, name, limit, less):
    check(path, limit, size(path, name), less, f"{name} is larger than")


@AROUND
def test_any_other_file(path, less):
    check(path, "other_bytes", 5000, less, ".warc.gz is larger than 4,999 bytes")


@AROUND
def test_one_line(path, less):
    longest = size(path, "gold.jsonl") - 1  # without the end of the line
    check(path, "line_bytes", longest, less, "gold.jsonl, line 1: it is longer than")


@AROUND
def test_the_lists_and_objects_of_one_line(tmp_path, less):
    many = with_lines(tmp_path / "parts.zip", jsonl(task(meta={"it": [[] for _ in range(300)]})), 1)
    check(many, "line_parts", 306, less, "tasks.jsonl, line 1: it has more than 305 lists and objects")


@AROUND
@pytest.mark.parametrize(
    ("limit", "sign", "words"), [("line_quotes", b'"', "quotation marks"), ("line_commas", b",", "commas")]
)
def test_the_values_of_one_line(tmp_path, limit, sign, words, less):
    line = jsonl(task(meta={"it": ["text" for _ in range(300)]}))
    many = with_lines(tmp_path / "values.zip", line, 1)
    most = line.count(sign)
    check(many, limit, most, less, f"tasks.jsonl, line 1: it has more than {most - 1} {words}")


@AROUND
def test_the_number_of_lines(path, less):
    check(path, "lines", 40, less, "tasks.jsonl has more than 39 lines")


@AROUND
def test_how_much_a_large_file_may_inflate(tmp_path, less):
    """Stored entries are what they are; the ratio is that of the sizes in the list of entries."""
    files = bundle_files(task(text="a" * 20_000))
    path = pack(tmp_path / "b.zip", files)
    with open_bundle(path) as bundle:
        entry = bundle._archive.zip_file._entries["tasks.jsonl"]
    exact = -(-entry.size // entry.packed)  # rounded up: the smallest whole ratio that lets it through
    message = let_through(path, ratio=exact - less, ratio_from=entry.size - 1)
    assert ("zip bomb" in message) if less > 0 else message == "", message


@AROUND
def test_from_which_size_on_the_ratio_counts(tmp_path, less):
    path = pack(tmp_path / "b.zip", bundle_files(task(text="a" * 20_000)))
    message = let_through(path, ratio=2, ratio_from=size(path, "tasks.jsonl") - less)
    assert ("zip bomb" in message) == (less > 0), message


def test_the_limits_that_bundles_are_read_with():
    assert LIMITS.zip_bytes == GIB
    assert LIMITS.inflated_bytes == 2 * GIB
    assert LIMITS.entries == 20_000
    assert LIMITS.line_bytes == 16 * MIB
    assert {name: LIMITS.entry_bytes(name) / MIB for name in ("ratings.jsonl", "history.jsonl", "tasks.jsonl")} == {
        "ratings.jsonl": 1536,
        "history.jsonl": 1536,
        "tasks.jsonl": 1536,
    }
    assert LIMITS.entry_bytes("rubric.toml") == MIB
    assert LIMITS.entry_bytes("guidelines.md") == 4 * MIB
    assert LIMITS.entry_bytes("gold.jsonl") == 64 * MIB


def test_a_manifest_has_room_for_a_snapshot_in_every_entry():
    entry = {"sha256": 64 * "a", "bytes": LIMITS.other_bytes}
    files = {f"snapshots/{number:064x}.warc.gz": entry for number in range(LIMITS.entries)}
    assert len(msgspec.json.encode(files)) < LIMITS.manifest_bytes


def test_twenty_thousand_entries_open_and_one_more_does_not(tmp_path):
    files = bundle_files()
    sound = [RawEntry(name, data) for name, data in files.items()]
    pages = [RawEntry(f"snapshots/{number:064x}.warc.gz", b"") for number in range(LIMITS.entries - 1)]
    with open_bundle(raw_zip(tmp_path / "b.zip", *sound, *pages[:-1])) as bundle:
        assert len(bundle.snapshots) == LIMITS.entries - 2
    assert "entries or more" in let_through(raw_zip(tmp_path / "c.zip", *sound, *pages))
