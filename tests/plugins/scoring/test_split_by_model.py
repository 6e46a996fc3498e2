"""A rater has a language model propose a split, a real server on loopback; without a model nothing is different."""

import json
import threading

import pytest

from tests.operations.bundles import task
from tests.plugins.scoring.stub import Stub, completion
from tests.ui.rooms import banner, part, press

FIRST = "Ada Lovelace was born in London and studied mathematics."
SECOND = "She wrote notes on the engine, and she died in 1852."
NOTES, DIED = "Ada Lovelace wrote notes on the engine.", "Ada Lovelace died in 1852."
ANSWER = {"claims": [{"text": NOTES, "quotes": ["She wrote notes on the engine"]}, {"text": DIED, "quotes": ["died"]}]}
ACTION = "action_split_by_model"
BANNER = "model_split"


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_LLM_KEY", "sk-secret-1")
    with Stub() as server:
        server.texts = [json.dumps(ANSWER)]
        yield server


@pytest.fixture
def room(rooms, stub):
    """The second sentence, called factual, where a model is set up."""
    room = rooms.with_tasks(task("t1", FIRST, SECOND), task("t2", FIRST))
    room.preferences.set("endpoint", stub.url)
    room.preferences.set("model", "m-1")
    press("J", "Y")
    return room


def ask(room):
    part(room, ACTION).trigger()


def choose(room, text):
    shown = room.window.form_pane.banners.banner(BANNER)
    assert shown is not None, "no question"
    next(button for button in shown.buttons if button.text() == text).click()


def says(room, words):
    return lambda: words in (banner(room, BANNER) or "")


def rows(room):
    return [claim.text for claim in room.session.open_proposals]


def recorded(room):
    return [claim.text for claim in room.session.rating.claims.get("s2", ())]


def test_without_a_model_there_is_no_such_action(rooms, stub):
    room = rooms.with_tasks(task("t1", FIRST, SECOND))
    assert not part(room, ACTION).isVisible()
    assert "split_by_model" not in room.screens.available
    room.preferences.set("endpoint", stub.url)
    assert not part(room, ACTION).isVisible(), "an address alone is not enough"
    room.preferences.set("model", "m-1")
    assert part(room, ACTION).isVisible()
    room.preferences.set("endpoint", "")
    assert "split_by_model" not in room.screens.available


def test_nothing_is_sent_before_the_rater_agrees(room, stub):
    ask(room)
    assert banner(room, BANNER) == "The target and its response are sent to 127.0.0.1."
    choose(room, "Not now")
    assert banner(room, BANNER) is None
    ask(room)
    press("K")
    assert banner(room, BANNER) is None, "the question was about another target"
    assert stub.requests == []


def test_the_claims_of_a_model_are_confirmed_like_those_of_a_bundle(rooms, room, stub, qtbot):
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(says(room, "2 claims"))
    assert rows(room) == [NOTES, DIED]
    assert part(room, "claims_beside").text() == "a split proposed by a model, yours to change"
    assert recorded(room) == []
    assert stub.headers[0]["Authorization"] == "Bearer sk-secret-1"
    sent = json.dumps(stub.requests[0]["messages"])
    assert FIRST in sent
    assert SECOND in sent

    press("Shift+Z")
    assert banner(room, BANNER) is None
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1").claims["s2"]
    assert [claim.text for claim in stored] == [NOTES, DIED]
    assert [[span.quote for span in claim.spans] for claim in stored] == [["She wrote notes on the engine"], ["died"]]
    ask(room)
    assert "claims already" in banner(room, "hint")
    assert len(stub.requests) == 1


