"""Who else works on the computer reads nothing of a store, wherever it lies and whatever the umask is."""

import os
import stat

import pytest

from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import make, rating, task, write_lines

pytestmark = pytest.mark.posix("Windows has access control lists, not modes")
SAMPLE = "sample-factuality"
PRIVATE_FILE, PRIVATE_FOLDER = "0o600", "0o700"


@pytest.fixture(autouse=True)
def usual_umask():
    """With this one, which most systems have, everybody may read what no program cares about."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def folder(tmp_path):
    """The folder of the user's own, open to all, in which the store is to be."""
    folder = tmp_path / "store"
    folder.mkdir(mode=0o755)
    return folder


def rights(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


def others_may_open(folder):
    """Return what others may open of a store, by name; its own folder is the user's choice."""
    wanted = {True: PRIVATE_FOLDER, False: PRIVATE_FILE}
    everything = sorted(folder.rglob("*"))
    assert everything
    return {str(path.relative_to(folder)): rights(path) for path in everything if rights(path) != wanted[path.is_dir()]}


def rate(run, tmp_path, *names):
    lines = write_lines(tmp_path / "r.jsonl", [rating(name) for name in names])
    assert run("rate", "b", "--from", lines, "--rater", "r-17").status == 0


def test_a_store_in_a_folder_that_all_may_open_is_read_by_nobody_else(run, tmp_path, folder):
    assert run("import", sample_bundle_path()).status == 0
    assert run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17").status == 0
    assert run("backup").status == 0
    url = f"folder:{tmp_path / 'hub'}"
    run("hub", "init", url, "--project", "kelp", "--title", "Kelp")
    run("hub", "publish", url, make(tmp_path / "b.zip", [task("t-1")]), "--to", "r-17")
    assert run("sync", url, "--rater", "r-17", "--patience", "0").status == 0
    rate(run, tmp_path, "t-1")
    assert run("sync", "--rater", "r-17", "--patience", "0").status == 0
    names = {path.name for path in folder.iterdir()}
    assert {"store.sqlite3", "lock", "snapshots", "backups", "outbox"} <= names
    assert others_may_open(folder) == {}
    assert rights(folder) == "0o755"


def test_while_a_store_is_open_its_log_and_lock_are_private_too(folder):
    with open_writer(folder, command="the window") as store:
        store.db.execute("INSERT INTO state (key, value) VALUES ('last-rater', 'r-17')")
        assert {"store.sqlite3-wal", "store.sqlite3-shm", "lock", "holder.json"} <= {
            path.name for path in folder.iterdir()
        }
        assert others_may_open(folder) == {}


def test_a_store_that_an_older_version_left_open_to_all_is_closed_to_them_at_the_next_start(run, folder):
    run("import", sample_bundle_path())
    run("backup")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (folder / "of the user.txt").write_text("not of the store")
    open_writer(folder, command="the window").close()
    assert {name for name in others_may_open(folder) if "/" not in name} == {"of the user.txt"}


def test_what_was_restored_and_what_was_salvaged_is_as_private(run, tmp_path, folder):
    run("import", sample_bundle_path())
    run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17")
    run("backup")
    out = tmp_path / "backup.zip"
    assert run("backup", "--out", out).status == 0
    assert rights(out) == PRIVATE_FILE
    assert run("restore", out).status == 0
    assert others_may_open(folder) == {}
    saved = tmp_path / "saved"
    saved.mkdir(mode=0o755)
    assert run("doctor", "--salvage", saved).status == 0
    assert others_may_open(saved) == {}
    assert run("doctor", "--salvage", folder).status == 0
    assert others_may_open(folder) == {}


def test_results_are_made_for_others_and_follow_the_umask(run, tmp_path, folder):
    run("import", sample_bundle_path())
    run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17")
    out = tmp_path / "results.zip"
    assert run("export", SAMPLE, "--rater", "r-17", "--out", out).status == 0
    assert rights(out) == "0o644"
