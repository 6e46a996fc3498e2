"""Web archives of other programs as documents: whole, damaged and hostile ones."""

import gzip
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.plugins.library.archives import archive_date, list_archives, read_archived
from tests.pages.warc_files import Foreign

FOLDER = Path(__file__).parent
PAGES = [f"https://kelp.example/{number}" for number in range(6)]


def body(url, note=""):
    return f"<title>{url[-1]}</title><p>Kelp forest {url[-1]} grows in cold water{note}.</p>".encode() * 5


def crawl(*, zipped=True, note=""):
    """Return a crawl of six pages, with what else a crawl holds."""
    archive = Foreign(zipped=zipped)
    archive.add(PAGES[0], body(PAGES[0], ", as of old"), date="2025-01-01T00:00:00Z")
    archive.add("https://kelp.example/old", b"", "301 Moved", (("Location", PAGES[0]),))
    archive.add(PAGES[0], kind="request")
    for url in PAGES:
        archive.add(url, body(url, note), date="2026-03-01T10:00:00.123Z")
    archive.add("https://kelp.example/a.css", b"p {}", headers=(("Content-Type", "text/css"),))
    archive.add("https://kelp.example/gone", status="404 Not Found")
    archive.add(PAGES[1], b"", kind="revisit", date="2026-04-01T10:00:00Z")
    return archive.content


