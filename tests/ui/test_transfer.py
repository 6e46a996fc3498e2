"""Bundles in and results out, as the rater sees it."""

import zipfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from desktop_rater.app import assembly
from desktop_rater.format.rating import Evidence
from desktop_rater.store import snapshots
from desktop_rater.ui.rating.task_model import TASK_PAGE_SIZE
from desktop_rater.ui.window.file_dialogs import FileDialogs
from tests.operations.bundles import make, task, write
from tests.ui.articles import read, serve
from tests.ui.leads import results_of
from tests.ui.rooms import press, press_until


def export(room, rooms, name="results.zip"):
    rooms.files.to_write = rooms.folder / name
    with rooms.qtbot.waitSignal(room.transfer.export_ended):
        press("Ctrl+Shift+E")
    return rooms.files.to_write


def kept_page(rooms):
    """The SHA-256 of the one page that is stored."""
    (file,) = snapshots.list_snapshots(rooms.folder / "store")
    return file.name.partition(".")[0]


def test_export_is_refused_and_leads_to_what_is_missing(room, rooms):
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    out = export(room, rooms)
    banner = room.window.banners.banner("transfer")
    assert banner.label.text() == "Not exported: 1 task is not finished: t2."
    assert not out.exists()
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    banner.buttons[0].click()
    rooms.wait_for_task(room, "t2")
    export(room, rooms)
    with rooms.qtbot.waitSignal(room.transfer.export_ended):
        room.window.banners.banner("transfer").buttons[1].click()
    words = f"Exported 1 rating to results.zip in {rooms.folder}. 1 unfinished task was not exported."
    assert room.window.banners.text("transfer") == words
    assert zipfile.is_zipfile(out)


def test_export_of_a_finished_bundle(room, rooms, monkeypatch):
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")
    out = export(room, rooms)
    assert room.window.banners.text("transfer") == f"Exported 2 ratings to results.zip in {rooms.folder}."
    assert zipfile.is_zipfile(out)
    monkeypatch.setattr(QDesktopServices, "openUrl", opened := Mock())
    room.window.banners.banner("transfer").buttons[0].click()
    opened.assert_called_once_with(QUrl.fromLocalFile(str(rooms.folder)))


def test_an_altered_page_holds_back_nothing_and_is_told_of(room, rooms, qtbot, httpserver):
    read(room, qtbot, serve(httpserver))
    press("Esc", "Y", "A")
    room.session.put_evidence(
        Evidence(id="new", url=room.session.rating.links_opened[0], stance="supporting", snapshot=kept_page(rooms))
    )
    rooms.press_for_task(room, "t2", "J", "N", "J", "N", "Return")
    press_until(qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")
    for file in snapshots.list_snapshots(rooms.folder / "store"):
        file.write_bytes(b"half of a page")
    out = export(room, rooms)
    words = f"Exported 2 ratings to results.zip in {rooms.folder}. 1 stored page was omitted"
    assert room.window.banners.text("transfer") == f"{words}: it has been altered on the disk."
    assert zipfile.is_zipfile(out)


def test_nothing_finished_says_so(room, rooms):
    export(room, rooms)
    banner = room.window.banners.banner("transfer")
    assert banner.label.text() == "Not exported: no task is finished yet."
    assert len(banner.buttons) == 1


def test_what_blocks_is_said_before_a_name_is_asked_for_with_the_way_to_it(room, rooms, monkeypatch):
    asked = []
    monkeypatch.setattr(rooms.files, "results", lambda _parent, suggested: asked.append(suggested))
    rooms.press_for_task(room, "t2", "Y", "1", "U", "J", "N", "J", "N", "Ctrl+PgDown")
    rooms.press_for_task(room, "t1", "N", "Return")
    room.session.go_to(room.session.stops[2])
    export(room, rooms)
    banner = room.window.banners.banner("transfer")
    assert banner.label.text() == "Not exported: problems block 1 task: t1."
    assert not asked
    banner.buttons[0].click()
    assert room.session.stop == room.session.stops[0], "the first problem, also in the task that is open"
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "A", "Return")
    press_until(rooms.qtbot, lambda: bool(asked), "Ctrl+Shift+E")
    assert asked == ["bundle.r-17.results.zip"]


