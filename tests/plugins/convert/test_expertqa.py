"""ExpertQA: claims that experts judged, with the evidence that a system gave."""

import pytest

from desktop_rater.format.errors import BundleError
from tests.plugins.convert.converting import converted, lines

GROWS = "Kelp grows half a metre a day [1]."
SLEEP = "Otters sleep in it [2]."
PAGE = "[1] https://kelp.example/growth\n\nKelp grows fast.\n\nVery fast."


def claim(text, correctness="Definitely correct", support="Complete", evidence=(), **more):
    return {"claim_string": text, "correctness": correctness, "support": support, "evidence": list(evidence), **more}


def record(*claims, answer=f"{GROWS} {SLEEP}", system="gpt4", **more):
    said = {"answer_string": answer, "attribution": ["[1] https://kelp.example/growth"], "claims": list(claims), **more}
    about = {"question": "How fast?", "annotator_id": "expert-7", "metadata": {"field": "Biology"}}
    return {**about, "answers": {system: said}}


@pytest.fixture
def one(tmp_path):
    def one(plain):
        ((only,), omitted) = converted("expertqa", lines(tmp_path / "val.jsonl", plain))
        assert not omitted
        return only

    return one


def test_claims_become_targets(one):
    only = one(record(claim(GROWS, evidence=[PAGE]), claim(SLEEP), usefulness="Useful", annotation_time=340039))
    assert only.task["id"] == "eq-0001"
    assert [(target["id"], target["quote"]) for target in only.task["targets"]] == [("s1", GROWS), ("s2", SLEEP)]
    assert only.task["context"] == [
        {"id": "1", "url": "https://kelp.example/growth", "text": "Kelp grows fast.\n\nVery fast."}
    ]
    assert only.task["meta"] == {
        "source": "expertqa",
        "line": 1,
        "system": "gpt4",
        "annotator": "expert-7",
        "metadata": {"field": "Biology"},
        "usefulness": "Useful",
        "annotation_time": 340039,
        "claims": {
            "s1": {"support": "Complete", "correctness": "Definitely correct"},
            "s2": {"support": "Complete", "correctness": "Definitely correct"},
        },
    }


@pytest.mark.parametrize(
    ("correctness", "answers"),
    [
        ("Definitely correct", {"s1": {"factual": "yes", "accuracy": "accurate"}}),
        ("Definitely incorrect", {"s1": {"factual": "yes", "accuracy": "inaccurate"}}),
        ("Probably correct", {}),
        ("Likely incorrect", {}),
        ("Unsure", {}),
        (None, {}),
    ],
)
def test_what_an_expert_was_not_sure_of_is_no_answer(one, correctness, answers):
    rating = one(record(claim(GROWS, correctness))).rating
    assert rating.answers.targets == answers
    assert (rating.rater, rating.rubric, rating.status) == ("expert-7", "span-factuality@3", "incomplete")


def test_why_support_is_missing_is_the_comment(one):
    rating = one(record(claim(GROWS, "Unsure", reason_missing_support="The page is about fog."))).rating
    assert rating.answers.targets == {"s1": {"comment": "The page is about fog."}}


@pytest.mark.parametrize(
    ("support", "stance"),
    [("Complete", "supporting"), ("Partial", "supporting"), ("Incomplete", None), ("Missing", None), (None, None)],
)
def test_evidence_has_the_stance_that_the_expert_saw(one, support, stance):
    (piece,) = one(record(claim(GROWS, support=support, evidence=[PAGE]))).rating.evidence
    assert (piece.id, piece.target, piece.stance) == ("e1", "s1", stance)
    assert (piece.url, piece.quote) == ("https://kelp.example/growth", "Kelp grows fast.\n\nVery fast.")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("[1] https://a.example/", ("https://a.example/", "")),
        ("Kelp grows. https://a.example/", ("https://a.example/", "Kelp grows.")),
        ("[1] Kelp grows.", None),
        ("", None),
    ],
)
def test_evidence_in_other_words(one, written, found):
    pieces = one(record(claim(GROWS, evidence=[written]))).rating.evidence
    assert [(piece.url, piece.quote) for piece in pieces] == ([found] if found else [])