def zipped_archive(path, files, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return path


FORMS = {
    "member-a-record.warc.gz": crawl,
    "one-member.warc.gz": lambda: gzip.compress(crawl(zipped=False)),
    "plain.warc": lambda: crawl(zipped=False),
    "stored.wacz": crawl,
    "deflated.wacz": lambda: crawl(zipped=False),
}


@pytest.fixture(params=FORMS)
def archive(request, tmp_path):
    path, content = tmp_path / f"a#1 {request.param}", FORMS[request.param]()
    if path.suffix != ".wacz":
        path.write_bytes(content)
        return path
    method = zipfile.ZIP_STORED if "stored" in path.name else zipfile.ZIP_DEFLATED
    name = "archive/data.warc.gz" if "stored" in path.name else "archive/data.warc"
    return zipped_archive(path, {name: content, "datapackage.json": '{"title": "Kelp"}'}, method)


def pages_of(*paths):
    archived, left_out, faults = list_archives(paths, Progress())
    listing = SimpleNamespace(pages=archived, left_out=left_out, faults=faults)
    return listing, {page.url: read_archived(page.place) for page in archived}


def test_each_page_is_a_document_in_its_newest_version_and_the_rest_is_named(archive):
    listing, pages = pages_of(archive)
    assert listing.faults == []
    assert {url: page.body for url, page in pages.items()} == {url: body(url) for url in PAGES}
    assert {page.fetched for page in pages.values()} == {"2026-03-01T10:00:00Z"}
    assert archive_date([archive]) == "2025-01-01"
    assert sorted(listing.left_out) == [
        "1 files that are no pages: https://kelp.example/a.css (text/css)",
        "1 older versions of a page: https://kelp.example/0",
        "1 redirects: https://kelp.example/old",
        "1 responses with an error: https://kelp.example/gone (404)",
        "1 revisits of a page that had not changed: https://kelp.example/1",
    ]


def test_the_newest_version_counts_among_archives_too(archive, tmp_path):
    newer = tmp_path / "newer.warc"
    newer.write_bytes(Foreign(zipped=False).add(PAGES[2], b"<p>Newer", date="2026-05-01T00:00:00Z").content)
    for order in ((archive, newer), (newer, archive)):
        listing, pages = pages_of(*order)
        assert pages[PAGES[2]].body == b"<p>Newer"
        assert len(listing.pages) == len(PAGES)


def damaged(content, change):
    """Return a crawl with damage in the middle, or with a wrong length of one page."""
    middle = len(content) // 2
    match change:
        case "cut":
            return content[:middle]
        case "bytes":
            return (
                content[:middle] + bytes(byte ^ 0x55 for byte in content[middle : middle + 9]) + content[middle + 9 :]
            )
        case _:
            length = list(re.finditer(rb"Content-Length: (\d+)\r\n\r\nHTTP/1.1 200", content))[3]
            return content[: length.start(1)] + b"%d" % (int(length[1]) + change) + content[length.end(1) :]


CHANGES = ["cut", "bytes", 40, -40, 900, 99_999_999]
# Without compression there is no checksum, so damage to the bytes of a page goes unseen.
DAMAGE = [
    (form, change)
    for form in ("members", "plain", "wacz")
    for change in CHANGES
    if (form, change) != ("plain", "bytes")
]


@pytest.mark.parametrize(("form", "change"), DAMAGE)
def test_of_a_damaged_archive_every_whole_page_is_read_and_the_rest_is_named(form, change, tmp_path):
    plain = damaged(crawl(zipped=False), change)
    if form == "plain":
        path, content = tmp_path / "a.warc", plain
    elif isinstance(change, int):  # each record in its own member, one with a wrong length
        path = tmp_path / "a.warc.gz"
        starts = [match.start() for match in re.finditer(rb"WARC/1\.\d\r\n", plain)]
        content = b"".join(gzip.compress(plain[a:b]) for a, b in zip(starts, [*starts[1:], None], strict=True))
    else:
        path, content = tmp_path / "a.warc.gz", damaged(crawl(), change)
    path.write_bytes(content)
    if form == "wacz":
        path = zipped_archive(tmp_path / "a.wacz", {"archive/a.warc.gz": content})
    listing, pages = pages_of(path)
    assert all(page.body in (body(url), body(url, ", as of old")) for url, page in pages.items()), "none is half there"
    assert len(pages) >= (2 if change == "cut" else len(PAGES) - 2)
    (first, *_) = listing.faults
    assert re.search(r"^a\.\S+( archive/\S+)?,? ?.*byte [\d,]+: .+", first)


def test_an_archive_that_is_cut_anywhere_loses_what_is_behind_the_cut_alone(tmp_path):
    whole = zipped_archive(tmp_path / "whole.wacz", {"archive/a.warc.gz": crawl(), "pages/pages.jsonl": "{}"})
    content = whole.read_bytes()
    before = 0
    for cut in (*range(5, len(content), len(content) // 40), len(content) - 21, len(content) - 1):
        path = tmp_path / f"{cut}.wacz"
        path.write_bytes(content[:cut])
        listing, pages = pages_of(path)
        assert listing.faults
        assert "cut off" in listing.faults[0]
        assert len(pages) >= before, "a longer piece has no fewer"
        before = len(pages)
    assert before == len(PAGES)


HOSTILE = {
    "points outside": lambda path: zipped_archive(path, {"archive/../../a.warc": b"x"}),
    "zip bomb": lambda path: zipped_archive(path, {"archive/a.warc": bytes(64 << 20)}, zipfile.ZIP_DEFLATED),
    "no WARC file": lambda path: zipped_archive(path, {"a.txt": b"x"}),
    "not a WARC file": lambda path: zipped_archive(path, {"archive/a.warc": b"x" * 99 + b"\r\n\r\n"}),
    "is empty": lambda path: path.write_bytes(b""),
    "No such file": lambda _path: None,
}


@pytest.mark.parametrize("words", HOSTILE)
def test_a_hostile_archive_is_named_and_the_others_are_read(words, tmp_path):
    HOSTILE[words](tmp_path / "bad.wacz")
    (tmp_path / "good.warc.gz").write_bytes(crawl())
    listing, pages = pages_of(tmp_path / "bad.wacz", tmp_path / "good.warc.gz")
    assert len(pages) == len(PAGES)
    assert archive_date([tmp_path / "bad.wacz", tmp_path / "good.warc.gz"]) == "2025-01-01"
    (fault,) = listing.faults
    assert fault.startswith("bad.wacz")
    assert words in fault


def test_what_inflates_without_end_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr("desktop_rater.plugins.library.archives._LEAST_BUDGET", 1 << 20)
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
    path = tmp_path / "bomb.warc.gz"
    path.write_bytes(b"".join(gzip.compress(head + bytes(8 << 20)) for _ in range(9)))
    listing, pages = pages_of(path)
    assert pages == {}
    assert "inflates to more than" in listing.faults[0]
    assert len(listing.faults) < 9


def test_reading_can_be_cancelled_and_a_place_that_is_none_is_refused(archive):
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        list_archives([archive], progress)
    (page, *_) = list_archives([archive], Progress())[0]
    for place in ("", str(archive), f"{archive}#x", page.place + "9", f"{archive}.gone#7"):
        with pytest.raises(RaterError):
            read_archived(place)


def test_a_wacz_of_the_package_wacz_is_read(tmp_path):
    """py-wacz.wacz is `crawl()` as `wacz create --detect-pages --title "Kelp forests"` packed it."""
    made = [FOLDER / "py-wacz.wacz"]
    if shutil.which("wacz"):  # not in the lock, since a package that it needs has no wheel
        (tmp_path / "crawl.warc.gz").write_bytes(crawl())
        made.append(tmp_path / "new.wacz")
        command = ["wacz", "create", "-o", str(made[1]), "--title", "Kelp forests", str(tmp_path / "crawl.warc.gz")]
        subprocess.run(command, check=True, capture_output=True)
    for path in made:
        listing, pages = pages_of(path)
        assert listing.faults == []
        assert {url: page.body for url, page in pages.items()} == {url: body(url) for url in PAGES}