def test_the_suggested_name_is_one_that_every_file_system_takes(rooms, monkeypatch):
    monkeypatch.setattr("tests.ui.rooms.RATER", "ana/qa: 1?")
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1")], id="kelp-2.1"))
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")
    asked = []
    monkeypatch.setattr(rooms.files, "results", lambda _parent, suggested: asked.append(suggested))
    press_until(rooms.qtbot, lambda: bool(asked), "Ctrl+Shift+E")
    assert asked == ["kelp-2.1.ana-qa-1.results.zip"]


@pytest.mark.parametrize(
    ("ask", "typed", "saved"),
    [
        ("results", "November 2.1", "November 2.1.zip"),
        ("results", "mine.ZIP", "mine.ZIP"),
        ("results", "taken", "taken-2.zip"),
        ("report", "November 2.1", "November 2.1.html"),
        ("report", "table.csv", "table.csv"),
        ("final", "v1.2", "v1.2.zip"),
        ("final", "labels.parquet", "labels.parquet"),
    ],
)
def test_a_typed_name_gets_the_ending_of_its_kind_and_replaces_nothing(tmp_path, monkeypatch, ask, typed, saved):
    (tmp_path / "taken.zip").touch()
    chosen = (str(tmp_path / typed), "")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: chosen)
    suggested = "b-report.html" if ask == "report" else "b.zip"
    assert getattr(FileDialogs(), ask)(None, suggested) == tmp_path / saved


def test_a_refused_bundle_changes_nothing(room, rooms):
    broken = write(rooms.folder / "broken.zip", b"not a zip")
    rooms.files.to_import = broken
    with rooms.qtbot.waitSignal(room.transfer.import_ended):
        press("Ctrl+O")
    assert "broken.zip" in room.window.banners.text("trouble")
    assert room.session.task.id == "t1"


def test_of_several_files_opened_together_each_one_that_is_refused_is_named(room, rooms):
    bundle = make(rooms.folder / "other.zip", [task("o1")])
    broken = [rooms.folder / name for name in ("one.zip", "two.rater", "three.zip", "four.zip")]
    for path in broken:
        path.write_bytes(b"not a zip")
    room.window.open_files((*broken[:2], bundle))
    rooms.wait_for_task(room, "o1")
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("trouble") is not None)
    lines = room.window.banners.text("trouble").splitlines()
    assert [line.split(" can't")[0] for line in lines] == ["one.zip", "two.rater"]
    assert "other.zip: imported 1 task" in room.window.banners.text("transfer")
    room.window.open_files(tuple(broken))
    rooms.qtbot.waitUntil(lambda: "2 more files failed." in (room.window.banners.text("trouble") or ""))


def test_results_are_told_from_bundles_to_a_rater_who_opens_them(rooms):
    room = rooms.empty()
    path = results_of(rooms.folder / "in").files[0]
    with rooms.qtbot.waitSignal(room.transfer.import_ended):
        room.window.open_files((path,))
    assert "It contains the results of a rater, not tasks." in room.window.banners.text("trouble")


def test_files_that_only_a_plug_in_reads_are_refused_without_it(rooms, monkeypatch):
    monkeypatch.setattr(assembly, "load_rows", lambda *_names: {})
    room = rooms.empty()
    room.window.open_files((Path("kelp.jsonl"),))
    assert room.window.banners.text("sources") == (
        "kelp.jsonl can’t be opened. The plug-in “convert”, which reads files of records, is not installed."
    )


def test_what_was_left_out_is_named(rooms):
    lost = task("t2")
    lost["targets"][0] |= {"quote": "Nowhere to be found.", "start": 0, "end": 5}
    bundle = make(rooms.folder / "first.zip", [task("t1"), task("t2")])
    room = rooms.with_bundle(bundle)
    rooms.files.to_import = make(rooms.folder / "second.zip", [task("t1"), lost])
    with rooms.qtbot.waitSignal(room.transfer.import_ended):
        press("Ctrl+O")
    banner = room.window.banners.banner("transfer")
    assert banner.kind == "warn"
    assert '"t2"' in banner.label.text()


