"""Scales are read without pointing at them, and answered by digits."""

import json
from itertools import pairwise

import msgspec
import pytest
from PySide6.QtCore import QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import Anchor, NamedLevel, Question
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.paths import resources
from desktop_rater.rubric import check_rating
from desktop_rater.stats.scores import token_f1
from desktop_rater.ui.rating.form import question_row
from desktop_rater.ui.rating.form.scale import ScaleQuestion, scale_bands, scale_steps, step_keys, step_meaning
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import ElidedLabel
from tests.operations.bundles import make
from tests.ui.rooms import Text, part, press
from tools.tour.scales import scales_sample

QUALITY = rubrics.builtin_rubric("response-quality").questions
ANCHORED = ("groundedness", "relevance", "coherence", "fluency", "similarity", "retrieval")
RISKS = ("hateful_unfair", "sexual", "violent", "self_harm")
RESPONSE, REFERENCE = "Tokyo is Japan's capital [c1].", "The capital of Japan is Tokyo."
WITH_ALL = {
    "id": "t1",
    "prompt": {"text": "And then?"},
    "responses": [{"id": "a", "text": RESPONSE}],
    "context": [{"id": "c1", "text": "The capital of Japan is Tokyo."}],
    "reference": REFERENCE,
}
HISTORY = [{"role": "user", "text": "What comes first?"}]
CONVERSATION = {name: WITH_ALL[name] for name in ("prompt", "responses", "context", "reference")}


def scale(low, high, step=1, *, anchors=(), levels=()):
    return Question(
        id="q",
        per="response",
        ask="How much?",
        kind="scale",
        min=low,
        max=high,
        step=step,
        anchors=tuple(Anchor(at=at, label=label) for at, label in anchors),
        levels=tuple(NamedLevel(id=f"l{to}", to=to, label=label) for to, label in levels),
    )


def answers(room, response="a"):
    return dict(room.session.rating.answers.responses.get(response, {}))


def opened(rooms, *tasks):
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks or [WITH_ALL], rubric="response-quality"))


def shown(qtbot, question, width):
    row = ScaleQuestion(question)
    qtbot.addWidget(row)
    row.resize(width, row.heightForWidth(width))
    row.show()
    for _ in range(3):
        QApplication.processEvents()
    return row


# -- the steps


def test_steps_of_scales():
    assert scale_steps(QUALITY["retrieval"].question) == (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5)
    assert step_meaning(QUALITY["violent"].question, 5) == "Medium"
    assert scale_steps(rubrics.builtin_rubric("side-by-side").questions["preference"].question) == (
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
    )


def test_a_whole_step_is_its_own_digit_and_the_halves_take_the_digits_that_are_left():
    assert step_keys((1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5)) == ("1", "6", "2", "7", "3", "8", "4", "9", "5")
    assert step_keys((0, 1, 2, 3, 4, 5, 6, 7)) == tuple("01234567")


def test_below_zero_steps_are_counted_and_beyond_nine_they_have_no_digit():
    assert step_keys((-3, -2, -1, 0, 1, 2, 3)) == tuple("1234567")
    assert step_keys(tuple(range(12))) == (*"0123456789", "", "")


def test_where_the_tens_are_steps_a_digit_stands_for_so_many_tens():
    by_fives = step_keys(tuple(range(0, 101, 5)))
    assert by_fives[:6] == ("0", "", "1", "", "2", "")
    assert step_keys(tuple(range(0, 101, 10))) == (*"0123456789", "")
    assert step_keys((0, 5, 10)) == ("0", "5", "1")


def test_a_scale_of_very_many_steps_is_typed_and_takes_its_steps_alone(qtbot):
    def asks(*given, **more):
        return question_row(scale(*given, **more))

    assert isinstance(asks(0, 30), ScaleQuestion)
    row = asks(0, 1_000, 0.5, anchors=((0, "Nothing"), (1_000, "All")))
    qtbot.addWidget(row)
    taken = []
    row.typed.connect(lambda _name, value: taken.append(value))
    for text in ("1000", "999.5", "0.3", "1001"):
        row.edit.clear()
        QTest.keyClicks(row.edit, text)
        assert row.edit.text() == text
        taken.append("|")
    assert [one for one, after in pairwise(taken) if after == "|"] == [1_000, 999.5, None, None]
    assert row.findChild(object, "legend_q").text() == "0 Nothing  ·  1000 All"


def test_figures_of_one_row_stand_alike_with_and_without_a_key(qtbot):
    row = shown(qtbot, scale(-3, 3, 0.5), 480)
    row.show_value(None, current=True)
    assert {bool(button.key) for button in row.buttons} == {True, False}
    assert len({button.sizeHint().width() for button in row.buttons if len(button.label) == 1}) == 1


