"""HaluQuestQA: pairs of answers, with what experts marked and preferred."""

import csv
import io

import pytest

from desktop_rater.format.errors import BundleError
from tests.plugins.convert.converting import converted

KINDS = ("factuality", "irrelevance", "incomplete_ans", "ques_misconception", "reference_example")
COLUMNS = [
    "",
    "source_file",
    "annotator",
    "question_text",
    "ans1_text",
    "ans2_text",
    "ans_preference",
    "ans_preference_reason",
    "category",
    *(f"{kind}_{part}" for kind in KINDS for part in ("span", "reason", "label")),
]
KELP = {
    "source_file": "kelp.txt",
    "annotator": "expert-7",
    "question_text": "Why is kelp a plant?",
    "ans1_text": "Kelp is brown. It grows a metre a day.",
    "ans2_text": "Kelp is an alga,\nnot a plant.",
    "ans_preference": "Answer 2",
    "ans_preference_reason": "It says what kelp is.",
    "category": "biology",
}


def marked(kind, *marks):
    spans, reasons, labels = zip(*marks, strict=True)
    parts = {"span": spans, "reason": reasons, "label": labels}
    return {f"{kind}_{part}": repr(list(values)) for part, values in parts.items()}


@pytest.fixture
def table(tmp_path):
    def table(*rows, delimiter="\t", columns=COLUMNS):
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, columns, delimiter=delimiter, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({"": number, **row} for number, row in enumerate(rows))
        path = tmp_path / "pairs.csv"
        path.write_bytes(text.getvalue().encode())
        return path

    return table


def one(path):
    ((only,), omitted) = converted("haluquestqa", path)
    assert not omitted
    return only


def test_a_row_becomes_a_pair(table):
    assert one(table(KELP)).task == {
        "id": "hq-0001",
        "prompt": {"text": "Why is kelp a plant?"},
        "responses": [
            {"id": "a", "text": "Kelp is brown. It grows a metre a day."},
            {"id": "b", "text": "Kelp is an alga,\nnot a plant."},
        ],
        "meta": {
            "source": "haluquestqa",
            "line": 2,
            "source_file": "kelp.txt",
            "annotator": "expert-7",
            "category": "biology",
            "ans_preference": "Answer 2",
            "ans_preference_reason": "It says what kelp is.",
        },
    }


@pytest.mark.parametrize(("better", "step"), [("Answer 1", -2), ("Answer 2", 2)])
def test_the_preference_has_the_step_that_says_no_more_than_better(table, better, step):
    rating = one(table({**KELP, "ans_preference": better})).rating
    assert rating.rater == "expert-7"
    assert rating.status == "incomplete"
    assert rating.answers.task == {"preference": step, "justification": "It says what kelp is."}
    assert rating.answers.responses == {}, "no fulfilment, no factuality, no punt is made up"


def test_without_a_preference_there_is_no_answer(table):
    rating = one(table({**KELP, "ans_preference": "", "ans_preference_reason": " "})).rating
    assert rating.answers.task == {}


def test_marks_stand_in_meta_with_their_places(table):
    marks = marked("factuality", ("It grows a metre a day.", "Half a metre.", "answer1"))
    only = one(table({**KELP, **marks, **marked("ques_misconception", ("a plant", "It is none.", "question1"))}))
    assert only.task["meta"]["marks"] == [
        {
            "id": "factuality-1",
            "kind": "factuality",
            "within": "a",
            "start": 15,
            "end": 38,
            "quote": "It grows a metre a day.",
            "reason": "Half a metre.",
        },
        {
            "id": "ques_misconception-1",
            "kind": "ques_misconception",
            "within": "prompt",
            "start": 12,
            "end": 19,
            "quote": "a plant",
            "reason": "It is none.",
        },
    ]
    assert "targets" not in only.task, "raters are not shown what experts marked"
    assert only.marks == 2


@pytest.mark.parametrize(
    ("span", "quote"),
    [
        ("It grows a metre a day", "It grows a metre a day"),
        ("Grows a metre a day.", "grows a metre a day"),
        ("  is  BROWN , ", "is brown"),
        ("It grows a meter a day.", "It grows a metre a day."),
        ("ANSWER1", KELP["ans1_text"]),
        ("ANSWER1:", KELP["ans1_text"]),
    ],
)
def test_a_mark_that_was_written_down_a_little_differently_is_placed(table, span, quote):
    only = one(table({**KELP, **marked("factuality", (span, "", "answer1"))}))
    (mark,) = only.task["meta"]["marks"]
    assert mark["quote"] == quote
    assert KELP["ans1_text"][mark["start"] : mark["end"]] == quote


@pytest.mark.parametrize(
    ("span", "label", "why"),
    [
        ("Whales dislike it.", "answer1", 'it is nowhere in response "a", nor 95 % of it'),
        ("ANSWER2", "answer1", 'it is nowhere in response "a", nor 95 % of it'),
        ("Whales?", "question1", "it is nowhere in the prompt, nor 95 % of it"),
        (" ", "answer2", "it is empty"),
        ("Kelp is brown.", "answer3", "the source does not say which answer it belongs to"),
    ],
)
def test_a_mark_without_a_place_is_named_and_kept(table, span, label, why):
    only = one(table({**KELP, **marked("irrelevance", (span, "Because.", label))}))
    assert [(lost.target, lost.why) for lost in only.unplaced] == [("irrelevance-1", why)]
    (lost,) = only.task["meta"]["unplaced"]
    assert (lost["id"], lost["reason"]) == ("irrelevance-1", "Because.")
    assert "marks" not in only.task["meta"]


