"""A changed rubric is replayed over ratings: only what a change touches is judged, with the result of judging all."""

import random
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.authoring import replay_screen
from desktop_rater.plugins.authoring.cases import mutations
from desktop_rater.plugins.authoring.replay import Replay
from desktop_rater.rubric import Rubric, RubricError, check_rating, exported_form
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.validate import RubricFault
from tests.operations.audited import ANSWERS, Raters, said
from tests.operations.bundles import NOON, take_in, task, writer
from tests.ui.rooms import press

Rated = tuple[Task, Rating]
ORIGIN = {"bundle": "b", "rater": "r-1", "results": "0" * 64}
PAGES = [f"https://page.example/{number}" for number in range(3)]


def random_ratings(rubric: Rubric, count: int, targets: int = 4) -> list[Rated]:
    """Ratings as they are exported, with any answers that the rubric offers, to tasks of any inputs."""
    draw = random.Random(1)
    return [stored(rubric, draw, number, targets) for number in range(count)]


def stored(rubric: Rubric, draw: random.Random, number: int, targets: int) -> Rated:
    text = "The tower was built in 1352, and monks from Bruges built it. " * targets
    span = len(text) // targets
    spans: list[dict[str, Any]] = [
        {"id": f"s{n}", "response": "a", "start": n * span, "end": n * span + draw.choice((27, span - 1))}
        for n in range(targets)
    ]
    plain_task: dict[str, Any] = {
        "id": f"t-{number}",
        "prompt": {"text": "?"},
        "history": [{"role": "user", "text": "Hello."}] * draw.choice((0, 1)),
        "context": [{"id": "d1", "text": "It is old."}] * draw.choice((0, 1)),
        "reference": draw.choice((None, "It is old.")),
        "responses": [
            {"id": name, "text": text, "tools": [{"name": "t", "status": draw.choice(("ok", "empty", "error"))}]}
            for name in "ab"
        ],
        "targets": [{**each, "quote": text[each["start"] : each["end"]]} for each in spans],
    }
    claims = {
        f"s{n}": [{"id": c, "text": c, "answers": answers(rubric, draw, "claim")} for c in ("c1", "c2")]
        for n in range(targets)
        if draw.random() < 0.2
    }
    given = {
        "task": answers(rubric, draw, "task"),
        "responses": {name: answers(rubric, draw, "response") for name in "ab"},
        "targets": {f"s{n}": answers(rubric, draw, "target") | answers(rubric, draw, "claim") for n in range(targets)},
    }
    evidence = [
        {
            "id": f"e{n}",
            "target": f"s{draw.randrange(targets)}",
            "response": None,
            "claims": [draw.choice(("c1", "c2"))] * draw.choice((0, 1)),
            "stance": draw.choice(("supporting", "contradicting")),
            "url": draw.choice(PAGES),
            "quote": draw.choice(("", "So.")),
        }
        for n in range(draw.randrange(2 * targets))
    ]
    times = {f"s{n}": draw.choice((0, 599, 600)) for n in range(targets)}
    plain = {
        "task": plain_task["id"],
        "rater": "r-1",
        "rubric": rubric.ref,
        "status": "complete",
        "answers": given,
        "claims": claims,
        "evidence": evidence,
        "time": {"targets": times},
    }
    parsed, rating = read_struct(plain_task, Task), read_struct(plain, Rating)
    return parsed, exported_form(rating, check_rating(rubric, parsed, rating))


def answers(rubric: Rubric, draw: random.Random, scope: str) -> dict[str, Any]:
    offered: dict[str, Any] = {}
    for question in rubric.file.questions:
        values = [choice.id for choice in question.choices]
        if question.kind == "scale":
            values = list(range(int(question.min or 0), int(question.max or 0) + 1))
        if question.kind == "text":
            values = ["Searched.", ""]
        if question.per == scope and values and draw.random() < (0.1 if question.id == "skipped" else 0.8):
            offered[question.id] = draw.choice([*values, *(["yes"] * 6 if question.id == "factual" else [])])
    return offered


def judged_otherwise(old: Rubric, new: Rubric, ratings: list[Rated]) -> tuple[int, int]:
    """Compare a replay with judging everything; return how many places it judged, and how many it names."""
    replay, named = Replay(old, new), 0
    for one, rating in ratings:
        quick, whole = replay.judge(one, rating, ORIGIN), replay.compared(one, rating, ORIGIN)
        assert {place.where: place for place in quick} == {place.where: place for place in whole}
        named += len(whole)
    return replay.judged, named


def test_version_3_is_replayed_over_ratings_by_version_2() -> None:
    old, new = builtin_rubric("span-factuality@2"), builtin_rubric("span-factuality")
    ratings = random_ratings(old, 120)
    judged, named = judged_otherwise(old, new, ratings)
    assert 0 < named < judged < 480
    assert judged_otherwise(new, old, random_ratings(new, 60))[1] > 0
    assert judged_otherwise(new, new, random_ratings(new, 20)) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["span-factuality", "side-by-side", "response-quality", "groundedness"])
def test_whatever_changes_a_replay_finds_what_judging_everything_finds(name: str) -> None:
    old = builtin_rubric(name)
    ratings = random_ratings(old, 8)
    touched = found = 0
    for _table, _index, _change, file in mutations(old.file):
        try:
            new = RubricCompiler(file).rubric()
        except (RubricFault, RubricError):
            continue
        judged, named = judged_otherwise(old, new, ratings)
        touched, found = touched + judged, found + named
    assert found > 0
    assert touched < 32 * len(list(mutations(old.file)))


