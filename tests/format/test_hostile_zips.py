"""A stranger's zip is refused with one clear message before anything of it is believed."""

import io
import os
import stat
import sys
import zipfile

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError
from tests.format.zips import (
    DEFLATED,
    PAGE,
    PAGE_NAME,
    RawEntry,
    bundle,
    bundle_files,
    deflated,
    jsonl,
    names_in,
    overlapping_bomb,
    pack,
    raw_bundle,
    raw_zip,
    task,
    with_files,
)
from tests.system_texts import NO_SUCH_FILE


def read_all(path):
    with open_bundle(path) as opened:
        lines = list(opened.tasks())
        opened.verify_rest()
    return lines


def refused(path, *words):
    """The message; every word of `words` stands in it."""
    before = names_in(path.parent)
    with pytest.raises(BundleError) as caught:
        read_all(path)
    error = caught.value
    assert names_in(path.parent) == before, "reading leaves the folder alone"
    assert path.name in error.title
    assert error.message.endswith(".")
    assert error.hint
    for word in words:
        assert word in error.message, error.message
    return error.message


@pytest.fixture
def path(tmp_path):
    return tmp_path / "b.zip"


def test_a_sound_bundle_of_zipfile_opens(path):
    assert [line.task.id for line in read_all(bundle(path))] == ["t-1"]


def test_a_sound_bundle_made_by_hand_opens(path):
    assert len(read_all(raw_bundle(path))) == 1


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "C:\\x", "C:x", "a\\..\\..\\b", "snapshots/../../x", "./tasks.jsonl", "a//b"]
)
def test_a_name_that_leads_out_of_the_zip_is_refused(path, name):
    refused(raw_bundle(path, RawEntry(name, b"x")), "points outside the zip")


@pytest.mark.parametrize(
    "name", [b"gold.jsonl\0.exe", b"gold.jsonl\n", b"gold\x1b[2J.jsonl", "gold\u202e.jsonl".encode()]
)
def test_a_name_with_hidden_characters_is_refused_and_not_cut_short(path, name):
    message = refused(raw_bundle(path, RawEntry(name, b"", flags=0x800)), "control character")
    assert message.isprintable()


def guidelines(data=b"x", **more):
    return RawEntry("guidelines.md", data, **more)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (RawEntry("", b"x"), "no name"),
        (RawEntry(b"gold\xff.jsonl", b"x", flags=0x800), "not valid UTF-8"),
        (RawEntry("tasks.jsonl", b"{}\n"), "tasks.jsonl occurs twice"),
        (guidelines(mode=0o120777), "guidelines.md; symbolic link"),
        (guidelines(mode=stat.S_IFIFO | 0o644), "guidelines.md; device or pipe"),
        (guidelines(mode=stat.S_IFCHR | 0o644), "guidelines.md; device or pipe"),
        (guidelines(mode=stat.S_IFSOCK | 0o644), "guidelines.md; device or pipe"),
        (guidelines(mode=stat.S_IFDIR | 0o755), "guidelines.md; folder"),
        (guidelines(b"", mode=0, dos=0x10), "guidelines.md is a folder"),
        (RawEntry("snapshots/", b"secret", mode=0), "folder with content"),
        (guidelines(flags=0x0001), "guidelines.md is encrypted"),
        (guidelines(flags=0x0041), "guidelines.md is encrypted"),
        (guidelines(flags=0x2000), "guidelines.md is encrypted"),
        (guidelines(local_flags=1), "two contradictory headers"),
        (guidelines(flags=0x20), "flags 0x0020"),
        (guidelines(local_name=b"gold.jsonl"), "guidelines.md; two contradictory headers"),
        (guidelines(local_method=DEFLATED), "guidelines.md; two contradictory headers"),
        (guidelines(local_crc=1), "guidelines.md; two contradictory headers"),
        (guidelines(local_size=5), "guidelines.md; two contradictory headers"),
        (guidelines(local_packed=5), "guidelines.md; two contradictory headers"),
        (guidelines(size=2), "guidelines.md has contradictory sizes"),
    ],
)
def test_an_entry_that_lies_or_is_no_plain_file_is_refused_with_the_reason(path, entry, words):
    refused(raw_bundle(path, entry), *words.split("; "))


@pytest.mark.parametrize(
    "name",
    ["inner.zip", "readme.txt", "Tasks.jsonl", "snapshots/x.warc.gz", "tasks.jsonl/x", "ratings.jsonl", "é.json"],
)
def test_a_file_that_does_not_belong_into_a_bundle_is_refused(path, name):
    zip_ = pack(path, {"manifest.json": b"{}", name: b"x"})
    refused(zip_, name, "is not allowed in this file")


NOISE = {"__MACOSX/kelp/._manifest.json": b"x", "kelp/.DS_Store": b"x"}


