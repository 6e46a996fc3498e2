"""Annotations of other tools that are dropped on the review become results of their raters."""

import csv
import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.plugins.convert.annotations.annotation import REASONS
from desktop_rater.plugins.convert.window.annotations_reader import LOSSES
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.review.results_import import BANNER
from tests.operations.bundles import noon
from tests.ui.leads import TASKS, results_of
from tests.ui.test_results_page import drop, rows, said
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