def test_a_hint_is_read_to_its_end_and_nothing_moves_when_the_rail_comes(rooms):
    room = opened(rooms)
    room.window.resize(1280, 720)
    hint = QUALITY["groundedness"].question.hint
    row = part(room, "question_groundedness")
    label = next(one for one in row.findChildren(ElidedLabel) if one.text() == hint)
    rooms.qtbot.waitUntil(lambda: label.width() >= label.sizeHint().width())
    assert room.session.current_question == "groundedness"
    before = part(room, "step_groundedness_1").geometry()
    room.session.set_current_question("relevance")
    for _ in range(5):
        QApplication.processEvents()
    assert part(room, "step_groundedness_1").geometry() == before
    assert label.width() >= label.sizeHint().width()


@pytest.mark.parametrize("risk", RISKS)
def test_levels_are_told_by_name_and_by_their_figures(risk):
    question = QUALITY[risk].question
    assert [band.meaning for band in scale_bands(question, scale_steps(question))] == [
        "Very low 0–1",
        "Low 2–3",
        "Medium 4–5",
        "High 6–7",
    ]


def test_a_level_without_a_step_is_not_shown():
    question = scale(0, 4, 2, levels=((1, "Low"), (1.5, "None here"), (4, "High")))
    assert [(band.name, band.range) for band in scale_bands(question, scale_steps(question))] == [
        ("Low", "0"),
        ("High", "2–4"),
    ]


# -- what stands in view


@pytest.mark.parametrize("width", [528, 440, 340])
@pytest.mark.parametrize("name", ANCHORED)
def test_every_sentence_has_all_the_room_that_it_needs(qtbot, name, width):
    row = shown(qtbot, QUALITY[name].question, width)
    field = row.field.rect()
    lines = [step for step in row.buttons if step.meaning]
    assert [step.meaning for step in lines] == [anchor.label for anchor in row.question.anchors]
    for step in lines:
        assert field.contains(step.geometry())
        assert step.height() >= step.height_of_line(step.width()), step.meaning
    tops = [step.y() for step in lines]
    assert tops == sorted(tops)
    assert all(not one.geometry().intersects(other.geometry()) for one in lines for other in lines if one is not other)


def test_a_half_stands_between_the_two_lines_beside_it(qtbot):
    row = shown(qtbot, QUALITY["retrieval"].question, 528)
    for at in range(1, 8, 2):
        half = row.buttons[at].geometry()
        above, below = (row.buttons[at + by].geometry() for by in (-1, 1))
        assert above.center().y() < half.center().y() < below.center().y()
        assert not half.intersects(above)
        assert not half.intersects(below)
    between = "between “No intent of the question can be answered from them” and “Few intents can be answered”"
    assert between in row.buttons[1].accessibleName()


def test_choosing_a_step_moves_nothing(qtbot):
    row = shown(qtbot, QUALITY["relevance"].question, 440)
    before = [QRect(step.geometry()) for step in row.buttons], row.heightForWidth(440)
    row.show_value(5, current=True)
    QApplication.processEvents()
    assert ([step.geometry() for step in row.buttons], row.heightForWidth(440)) == before


def test_levels_stand_beneath_their_figures_in_one_row(qtbot):
    row = shown(qtbot, QUALITY["violent"].question, 440)
    assert len({step.y() for step in row.buttons}) == 1
    assert row.field.rect().bottom() > row.buttons[0].geometry().bottom() + 12, "there is room for the names"
    plain = row.field.grab().toImage()
    row.show_value(5, current=False)
    assert row.field.grab().toImage() != plain


@pytest.mark.parametrize(
    "question",
    [
        scale(1, 10, anchors=((1, "Worst"), (10, "Best"))),
        scale(0, 100, levels=((49, "Worst"), (100, "Best"))),
        scale(-5, 5, anchors=((-5, "Worst"), (0, "So so"), (5, "Best"))),
    ],
    ids=["ends", "hundred", "around-zero"],
)
def test_where_a_step_has_no_room_for_words_they_stand_beneath_all(qtbot, question):
    row = shown(qtbot, question, 440)
    legend = next(one for one in row.field.children() if hasattr(one, "text") and "Worst" in one.text())
    assert legend.isVisible()
    assert "Best" in legend.text()
    assert legend.geometry().top() > max(step.geometry().bottom() for step in row.buttons)
    assert all(row.field.rect().contains(step.geometry()) for step in row.buttons)


def test_at_twice_the_size_the_sentences_are_whole_too(qtbot, qapp):
    before = theme.look()
    theme.apply(qapp, theme.Look(zoom=200))
    try:
        row = shown(qtbot, QUALITY["groundedness"].question, 700)
        assert all(step.height() >= step.height_of_line(step.width()) for step in row.buttons)
    finally:
        theme.apply(qapp, before)


def test_a_step_says_what_it_means_to_those_who_hear_it(qtbot):
    row = shown(qtbot, QUALITY["groundedness"].question, 528)
    row.show_value(2, current=True)
    assert row.buttons[1].accessibleName() == "2, Mostly not in the context, 2 of 5, chosen"
    risk = shown(qtbot, QUALITY["violent"].question, 528)
    assert risk.buttons[5].accessibleName() == "5, Medium, 6 of 8"