@pytest.mark.parametrize(
    "files",
    [
        {**{f"kelp/{name}": raw for name, raw in bundle_files().items()}, **NOISE},
        {"kelp/": b"", **{f"kelp/{name}": raw for name, raw in bundle_files().items()}},
        {**bundle_files(), "__MACOSX/._manifest.json": b"x"},
        {**bundle_files(), ".DS_Store": b"x"},
        {"ana/manifest.json": b"{}", "ana/ratings.jsonl": b"", "ana/history.jsonl": b"", "ana/tasks.jsonl": b""},
    ],
)
def test_a_zip_that_finder_or_explorer_packed_again_is_told_what_it_is(path, files):
    assert refused(pack(path, files)) == "It was unpacked and packed again."
    with pytest.raises(BundleError, match="can't be opened. It was unpacked .* Use the zip as it was exported"):
        read_all(path)


def test_a_zip_of_zips_names_what_to_do(path, tmp_path):
    inner = bundle(tmp_path / "inner.zip").read_bytes()
    pack(path, {"to mail/kelp.zip": inner, "to mail/reef.rater": inner, "__MACOSX/._kelp.zip": b"x"})
    assert refused(path) == "It holds other zips: to mail/kelp.zip and 1 more."


def test_a_folder_that_a_zip_was_unpacked_into_is_told_what_it_is(path):
    path.mkdir()
    for name, raw in bundle_files().items():
        (path / name).write_bytes(raw)
    assert refused(path) == "It is a folder into which a zip was unpacked."


@pytest.mark.parametrize(
    "name",
    ["CON", "nul", "AUX.jsonl", "gold.jsonl.", "gold.jsonl ", "gold.jsonl:more", "LPT1", "r/r.zip", "gold.jsonl/"],
)
def test_a_name_that_windows_takes_for_another_is_refused(path, name):
    refused(raw_bundle(path, RawEntry(name, b"")))


def test_a_zip_in_the_zip_is_never_opened(path, tmp_path):
    inner = bundle(tmp_path / "inner.zip").read_bytes()
    refused(pack(path, {"tasks.jsonl": jsonl(task()), "bundle.zip": inner}), "bundle.zip is not allowed in this file")


def test_a_bundle_that_is_itself_a_zip_in_a_zip_is_not_looked_for(path, tmp_path):
    files = {"tasks.jsonl": bundle(tmp_path / "inner.zip").read_bytes()}
    # Whether its first line is UTF-8 depends on the time that the zip has.
    refused(with_files(path, files, tasks=1), "tasks.jsonl, line 1: not ")


def test_the_entry_of_the_folder_of_snapshots_is_fine(path):
    folder = zipfile.ZipInfo("snapshots/")
    folder.external_attr = 0o40755 << 16 | 0x10
    assert read_all(pack(path, {**bundle_files(), folder: b"", PAGE_NAME: PAGE}))


@pytest.mark.parametrize("name", ["other/", "tasks.jsonl/", "snapshots/more/"])
def test_other_folders_are_refused(path, name):
    refused(pack(path, {**bundle_files(), name: b""}), name)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_packed_by_another_method_is_refused(path, method):
    refused(pack(path, bundle_files(), method=method), f"method {int(method)}")


@pytest.mark.parametrize(
    ("one", "other"), [("gold.jsonl", "GOLD.jsonl"), ("\u00e9.json", "e\u0301.json"), ("straße", "STRASSE")]
)
def test_names_that_are_one_name_on_some_systems_are_refused(path, one, other):
    entries = [RawEntry(name.encode(), b"x", flags=0x800) for name in (one, other)]
    refused(raw_zip(path, *entries), "the same name on some systems")


def test_entries_that_quote_each_other_are_refused_as_overlapping(path):
    bomb = overlapping_bomb(path, copies=250, size=1_000_000)
    assert bomb.stat().st_size < 70_000
    with zipfile.ZipFile(bomb) as zip_:
        assert sum(info.file_size for info in zip_.infolist()) > 250_000_000
    refused(bomb, "overlapping entries")


def test_two_names_for_the_same_bytes_are_refused(path):
    tasks = RawEntry("tasks.jsonl", b"x")
    gold = RawEntry("gold.jsonl", b"x", at=0)
    refused(raw_zip(path, tasks, gold), "gold.jsonl", "two contradictory headers")


@pytest.mark.parametrize("more", [{"packed": 0xFFFFFFFF}, {"size": 0xFFFFFFFF}, {"at": 0xFFFFFFFF}, {"disk": 1}])
def test_zip64_and_second_disks_are_refused_without_following_them(path, more):
    refused(raw_bundle(path, RawEntry("guidelines.md", b"x", extra=b"\1\0\x08\0" + bytes(8), **more)), "zip64")


@pytest.mark.parametrize("flags", [0, 0x0008], ids=["sizes in the header", "sizes after the data"])
@pytest.mark.parametrize(
    "own",
    [{"local_packed": 0xFFFFFFFF}, {"local_size": 0xFFFFFFFF}, {"local_packed": 0xFFFFFFFF, "local_size": 0xFFFFFFFF}],
)
def test_zip64_in_the_own_header_of_a_file_is_refused_too(path, own, flags):
    refused(raw_bundle(path, RawEntry("guidelines.md", b"x", flags=flags, **own)), "guidelines.md", "zip64")


