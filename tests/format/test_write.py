"""The same content gives the same bytes, and what goes wrong leaves what was there."""

import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Cancelled
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import Limits
from desktop_rater.format.write import MemorySource, Spool, write_zip
from tests.format.zips import CREATED, PAGE, PAGE_HASH, PEAK, bundle, jsonl, names_in, task
from tests.system_texts import NO_SUCH_FILE

NEW = BundleDraft(id="kelp", created=CREATED, rubric="span-factuality@3", title="Kelp", language="en")
LINES = [json.dumps(task(f"t-{number}")).encode() for number in range(5)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "b.zip"


@pytest.fixture(autouse=True)
def folder(path):
    path.parent.mkdir()
    return path.parent


def test_a_bundle_with_everything_comes_back(path, tmp_path):
    page = tmp_path / "page"
    page.write_bytes(PAGE)
    new = BundleDraft(
        id="kelp",
        created=CREATED,
        rubric="own@1",
        revision=3,
        rubric_toml='id = "own"\n',
        guidelines="# Grüße\r\n",
        snapshots={PAGE_HASH: page},
        gold=(Rating(task="t-1", rater="gold-1"),),
    )
    made = make_bundle(path, new, LINES)
    with open_bundle(path) as opened:
        assert opened.manifest == made
        assert (made.id, made.revision, made.tasks, made.rubric) == ("kelp", 3, 5, "own@1")
        assert opened.rubric_toml == 'id = "own"\n'
        assert opened.guidelines == "# Grüße\r\n"
        assert [line.raw for line in opened.tasks()] == LINES
        assert b"".join(opened.snapshot(PAGE_HASH)) == PAGE
        assert [rating.rater for rating in opened.gold()] == ["gold-1"]
        opened.verify_rest()
    assert names_in(path.parent) == ["b.zip"]


def test_entries_are_sorted_plain_files_of_one_moment(path, tmp_path):
    page = tmp_path / "page"
    page.write_bytes(PAGE)
    make_bundle(
        path, BundleDraft(id="k", created=CREATED, rubric="r@1", guidelines="x", snapshots={PAGE_HASH: page}), LINES
    )
    with zipfile.ZipFile(path) as zip_:
        infos = zip_.infolist()
        assert zip_.testzip() is None
    assert [info.filename for info in infos] == sorted(info.filename for info in infos)
    for info in infos:
        assert info.external_attr == 0o100644 << 16
        assert info.create_system == 3
        assert info.date_time == (2026, 11, 20, 8, 0, 0)
        assert info.extra == b""
    methods = {info.filename.rpartition(".")[2]: info.compress_type for info in infos}
    assert methods == {"json": 8, "md": 8, "jsonl": 8, "gz": 0}, "what is packed already is stored"


MAKE = f"""
import os, sys
os.umask(int(sys.argv[2], 8))
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.make import BundleDraft, make_bundle
make_bundle(sys.argv[1], BundleDraft(id="k", created={CREATED!r}, rubric="r@1", guidelines="Grüße"), {LINES!r})
"""


@pytest.mark.posix("Windows has access control lists, not modes")
def test_time_zone_locale_and_umask_change_no_byte(tmp_path):
    hashes = set()
    for number, (zone, locale, umask) in enumerate([("UTC", "C", "000"), ("Asia/Tokyo", "de_DE.UTF-8", "077")]):
        out = tmp_path / f"{number}.zip"
        environment = {**os.environ, "TZ": zone, "LC_ALL": locale, "PYTHONHASHSEED": str(number)}
        subprocess.run([sys.executable, "-c", MAKE, out, umask], env=environment, check=True)
        hashes.add(hashlib.sha256(out.read_bytes()).hexdigest())
        assert out.stat().st_mode & 0o777 == 0o666 & ~int(umask, 8), "the file itself is as the user's other files"
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("moment", "stamp"),
    [("1970-01-01T00:00:00Z", (1980, 1, 1, 0, 0, 0)), ("9999-12-31T23:59:59Z", (2107, 12, 31, 23, 59, 58))],
)
def test_moments_that_a_zip_does_not_know_become_the_nearest(path, moment, stamp):
    write_zip(path, {"a": MemorySource(b"x")}, moment)
    with zipfile.ZipFile(path) as zip_:
        assert zip_.infolist()[0].date_time == stamp


