"""A file of records becomes tasks: a map is proposed, corrected, saved, and made into a bundle that is imported."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_rater.format.archive import open_bundle
from desktop_rater.plugins.convert.maps import read_map
from tests.ui.rooms import Files

TEXTS = ("Candia fell in 1669.", "Venice held it for long.", "Nobody lived there.")
LABELS = ("SUPPORTED", "REFUTED", "UNK")


def record(number, **more):
    segments = [{"text": text, "verdict": label} for text, label in zip(TEXTS, LABELS, strict=True)]
    plain = {"id": f"q-{number}", "question": "Who held it?", "response": " ".join(TEXTS), "segments": segments}
    return {**plain, "sources": [{"snippet": "a page"}], "model": "heron", **more}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "segments.jsonl"
    records = [record(1), record(2), record(3, response=None), *map(record, range(4, 22)), record(2)]
    path.write_text("".join(f"{json.dumps(plain)}\n" for plain in records), encoding="utf-8")
    return path


@pytest.fixture
def mapping(rooms, source, tmp_path):
    """The dialog on that file, with the proposed map counted."""
    rooms.files = Files(to_open=source, saved=tmp_path / "made.zip")
    room = rooms.empty()
    room.commands.actions["map_file"].trigger()
    dialog = room.window.findChild(QWidget, "mapping")
    settled(rooms, dialog)
    return room, dialog


def settled(rooms, dialog):
    rooms.qtbot.waitUntil(lambda: "records" in text(dialog, "mapping_total"))


def text(dialog, name):
    return dialog.findChild(QWidget, name).text()


def preview(dialog):
    return dialog.preview.toPlainText()


def type_path(dialog, field, path):
    edit = dialog.findChild(QWidget, f"map_{field}")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, path)


def test_a_map_is_proposed_and_says_what_is_left_after_each_field(mapping):
    _room, dialog = mapping
    shown = {name: text(dialog, f"map_{name}") for name in ("id", "prompt", "response", "targets", "label")}
    assert shown == {
        "id": "id",
        "prompt": "question",
        "response": "response",
        "targets": "segments[*].text",
        "label": "segments[*].verdict",
    }
    assert text(dialog, "mapping_total") == "22 records: 20 tasks, 2 left out"
    assert "its id is used already" in text(dialog, "mapping_reasons")
    assert text(dialog, "map_left_response") == "20 left, −1"
    assert text(dialog, "mapping_sums") == "60 targets, 0 tool calls, 0 texts without a place"
    assert "s2 Venice held it for long." in preview(dialog)
    assert "s1 accuracy: accurate" in preview(dialog)


def test_a_value_is_taken_for_the_field_that_is_edited(rooms, mapping):
    _room, dialog = mapping
    dialog.map_pane.focus_field("context")
    assert dialog.tree.find_text("snippet")
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert text(dialog, "map_context") == "sources[0].snippet"
    assert "Context" in preview(dialog)
    dialog.map_pane.focus_field("targets")
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert text(dialog, "map_targets") == "sources[*].snippet", "targets are all entries of a list"


def test_a_value_is_dragged_to_a_field(mapping):
    _room, dialog = mapping
    dialog.tree.find_text("heron")
    dragged = dialog.tree.model().mimeData([dialog.tree.currentIndex()])
    assert dragged.text() == "model"
    keys = (Qt.DropAction.CopyAction, dragged, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    dialog.findChild(QWidget, "map_reference").dropEvent(QDropEvent(QPointF(3, 3), *keys))
    assert text(dialog, "map_reference") == "model"
    assert "Reference\nheron" in preview(dialog)


def test_a_path_that_can_not_be_read_is_said_beside_it_and_changes_nothing(mapping):
    _room, dialog = mapping
    type_path(dialog, "targets", "segments[*].text[")
    assert "can't be read" in text(dialog, "map_left_targets")
    assert "s2 Venice held it for long." in preview(dialog), "the path that could be read last"


def test_the_records_are_looked_through_and_one_without_a_task_says_why(mapping):
    _room, dialog = mapping
    QTest.keyClicks(dialog.tree, "JJ")
    assert text(dialog, "mapping_record") == "Record 3 of 22"
    assert "it has no response" in preview(dialog)
    QTest.keyClicks(dialog.tree, "K")
    assert text(dialog, "mapping_record") == "Record 2 of 22"


def test_a_label_without_an_answer_is_given_one(rooms, mapping):
    _room, dialog = mapping
    box = dialog.findChild(QComboBox, "answer_UNK")
    assert box.currentText() == "no answer"
    assert "20 have no answer" in text(dialog, "label_hint")
    number = box.findData("unsupported")
    box.setCurrentIndex(number)
    box.activated.emit(number)
    assert "s3 accuracy: unsupported" in preview(dialog)


def test_the_saved_map_is_the_one_of_the_command_line(rooms, mapping, tmp_path):
    _room, dialog = mapping
    rooms.files.saved = tmp_path / "segments.map.toml"
    dialog.save_wanted.emit()
    saved = read_map(rooms.files.saved.read_text(encoding="utf-8"))
    assert saved.fields["targets"] == "segments[*].text"
    assert saved.labels[0].answers["SUPPORTED"] == "accurate"


def test_the_tasks_are_made_and_imported(rooms, mapping, tmp_path):
    room, dialog = mapping
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    rooms.wait_for_task(room, "q-1")
    assert not dialog.isVisible()
    with open_bundle(tmp_path / "made.zip") as bundle:
        assert bundle.manifest.tasks == 20
        assert bundle.has_gold


def test_labels_are_written_to_a_file_of_ratings(rooms, mapping, tmp_path):
    room, dialog = mapping
    dialog.findChild(QWidget, "take_rating").click()
    assert "beside the bundle" in text(dialog, "label_hint")
    settled(rooms, dialog)
    dialog.findChild(QWidget, "mapping_make").click()
    rooms.wait_for_task(room, "q-1")
    first = json.loads((tmp_path / "made.ratings.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["answers"]["targets"] == {"s1": {"accuracy": "accurate"}, "s2": {"accuracy": "inaccurate"}}


def test_escape_leaves_the_field_first_and_then_the_dialog(mapping, tmp_path):
    _room, dialog = mapping
    dialog.map_pane.focus_field("prompt")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.tree.hasFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert not (tmp_path / "made.zip").exists(), "nothing is written before the tasks are made"


def test_an_edited_map_is_not_lost_by_one_key(rooms, mapping, tmp_path):
    _room, dialog = mapping
    type_path(dialog, "prompt", "model")
    dialog.tree.setFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert "The map is not saved" in text(dialog, "mapping_note")
    QTest.keyClick(dialog.tree, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_tab_goes_through_the_dialog_in_reading_order(mapping):
    _room, dialog = mapping
    dialog.findChild(QWidget, "mapping_find").setFocus()
    names = []
    for _ in range(14):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        names.append(dialog.focusWidget().objectName())
    fields = [f"map_{field}" for field in ("id", "prompt", "response", "context")]
    places = [names.index(name) for name in ("record_tree", "mapping_rubric", "mapping_maps", *fields)]
    assert places == sorted(places)


def test_a_value_is_found_and_taken_by_keys_alone(mapping):
    _room, dialog = mapping
    QTest.keyClicks(dialog.tree, "/")
    field = dialog.focusWidget()
    QTest.keyClicks(field, "snippet")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dialog.tree.hasFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert "Choose a field of the map first" in text(dialog, "mapping_note")
    assert text(dialog, "map_prompt") == "question", "no field loses its path to the first key"


def test_a_file_of_records_is_dropped_on_the_window(rooms, source):
    room = rooms.empty()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(source))])
    keys = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    room.window.dropEvent(QDropEvent(QPointF(9, 9), *keys))
    dialog = room.window.findChild(QWidget, "mapping")
    settled(rooms, dialog)
    assert "segments.jsonl" in dialog.windowTitle()


def test_a_file_that_holds_no_records_is_named(rooms, tmp_path):
    path = tmp_path / "photo.jsonl"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    rooms.files = Files(to_open=path)
    room = rooms.empty()
    room.commands.actions["map_file"].trigger()
    dialog = room.window.findChild(QWidget, "mapping")
    rooms.qtbot.waitUntil(lambda: "PNG" in text(dialog, "mapping_note"))
    assert not dialog.findChild(QWidget, "mapping_make").isEnabled()
