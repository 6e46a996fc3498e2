"""What a lead sees of research in offline libraries: the evidence from each, and labels that rest on them alone."""

import csv
import hashlib
import sys

import msgspec
import pytest

from desktop_rater.audit import assistance_panels
from desktop_rater.audit.compute_report import library_shares
from desktop_rater.audit.digest import Digest, make_digest
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import LibraryName, Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.pages import page_reader
from desktop_rater.pages.warc import write_snapshot
from desktop_rater.rubric import check_rating
from desktop_rater.store import snapshots
from tests.audit.results import GOOD, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import noon, rating, take_in, task, write_lines, writer
from tests.pages.test_library_pages import SPRING, URL, response

LIBRARY = {"name": "Wikipedia", "date": "2026-03-01"}
UNSUPPORTED = {"factual": "yes", "common_knowledge": "no", "expected_to_be_found": "no", "accuracy": "unsupported"}
UNSUPPORTED |= {"comment": "Searched Wikipedia of 1 March 2026: nothing found."}
IN_LIBRARY = {"kind": "search", "target": "s1", "query": "kelp", "libraries": [LIBRARY], "hits": 0}
ON_WEB = {"kind": "search", "target": "s1", "query": "kelp", "engine": "duckduckgo"}
READ = {"kind": "page", "target": "s1", "url": URL, "seconds": 20, "outcome": "nothing"}
OF_CLAIMS = {"factual": "yes", "comment": "Searched Wikipedia of 1 March 2026: nothing found."}
OUTSIDE = {"kind": "outside", "target": "s1", "seconds": 300}
TAKEN = {"factual": "yes", "accuracy": "accurate"}
CLAIMS = [
    {"id": "c1", "text": "a", "answers": {"accuracy": "accurate"}},
    {"id": "c2", "text": "b", "answers": {name: UNSUPPORTED[name] for name in [*UNSUPPORTED][1:4]}},
]


def piece(quote="Kelp grows in cold water.", **more):
    return {"id": "e1", "target": "s1", "stance": "supporting", "url": URL, "quote": quote, "library": LIBRARY, **more}


@pytest.mark.parametrize(
    ("answers", "more", "alone"),
    [
        (UNSUPPORTED, {"research": [IN_LIBRARY]}, True),
        (UNSUPPORTED, {"research": [IN_LIBRARY, {**READ, "libraries": [LIBRARY]}]}, True),
        (UNSUPPORTED, {"research": []}, False),
        (UNSUPPORTED, {"research": [IN_LIBRARY, ON_WEB]}, False),
        (UNSUPPORTED, {"research": [IN_LIBRARY, READ]}, False),
        (UNSUPPORTED, {"research": [IN_LIBRARY, OUTSIDE]}, False),
        (UNSUPPORTED, {"research": [{**IN_LIBRARY, "target": "s2"}]}, False),
        (GOOD, {"research": [IN_LIBRARY]}, False),
        (TAKEN, {"research": [IN_LIBRARY], "evidence": [piece()]}, False),
        (OF_CLAIMS, {"research": [IN_LIBRARY], "claims": {"s1": CLAIMS}, "evidence": [piece(claims=["c1"])]}, True),
    ],
)
def test_a_label_rests_on_a_library_where_nothing_else_was_searched(answers, more, alone):
    rated = read_struct({"rater": "r", "status": "complete", **rating("t", answers, **more)}, Rating)
    kelp = read_struct(task("t", "Kelp is green.", "It is an alga."), Task)
    digest = make_digest(rated, check_rating(builtin_rubric("span-factuality"), kelp, rated), ())
    assert digest.library_only == (("targets/s1",) if alone else ())
    pieces = (("Wikipedia", "2026-03-01", 1),) if more.get("evidence") else ()
    assert digest.libraries == pieces
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(digest), type=Digest) == digest


def sent(desk, rater, *ratings, library=SPRING):
    """What a rater sends who has read a page of a library."""
    content = write_snapshot(response(library, fetched="2026-03-01T00:00:00Z"))
    sha256 = hashlib.sha256(content).hexdigest()
    lines = [
        {**line, "evidence": [{**part, "snapshot": sha256} for part in line.get("evidence", ())]} for line in ratings
    ]
    with writer(desk.folder / f"home-{rater}") as store:
        take_in(store, desk.bundle)
        snapshots.store_snapshot(store.folder, sha256, [content])
        file = write_lines(desk.folder / f"{rater}.jsonl", lines)
        rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)
    return desk.exported(rater)


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    (tmp_path / "store").symlink_to(desk.store)
    return desk