def test_write_zip_gives_the_hash_of_the_file(path):
    digest = write_zip(path, {"a": MemorySource(b"x")}, CREATED)
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()


def keeps_the_old(path, act, *words):
    """`act` fails with a `BundleError`, and the old file stands as it was, alone."""
    path.write_bytes(b"the old file")
    with pytest.raises(BundleError) as caught:
        act()
    assert path.read_bytes() == b"the old file"
    assert names_in(path.parent) == [path.name]
    said = f"{caught.value.title} {caught.value.message}"
    assert path.name in said
    assert ".part" not in said, "nobody knows the temporary file"
    for word in words:
        assert word in said
    return caught.value


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"id": "t-9"}', 'source.jsonl, line 6, task "t-9": `prompt` is missing'),
        (b"[]", "source.jsonl, line 6: it holds a list"),
        (b"", "source.jsonl, line 6: not JSON"),
        (LINES[0], 'source.jsonl, line 6, task "t-0": line 1 holds a task with this id already'),
        (b'{"id": "t-9",\n"prompt": {"text": ""}}', "source.jsonl, line 6: it is more than one line"),
    ],
)
def test_a_bad_task_makes_no_bundle(path, line, words):
    keeps_the_old(path, lambda: make_bundle(path, NEW, [*LINES, line], called="source.jsonl"), words)


def test_a_bundle_of_nothing_is_not_made(path):
    keeps_the_old(path, lambda: make_bundle(path, NEW, []), "tasks.jsonl holds no task")


def test_a_bundle_that_nobody_could_open_is_not_made(path):
    keeps_the_old(path, lambda: make_bundle(path, NEW, LINES, limits=Limits(line_bytes=10)), "longer than 10 bytes")
    keeps_the_old(path, lambda: make_bundle(path, NEW, LINES, limits=Limits(lines_bytes=10)), "larger than 10 bytes")
    keeps_the_old(path, lambda: make_bundle(path, NEW, LINES, limits=Limits(line_parts=2)), "lists and objects")
    keeps_the_old(path, lambda: make_bundle(path, BundleDraft(id="", created=CREATED, rubric="r@1"), LINES), "`id`")
    keeps_the_old(path, lambda: make_bundle(path, BundleDraft(id="k", created="now", rubric="r@1"), LINES), "`created`")


def test_a_snapshot_that_was_altered_or_is_gone_makes_no_bundle(path, tmp_path):
    page = tmp_path / "page"
    page.write_bytes(PAGE + b"!")
    new = BundleDraft(id="k", created=CREATED, rubric="r@1", snapshots={PAGE_HASH: page})
    path.write_bytes(b"the old file")
    with pytest.raises(BundleError, match="altered or damaged"):
        make_bundle(path, new, LINES)
    page.unlink()
    with pytest.raises(BundleError, match=NO_SUCH_FILE):
        make_bundle(path, new, LINES)
    assert path.read_bytes() == b"the old file"
    assert names_in(path.parent) == [path.name]


