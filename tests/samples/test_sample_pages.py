"""The sample brings pages of its own, so that a rater with no network finds something to read at the first start."""

import hashlib
import tomllib
import zipfile
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from warcio.checker import Checker

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import numbered_lines, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.pages import warc
from desktop_rater.pages.page_reader import PageReader
from desktop_rater.pages.response import WebLimits
from desktop_rater.paths import resources
from desktop_rater.text.quotes import find_quote
from desktop_rater.text.urls import find_links, find_links_in_json

SOURCES = resources() / "samples" / "span-factuality"
LISTED = tomllib.loads((SOURCES / "pages" / "pages.toml").read_text(encoding="utf-8"))["page"]
MARK = {"en": "was written for the sample of Desktop Rater", "ar": "كُتبت هذه الصفحة لعيّنة"}


def lines(path, kind):
    return [read_struct(read_json_object(raw), kind) for _, raw in numbered_lines([path.read_bytes()], 1_000_000)]


TASKS = lines(SOURCES / "tasks.jsonl", Task)
EVIDENCE = [piece for rating in lines(sample_ratings_path(), Rating) for piece in rating.evidence]


def is_invented(url):
    return (urlsplit(url).hostname or "").endswith(".example")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The stored pages of the bundle as files, by SHA-256."""
    folder = tmp_path_factory.mktemp("pages")
    with zipfile.ZipFile(sample_bundle_path()) as bundle:
        names = [name for name in bundle.namelist() if name.startswith("snapshots/")]
        for name in names:
            (folder / name.removeprefix("snapshots/")).write_bytes(bundle.read(name))
    return {path.name.removesuffix(".warc.gz"): path for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def answers(stored):
    return {sha256: warc.read_snapshot(path) for sha256, path in stored.items()}


@pytest.fixture(scope="module")
def read(answers):
    """The pages as the reader shows them, by address."""
    reader = PageReader(WebLimits())
    try:
        return {answer.url: reader.read(answer, progress=Progress()) for answer in answers.values()}
    finally:
        reader.close()


def test_the_bundle_holds_the_listed_pages_to_the_byte_and_names_them_by_their_hash(stored, answers):
    told = sorted((answer.url, answer.fetched, answer.body) for answer in answers.values())
    assert told == sorted(
        (one["url"], one["fetched"], (SOURCES / "pages" / one["file"]).read_bytes()) for one in LISTED
    )
    for sha256, path in stored.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    assert sum(path.stat().st_size for path in stored.values()) < 20_000


def test_any_archive_program_accepts_them(stored, capsys):
    checker = Checker(SimpleNamespace(inputs=[str(path) for path in stored.values()], verbose=True))
    assert checker.process_all() == 0, capsys.readouterr().out


def test_each_invented_page_that_a_task_links_to_is_there_and_each_is_linked_to():
    responses = [response for task in TASKS for response in task.responses]
    linked = [url for response in responses for url in find_links(response.text)]
    linked += [url for response in responses for call in response.tools for url in find_links_in_json(call.output)]
    assert {url for url in linked if is_invented(url)} == {one["url"] for one in LISTED}


def test_each_page_is_read_and_says_that_it_was_written_for_the_sample(read):
    for url, page in read.items():
        assert is_invented(url), "the domain .example leads nowhere, ever"
        assert (page.state, page.images) == ("ok", 0)
        assert page.title
        assert page.site
        assert MARK[page.lang[:2]] in page.text


def test_a_rating_that_rests_on_a_stored_page_names_it_and_quotes_what_stands_there(answers, read):
    resting = [piece for piece in EVIDENCE if is_invented(piece.url)]
    assert len(resting) == len(LISTED)
    for piece in resting:
        assert piece.snapshot is not None
        assert answers[piece.snapshot].url == piece.url
        assert find_quote(read[piece.url].text, piece.quote, piece.prefix, piece.suffix) is not None, piece.quote
        assert piece.title == read[piece.url].title
    assert not [piece.id for piece in EVIDENCE if piece.snapshot and not is_invented(piece.url)]


def test_the_first_link_of_the_sample_opens_without_a_network():
    """The first page of the program says that the sample works with no network."""
    (response,) = TASKS[0].responses
    assert find_links(response.text)[0] in {one["url"] for one in LISTED}
