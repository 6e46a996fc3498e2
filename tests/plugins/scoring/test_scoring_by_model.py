"""A QA lead has justifications scored by the language model that is set, a real server on loopback."""

import shutil
import threading

import pytest

from desktop_rater.plugins.scoring.session import load_replies
from tests.plugins.scoring.scorings import OLD, SOURCE, lead_store, open_scoring, points_in, stored, take_two_points
from tests.plugins.scoring.stub import Stub
from tests.ui.rooms import press


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The lead's store, made once."""
    return lead_store(tmp_path_factory.mktemp("scored"))


@pytest.fixture
def window(rooms, made, tmp_path):
    """A lead's window on a copy of it."""
    shutil.copytree(made, tmp_path / "store")
    return rooms.empty()


def reads(point, text):
    if point == SOURCE:
        return "disagrees" if "No official" in text else "agrees" if "official" in text else "silent"
    return "disagrees" if "fresh" in text else "agrees" if "out of date" in text else "silent"


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_LLM_KEY", "sk-secret-1")
    with Stub(reads) as server:
        quotes = [{"point": SOURCE, "quotes": [SOURCE]}, {"point": OLD, "quotes": [OLD]}]
        server.summary = {"topics": [{"topic": "grounds", "points": quotes}]}
        yield server


@pytest.fixture
def with_model(window, stub, qtbot):
    """Scoring where an endpoint is set."""
    window.preferences.set("endpoint", stub.url)
    window.preferences.set("model", "m-1")
    return open_scoring(window, qtbot)


def test_the_cost_is_shown_and_nothing_is_sent_before_the_lead_agrees(window, with_model, stub, qtbot):
    page = with_model.page
    press("L")
    qtbot.waitUntil(lambda: "17 calls" in page.model.cost.text())  # topics, points of six, five texts in two orders
    assert "127.0.0.1" in page.model.text_label.text()
    assert "No prices" in page.model.cost.text()
    press("Escape")
    assert stub.requests == []
    press("L")
    qtbot.waitUntil(page.model.ask.isVisible)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert len(stub.requests) == 12, "there is one topic"
    assert page.scores.title.text() == "Scores by the model m-1"
    press("Escape", "Escape")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: any(one.texts.value == 0.75 for one in report.figures.report.raters))


def test_a_run_that_is_cancelled_keeps_what_was_answered_and_goes_on_there(with_model, stub, tmp_path, qtbot):
    page = with_model.page
    press("L")
    qtbot.waitUntil(page.model.ask.isVisible)
    gate = threading.Event()
    stub.reads = lambda point, text: reads(point, text) if gate.wait(60) else "silent"
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: len(stored(tmp_path, load_replies)) == 2)  # the topics and their points; the texts wait
    press("Delete")
    assert not with_model.model.run.is_running
    gate.set()
    qtbot.waitUntil(page.model.ask.isVisible)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    qtbot.waitUntil(lambda: len(stored(tmp_path, load_replies)) == 12)
    summaries = [one for one in stub.requests if one["response_format"]["json_schema"]["name"] == "topics"]
    assert len(summaries) == 1, "what was answered is not asked again"


def test_the_lead_s_own_points_are_asked_about_unless_the_lead_says_otherwise(with_model, stub, tmp_path, qtbot):
    page = with_model.page
    take_two_points()
    qtbot.waitUntil(lambda: len(points_in(tmp_path)) == 2)
    press("L")
    qtbot.waitUntil(lambda: "10 calls" in page.model.cost.text())
    press("2")
    assert "17 calls" in page.model.cost.text()
    press("1", "Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert len(stub.requests) == 10


def test_a_server_that_refuses_is_said_at_the_page_and_can_be_asked_again(with_model, stub, qtbot):
    page = with_model.page
    press("L")
    qtbot.waitUntil(page.model.ask.isVisible)
    stub.raw = [(401, {}, b"{}")] * 4
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: "rejected the API key" in (page.banners.text("model") or ""), timeout=15_000)
    assert not with_model.model.run.is_running
    stub.raw = []
    qtbot.waitUntil(page.model.ask.isVisible)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert page.banners.text("model") is None