VERSIONS = ("span-factuality@2", "span-factuality")
TWO_CLAIMS = "Dante wrote the Comedy, was born in Florence and died in Ravenna."
PAGE_FOUND = {"factual": "yes", "accuracy": "accurate"}


def page(target: str, stance: str = "supporting") -> dict[str, str]:
    return {"id": f"e-{target}", "target": target, "stance": stance, "url": PAGES[0], "quote": "So."}


def rated(name: str) -> dict[str, Any]:
    """A sentence of two claims that one page supports, and one that everybody knows."""
    answers = {"targets": {"s1": PAGE_FOUND, "s2": ANSWERS["accurate"]}}
    return {"task": name, "answers": answers, "evidence": [page("s1")]}


def test_the_lead_sends_back_what_version_3_asks_more_of(run: Any, tmp_path: Path) -> None:
    raters = Raters(tmp_path, [task(f"t-{n}", TWO_CLAIMS, "Ice floats.") for n in (1, 2)], rubric=VERSIONS[0])
    ana = raters.rates("ana", [rated("t-1"), said("t-2", "accurate", "accurate")])
    ben, out = raters.rates("ben", [rated("t-2")]), tmp_path / "again.zip"
    told = run("rubric", "diff", *VERSIONS, "--results", ana, "--results", ben, "--bundle", out, "--json")
    assert told.status == 1, told.err
    diff = told.json
    assert (diff["ratings"], diff["places"], diff["missing"]) == (3, 6, {"covers": 2})
    assert diff["labels"] == {"accuracy: accurate → undecided": 2}
    places = [(place["rater"], place["task"], place["where"]) for place in diff["again"]]
    assert places == [("ana", "t-1", "targets/s1"), ("ben", "t-2", "targets/s1")]
    assert "Claims" in diff["again"][0]["sections"]
    assert diff["bundles"] == {str(tmp_path / f"again-{rater}.zip"): 1 for rater in ("ana", "ben")}
    with writer(tmp_path / "of-ana") as store:
        imported = take_in(store, tmp_path / "again-ana.zip")
        opened = open_task(store, imported.id, "t-1", "ana")
        assert opened.task.returned is not None
        assert [comment.where for comment in opened.task.returned.comments] == ["targets/s1"]
        assert "§ Claims" in opened.task.returned.comments[0].comment
        assert opened.task.returned.rating.answers.targets["s1"] == PAGE_FOUND
    unchanged = run("rubric", "diff", VERSIONS[1], VERSIONS[1], "--results", ana)
    assert unchanged.status == 0
    assert "0 rows judge otherwise" in unchanged.out


def test_results_in_the_store_are_replayed_without_those_that_were_replaced(run: Any, tmp_path: Path) -> None:
    raters = Raters(tmp_path, [task("t-1", TWO_CLAIMS, "Ice floats.")], rubric=VERSIONS[0])
    first = raters.rates("ana", [rated("t-1")])
    second = raters.rates("ana", [said("t-1", "accurate", "accurate")])
    assert run("audit", "open", raters.bundle, first).status == 0
    ask = ("rubric", "diff", *VERSIONS, "--audit", "b", "--json")
    assert len(run(*ask).json["again"]) == 1
    assert run("audit", "open", second).status == 0
    assert run(*ask).json["again"] == []


def test_a_lead_sees_the_places_in_the_window_and_sends_them_out(
    rooms: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters = Raters(tmp_path, [task("t-1", TWO_CLAIMS, "Ice floats.")], rubric=VERSIONS[0])
    results = raters.rates("ana", [rated("t-1")])
    with writer(tmp_path / "store") as store:
        import_results(store, [raters.bundle, results], lead="Lea", now=NOON, progress=Progress())
    room = rooms.empty()
    room.preferences.set("role", "lead")
    press("Ctrl+5")
    screen = room.screens.screen("rubric")
    qtbot.waitUntil(screen.bundle_button.isEnabled)
    assert screen.summary.text() == "span-factuality@2 → span-factuality@3: 1 of 2 places are judged otherwise."
    cells = [cell.text for cell in screen.table.table_model.table.rows[0]]
    assert cells[:5] == ["t-1", "s1", "ana", "Accurate", ""]
    assert cells[5].startswith("Not answered: Do your pages")
    assert "Claims" in cells[6]
    monkeypatch.setattr(replay_screen, "_MOST_SHOWN", 0)
    screen.enter()
    qtbot.waitUntil(screen.bundle_button.isEnabled)
    assert screen.summary.text().endswith("are judged otherwise. The first 0 are listed; a bundle has all.")
    out = tmp_path / "again.zip"
    rooms.files.saved = out
    press("B")
    qtbot.waitUntil(lambda: "again.zip" in " ".join(label.text() for label in room.window.findChildren(QLabel)))
    assert out.exists()
    for chosen, text in (
        (VERSIONS[0], "The chosen rubric has the same rules as that of the results."),
        ("no-such-rubric", "no-such-rubric"),
    ):
        screen.rubric = chosen
        screen.enter()
        qtbot.waitUntil(lambda text=text: text in screen.summary.text())
        assert not screen.bundle_button.isEnabled()
