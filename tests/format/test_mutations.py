"""Whatever becomes of a bundle's bytes, the reader either reads it as it was or refuses it."""

import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError
from desktop_rater.format.results import open_results
from tests.examples import examples
from tests.format.zips import PAGE, PAGE_NAME, bundle_files, jsonl, manifest, pack, task

TASKS = [task(f"t-{number}", text="Kelp grows fast. " * 5) for number in range(3)]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("mutations")


def whole(place, method):
    files = {"tasks.jsonl": jsonl(*TASKS), "guidelines.md": b"# How to rate", "rubric.toml": b'id = "own"'}
    files = {"manifest.json": manifest(files), **files, PAGE_NAME: PAGE}
    return pack(place / "whole.zip", files, method=method).read_bytes()


@st.composite
def changes(draw):
    """A few changes; places are fractions of the length."""
    at = st.floats(0, 1, exclude_max=True)
    kinds = st.sampled_from(["flip", "cut", "insert", "swap", "repeat", "number"])
    return [
        (draw(kinds), draw(at), draw(at), draw(st.binary(min_size=1, max_size=8)))
        for _ in range(draw(st.integers(1, 4)))
    ]


def changed(data, steps):
    for kind, one, two, junk in steps:
        a, b = sorted((int(one * len(data)), int(two * len(data))))
        match kind:
            case "flip" if data:
                data = data[:a] + bytes([data[a] ^ (junk[0] or 1)]) + data[a + 1 :]
            case "cut":
                data = data[:a] + data[b:]
            case "insert":
                data = data[:a] + junk + data[a:]
            case "swap":
                data = data[b:] + data[:a] + data[a:b]
            case "repeat":
                data = data[:b] + data[a:b] + data[b:]
            case "number":
                data = data[:a] + junk + data[a + len(junk) :]
    return data


def tasks_of(path):
    """The ids of the tasks, or None where the bundle is refused; anything else is the reader's fault."""
    try:
        with open_bundle(path) as bundle:
            ids = [line.id for line in bundle.tasks()]
            bundle.verify_rest()
    except BundleError:
        return None
    return ids


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=changes(), method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
def test_only_a_bundle_error_leaves_whatever_the_bytes_are(place, steps, method):
    path = place / "changed.zip"
    path.write_bytes(changed(whole(place, method), steps))
    assert tasks_of(path) in (None, [plain["id"] for plain in TASKS])
    with pytest.raises(BundleError), open_results(path):
        pass


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=changes(), name=st.sampled_from(["manifest.json", "tasks.jsonl"]))
def test_only_a_bundle_error_leaves_whatever_the_files_hold(place, steps, name):
    """The zip is sound and lists what it holds, so that the mutation reaches the JSON."""
    tasks = changed(jsonl(*TASKS), steps) if name == "tasks.jsonl" else jsonl(*TASKS)
    said = manifest({"tasks.jsonl": tasks}, tasks=3)
    files = {"manifest.json": changed(said, steps) if name == "manifest.json" else said, "tasks.jsonl": tasks}
    ids = tasks_of(pack(place / "inside.zip", files))
    assert ids is None or len(ids) == 3


def test_every_single_byte_may_be_flipped(place):
    data = pack(place / "small.zip", bundle_files()).read_bytes()
    path = place / "flipped.zip"
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        assert tasks_of(path) in (None, ["t-1"])