def test_a_claim_that_is_not_in_the_answer_is_named(one):
    only = one(record(claim("Whales dislike it, as far as anybody knows."), claim(SLEEP.lower())))
    assert [target["id"] for target in only.task["targets"]] == ["s2"]
    assert [lost.target for lost in only.unplaced] == ["s1"]
    assert only.task["meta"]["unplaced"] == [{"id": "s1", "text": "Whales dislike it, as far as anybody knows."}]
    assert "s1" in only.task["meta"]["claims"], "what the expert said of it is not lost"
    assert "s1" not in only.rating.answers.targets


def test_each_system_makes_a_task(tmp_path):
    two = record(claim(GROWS))
    two["answers"]["bing_chat"] = {"answer_string": SLEEP, "claims": None, "attribution": None}
    tasks, _ = converted("expertqa", lines(tmp_path / "val.jsonl", two))
    assert [(one.task["id"], one.task["meta"]["system"]) for one in tasks] == [
        ("eq-0001", "gpt4"),
        ("eq-0002", "bing_chat"),
    ]
    assert "targets" not in tasks[1].task, "the import then finds the sentences"


def test_the_same_answer_in_two_splits_is_named(tmp_path):
    first = lines(tmp_path / "rand.jsonl", record(claim(GROWS)), record(claim(GROWS), answer="Another one."))
    second = lines(tmp_path / "domain.jsonl", record(claim(SLEEP), answer="A third."), record(claim(GROWS), system="x"))
    tasks, omitted = converted("expertqa", first, second)
    assert [one.task["id"] for one in tasks] == ["eq-0001", "eq-0002", "eq-0003"]
    assert [(one.line, one.name, one.why) for one in omitted] == [
        (2, "x", "the same question and answer as line 1 of rand.jsonl")
    ]


def test_an_empty_answer_is_left_out(tmp_path):
    tasks, omitted = converted("expertqa", lines(tmp_path / "val.jsonl", record(answer="")))
    assert tasks == []
    assert omitted[0].why.startswith("its answer is empty")


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"question": "?"}, "line 2: object missing required field `answers`"),
        ({"question": None, "answers": {}}, "line 2: `question`: expected `str`, got `null`"),
        ({"question": "?", "answers": []}, "line 2: `answers`: expected `object`, got `array`"),
        (record({"evidence": []}), "missing required field `claim_string`"),
        (record(claim(GROWS, evidence=[5])), "got `int`"),
    ],
)
def test_a_record_of_another_shape_is_refused_by_line(tmp_path, plain, words):
    with pytest.raises(BundleError) as caught:
        converted("expertqa", lines(tmp_path / "val.jsonl", record(), plain))
    assert caught.value.message.startswith("line 2: ")
    assert words in caught.value.message


def test_a_question_without_answers_is_left_out(tmp_path):
    asked = {"question": "How fast?", "answers": {}}
    tasks, omitted = converted("expertqa", lines(tmp_path / "r1.jsonl", asked, record(claim(GROWS))))
    assert [one.task["id"] for one in tasks] == ["eq-0001"]
    assert [(one.line, one.why) for one in omitted] == [(1, "it has no answers, so there is nothing to rate")]


def test_an_attribution_that_names_no_page_is_kept_aside(one):
    plain = record(claim(GROWS, evidence=[]))
    plain["answers"]["gpt4"]["attribution"] = [PAGE, "[2] From memory."]
    plain["answers"]["gpt4"]["claims"][0]["evidence"] = PAGE
    made = one(plain)
    assert [document["id"] for document in made.task["context"]] == ["1"]
    assert made.task["meta"]["attribution"] == ["[2] From memory."]
    assert [piece.url for piece in made.rating.evidence] == ["https://kelp.example/growth"]
