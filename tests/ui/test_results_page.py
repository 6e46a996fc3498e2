"""Results come to a QA lead's window: is everything here, who is missing what, and what was refused."""

import shutil
from typing import Any

import pytest
from PySide6.QtCore import QLibraryInfo, QMimeData, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from desktop_rater.ui.review.results_page import ResultsPage
from tests.operations.bundles import make, task, write
from tests.ui.leads import lead_window, results_of, take_in
from tests.ui.rooms import Files, part, press


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    return results_of(tmp_path_factory.mktemp("given") / "in")


@pytest.fixture
def lead(rooms):
    return lead_window(rooms)


def page_of(room):
    return room.window.findChild(ResultsPage)


def said(rooms, room, words):
    rooms.qtbot.waitUntil(lambda: page_of(room) is not None, timeout=15_000)
    label = part(room, "results_words")
    rooms.qtbot.waitUntil(lambda: words in label.text(), timeout=15_000)
    return label.text()


def rows(room, name):
    model = part(room, name).model()
    return [model.index(at, 0).data(Qt.ItemDataRole.DisplayRole) for at in range(model.rowCount())]


def drop(room, paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    given = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    corner = QPointF(9, 9)
    # Qt 6.12 takes a point with fractions here too, and warns of any other.
    entered: Any = corner if QLibraryInfo.version() >= QVersionNumber(6, 12) else corner.toPoint()
    enter = QDragEnterEvent(entered, Qt.DropAction.CopyAction, *given)
    room.window.dragEnterEvent(enter)
    if enter.isAccepted():
        room.window.dropEvent(QDropEvent(corner, Qt.DropAction.CopyAction, *given))
    return enter.isAccepted()


def test_a_folder_that_is_dropped_comes_in_and_the_first_answer_is_that_all_is_here(lead, rooms, given):
    assert drop(lead, [given.bundle.with_suffix(".zip"), given.folder])
    rooms.qtbot.waitUntil(lambda: lead.screens.name == "review", timeout=15_000)
    # Where tasks are rated, a bundle is one to rate: the results alone say who rated how much.
    said(rooms, lead, "3 raters")
    assert len(rows(lead, "results_raters")) == 3
    assert page_of(lead).isVisible()


def test_with_the_bundle_itself_it_shows_who_is_missing_what(lead, rooms, given):
    press("Ctrl+2")
    first = [one for one in given.files if "before" not in one.name][:2]
    opened = take_in(rooms, lead, [given.bundle, *first])
    assert len(opened.copies) == 1
    assert "The results are complete: 2 raters, 3 tasks, 6 ratings." in said(rooms, lead, "complete")


def test_a_file_that_can_not_be_looked_at_is_listed_by_name(lead, rooms, tmp_path):
    """As on a share whose server is away: the system knows no such name."""
    assert drop(lead, [tmp_path / f"{'k' * 300}.zip"])
    said(rooms, lead, "refused")
    assert [row for row in rows(lead, "results_refused") if row.startswith("kkk")]
    assert lead.window.banners.banner("crash") is None


def test_what_is_damaged_is_listed_by_name_with_why_and_the_rest_is_in(lead, rooms, given, tmp_path):
    folder = tmp_path / "some"
    shutil.copytree(given.folder, folder)
    whole = [one for one in sorted(folder.iterdir()) if "before" not in one.name]
    raw = bytearray(whole[0].read_bytes())
    raw[len(raw) // 2] ^= 255
    whole[0].write_bytes(raw)
    (folder / "notes.zip").write_bytes(b"no zip at all")
    (folder / "notes.txt").touch()
    press("Ctrl+2")
    take_in(rooms, lead, [given.bundle, folder])
    assert "Neither results nor bundles: notes.txt." in said(rooms, lead, "2 files refused")
    refused = rows(lead, "results_refused")
    assert [line.split(",")[0] for line in refused] == sorted([whole[0].name, "notes.zip"])
    rooms.qtbot.waitUntil(lambda: len(rows(lead, "results_raters")) == 2)
    names = part(lead, "results_refused")
    names.setCurrentIndex(names.model().index(1 - [line[:5] for line in refused].index("notes"), 0))
    assert part(lead, "refused_words").text()


def test_the_same_files_again_change_nothing_and_it_says_so(lead, rooms, given):
    press("Ctrl+2")
    take_in(rooms, lead, [given.bundle, given.folder])
    said(rooms, lead, "The results are complete")
    before = rows(lead, "results_raters")
    again = take_in(rooms, lead, [given.folder])
    assert all(one.known for one in again.took)
    assert rows(lead, "results_raters") == before


def test_files_are_chosen_by_key_several_at_once_and_a_folder_from_the_menu(rooms, given):
    rooms.files = Files(to_import=(given.bundle, *given.files), to_open=given.folder)
    lead = lead_window(rooms)
    press("Ctrl+2", "Ctrl+O")
    said(rooms, lead, "The results are complete")
    ended = []
    lead.lead_screens.context.results.ended.connect(ended.append)
    lead.commands.actions["open_folder"].trigger()
    rooms.qtbot.waitUntil(lambda: bool(ended), timeout=15_000)
    assert all(one.known for one in ended[0].took)


def test_a_rater_who_drops_results_is_told_what_they_are(rooms, given):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    drop(room, given.files[:1])
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("trouble") is not None)
    assert room.screens.name == "rate"


def test_a_rater_drops_two_bundles_and_both_are_imported(rooms, tmp_path):
    room = rooms.empty()
    paths = [make(tmp_path / f"{name}.zip", [task("t1")]) for name in ("one", "two")]
    assert drop(room, paths)
    rooms.qtbot.waitUntil(lambda: room.window.task_list.bundles.count() == 2)


def test_what_is_no_zip_and_no_folder_can_t_be_dropped(lead, tmp_path):
    other = write(tmp_path / "letter.txt", "hello")
    assert not drop(lead, [other])


def test_taking_in_can_be_stopped_and_what_came_in_whole_stays(lead, rooms, given):
    press("Ctrl+2")
    results = lead.lead_screens.context.results
    results.import_files([given.bundle, *given.files])
    banner = lead.window.banners.banner("results")
    banner.buttons[0].click()
    assert not results.is_running
    assert lead.window.banners.text("results") is None
    take_in(rooms, lead, [given.bundle, given.folder])
    said(rooms, lead, "The results are complete")


def test_of_two_audited_bundles_the_lead_chooses_one(lead, rooms, given, tmp_path):
    other = results_of(tmp_path / "other", raters=2, name="other", tasks=1)
    press("Ctrl+2")
    take_in(rooms, lead, [given.bundle, given.folder, other.bundle, other.folder])
    page = page_of(lead)
    rooms.qtbot.waitUntil(lambda: page.bundles.isVisible() and page.status is not None)
    other_bundle = page.bundles.menu().actions()[1]
    assert other_bundle.text() == "other"
    other_bundle.trigger()
    said(rooms, lead, "2 raters, 1 task")