def test_a_second_bundle_is_opened_and_can_be_chosen(room, rooms):
    rooms.files.to_import = make(rooms.folder / "other.zip", [task("o1")])
    rooms.press_for_task(room, "o1", "Ctrl+O")
    room.window.resize(1440, 900)  # so wide that the task list is not folded away
    boxes = room.window.task_list.bundles
    rooms.qtbot.waitUntil(lambda: boxes.count() == 2 and boxes.isVisible())
    boxes.setCurrentIndex(boxes.findData("bundle"))
    boxes.activated.emit(boxes.currentIndex())
    rooms.wait_for_task(room, "t1")


def test_a_long_list_comes_page_by_page(rooms):
    room = rooms.with_tasks(*(task(f"t{number}") for number in range(TASK_PAGE_SIZE + 20)))
    model = room.window.task_list.model
    rooms.qtbot.waitUntil(lambda: model.rowCount() == TASK_PAGE_SIZE)
    assert model.canFetchMore(room.window.task_list.list.rootIndex())
    room.window.task_list.list.scrollToBottom()
    rooms.qtbot.waitUntil(lambda: model.rowCount() == TASK_PAGE_SIZE + 20)
    assert not model.canFetchMore(room.window.task_list.list.rootIndex())


def test_a_long_list_stands_where_the_rater_is_and_grows_both_ways(rooms):
    count = 3 * TASK_PAGE_SIZE
    room = rooms.with_tasks(*(task(f"t{number}") for number in range(count)))
    listed, model = room.window.task_list.list, room.window.task_list.model
    room.window.resize(1440, 900)
    at = 2 * TASK_PAGE_SIZE + 100
    rooms.open_task(room, f"t{at}")
    rooms.qtbot.waitUntil(lambda: model.row_of(f"t{at}") >= 0)
    rooms.qtbot.waitUntil(lambda: listed.currentIndex().row() == model.row_of(f"t{at}"))
    assert listed.viewport().rect().contains(listed.visualRect(listed.currentIndex()).center())
    assert model.rowCount() <= TASK_PAGE_SIZE + TASK_PAGE_SIZE, "not all that stands above it came"
    listed.scrollToTop()
    top = model.task_at(0)
    rooms.qtbot.waitUntil(lambda: model.row_of(top) > 0)
    assert listed.indexAt(listed.viewport().rect().topLeft()).row() == model.row_of(top), "nothing moved under the eye"
    positions = [model.position_of(model.task_at(row)) for row in range(model.rowCount())]
    assert positions == list(range(positions[0], positions[-1] + 1))
    for _ in range(2):
        listed.scrollToTop()
        rooms.qtbot.waitUntil(lambda: not model._fetching)
    rooms.qtbot.waitUntil(lambda: model.position_of("t0") == 0)
    listed.scrollToBottom()
    rooms.qtbot.waitUntil(lambda: model.row_of(f"t{count - 1}") == count - 1)


def test_what_a_filter_finds_is_shown_from_its_top(rooms):
    room = rooms.with_tasks(
        *(task(f"t{number}", "Found." if number % 2 else "Other.") for number in range(TASK_PAGE_SIZE))
    )
    listed, model = room.window.task_list.list, room.window.task_list.model
    room.window.resize(1440, 900)
    rooms.qtbot.waitUntil(lambda: model.rowCount() == TASK_PAGE_SIZE)
    rooms.open_task(room, f"t{TASK_PAGE_SIZE - 2}")
    rooms.qtbot.waitUntil(lambda: listed.verticalScrollBar().value() > 0)  # the list follows the task
    model.show("bundle", "found")
    rooms.qtbot.waitUntil(lambda: model.rowCount() == TASK_PAGE_SIZE // 2)
    assert model.row_of(f"t{TASK_PAGE_SIZE - 2}") < 0
    assert listed.indexAt(listed.viewport().rect().topLeft()).row() == 0