def test_the_rater_is_asked_once_in_a_sitting_and_again_for_another_server(room, stub, qtbot):
    stub.texts = ['{"claims": []}'] * 2
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(says(room, "The model proposes no split."))
    ask(room)
    qtbot.waitUntil(lambda: len(stub.requests) == 2)
    qtbot.waitUntil(says(room, "The model proposes no split."))
    room.preferences.set("endpoint", "https://model.example/v1")
    ask(room)
    assert "model.example" in banner(room, BANNER)
    assert len(stub.requests) == 2


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([(401, {}, b"{}")], "rejected the API key"),
        ([(200, {}, b"<html>Sign in</html>")], "not a chat completion"),
        ([(200, {}, completion("Here is the split."))] * 2, "The reason: it is not one JSON object."),
    ],
)
def test_a_server_that_fails_costs_nothing_but_the_split(rooms, room, stub, qtbot, answers, words):
    stub.raw = answers
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(says(room, words))
    assert "127.0.0.1" in banner(room, BANNER)
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers.targets["s2"] == {"factual": "yes"}
    ask(room)
    qtbot.waitUntil(lambda: rows(room) == [NOTES, DIED])


def test_an_unusable_address_is_reported_before_anything_is_sent(room):
    room.preferences.set("endpoint", "http://model.example/v1")
    ask(room)
    assert "The address of the endpoint can't be used." in banner(room, BANNER)


def test_claims_without_words_of_the_target_are_counted(room, stub, qtbot):
    invented = {"text": "The rater is right.", "quotes": ["Call it accurate."]}
    stub.texts = [json.dumps({"claims": [*ANSWER["claims"], invented]}), json.dumps({"claims": [invented] * 2})]
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(says(room, "Proposed claims that could not be used: 1."))
    assert rows(room) == [NOTES, DIED]
    ask(room)
    qtbot.waitUntil(says(room, "The model proposes no split. Proposed claims that could not be used: 2."))
    assert rows(room) == [NOTES, DIED], "the earlier proposal stays"


def test_a_late_answer_waits_at_its_target(room, stub, qtbot):
    stub.hold = threading.Event()
    ask(room)
    choose(room, "Send")
    press("K")
    assert says(room, "is asked for a split")(), "the request can still be cancelled"
    stub.hold.set()
    qtbot.waitUntil(says(room, "for another target"))
    assert rows(room) == []
    press("J")
    assert rows(room) == [NOTES, DIED]
    assert banner(room, BANNER) is None


def test_a_late_answer_gives_way_to_claims_recorded_meanwhile(room, stub, qtbot):
    stub.hold = threading.Event()
    ask(room)
    choose(room, "Send")
    press("Shift+L", "Shift+Z")
    by_hand = recorded(room)
    assert len(by_hand) == 2
    stub.hold.set()
    qtbot.waitUntil(says(room, "dropped"))
    assert recorded(room) == by_hand
    assert rows(room) == []


def test_a_request_is_cancelled(room, stub, qtbot):
    stub.hold = threading.Event()
    ask(room)
    choose(room, "Send")
    room.window.form_pane.banners.drop(BANNER)
    ask(room)
    assert banner(room, BANNER) == "The model m-1 is asked for a split."
    qtbot.waitUntil(lambda: len(stub.requests) == 1)
    choose(room, "Cancel")
    assert banner(room, BANNER) is None
    stub.texts = ['{"claims": []}'] * 2
    stub.hold.set()
    ask(room)
    qtbot.waitUntil(says(room, "The model proposes no split."))
    assert rows(room) == []


def test_leaving_the_task_cancels_the_request(rooms, room, stub, qtbot):
    stub.hold = threading.Event()
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(lambda: len(stub.requests) == 1)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert banner(room, BANNER) is None
    stub.hold.set()
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    assert rows(room) == []


def test_the_bundle_s_claims_come_back_after_a_split_by_the_model(rooms, stub, qtbot):
    start = len(FIRST) + 1
    span = {"start": start, "end": start + len(SECOND), "quote": SECOND}
    suggested = [{"id": "c1", "text": "All of it.", "spans": [span]}]
    room = rooms.with_tasks(task("t1", FIRST, SECOND, suggestions={"claims": {"s2": suggested}}))
    room.preferences.set("endpoint", stub.url)
    room.preferences.set("model", "m-1")
    press("J", "Y")
    ask(room)
    choose(room, "Send")
    qtbot.waitUntil(lambda: rows(room) == [NOTES, DIED])
    press("Shift+L")
    assert rows(room) == ["All of it."]
