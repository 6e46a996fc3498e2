"""Results that answer sentences as earlier versions split them stay valid beside those of the present rules."""

from pathlib import Path

import pytest

from desktop_rater.format import targets
from desktop_rater.format.change import Progress
from desktop_rater.format.targets import split_as_before
from desktop_rater.operations.audit.adjudicate import AdjudicationOptions, adjudicate_results
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.load_audit import load_task
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file

from .audited import Desk, Raters, said
from .bundles import RATER, make, noon, take_in, write_lines, writer

MARKDOWN = "Paris is a city.\n\n$$\nx = 1\n$$\n\n<details>\n\nIt is large.\n\n</details>"
HEBREW = 'הוא חי לפנה"ס. המלך מת. צה"ל הגיע.'
QUOTES = ["Paris is a city.", "$$", "x = 1", "$$", "<details>", "It is large.", "</details>"]


def split(name, text, lang="en"):
    """A task whose targets are the sentences of its response."""
    responses = [{"id": "a", "format": "markdown", "text": text}]
    return {"id": name, "prompt": {"text": "?", "lang": lang}, "responses": responses}


def labels(count):
    return ["not factual"] * count


@pytest.fixture
def as_before(monkeypatch):
    """Bundles are imported as an earlier version did."""
    with monkeypatch.context() as patch:
        patch.setattr(targets, "_split", split_as_before)
        yield patch


def earlier_results(folder: Path, patch, tasks, ratings):
    """The results of a store with targets by the earlier rules, exported by the present version; and the bundle."""
    bundle = make(folder / "b.zip", tasks)
    with writer(folder / "earlier") as store:
        take_in(store, bundle)
        patch.undo()
        rate_from_file(store, "b", write_lines(folder / "r.jsonl", ratings), RATER, progress=Progress(), now=noon)
        out = folder / "earlier.zip"
        assert export_results(store, "b", RATER, out, progress=Progress()).written
    return out, bundle


def test_results_that_answer_what_is_no_target_any_more_are_checked_and_audited(tmp_path, as_before):
    out, bundle = earlier_results(tmp_path, as_before, [split("t1", MARKDOWN)], [said("t1", *labels(7))])
    desk = Desk(tmp_path, [bundle, out])
    task = load_task(desk.store, "b", "t1")
    written = adjudicate_results(desk.store, "b", tmp_path / "final.jsonl", AdjudicationOptions(to="jsonl"), Progress())
    texts = {item.where: item.quote for item in desk.items}
    desk.store.close()
    assert check_results(out, Progress()).broken == ()
    assert [target.quote for target in task.task.targets or ()] == QUOTES
    assert not task.raters[0].outcome.blocking
    assert texts == {f"targets/s{number}": quote for number, quote in enumerate(QUOTES, 1)}
    assert written.written
    assert written.open == ()


def test_results_of_both_rules_are_audited_together(tmp_path, as_before):
    out, bundle = earlier_results(tmp_path, as_before, [split("t1", MARKDOWN)], [said("t1", *labels(7))])
    present = {"task": "t1", "answers": {"targets": {name: {"factual": "no"} for name in ("s1", "s6")}}}
    team = tmp_path / "team"
    team.mkdir()
    raters = Raters(team, [split("t1", MARKDOWN)])
    desk = Desk(tmp_path, [bundle, out, raters.rates("bea", [present])])
    task = load_task(desk.store, "b", "t1")
    desk.store.close()
    seen = {rater.rater: [target.id for target in rater.task.targets or ()] for rater in task.raters}
    assert seen == {RATER: [f"s{number}" for number in range(1, 8)], "bea": ["s1", "s6"]}
    assert not any(rater.outcome.blocking for rater in task.raters)


def test_two_sentences_that_were_one_need_one_answer_in_results_of_that_time(tmp_path, as_before):
    tasks = [split("t1", HEBREW, "he")]
    out, _bundle = earlier_results(tmp_path, as_before, tasks, [said("t1", *labels(1))])
    assert check_results(out, Progress()).broken == ()
