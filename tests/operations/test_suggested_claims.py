"""A bundle brings claims for its targets: they are found by their quotes, and what can't be used is named."""

import json

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.rubric import suggest
from desktop_rater.rubric.suggest import unusable_claims, with_placed_claims
from tests.operations.bundles import RATER, make, take_in, task, write_lines, writer

SENTENCES = ("It rains. ", "Kelp is brown and grows fast.", "Kelp is eaten.")
TEXT = " ".join(SENTENCES)


def claim(name, text="", *spans, **more):
    return {"id": name, "text": text, "spans": list(spans), **more}


def span(quote, start=None, **more):
    start = TEXT.index(quote) if start is None else start
    return {"start": start, "end": start + len(quote), "quote": quote, **more}


def with_claims(*claims, target="s2"):
    return task("t1", *SENTENCES, suggestions={"claims": {target: list(claims)}})


def placed(plain, target="s2"):
    """The claims as the form gets them, and what is left out."""
    read = read_struct(plain, Task)
    suggestions = with_placed_claims(read).suggestions
    claims = suggestions.claims.get(target, ()) if suggestions is not None else ()
    return claims, [why for _target, why in unusable_claims(read)]


def test_words_and_spans_come_with_the_task_and_nothing_is_said(tmp_path):
    plain = with_claims(claim("c1", "Kelp is brown.", span("Kelp is brown")), claim("c2", "Kelp grows fast."))
    path = make(tmp_path / "b.zip", [plain])
    with writer(tmp_path / "store") as store:
        assert take_in(store, path).ignored == ()
        suggestions = open_task(store, "b", "t1", RATER).task.suggestions
    assert suggestions is not None
    first, second = suggestions.claims["s2"]
    assert [TEXT[start:end] for start, end in first.ranges] == ["Kelp is brown"]
    assert (second.text, second.ranges) == ("Kelp grows fast.", ())


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (span("grows fast", 3), "grows fast"),  # moved
        (span("Kelp is", 0), "Kelp is"),  # twice in the response, once in the target
        ({"start": 11, "end": 15}, "Kelp"),  # without a quote
        (span("grows fast", 10**9), "grows fast"),
    ],
)
def test_a_span_is_where_its_quote_is(given, found):
    (first,), unusable = placed(with_claims(claim("c1", "words", given)))
    ((start, end),) = first.ranges
    assert (TEXT[start:end], first.spans[0].quote, unusable) == (found, found, [])
    assert start >= len(SENTENCES[0])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (span("Kelp sings", 5), "its quote occurs nowhere in the response"),
        (span("s", 3), "its quote occurs more than once in the response"),
        ({"start": 4, "end": 4}, "it runs from 4 to 4"),
        ({"start": 9, "end": 10**9}, "it runs from 9 to 1,000,000,000 in a text of"),
    ],
)
def test_a_span_without_a_place_is_named_and_the_words_stay(given, why):
    (first,), (named,) = placed(with_claims(claim("c1", "Kelp sings.", given, span("brown"))))
    assert first.text == "Kelp sings."
    assert [TEXT[start:end] for start, end in first.ranges] == ["brown"]
    assert named.startswith('target "s2": suggested claim "c1": a span is left out: ')
    assert why in named


def test_an_older_claim_with_one_place_is_read_too():
    (first, second), unusable = placed(
        with_claims(claim("c1", "x", start=11, end=15), claim("c2", "y", start=-5, end=10**9))
    )
    assert (first.ranges, second.ranges) == (((11, 15),), ())
    assert len(unusable) == 1


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        (with_claims(claim("c1", "x"), target="s9"), 'claims for the target "s9", which is not there'),
        (with_claims(claim("c1", "x"), claim("c1", "y")), "another suggested claim has the same id"),
        (with_claims(claim("c1", " ")), "it has neither words nor a place"),
        (with_claims(claim("c1", "x", answers={"accuracy": "accurate"})), "its answers are ignored"),
    ],
)
def test_inspect_and_import_name_what_is_ignored(tmp_path, capsys, plain, words):
    path = make(tmp_path / "b.zip", [plain])
    assert main(["bundle", "inspect", str(path), "--json"]) == 1
    (ignored,) = json.loads(capsys.readouterr().out)["ignored"]
    assert ignored.startswith('tasks.jsonl, line 1, task "t1": ')
    assert words in ignored
    assert main(["--store", str(tmp_path / "store"), "import", str(path)]) == 1
    assert words in capsys.readouterr().err


def test_a_rubric_without_claims_says_so(tmp_path, capsys):
    tasks = write_lines(tmp_path / "tasks.jsonl", [with_claims(claim("c1", "x"))])
    out = tmp_path / "b.zip"
    assert main(["bundle", "make", "--rubric", "side-by-side", "--out", str(out), str(tasks)]) == 1
    assert "the rubric does not split targets into claims" in capsys.readouterr().err


def test_claims_of_a_lost_target_are_not_named_twice(tmp_path, capsys):
    plain = with_claims(claim("c1", "x"))
    plain["targets"][1] |= {"start": 0, "end": 3, "quote": "not there"}
    assert main(["bundle", "inspect", str(make(tmp_path / "b.zip", [plain])), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert (len(result["left_out"]), result["ignored"]) == (1, [])


def test_a_flood_of_quotes_ends(monkeypatch):
    monkeypatch.setattr(suggest, "MOST_SEARCHED", 3 * len(TEXT))
    claims, unusable = placed(with_claims(*(claim(f"c{n}", "x", span("brown", 1)) for n in range(5))))
    assert [len(one.spans) for one in claims] == [1, 1, 1, 0, 0]
    assert [why.endswith("the text is too long for so many quotes") for why in unusable] == [True, True]
