"""Records of other tools: each answer is taken or counted, and records of two texts are not mixed."""

import json
from typing import Any

import msgspec
import pytest

from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.convert.annotations import AnnotationFiles, read_annotations
from desktop_rater.plugins.convert.annotations.annotation import (
    ImportLosses,
    SourceAnnotation,
    SourceClaim,
    SourcePlace,
)
from desktop_rater.plugins.convert.annotations.placing import RatingPlacer, TaskPlaces
from desktop_rater.plugins.convert.maps.record_map import RatingMap
from tests.operations.bundles import task, write, write_lines


def read(folder, tool, *records):
    path = write_lines(folder / "export.jsonl", records)
    return read_annotations(AnnotationFiles(paths=(path,), tool=tool), ())


SPAN = {"start": 0, "end": 1, "label": "L"}
LABELS = {
    "score": {"slider": "0"},
    "certain": {"select-one": "no"},
    "radio": {"no": "no"},
    "boxes": {"left": "false", "right": "true"},
    "why": {"text_box": ""},
}
RESPONSE = {"value": "v", "user_id": "a"}
FLAT = {"q.responses": ["v"], "q.responses.users": ["a"], "q.suggestion": "w"}


@pytest.mark.parametrize(
    ("tool", "record", "answers", "losses"),
    [
        ("potato", {"instance_id": "t", "user_id": "a", "label_annotations": LABELS},
         [("score", "0"), ("certain", "no"), ("radio", "no"), ("boxes", "right")], {}),
        ("doccano", {"annotator": "a", "entities": [[0, 1, "L"]], "cats": ["C"]}, [("", "L"), ("", "C")], {}),
        ("doccano", {"annotator": "a", "label": "C"}, [("", "C")], {}),
        ("prodigy", {"_annotator_id": "a", "answer": "reject", "spans": [SPAN], "accept": ["x"]}, [], {"other": 2}),
        ("argilla", {"responses": {"q": [RESPONSE]}, "suggestions": {"q": {"value": "w"}, "r": None}}, [("q", "v")],
         {"prediction": 1}),
        ("argilla", {"responses": [{"values": {"q": "v"}, "user_id": "a"}], "suggestions": [{"value": "w"}]},
         [("q", "v")], {"prediction": 1}),
        ("argilla", FLAT, [("q", "v")], {"prediction": 1}),
    ],
)  # fmt: skip
def test_each_answer_of_a_record_is_taken_or_counted(tmp_path, tool, record, answers, losses):
    source = read(tmp_path, tool, {"text": "It is an alga.", **record})
    taken = [(answer.question, answer.value) for annotation in source.annotations for answer in annotation.answers]
    assert (taken, source.losses.counts) == (answers, losses)


@pytest.mark.parametrize("tool", ["argilla", "doccano", "label-studio", "potato", "prodigy"])
def test_a_record_with_the_id_of_another_text_is_counted_and_not_mixed_with_it(tmp_path, tool):
    about: dict[str, Any] = {
        "annotator": "a",
        "user_id": "a",
        "_annotator_id": "a",
        "annotations": [{"completed_by": "a"}],
    }
    about |= {"responses": {"q": [RESPONSE]}} if tool == "argilla" else {}
    texts = ("One.", "Another.", "One.")
    source = read(tmp_path, tool, *({"id": 7, "text": text, "data": {"text": text}, **about} for text in texts))
    lines = [annotation.where.removeprefix("export.jsonl, line ")[0] for annotation in source.annotations]
    assert lines == ["1", "3"]
    assert [example.split(": ")[0] for example in source.losses.examples["record"]] == ["export.jsonl, line 2"]


def test_records_without_an_id_are_tasks_of_their_own(tmp_path):
    for tool in ("argilla", "doccano", "label-studio", "prodigy"):
        records = ({"id": None, "text": text, "data": {"text": text}} for text in ("One.", "Another."))
        assert [task.texts for task in read(tmp_path, tool, *records).tasks.values()] == [("One.",), ("Another.",)]


def test_a_mark_without_words_is_read_and_one_with_odd_offsets_is_none(tmp_path):
    spans = [
        {"%TYPE": "custom.Span", "begin": begin, "end": end, "label": "L"} for begin, end in ((2, 2), (False, True))
    ]
    cas = {"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%TYPE": "uima.cas.Sofa", "sofaString": "It is."}, *spans]}
    path = write(tmp_path / "ada.json", json.dumps(cas))
    (annotation,) = read_annotations(AnnotationFiles(paths=(path,)), ()).annotations
    assert [(answer.place.start, answer.place.end) for answer in annotation.answers] == [(2, 2)]


def test_words_of_a_claim_that_the_response_does_not_have_are_counted():
    losses = ImportLosses()
    spans = (SourcePlace(start=-1, end=-1, quote="Lyon"), SourcePlace(start=0, end=5, quote="Paris"))
    claim = SourceClaim(key="c", target=SourcePlace(name="s1"), text="Paris is a capital.", spans=spans)
    annotation = SourceAnnotation(where="line 1", task="t1", rater="ada", claims=(claim,))
    placer = RatingPlacer(builtin_rubric("span-factuality"), RatingMap(), losses)
    ((rating, _),) = placer.states(TaskPlaces(msgspec.convert(task("t1"), Task)), [annotation])
    assert [(span.start, span.end) for span in rating.claims["s1"][0].spans] == [(0, 5)]
    assert losses.counts == {"unknown_place": 1}


def test_evidence_of_several_records_of_one_rating_is_there_once_each(tmp_path):
    pieces = [{"url": f"https://{name}.example/", "target": "s1", "stance": "supporting"} for name in ("a", "b", "a")]
    about = {"task": "t1", "response": "a", "rater": "ada"}
    source = read(tmp_path, "doccano", *({**about, "evidence": [piece]} for piece in pieces))
    placer = RatingPlacer(builtin_rubric("span-factuality"), RatingMap(), source.losses)
    ((rating, _),) = placer.states(TaskPlaces(msgspec.convert(task("t1"), Task)), source.annotations)
    assert [(piece.id, piece.url) for piece in rating.evidence] == [
        ("e1", "https://a.example/"),
        ("e2", "https://b.example/"),
    ]
