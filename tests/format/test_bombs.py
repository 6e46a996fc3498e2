"""A small file that wants gigabytes does not get them, and its bytes are counted while they are read."""

import json
import struct
import subprocess
import sys
import zipfile

import pytest

from tests.format.zips import (
    DEFLATED,
    PEAK,
    RawEntry,
    bundle_files,
    deflated,
    end_record,
    manifest,
    overlapping_bomb,
    raw_bundle,
)

MOST_KIB = 200 * 1024
MEBI = 1024 * 1024

OPEN = f"""
import json, sys
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError
{PEAK}
before, message = peak(), "nothing"
try:
    with open_bundle(sys.argv[1]) as bundle:
        for line in bundle.tasks():
            pass
        bundle.verify_rest()
except BundleError as error:
    message = error.message
print(json.dumps([message, peak() - before]))
"""


def refused_cheaply(path):
    """The message, once the memory was found small. In a process of its own, whose peak is its own."""
    done = subprocess.run([sys.executable, "-c", OPEN, str(path)], capture_output=True, text=True, check=True)
    message, kib = json.loads(done.stdout)
    assert kib < MOST_KIB
    return message


@pytest.fixture
def path(tmp_path):
    return tmp_path / "bomb.zip"


def zeros(path, size, **more):
    """A bundle whose tasks.jsonl is `size` zeros."""
    files = bundle_files()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zip_:
        zip_.writestr("manifest.json", files["manifest.json"])
        with zip_.open("tasks.jsonl", "w", **more) as entry:
            for _ in range(size // MEBI):
                entry.write(bytes(MEBI))
    return path


def test_a_gigabyte_of_zeros(path):
    assert zeros(path, 1024 * MEBI).stat().st_size < 2 * MEBI
    assert "zip bomb" in refused_cheaply(path)


def test_a_gigabyte_of_zeros_that_says_it_is_small(path):
    honest = bytes(300 * MEBI)
    said = bundle_files()["tasks.jsonl"]
    tasks = RawEntry("tasks.jsonl", said, method=DEFLATED, body=deflated(honest))
    assert "is larger than" in refused_cheaply(raw_bundle(path, tasks=tasks))


def test_entries_that_overlap(path):
    assert "overlapping" in refused_cheaply(overlapping_bomb(path, copies=250, size=MEBI))


@pytest.mark.parametrize("lie", [None, 3, 20_000, 0xFFFF])
def test_a_million_entries(path, lie):
    """With their true number, which needs zip64, and with a lie in its place."""
    count = 1_000_000
    one = RawEntry("gold.jsonl", b"")
    header, listed = one.local(), one.central(0)
    directory = listed * count
    tail = end_record(lie if lie is not None else 0xFFFF, len(directory), len(header))
    if lie is None:
        at = len(header) + len(directory)
        numbers = (44, 45, 45, 0, 0, count, count, len(directory), len(header))
        tail = struct.pack("<4sQ2H2L4Q", b"PK\6\6", *numbers) + struct.pack("<4sLQL", b"PK\6\7", 0, at, 1) + tail
    path.write_bytes(header + directory + tail)
    assert "entries" in refused_cheaply(path)


def test_brackets_without_end(path):
    line = b'{"id": ' + b"[" * 999_000 + b"\n"
    assert "nested more than 64 levels deep" in refused_cheaply(lines(path, line))


@pytest.mark.parametrize("part", [b"[]", b"{}", b'[""]'])
def test_a_line_of_nothing_but_lists(path, part):
    line = b'{"id": "t-1", "meta": [' + (part + b",") * (16_700_000 // (len(part) + 1)) + b"1]}\n"
    assert "more than 1,000,000 lists and objects" in refused_cheaply(lines(path, line))


def test_a_line_without_end(path):
    line = b'{"id": "' + b"Kelp grows fast, half a metre in a day. " * 8_000_000
    assert "line 1: it is longer than 16,777,216 bytes" in refused_cheaply(lines(path, line))


def test_lines_that_are_all_empty(path):
    assert "line 1: it is empty" in refused_cheaply(lines(path, b"\n" * 4 * MEBI + bytes(range(256)) * 4096))


def test_more_lines_than_tasks(path):
    assert "more than the 1 tasks" in refused_cheaply(lines(path, b'{"id": 1}\n' * 4_000_000))


def lines(path, data):
    files = {"tasks.jsonl": data}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as zip_:
        zip_.writestr("manifest.json", manifest(files, tasks=1))
        zip_.writestr("tasks.jsonl", data)
    return path
