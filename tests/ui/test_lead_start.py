"""A lead's first steps: a store that holds audits opens on them, and what the role is."""

import pytest
from PySide6.QtWidgets import QPushButton

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import noon
from tests.ui.leads import results_of
from tests.ui.test_start_page import Begin


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


def answer(room, rooms, number):
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("role") is not None)
    buttons = room.window.banners.banner("role").findChildren(QPushButton)
    buttons[number].click()
    assert room.window.banners.text("role") is None


def test_a_store_with_audits_asks_for_the_role_once_and_opens_on_them(begin, rooms, audited):
    room = begin()
    answer(room, rooms, 0)
    rooms.qtbot.waitUntil(lambda: room.screens.name == "review")
    rooms.close()
    again = begin.again(role="lead")
    rooms.qtbot.waitUntil(lambda: again.screens.name == "review")


def test_a_rater_who_said_so_is_not_asked_again(begin, rooms, audited):
    room = begin()
    answer(room, rooms, 1)
    rooms.close()
    again = begin.again()
    answers = []
    again.lead_screens.begin()
    again.perform.ask(lambda _store: True, done=answers.append)  # after the question for the audits
    rooms.qtbot.waitUntil(lambda: bool(answers) and again.window.is_empty)
    assert (again.window.banners.text("role"), again.screens.name) == (None, "rate")
