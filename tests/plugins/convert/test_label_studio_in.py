"""Tasks and annotations of Label Studio become a bundle; what finds no place or does not fit is said."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.format.errors import BundleError
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.operations import rubrics
from desktop_rater.plugins.convert.conversion import OmittedRecord, fit_to_rubric
from desktop_rater.plugins.convert.formats.label_studio import LabelStudioSpans
from desktop_rater.plugins.convert.run import FORMATS
from desktop_rater.plugins.convert.source import SourceRecords
from tests.examples import examples

TEXT = "👩‍🔬 Kelp is an alga.\r\nOtters sleep in kelp."


@pytest.fixture
def convert(tmp_path):
    def convert(*records, lines=False):
        source = tmp_path / "export.json"
        whole = "\n".join(map(json.dumps, records)) if lines else json.dumps(list(records), indent=1)
        source.write_text(whole, "utf-8")
        return list(FORMATS["label-studio"](SourceRecords([source], LIMITS)))

    return convert


def span(start, end, text, *labels, id_="r1", **more):
    value = {"start": start, "end": end, "labels": list(labels), **({"text": text} if text is not None else {})}
    return {"id": id_, "from_name": "label", "to_name": "text", "type": "labels", "value": value, **more}


def choice(name, *values, id_="r1", **value):
    return {"id": id_, "from_name": name, "to_name": "text", "type": "choices", "value": {"choices": values, **value}}


def quotes(converted):
    return [target["quote"] for target in converted.task.get("targets", ())]


@pytest.mark.parametrize("lines", [False, True])
def test_spans_become_targets_with_their_labels_beside(convert, lines):
    start = TEXT.index("Kelp")
    results = [span(start, start + 4, "Kelp", "PLANT"), span(start + 11, start + 15, "alga", "KIND", id_="r2")]
    record = {"id": 7, "data": {"text": TEXT, "prompt": "What is kelp?"}, "annotations": [{"result": results}]}
    (converted,) = convert(record, lines=lines)
    assert converted.task["id"] == "ls-7"
    assert converted.task["prompt"] == {"text": "What is kelp?"}
    assert quotes(converted) == ["Kelp", "alga"]
    assert converted.task["meta"]["labels"] == {"s1": ["PLANT"], "s2": ["KIND"]}


def test_offsets_of_older_versions_count_utf_16_units(convert):
    at = len(TEXT[: TEXT.index("Otters")].encode("utf-16-le")) // 2
    record = {"data": {"text": TEXT}, "annotations": [{"result": [span(at, at + 6, "Otters", "ANIMAL")]}]}
    (converted,) = convert(record)
    assert quotes(converted) == ["Otters"]


def test_a_span_whose_offsets_are_wrong_is_found_by_its_quote_or_named(convert):
    lost = [span(0, 3, "Otters", "A"), span(0, 3, "Whales", "B", id_="r2"), span("/p[1]", "/p[2]", "kelp", "C")]
    (converted,) = convert({"data": {"text": TEXT}, "annotations": [{"result": lost}]})
    assert quotes(converted) == ["Otters", "kelp"]
    assert [one.quote for one in converted.unplaced] == ["Whales"]
    assert converted.task["meta"]["unplaced"] == [{"id": "u1", "text": "Whales"}]


def test_a_span_of_several_annotators_is_one_target(convert):
    at = TEXT.index("Kelp")
    annotations = [{"result": [span(at, at + 4, "Kelp", label)]} for label in ("A", "B")]
    cancelled = {"result": [span(0, 3, None, "C")], "was_cancelled": True}
    (converted,) = convert({"data": {"text": TEXT}, "annotations": [*annotations, cancelled]})
    assert quotes(converted) == ["Kelp"]
    assert converted.task["meta"]["labels"] == {"s1": ["A", "B"]}


def test_predictions_are_suggestions_where_they_fit_the_rubric(convert):
    at = TEXT.index("Kelp")
    place = {"start": at, "end": at + 4}
    results = [span(at, at + 4, "Kelp", "x"), choice("factual", "Yes", **place), choice("accuracy", "blue", **place)]
    results.append(choice("mood", "good", **place))
    (converted,) = convert({"data": {"text": TEXT}, "predictions": [{"result": results}]})
    assert fit_to_rubric(converted, rubrics.builtin_rubric("span-factuality")).task["suggestions"] == {
        "targets": {"s1": {"factual": "yes"}}
    }
    assert "suggestions" not in fit_to_rubric(converted, rubrics.builtin_rubric("side-by-side")).task


def test_answers_about_two_responses_are_a_rating(convert):
    results = [
        {"id": "1", "from_name": "1.fulfilment", "to_name": "response_1", "value": {"choices": ["completely"]}},
        {"id": "2", "from_name": "2.fulfilment", "to_name": "response_2", "value": {"choices": ["Partially"]}},
        {"id": "3", "from_name": "preference", "to_name": "response_1", "value": {"number": -2}},
        {
            "id": "4",
            "from_name": "1.explanation",
            "to_name": "response_1",
            "type": "textarea",
            "value": {"text": ["x"]},
        },
    ]
    data = {"prompt": "Which?", "response_1": "One.", "response_2": "Two.", "topic": "kelp"}
    (converted,) = convert({"data": data, "annotations": [{"result": results}]})
    converted = fit_to_rubric(converted, rubrics.builtin_rubric("side-by-side"))
    assert [response["id"] for response in converted.task["responses"]] == ["a", "b"]
    assert converted.task["meta"]["data"] == {"topic": "kelp"}
    assert converted.rating
    assert converted.rating.rubric == "side-by-side@2"
    assert converted.rating.answers.task == {"preference": -2}
    assert converted.rating.answers.responses == {
        "a": {"fulfilment": "completely", "explanation": "x"},
        "b": {"fulfilment": "partially"},
    }


@pytest.mark.parametrize(
    ("data", "prompt", "response"),
    [
        ({"text": "Kelp."}, "", "Kelp."),
        ({"question": "What?", "answer": "Kelp."}, "What?", "Kelp."),
        ({"Question": "What?", "my_own_key": "Kelp."}, "What?", "Kelp."),
        ({"input": "What?", "output": "Kelp.", "text": "other"}, "What?", "Kelp."),
    ],
)
def test_the_response_is_found_by_the_name_of_its_key(convert, data, prompt, response):
    (converted,) = convert({"data": data})
    assert converted.task["prompt"]["text"] == prompt
    assert [one["text"] for one in converted.task["responses"]] == [response]


def test_a_flat_export_gives_its_spans_too(convert):
    at = TEXT.index("Kelp")
    flat = {"text": TEXT, "id": 3, "label": [{"start": at, "end": at + 4, "text": "Kelp", "labels": ["X"]}]}
    (converted,) = convert({**flat, "annotator": 1, "annotation_id": 9, "lead_time": 2.5})
    assert quotes(converted) == ["Kelp"]


def test_an_id_that_stands_twice_is_left_out_and_named(convert):
    _, second = convert({"id": 1, "data": {"text": "One."}}, {"id": 1, "data": {"text": "Two."}})
    assert isinstance(second, OmittedRecord)
    assert second.name == "ls-1"


def test_an_empty_response_is_left_out_and_named(convert):
    first, _ = convert({"data": {"text": " ", "prompt": "What?"}}, {"data": {"text": "Two."}})
    assert isinstance(first, OmittedRecord)
    assert "empty" in first.why
    (pair,) = convert({"data": {"response_1": "Kelp.", "response_2": "", "prompt": "What?"}})
    assert [part["text"] for part in pair.task["responses"]] == ["Kelp.", ""]


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "id": st.sampled_from(["r1", 5, None]),
                "from_name": st.sampled_from(["1.factual", "label", 5, ""]),
                "to_name": st.sampled_from(["response_1", "response_2", "text", 5]),
                "type": st.sampled_from(["labels", "textarea", None]),
                "parentID": st.just("r1"),
                "value": st.dictionaries(
                    st.sampled_from(["start", "end", "text", "labels", "hypertextlabels", "choices", "rating"]),
                    st.integers(-3, 40)
                    | st.text(max_size=3)
                    | st.lists(st.text(max_size=3) | st.integers(), max_size=2),
                    max_size=5,
                ),
            },
        ),
        max_size=4,
    )
)
def test_whatever_a_result_holds_each_target_says_what_stands_there(results):
    texts = {"a": TEXT, "b": "Otters."}
    spans = LabelStudioSpans(texts)
    answered = spans.add(results)
    for target in spans.targets:
        assert texts[target.response][target.start : target.end] == target.quote
    assert answered["targets"].keys() <= {target.id for target in spans.targets}
    assert len({(one.response, one.start, one.end) for one in spans.targets}) == len(spans.targets)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"data": []}, "`data` is a list"),
        ({"data": {"image": 5}}, "none of its keys is known to be the response; it has `image`"),
        ({"data": {"a": "x", "b": "y"}}, "none of its keys is known to be the response; it has `a`, `b`"),
        ({"data": {"text": "x"}, "annotations": {}}, None),
        ({"data": {"text": "x"}, "annotations": "all"}, "`annotations` is a text, not a list"),
        ({"data": {"text": "x"}, "predictions": [{"result": 5}]}, "`result` of one of its `predictions` is a number"),
        ({"data": {"text": "x"}, "annotations": [5, {"result": [5, {"value": None}, {"value": {"start": 0}}]}]}, None),
        ({"data": {"text": "x"}, "annotations": [{"result": [span(float("1e300"), -1, 5, None)]}]}, None),
    ],
)
def test_a_record_of_another_shape_is_refused_by_line_or_taken_as_far_as_it_goes(convert, record, said):
    good = {"data": {"text": "Kelp."}}
    if said is None:
        assert len(convert(good, record)) == 2
        return
    with pytest.raises(BundleError) as caught:
        convert(good, record, lines=True)
    assert caught.value.message.startswith(f"line 2: {said}")


def test_a_decision_of_prodigy_is_not_the_response(convert):
    (converted,) = convert({"text": TEXT, "answer": "accept", "_task_hash": 7})
    assert converted.task["responses"][0]["text"] == TEXT
