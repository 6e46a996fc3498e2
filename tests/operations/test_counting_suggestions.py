"""What became of the suggestions is counted alike, whichever way a rating takes into the store and out of it."""

import json
import zipfile
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating, SuggestionCounts
from desktop_rater.format.values import Answers
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_rubric, open_task
from desktop_rater.operations.rating.save import rate_from_file, rating_revision, save_rating
from desktop_rater.rubric import check_rating
from desktop_rater.store import ratings
from desktop_rater.store.store import Store
from tests.readers import head_of

from .bundles import RATER, make, noon, rating, take_in, task, write_lines, writer

GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = GOOD | {"common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
SUGGESTED: dict[str, Any] = {"targets": {"s1": GOOD, "s2": {"factual": "yes"}}}


def bundle(tmp_path: Path, **suggested: Any) -> Path:
    return make(tmp_path / "b.zip", [task("t-1", "One.", "Two.", suggestions=suggested or SUGGESTED)])


def rate(store: Store, tmp_path: Path, *plain: dict[str, Any]) -> int:
    path = write_lines(tmp_path / "r.jsonl", plain)
    return len(rate_from_file(store, "b", path, RATER, progress=Progress(), now=noon).tasks)


def stored(store: Store) -> SuggestionCounts:
    return head_of(store, "b", "t-1", RATER).rating.suggestions


def test_a_file_says_what_was_answered_and_the_program_counts(tmp_path):
    """A count that a file claims is nobody's word."""
    with writer(tmp_path / "store") as store:
        take_in(store, bundle(tmp_path))
        rate(store, tmp_path, rating("t-1", WRONG, {"factual": "no"}, suggestions={"accepted": 99}))
        assert stored(store) == SuggestionCounts(accepted=1, changed=3, ignored=0)


def test_the_window_and_a_file_come_to_the_same(tmp_path):
    counted = []
    for way in ("window", "file"):
        with writer(tmp_path / way) as store:
            take_in(store, bundle(tmp_path))
            if way == "file":
                rate(store, tmp_path, rating("t-1", GOOD, {"factual": "no"}))
            else:
                opened = open_task(store, "b", "t-1", RATER)
                given = Rating(
                    task="t-1",
                    rater=RATER,
                    rubric="span-factuality@3",
                    status="complete",
                    answers=Answers(targets={"s1": GOOD, "s2": {"factual": "no"}}),
                )
                save_rating(store, bundle_rubric(store, "b"), "b", opened.task, given, done="finish", now=noon)
            out = tmp_path / f"{way}.zip"
            export_results(store, "b", RATER, out, progress=Progress())
            assert check_results(out, Progress()).notes == ()
            with zipfile.ZipFile(out) as results:
                counted.append(json.loads(results.read("ratings.jsonl"))["suggestions"])
    assert counted == [{"accepted": 3, "changed": 1, "ignored": 0}] * 2


def test_what_is_not_answered_yet_is_counted_as_it_stands(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, bundle(tmp_path))
        rate(store, tmp_path, rating("t-1", {"factual": "yes"}))
        assert stored(store) == SuggestionCounts(accepted=1, changed=0, ignored=3)


def test_counting_anew_makes_no_revision(tmp_path):
    """An earlier program counted otherwise: that alone is no change of the rater's."""
    with writer(tmp_path / "store") as store:
        take_in(store, bundle(tmp_path))
        assert rate(store, tmp_path, rating("t-1", GOOD, {"factual": "no"})) == 1
        again = rating("t-1", GOOD, {"factual": "no"}, suggestions={"accepted": 1, "changed": 1, "ignored": 1})
        assert rate(store, tmp_path, again) == 0


def test_results_that_count_otherwise_are_remarked_on(tmp_path):
    """Such as those of an earlier program. They are not altered, and no judgement hangs on it."""
    with writer(tmp_path / "store") as store:
        take_in(store, bundle(tmp_path))
        rate(store, tmp_path, rating("t-1", GOOD, {"factual": "no"}))
        found = head_of(store, "b", "t-1", RATER)
        opened = open_task(store, "b", "t-1", RATER).task
        # As an earlier program would have saved it.
        old = Rating(
            task="t-1", rater=RATER, rubric="span-factuality@3", status="complete", answers=found.rating.answers
        )
        outcome = check_rating(bundle_rubric(store, "b"), opened, old)
        new = rating_revision(bundle_rubric(store, "b"), old, outcome, "finish", noon, basis=None)
        ratings.append_revision(store, "b", new)
        export_results(store, "b", RATER, tmp_path / "out.zip", progress=Progress())
    checked = check_results(tmp_path / "out.zip", Progress())
    assert checked.broken == ()
    assert checked.notes == ("1 ratings state suggestion counts that do not match their answers.",)


def test_a_suggestion_that_is_not_offered_is_named_when_looked_at_and_imported(tmp_path):
    path = bundle(tmp_path, targets={"s1": {"factual": "maybe"}, "s7": GOOD}, task={"mood": "good"})
    told = (
        'tasks.jsonl, line 1, task "t-1": "mood" is suggested, and is no question of a task',
        'tasks.jsonl, line 1, task "t-1": target "s1": "maybe" is suggested for "factual", which does not offer it',
        'tasks.jsonl, line 1, task "t-1": suggestions for the target "s7", which is not there',
    )
    assert inspect_bundle(path, Progress()).ignored == told
    with writer(tmp_path / "store") as store:
        imported = take_in(store, path)
        assert (imported.imported, imported.left_out, imported.ignored) == (1, (), told)


def test_of_many_such_suggestions_the_first_are_named(tmp_path):
    suggested = {"targets": {"s1": {"factual": "maybe"}}}
    path = make(tmp_path / "b.zip", [task(f"t-{number}", suggestions=suggested) for number in range(250)])
    ignored = inspect_bundle(path, Progress()).ignored
    assert len(ignored) == 201
    assert ignored[-1] == "… and 50 more of that kind"
