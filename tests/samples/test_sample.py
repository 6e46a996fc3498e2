"""The sample bundle is sound, needs everything that its rubric has, and its ratings break what they say and no more."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import numbered_lines, read_json_object, read_struct
from desktop_rater.format.targets import CONTEXT, prepare_task
from desktop_rater.format.task import Task
from desktop_rater.paths import resources
from desktop_rater.rubric import check_rating, load_rubric
from desktop_rater.text.urls import find_links

SAMPLES = resources() / "samples"
RUBRIC = load_rubric(
    (resources() / "rubrics" / "span-factuality.toml").read_text(encoding="utf-8"), "span-factuality.toml"
)


def lines(path):
    return [read_json_object(raw) for _, raw in numbered_lines([path.read_bytes()], 1_000_000)]


def as_imported(task):
    return prepare_task(task, per_target=True, accept_close=False, lang="en").task


TASKS = [read_struct(line, Task) for line in lines(SAMPLES / "span-factuality" / "tasks.jsonl")]
IMPORTED = {task.id: as_imported(task) for task in TASKS}
RATINGS = [read_struct(line, Rating) for line in lines(SAMPLES / "span-factuality-sample.ratings.jsonl")]
BROKEN = [read_struct(line, Rating) for line in lines(Path(__file__).parent / "broken.jsonl")]

RULES = {rule.id: rule.level for rule in RUBRIC.file.rules}
REQUIRED = {f"required:{one.id}" for one in RUBRIC.file.questions if one.required}
CONTRADICTS = {f"contradicts:{row.id}" for row in RUBRIC.file.decide}
AGAINST_PAGES = {"consensus-for", "consensus-against"}
CHOICES = {(one.id, choice.id) for one in RUBRIC.file.questions for choice in one.choices}


def outcome_of(rating):
    return check_rating(RUBRIC, IMPORTED[rating.task], rating)


def checked():
    return [(rating, outcome_of(rating)) for rating in RATINGS]


def broken_by(outcome, level):
    return {(problem.rule, problem.where) for problem in outcome.problems if problem.level == level}


def said_to_break(rating):
    return {(one["rule"], one["where"]) for one in rating.unknown["breaks"]}


def test_there_are_twelve_tasks_in_order_and_one_rating_for_each():
    ids = [f"t-{number:04}" for number in range(1, 13)]
    assert [task.id for task in TASKS] == ids
    assert [rating.task for rating in RATINGS] == ids
    assert {(rating.rater, rating.rubric) for rating in RATINGS} == {("sample", RUBRIC.ref)}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_offsets_and_quotes_agree_and_stand_between_prefix_and_suffix(task):
    text = task.responses[0].text
    for target in task.targets or ():
        assert text[target.start : target.end] == target.quote == target.quote.strip()
        assert target.prefix == text[max(0, target.start - CONTEXT) : target.start]
        assert target.suffix == text[target.end : target.end + CONTEXT]
    spans = [(target.start, target.end) for target in task.targets or ()]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert task.targets is None or 3 <= len(spans) <= 8


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_importer_finds_every_target_where_the_file_says(task):
    prepared = prepare_task(task, per_target=True, accept_close=False, lang="en")
    assert (prepared.unplaced, prepared.aligned) == ((), ())
    assert task.targets is None or prepared.task == task


def test_the_task_without_targets_is_cut_into_the_sentences_that_its_rating_names():
    (task,) = [task for task in TASKS if task.targets is None]
    (rating,) = [rating for rating in RATINGS if rating.task == task.id]
    assert [target.id for target in IMPORTED[task.id].targets] == list(rating.answers.targets)


def test_the_tasks_hold_every_kind_of_input():
    responses = {task.id: task.responses[0] for task in TASKS}
    assert {task.prompt.lang for task in TASKS} == {"en", "ar", "ja"}
    for part in ("history", "context", "reference", "suggestions"):
        assert sum(bool(getattr(task, part)) for task in TASKS) == 1, part
    calls = [call.status for response in responses.values() for call in response.tools]
    assert sorted(calls) == ["error", "no_results", "ok"]
    assert {response.format for response in responses.values()} == {"markdown", "plain"}
    assert sum(bool(find_links(response.text)) for response in responses.values()) >= 2
    texts = "\n".join(response.text for response in responses.values())
    for piece in ("\r\n", "\u2028", "\u00a0", "\u200d", "\U0001f1ee\U0001f1f8"):
        assert piece in texts
    # UTF-16 counts more before these targets than Python does.
    assert any(max(text[: target.start], default="") > "\uffff" for text, target in _placed())


def _placed():
    return [(task.responses[0].text, target) for task in IMPORTED.values() for target in task.targets]


def test_the_ratings_block_nothing_and_acknowledge_each_warning():
    for rating, outcome in checked():
        assert broken_by(outcome, "block") == set(), rating.task
        assert {(one.rule, one.where) for one in rating.acknowledged} == broken_by(outcome, "warn"), rating.task
        assert all(one.comment for one in rating.acknowledged)


def test_one_task_is_skipped_as_a_whole_and_says_why():
    (skipped,) = [rating for rating in RATINGS if rating.status == "skipped"]
    assert skipped.skipped is not None
    assert skipped.skipped.reason
    assert skipped.skipped.comment
    assert {rating.status for rating in RATINGS if rating is not skipped} == {"complete"}


def test_every_question_is_answered_in_every_way_but_two_of_the_skips():
    given = set()
    for _, outcome in checked():
        given |= {(one.question.id, one.value) for asked in outcome.asked.values() for one in asked}
    unsplit = {("consensus", "parts"), ("covers", "no")}  # its sentences of several claims are split
    assert CHOICES - given == {("skipped", "wrong_language"), ("skipped", "harmful")} | unsplit


def test_every_row_of_the_table_decides_and_claims_give_every_label_to_a_target():
    decided = [label for _, outcome in checked() for labels in outcome.decided.values() for label in labels.values()]
    rows = {row.id for row in RUBRIC.file.decide if not row.id.startswith("rest-")}
    assert {label.by for label in decided} == rows - {"different-parts", *AGAINST_PAGES} | {"claims"}
    combined = {label.value for label in decided if label.by == "claims"}
    assert combined >= set(RUBRIC.file.combine["accuracy"])


def test_every_warning_is_broken_somewhere_and_kept_somewhere():
    broken = {rule for _, outcome in checked() for rule, _ in broken_by(outcome, "warn")}
    assert broken == {rule for rule, level in RULES.items() if level == "warn"}
    seconds = {rating.task: rating.time.targets for rating in RATINGS}
    assert seconds["t-0003"]["s1"] >= 600 > seconds["t-0003"]["s2"]


def test_every_rating_speaks_of_places_that_exist():
    for rating in RATINGS:
        targets = {target.id: target for target in IMPORTED[rating.task].targets}
        assert rating.status == "skipped" or set(rating.answers.targets) == set(targets) == set(rating.time.targets)
        for piece in rating.evidence:
            claims = {claim.id for claim in rating.claims.get(piece.target, ())}
            assert piece.claim in claims or (piece.claim is None and not claims)
            assert piece.opened is None or piece.url in rating.links_opened
        for target, claims in rating.claims.items():
            for claim in claims:
                place = range(targets[target].start, targets[target].end + 1)
                assert claim.start in place
                assert claim.end in place
                assert claim.start != claim.end


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=lambda number: str(number + 1))
def test_a_broken_rating_breaks_exactly_what_it_says(number):
    rating = BROKEN[number]
    assert broken_by(outcome_of(rating), "block") == said_to_break(rating)


def test_every_blocking_rule_is_broken_by_a_rating_that_breaks_nothing_else():
    blocking = REQUIRED | CONTRADICTS | {rule for rule, level in RULES.items() if level == "block"}
    alone = {rule for rating in BROKEN for rule, _ in said_to_break(rating) if len(said_to_break(rating)) == 1}
    # One side only decides another label, and no side at all asks for more facts.
    # The experts are asked about pages on one side only after the label that they can make right.
    never = {f"contradicts:{row}" for row in AGAINST_PAGES}
    assert blocking - alone == {"disputed-needs-both-sides", *never}
    assert any("disputed-needs-both-sides" in dict(said_to_break(rating)) for rating in BROKEN)


def test_the_guideline_has_a_section_for_each_question():
    text = (resources() / "guidelines" / "span-factuality.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Facts",
        "Skip",
        "Claims",
        "Evidence",
        "Common knowledge",
        "Expected to be found",
        "Consensus",
        "Accuracy",
        "Severity",
        "Comment",
    ]