def test_what_is_wrong_with_a_response_is_its_explanation(table):
    marks = marked("factuality", ("It grows a metre a day.", "Half a metre.", "answer1"))
    marks |= marked("incomplete_ans", ("ANSWER2", "It gave no reason.", "answer2"))
    marks |= marked("reference_example", ("Kelp is brown.", "It helps.", "answer1"))
    rating = one(table({**KELP, **marks})).rating
    assert rating.answers.responses == {
        "a": {"explanation": "Not factual: “It grows a metre a day.”\nHalf a metre."},
        "b": {"explanation": "Incomplete: “ANSWER2”\nIt gave no reason."},
    }


def test_the_sources_of_a_reason_are_evidence(table):
    reason = "Half a metre.\r\nSource: https://kelp.example/growth and https://Kelp.example/growth/"
    only = one(table({**KELP, **marked("factuality", ("It grows a metre a day.", reason, "answer1"))}))
    (piece,) = only.rating.evidence
    assert (piece.response, piece.stance, piece.url) == ("a", "contradicting", "https://kelp.example/growth")
    assert piece.note == reason
    assert only.merged == 1


def test_entries_without_a_span_are_counted(table):
    marks = {**marked("factuality", ("Kelp is brown.", "Yes.", "answer1")), "factuality_reason": "['Yes.', 'No.']"}
    only = one(table({**KELP, **marks}))
    assert only.surplus == 1


@pytest.mark.parametrize("delimiter", ["\t", ","])
def test_a_row_over_several_lines_has_the_line_where_it_begins(table, delimiter):
    rows = converted("haluquestqa", table(KELP, KELP, KELP, delimiter=delimiter))[0]
    assert [row.line for row in rows] == [2, 4, 6]
    assert [row.task["id"] for row in rows] == ["hq-0001", "hq-0002", "hq-0003"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([KELP, {**KELP, "factuality_span": "not a list"}], "line 4, factuality_span: not a list of texts"),
        ([{**KELP, "factuality_span": "[5]"}], "line 2, factuality_span: not a list of texts"),
        ([{**KELP, "factuality_label": "[" * 5000}], "line 2, factuality_label: not a list of texts"),
    ],
)
def test_a_row_of_another_shape_is_refused_by_line(table, rows, words):
    with pytest.raises(BundleError) as caught:
        converted("haluquestqa", table(*rows))
    assert caught.value.title == "pairs.csv can't be read"
    assert caught.value.message.startswith(words)


def test_a_missing_column_is_named(table):
    with pytest.raises(BundleError, match='line 1: no column is called "ans2_text"'):
        converted("haluquestqa", table({}, columns=["", "question_text", "ans1_text"]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "It is empty"),
        ("question_text\tans1_text\tans2_text\n".encode("utf-16"), "It is UTF-16"),
        (b"question_text\tans1_text\tans2_text\nQ\tA\t\xff\n", "line 2: not UTF-8 at byte 5"),
        (b'question_text\tans1_text\tans2_text\nQ\tA\tB\nQ\t"A\nB\tC\n', "line 3: a quotation mark is not closed"),
        (b'question_text\tans1_text\tans2_text\nQ\t"A" x\tB\n', "line 2: there is text after the closing quotation"),
        (b"question_text\tans1_text\tans2_text\nQ\tA\n", "line 2: only 2 cells"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path, data, words):
    path = tmp_path / "pairs.csv"
    path.write_bytes(data)
    with pytest.raises(BundleError) as caught:
        converted("haluquestqa", path)
    assert caught.value.message.startswith(words)


def test_a_line_end_that_is_none_ends_no_row(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_bytes("\ufeffquestion_text\tans1_text\tans2_text\r\nQ\tone\u0085two\tthree\u2028\r\n".encode())
    only = one(path)
    assert [response["text"] for response in only.task["responses"]] == ["one\u0085two", "three\u2028"]


def test_a_row_without_an_answer_is_left_out_and_named(table):
    tasks, omitted = converted("haluquestqa", table(KELP, {**KELP, "ans2_text": " "}, KELP))
    assert [one.task["id"] for one in tasks] == ["hq-0001", "hq-0003"]
    assert [(one.line, one.why) for one in omitted] == [(4, "ans2_text is empty, so there is no pair to rate")]


def test_spans_of_a_further_kind_are_marks_too(table):
    further = [f"hard_{part}" for part in ("span", "reason", "label")]
    row = {**KELP, **marked("hard", ("Kelp is brown.", "It is short.", "answer1"))}
    made = one(table(row, columns=[*COLUMNS, *further]))
    assert [(mark["kind"], mark["quote"]) for mark in made.task["meta"]["marks"]] == [("hard", "Kelp is brown.")]
    assert made.rating.answers.responses == {}, "what it says of the answer nobody knows"


def test_line_ends_of_carriage_returns_alone_are_refused_in_plain_words(table):
    path = table(KELP)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(BundleError, match="line 1: unexpected carriage return within a line"):
        converted("haluquestqa", path)
