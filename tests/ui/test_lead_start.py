"""A lead's first steps: a store that holds audits opens on them, annotations are dropped, and who was to rate what."""

from __future__ import annotations

import csv
import json

import pytest
from PySide6.QtWidgets import QPushButton

from desktop_rater.bundle.annotations.annotation import REASONS
from desktop_rater.model.change import Progress
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.review.results_import import BANNER, LOSSES
from desktop_rater.work.audit.import_results import import_results
from tests.ui.leads import TASKS, results_of
from tests.ui.test_results_page import drop, rows, said
from tests.ui.test_start_page import Begin
from tests.work.bundles import noon


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