@pytest.mark.skipif(sys.version_info < (3, 11, 4), reason="this Python declares no zip64 for small files")
def test_a_zip_that_another_program_wrote_as_zip64_is_refused(path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zip_:
        for name, data in bundle_files().items():
            with zip_.open(name, "w", force_zip64=True) as entry:
                entry.write(data)
    path.write_bytes(buffer.getvalue())
    refused(path, "zip64")


class Pipe(io.RawIOBase):
    """A place to write to that can't be wound back, so that sizes stand behind the data."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def test_a_zip_that_was_written_into_a_pipe_opens(path):
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as zip_:
        for name, data in bundle_files().items():
            zip_.writestr(name, data)
    path.write_bytes(pipe.data)
    assert read_all(path)


def test_a_zip_with_a_comment_opens(path):
    bundle(path)
    with zipfile.ZipFile(path, "a") as zip_:
        zip_.comment = b"made by hand"
    assert read_all(path)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ({"disk": 1}, "several parts"),
        ({"here": 1}, "several parts"),
        ({"behind": b"more"}, "after its end"),
        ({"gap": b"more"}, "not where it should be"),
    ],
)
def test_an_end_that_is_of_a_part_or_not_the_end_is_refused(path, end, words):
    refused(raw_bundle(path, **end), words)


def test_text_in_front_of_the_first_entry_is_refused(path):
    refused(raw_bundle(path, front=b"#!/bin/sh\nexit\n"), "before its first entry")
    path.write_bytes(b"#!/bin/sh\n" + bundle(path).read_bytes())
    refused(path, "not where it should be")


def test_a_file_that_is_no_zip_is_called_so(path):
    path.write_bytes(b"A letter, long enough to hold an end record if it had one.")
    refused(path, "not a zip")
    path.write_bytes(b"PK")
    refused(path, "not a zip")
    path.write_bytes(b"")
    refused(path, "empty")


def test_a_zip_that_is_cut_off_anywhere_is_refused(path):
    whole = bundle(path, *(task(f"t-{number}") for number in range(20))).read_bytes()
    for cut in range(0, len(whole), max(1, len(whole) // 50)):
        path.write_bytes(whole[:cut])
        refused(path)


def tasks_entry(data=None, **more):
    data = bundle_files()["tasks.jsonl"] if data is None else data
    return RawEntry("tasks.jsonl", data, method=DEFLATED, **more)


def test_a_file_that_is_larger_than_it_says_is_refused(path):
    data = bundle_files()["tasks.jsonl"]
    entry = tasks_entry(body=deflated(data + bytes(10_000)))
    refused(raw_bundle(path, tasks=entry), "tasks.jsonl is larger than")


DATA = bundle_files()["tasks.jsonl"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"body": deflated(DATA[:-5])}, ["tasks.jsonl is smaller than"]),
        ({"crc": 1}, ["tasks.jsonl is damaged", "CRC"]),
        ({"body": b"\xff" * 20}, ["tasks.jsonl is damaged"]),
        ({"body": deflated(DATA)[:-4]}, ["tasks.jsonl is damaged", "data is incomplete"]),
        ({"body": deflated(DATA) + b"more"}, ["tasks.jsonl is damaged", "after its end"]),
    ],
    ids=["smaller than it says", "a wrong checksum", "garbage", "without its end", "with more behind its end"],
)
def test_a_packed_file_that_is_damaged_is_refused(path, entry, words):
    refused(raw_bundle(path, tasks=tasks_entry(**entry)), *words)


def test_an_entry_that_lies_outside_the_file_is_refused(path):
    refused(raw_bundle(path, RawEntry("guidelines.md", b"x", at=10**6)), "guidelines.md has an offset outside")
    refused(raw_bundle(path, RawEntry("guidelines.md", b"x", at=7)), "guidelines.md is not where")
    refused(raw_bundle(path, RawEntry("guidelines.md", b"x", packed=10**6, size=10**6)), "guidelines.md")


def test_a_list_of_entries_that_is_longer_or_shorter_than_it_says_is_refused(path):
    refused(raw_bundle(path, count=1), "more than the declared 1 entries")
    refused(raw_bundle(path, count=3), "damaged at entry 3")


def test_a_folder_and_a_missing_file_are_told_apart(path, tmp_path):
    refused(path, NO_SUCH_FILE)
    (tmp_path / "folder.zip").mkdir()
    refused(tmp_path / "folder.zip", "It is a folder")


@pytest.mark.posix("Windows has no named pipes and devices among its files")
def test_a_named_pipe_does_not_make_anybody_wait(path):
    os.mkfifo(path)
    refused(path, "It is not a file")