def test_the_report_counts_libraries_in_every_form(desk, run, tmp_path, monkeypatch):  # noqa: F811
    alone, taken = (UNSUPPORTED, {"research": [IN_LIBRARY]}), (TAKEN, {"evidence": [piece()]})
    web = (TAKEN, {"evidence": [{key: part for key, part in piece().items() if key != "library"}]})

    def lines(*given):
        return [rating(f"t-{at}", answers, GOOD, **more) for at, (answers, more) in enumerate(given, 1)]

    searched = (UNSUPPORTED, {"research": [IN_LIBRARY, ON_WEB]})
    desk.opened(sent(desk, "ann", *lines(alone, taken, searched)), sent(desk, "bo", *lines(alone, (GOOD, {}), taken)))
    desk.opened(sent(desk, "cy", *lines((GOOD, {}), web, web), library=None))
    report = run("audit", "report", "kelp", "--json", "--csv", tmp_path, "--html", tmp_path / "r.html")
    evidence, label = report.json["libraries"]
    found = [evidence[name] for name in ("name", "date", "count", "of", "raters")]
    assert found == ["Wikipedia", "2026-03-01", 2, 4, 2]
    assert (label["value"], label["count"], label["of"], label["raters"]) == ("unsupported", 2, 3, 2)
    assert label["places"] == [["t-1", "targets/s1", "ann"], ["t-1", "targets/s1", "bo"]]
    told = run("audit", "report", "kelp").out
    assert "  Evidence from Wikipedia, 2026-03-01: 2 of 4, 50 %, 2 raters\n" in told
    assert "  Unsupported, on libraries alone: 2 of 3, 67 %, 2 raters; t-1 targets/s1 ann; t-1 targets/s1 bo\n" in told
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert all(part in page for part in ("Offline libraries", "2 of 4, 50", "2 of 3, 67"))
    monkeypatch.setattr(assistance_panels, "MOST_PLACES", 1)
    run("audit", "report", "kelp", "--html", tmp_path / "r.html")
    assert "… and 1 more" in (tmp_path / "r.html").read_text(encoding="utf-8")
    with (tmp_path / "library_places.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["rater"] for row in csv.DictReader(file)] == ["ann", "bo"]
    one = run("audit", "report", "kelp", "--rater", "ann", "--json").json["libraries"]
    assert [(row["count"], row["of"]) for row in one] == [(1, 1), (1, 2)]
    flagged = run("audit", "sample", "kelp", "--how", "all", "--flag", "library-only", "--lead", "Ana", "--json").json
    assert flagged["places"] == [{"task": "t-1", "where": "targets/s1"}]


def test_results_that_an_earlier_version_opened_count_for_nothing():
    old = msgspec.msgpack.decode(msgspec.msgpack.encode(["complete", {}, 1.0]), type=Digest)
    assert (old.libraries, old.library_only) == (None, None)
    received = ReceivedRating(results="", task="t", rater="r", text="", sha256="", revision=1, summary=old)
    assert library_shares([received], [received], None) == ()


@pytest.mark.parametrize(
    ("library", "part", "broken"),
    [
        (SPRING, {}, []),
        (SPRING, {"quote": ""}, []),
        (SPRING, {"quote": "Kelp is made of cheese and string."}, ["evidence-quote"]),
        (SPRING, {"library": None}, ["evidence-library"]),
        (SPRING, {"library": {"name": "Wikipedia", "date": "2026-09-01"}}, ["evidence-library"]),
        (None, {}, ["evidence-library"]),
        (LibraryName(name="Wikipedia"), {}, ["evidence-library"]),
    ],
)
def test_check_compares_evidence_with_the_library_of_its_page(desk, run, library, part, broken):  # noqa: F811
    more = {"evidence": [{key: value for key, value in piece(**part).items() if value is not None}]}
    out = sent(desk, "ann", *(rating(f"t-{at}", TAKEN, GOOD, **more) for at in (1, 2, 3)), library=library)
    checked = check_results(out, Progress())
    found = {problem.rule: problem.where for _task, problems in checked.broken for problem in problems}
    assert found == dict.fromkeys(broken, "evidence/e1")
    assert run("check", out).status == bool(broken)


def test_check_says_which_quotes_it_could_not_compare(desk, monkeypatch):
    monkeypatch.setattr(page_reader, "child_command", lambda _memory: [sys.executable, "-c", ""])
    checked = check_results(
        sent(desk, "ann", *(rating(f"t-{at}", TAKEN, GOOD, evidence=[piece()]) for at in (1, 2, 3))), Progress()
    )
    assert checked.broken == ()
    assert any("was not checked: The page could not be read" in note for note in checked.notes)