def test_a_full_disk_leaves_the_old_file(path):
    """A limit on the size of files stands in for the end of the disk: the write fails in the middle."""
    noise = os.urandom(100_000).hex()
    lines = [json.dumps(task(text=noise)).encode()]
    resource = pytest.importorskip("resource", reason="Windows has no resource limits")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
    try:
        keeps_the_old(path, lambda: make_bundle(path, NEW, lines), "File too large")
        keeps_the_old(path, lambda: write_zip(path, {"a": MemorySource(noise.encode())}, CREATED), "File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_that_is_missing_is_named(path):
    lost = path.parent / "lost" / "b.zip"
    with pytest.raises(BundleError, match=re.escape(f"The folder {lost.parent} does not exist")):
        make_bundle(lost, NEW, LINES)
    with pytest.raises(BundleError, match=re.escape(f"The folder {lost.parent} does not exist")):
        write_zip(lost, {"a": MemorySource(b"x")}, CREATED)


def test_a_folder_in_the_place_of_the_file_stays(path):
    path.mkdir()
    (path / "mine").touch()
    with pytest.raises(BundleError, match="It is a folder"):
        make_bundle(path, NEW, LINES)
    assert names_in(path.parent) == [path.name]
    assert names_in(path) == ["mine"]


def test_work_that_was_stopped_leaves_the_old_file(path):
    def stopped():
        yield from LINES
        raise Cancelled

    path.write_bytes(b"the old file")
    with pytest.raises(Cancelled):
        make_bundle(path, NEW, stopped())
    assert path.read_bytes() == b"the old file"
    assert names_in(path.parent) == [path.name]


KILLED = f"""
import os, sys
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.make import BundleDraft, make_bundle
def lines():
    yield from {LINES!r}
    os._exit(9)
make_bundle(sys.argv[1], BundleDraft(id="k", created={CREATED!r}, rubric="r@1"), lines())
"""


def test_a_killed_program_leaves_the_old_file_and_nothing_else(path):
    path.write_bytes(b"the old file")
    assert subprocess.run([sys.executable, "-c", KILLED, path], check=False).returncode == 9
    assert path.read_bytes() == b"the old file"
    assert names_in(path.parent) == [path.name]


def test_an_entry_that_came_back_otherwise_is_not_kept(path):
    class Fickle(MemorySource):
        """Says another content than it gives."""

        def chunks(self):
            yield self.data[::-1]

    keeps_the_old(path, lambda: write_zip(path, {"a": Fickle(b"xy")}, CREATED), "a was not written correctly")


def test_a_hundred_thousand_tasks_do_not_stand_in_memory(path):
    """60 MB of tasks; their ids are kept to find equal ones, and nothing else."""
    done = subprocess.run([sys.executable, "-c", MANY, path], capture_output=True, text=True, check=True)
    kib, tasks = json.loads(done.stdout)
    assert tasks == 100_000
    assert kib < 60 * 1024
    assert path.stat().st_size < 20_000_000


MANY = f"""
import json, sys
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.archive import open_bundle
{PEAK}
before = peak()
body = json.dumps({{"prompt": {{"text": "?"}}, "responses": [{{"id": "a", "text": "Kelp grows. " * 45}}]}})[1:]
lines = (f'{{{{"id": "t-{{number}}", {{body}}'.encode() for number in range(100_000))
make_bundle(sys.argv[1], BundleDraft(id="k", created={CREATED!r}, rubric="r@1"), lines)
with open_bundle(sys.argv[1]) as bundle:
    count = sum(line.task is not None for line in bundle.tasks())
print(json.dumps([peak() - before, count]))
"""


def test_a_spool_gives_its_content_again_and_again(tmp_path):
    with Spool(tmp_path) as spool:
        entry = spool.add_lines([b"a", b"b"])
        assert (entry.size, entry.sha256) == (4, hashlib.sha256(b"a\nb\n").hexdigest())
        assert b"".join(entry.chunks()) == b"".join(entry.chunks()) == b"a\nb\n"
    assert names_in(tmp_path) == ["out"]


def test_the_lines_of_a_file_of_tasks(tmp_path):
    source = tmp_path / "tasks.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(LINES) + b"\n\n")
    assert [line for _, line in raw_lines(source)] == [*(line + b"\r" for line in LINES[:-1]), LINES[-1]]
    source.write_bytes(b"\n" + jsonl(task()))
    with pytest.raises(BundleError, match=r"tasks\.jsonl, line 1: it is empty"):
        list(raw_lines(source))
    with pytest.raises(BundleError, match="No such file"):
        list(raw_lines(tmp_path / "none.jsonl"))


@pytest.mark.posix("Windows does not replace a file that is open")
def test_writing_over_a_bundle_that_is_open_leaves_its_reader_alone(path):
    bundle(path, task("t-1"))
    with open_bundle(path) as opened:
        make_bundle(path, NEW, LINES)
        assert [line.id for line in opened.tasks()] == ["t-1"]
    with open_bundle(path) as opened:
        assert len(list(opened.tasks())) == 5


def test_an_interrupt_inside_the_library_is_one(path, monkeypatch):
    class Interrupted:
        def __init__(self, *_parts):
            raise KeyboardInterrupt

    monkeypatch.setattr(zipfile, "_ZipWriteFile", Interrupted)
    path.write_bytes(b"the old file")
    with pytest.raises(KeyboardInterrupt):
        make_bundle(path, NEW, LINES)
    assert path.read_bytes() == b"the old file"
    assert names_in(path.parent) == [path.name]