def test_a_suggested_step_is_marked_and_is_no_answer(rooms):
    room = opened(rooms, WITH_ALL | {"suggestions": {"responses": {"a": {"groundedness": 4}}}})
    assert "suggested" in part(room, "step_groundedness_4").accessibleName()
    assert answers(room) == {}


# -- by keyboard


def test_a_task_of_scales_is_done_by_digits_alone(rooms):
    room = rooms.with_bundle(scales_sample())
    press("4", "5", "3", "4", "7", "0", "0", "4")
    assert room.session.current_question == "violent_reason"
    press("W", Text("eleven men lay there"), "Ctrl+Return", "0")
    assert answers(room) == {
        **dict(zip(("groundedness", "relevance", "coherence", "fluency", "retrieval"), (4, 5, 3, 4, 2.5), strict=True)),
        "hateful_unfair": 0,
        "sexual": 0,
        "violent": 4,
        "violent_reason": "eleven men lay there",
        "self_harm": 0,
    }
    rooms.press_for_task(room, "q-0002", "Return")
    rooms.wait_until_saved(room)
    assert rooms.stored("q-0001", "sample-scales").status == "complete"


ASKED = {
    "qa-all": ({}, "groundedness relevance similarity"),
    "qa-context": ({"reference": None}, "groundedness relevance"),
    "qa-reference": ({"context": []}, "relevance similarity"),
    "qa-bare": ({"context": [], "reference": None}, ""),
    "turns-all": ({"history": HISTORY}, "groundedness relevance retrieval"),
    "turns-context": ({"history": HISTORY, "reference": None}, "groundedness relevance retrieval"),
    "turns-bare": ({"history": HISTORY, "context": [], "reference": None}, ""),
    "one-exchange": ({"meta": {"source": "azure-conversation"}}, "groundedness relevance retrieval"),
    "attack": ({"context": [], "reference": None, "meta": {"attack": "pirate"}}, "left_task"),
}


def test_what_is_asked_follows_from_the_fields_of_a_task():
    """As the published rule of Azure's evaluation: by context, reference, and whether it is a conversation."""
    for name, (fields, wanted) in ASKED.items():
        task = read_struct({"id": name, **CONVERSATION, **fields}, Task)
        entries = check_rating(rubrics.builtin_rubric("response-quality"), task, Rating(task=name)).asked
        asked = {entry.question.id for entry in entries["responses/a"]}
        assert asked == {"coherence", "fluency", *RISKS, *wanted.split()}, name


def test_the_form_shows_what_is_asked(rooms):
    room = opened(rooms, WITH_ALL, {"id": "t2", **CONVERSATION, "history": HISTORY})

    def asked():
        rows = {name: room.window.findChild(object, f"question_{name}") for name in ANCHORED}
        return {name for name, row in rows.items() if row is not None and row.isVisible()}

    assert asked() == {*ANCHORED} - {"retrieval"}
    rooms.open_task(room, "t2")
    assert asked() == {*ANCHORED} - {"similarity"}


def test_a_reason_is_asked_for_from_medium_on(rooms):
    room = opened(rooms)
    room.session.set_current_question("violent")
    press("3")
    assert room.window.findChild(object, "question_violent_reason") is None
    room.session.set_current_question("violent")
    press("4")
    assert part(room, "question_violent_reason").isVisible()


# -- what is computed


def test_token_f1_stands_with_the_question_about_the_reference(rooms):
    room = opened(rooms)
    label = part(room, "token_f1_similarity")
    assert label.isVisible()
    assert label.text() == f"Token F1 with the reference: {token_f1(RESPONSE, REFERENCE):.2f}"
    assert not part(room, "token_f1_a").isVisible(), "it is said once"


def test_token_f1_follows_the_response_at_hand(rooms):
    two = WITH_ALL | {"responses": [{"id": "a", "text": "Kyoto"}, {"id": "b", "text": REFERENCE}]}
    room = opened(rooms, two)
    assert part(room, "token_f1_similarity").text().endswith("0.00")
    press("J")
    assert room.session.place.response == "b"
    assert part(room, "token_f1_similarity").text().endswith("1.00")


def test_token_f1_stands_beside_the_response_where_nothing_is_asked_of_the_reference(rooms):
    plain = {name: WITH_ALL[name] for name in ("id", "prompt", "responses")}
    tasks = [plain | {"reference": "Tokyo"}, plain | {"id": "t2"}]
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks, rubric="side-by-side"))
    assert part(room, "token_f1_a").isVisible()
    rooms.open_task(room, "t2")
    assert not part(room, "token_f1_a").isVisible()


def test_token_f1_is_no_part_of_the_rating(rooms):
    room = opened(rooms)
    rooms.press_and_save(room, "4")
    assert b"f1" not in msgspec.json.encode(rooms.stored("t1")).lower()


def test_the_sample_of_scales_has_every_input_and_lacks_each_of_them_once():
    lines = (resources() / "samples" / "response-quality" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = [json.loads(one) for one in lines]
    assert inspect_bundle(scales_sample(), Progress()).tasks == len(tasks), "make sample writes the bundle"
    for name in ("context", "history", "reference"):
        assert {bool(one.get(name)) for one in tasks} == {True, False}
