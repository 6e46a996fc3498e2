"""A target ends where its quote occurs, or it is left out and named; never somewhere near."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.targets import prepare_task
from desktop_rater.format.task import Task

TEXT = "Kelp grows fast. It is brown. Kelp 🌿 feeds otters.\r\nIt is brown. The end."


def a_task(*targets, text=TEXT, **more):
    plain = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": text}], **more}
    if targets:
        plain["targets"] = [{"id": f"s{number}", "response": "a", **one} for number, one in enumerate(targets, 1)]
    return read_struct(plain, Task)


def placed(task, *, per_target=True, accept_close=False):
    prepared = prepare_task(task, per_target=per_target, accept_close=accept_close, lang="en")
    texts = {response.id: response.text for response in task.responses}
    for target in (prepared.task.targets or ()) if prepared.task else ():
        text = texts[target.response]
        assert text[target.start : target.end] == target.quote
        assert text[: target.start].endswith(target.prefix)
        assert text[target.end :].startswith(target.suffix)
    return prepared


def spans(prepared):
    return [(target.start, target.end) for target in prepared.task.targets]


def test_offsets_that_agree_with_the_quote_stay():
    prepared = placed(a_task({"start": 0, "end": 16, "quote": "Kelp grows fast."}))
    assert spans(prepared) == [(0, 16)]
    assert not prepared.aligned
    assert not prepared.unplaced


def test_offsets_alone_get_their_quote_prefix_and_suffix():
    (target,) = placed(a_task({"start": 17, "end": 29})).task.targets
    assert target.quote == "It is brown."
    assert target.prefix == "Kelp grows fast. "
    assert target.suffix == TEXT[29 : 29 + 32]


def test_offsets_count_code_points():
    at = TEXT.index("feeds")
    (target,) = placed(a_task({"start": at, "end": at + 5})).task.targets
    assert target.quote == "feeds"


def test_a_prefix_that_agrees_stays_and_one_that_does_not_is_made_anew():
    task = a_task(
        {"start": 17, "end": 29, "prefix": "fast. ", "suffix": " Kelp"},
        {"start": 17, "end": 29, "prefix": "slow. ", "suffix": "Sea"},
    )
    first, second = placed(task).task.targets
    assert (first.prefix, first.suffix) == ("fast. ", " Kelp")
    assert second.prefix == "Kelp grows fast. "


def test_a_quote_at_wrong_offsets_is_found_where_it_stands_alone():
    prepared = placed(a_task({"start": 3, "end": 19, "quote": "Kelp grows fast."}))
    assert spans(prepared) == [(0, 16)]
    (moved,) = prepared.aligned
    assert (moved.target, moved.how, moved.found) == ("s1", "exact", "Kelp grows fast.")


def test_of_several_places_prefix_and_suffix_decide():
    prepared = placed(a_task({"quote": "It is brown.", "prefix": "otters.\r\n", "suffix": " The"}))
    assert spans(prepared) == [(52, 64)]
    assert prepared.aligned[0].how == "context"


def test_of_several_places_none_is_guessed():
    prepared = placed(a_task({"quote": "It is brown."}, {"start": 0, "end": 4}))
    assert spans(prepared) == [(0, 4)]
    (lost,) = prepared.unplaced
    assert lost.target == "s1"
    assert 'its quote occurs more than once in response "a"' in lost.why


def test_a_close_match_is_taken_only_when_asked_for():
    long = "The giant kelp grows half a metre on each and every summer day."
    task = a_task({"quote": long.replace("metre", "meter")}, text=f"Well. {long} Indeed.")
    prepared = placed(task)
    assert prepared.task is None
    assert prepared.unplaced[0].close > 0.95
    prepared = placed(task, accept_close=True)
    (target,) = prepared.task.targets
    assert target.quote == long
    (moved,) = prepared.aligned
    assert moved.how == "close"
    assert moved.quote != moved.found == long
    assert moved.similarity == pytest.approx(placed(task).unplaced[0].close)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ({"start": 5, "end": 5}, "it is empty"),
        ({"start": -1, "end": 4}, "it runs from -1 to 4 in a text of 73 characters"),
        ({"start": 9, "end": 4}, "it runs from 9 to 4"),
        ({"start": 0, "end": 4_000}, "it runs from 0 to 4,000"),
        ({"start": 3}, "neither a quote nor both offsets"),
        ({}, "neither a quote nor both offsets"),
        ({"quote": ""}, "neither a quote nor both offsets"),
        ({"quote": "Seaweed is green."}, 'its quote occurs nowhere in response "a"'),
        ({"quote": "Kelp grows fast.", "response": "b"}, 'the task has no response "b"'),
    ],
)
def test_a_target_without_a_place_is_left_out_and_named(target, why):
    prepared = placed(a_task(target, {"start": 0, "end": 4}), accept_close=True)
    assert [kept.id for kept in prepared.task.targets] == ["s2"]
    (lost,) = prepared.unplaced
    assert lost.target == "s1"
    assert why in lost.why


def test_a_task_that_loses_all_its_targets_is_left_out():
    prepared = placed(a_task({"quote": "nowhere to be seen"}, {"start": 2, "end": 2}))
    assert prepared.task is None
    assert [lost.target for lost in prepared.unplaced] == ["s1", "s2"]


def test_a_task_with_an_empty_list_of_targets_keeps_it():
    assert placed(a_task(targets=[])).task.targets == ()


def test_without_targets_the_sentences_of_all_responses_become_them():
    responses = [{"id": "a", "text": "One thing. Another thing."}, {"id": "b", "text": "  A third thing.\n"}]
    prepared = placed(a_task(responses=responses))
    found = [(target.id, target.response, target.quote) for target in prepared.task.targets]
    assert found == [("s1", "a", "One thing."), ("s2", "a", "Another thing."), ("s3", "b", "A third thing.")]
    assert prepared.task.targets[1].prefix == "One thing. "


def test_the_sentences_keep_the_numbers_of_the_earlier_rules():
    text = 'Here: ![A dog. Big](u)\n\n$$\na\n$$\n\nהוא חי לפנה"ס. המלך מת. צה"ל הגיע.'
    responses = [{"id": "a", "text": text, "format": "markdown"}, {"id": "b", "text": "Next."}]
    found = {target.id: target.quote for target in placed(a_task(responses=responses)).task.targets}
    assert found == {
        "s1": "Here: ![A dog. Big](u)\n\n$$\na\n$$",
        "s6": 'הוא חי לפנה"ס.',
        "s6-2": "המלך מת.",
        "s6-3": 'צה"ל הגיע.',
        "s7": "Next.",
    }


def test_without_a_sentence_the_targets_are_none_at_all():
    assert placed(a_task(text=" \n ")).task.targets == ()


def test_a_rubric_that_does_not_ask_per_target_splits_nothing():
    task = a_task()
    assert placed(task, per_target=False).task == task
    assert spans(placed(a_task({"quote": "Kelp grows fast."}), per_target=False)) == [(0, 16)]


def test_the_rest_of_a_target_and_its_task_is_kept():
    prepared = placed(a_task({"quote": "Kelp grows fast.", "own": [1]}, other={"x": 1}))
    assert prepared.task.unknown == {"other": {"x": 1}}
    assert prepared.task.targets[0].unknown == {"own": [1]}


def test_a_quote_as_long_as_a_book_is_not_searched_for_closely():
    book = "Kelp grows fast, and otters like it. " * 10_000
    prepared = placed(a_task({"quote": book[:-20] + "?"}, text=book), accept_close=True)
    assert prepared.task is None


TEXTS = st.text(alphabet="ab. é🌿\n\r\u2028", max_size=30)


@given(text=TEXTS, quote=TEXTS, start=st.none() | st.integers(-5, 40), end=st.none() | st.integers(-5, 40))
def test_whatever_a_target_says_it_is_placed_soundly_or_named(text, quote, start, end):
    target = {"start": start, "end": end, "quote": quote}
    prepared = placed(a_task(target, text=text), accept_close=True)
    assert (prepared.task is None) == bool(prepared.unplaced)
