"""Records of other tools: each answer is taken or counted, also when they are dropped on the review."""

import csv
import json
from typing import Any

import msgspec
import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.convert.annotations import AnnotationFiles, read_annotations
from desktop_rater.plugins.convert.annotations.annotation import (
    REASONS,
    ImportLosses,
    SourceAnnotation,
    SourceClaim,
    SourcePlace,
)
from desktop_rater.plugins.convert.annotations.placing import RatingPlacer, TaskPlaces
from desktop_rater.plugins.convert.maps.record_map import RatingMap
from desktop_rater.plugins.convert.window.annotations_reader import LOSSES
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.review.results_import import BANNER
from tests.operations.bundles import noon, task, write, write_lines
from tests.ui.leads import TASKS, results_of
from tests.ui.test_results_page import drop, rows, said
from tests.ui.test_start_page import Begin


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


@pytest.fixture
def audited(rooms, tmp_path):
    """A store with an audit of three raters, and nothing to rate."""
    given = results_of(tmp_path / "in")
    with open_writer(rooms.folder / "store", command="audit open") as store:
        import_results(store, [given.bundle, given.folder], lead="lee", now=noon(), progress=Progress())
    return given


@pytest.fixture
def begin(rooms):
    return Begin(rooms)


def test_dropped_annotations_are_imported_with_a_banner_of_what_was_not_taken(begin, rooms, audited, tmp_path):
    room = begin(role="lead")
    rooms.qtbot.waitUntil(lambda: room.lead_screens.context.audited.audit is not None)
    table = tmp_path / "crowd.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "rater", "place", "question", "value"])
        for name in ("ada", "bob"):
            writer.writerows([f"t{number}", name, f"s{at}", "factual", "no"] for number in (1, 2) for at in (1, 2, 3))
        writer.writerow(["t9", "ada", "s1", "factual", "no"])
    assert drop(room, [table])
    rooms.qtbot.waitUntil(lambda: "2 raters" in (room.window.banners.text(BANNER) or ""))
    assert "4 ratings" in room.window.banners.text(BANNER)
    assert "Not taken: annotations of other tasks (1)." in room.window.banners.text(BANNER)
    rooms.qtbot.waitUntil(lambda: room.lead_screens.context.audited.audit.raters[:2] == ("ada", "bob"))

    said(rooms, room, "5 raters")
    before = next(text for text in rows(room, "results_raters") if text.startswith("ada"))
    plan = tmp_path / "plan.csv"
    plan.write_text(
        "task,rater\n" + "".join(f"t{number},{name}\n" for number in (1, 2) for name in ("ada", "bob")), "utf-8"
    )
    rooms.files.to_open = plan
    room.commands.actions["review_assignment"].trigger()

    def line():
        return next(text for text in rows(room, "results_raters") if text.startswith("ada"))

    rooms.qtbot.waitUntil(lambda: line() != before)
    assert TASKS > 2
    assert "missing" not in json.dumps(line())


def test_every_loss_has_a_text_in_the_window():
    assert LOSSES.keys() == REASONS.keys()
