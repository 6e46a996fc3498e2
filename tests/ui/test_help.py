"""The menu Help: the manual without a network, what the program is, its log, and a report of a crash."""

from importlib.metadata import version

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from desktop_rater import __version__
from desktop_rater.operations.event_log import MOST_BYTES, EventLog, earlier_log, read_log
from desktop_rater.operations.manual import read_manual
from desktop_rater.ui.rating.guidelines import GuidelineView
from desktop_rater.ui.widgets.text_document import ReadDocument
from tests.conftest import ROOT
from tests.operations.bundles import noon
from tests.ui.rooms import part, press, type_text


@pytest.fixture
def manual(rooms):
    room = rooms.empty()
    room.commands.actions["manual"].trigger()
    window = part(room, "manual")
    rooms.qtbot.waitUntil(window.isActiveWindow)
    return window


def opened(room, name):
    room.commands.actions[name].trigger()
    return visible_dialog(room)


def visible_dialog(room):
    (dialog,) = (dialog for dialog in room.window.findChildren(QDialog) if dialog.isVisible())
    return dialog


def click_link(view, words):
    """Click in the middle of a link's words."""
    cursor = view.document().find(words)
    assert cursor.charFormat().isAnchor(), words
    middle = (cursor.selectionStart() + cursor.selectionEnd()) // 2
    cursor.setPosition(middle)
    view.setTextCursor(QTextCursor(cursor))
    view.ensureCursorVisible()
    place = view.cursorRect(cursor).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_the_manual_is_searched_and_read_without_a_mouse(manual, rooms):
    type_text("take a passage as evidence", "Return")
    assert manual.here.contains("take a passage as evidence")
    assert manual.view.textCursor().selectedText().lower() == "take a passage as evidence"
    assert manual.count.text().endswith("sections")
    rooms.qtbot.waitUntil(manual.contents.hasFocus)
    first = manual.here
    press("Down")
    assert manual.here != first
    press("Alt+Left")
    assert manual.here == first
    manual.search.setFocus()
    manual.search.setText("no such words in any page of it")
    assert manual.contents.topLevelItemCount() == 0
    assert manual.count.text() == "0 sections"
    press("Escape")
    assert manual.search.text() == ""
    press("Escape")
    assert not manual.isVisible()


def test_links_of_the_manual_are_followed_without_a_mouse(manual, rooms):
    manual.view.setFocus()
    press("Right")
    first = manual.view.textCursor().selectedText()
    assert manual.view.textCursor().charFormat().isAnchor()
    press("Right")
    assert manual.view.textCursor().selectedText() != first
    press("Left")
    assert manual.view.textCursor().selectedText() == first
    press("Left")
    assert manual.view.textCursor().selectedText() == first
    while (words := manual.view.textCursor().selectedText()) != "finish and send":
        press("Right")
        assert manual.view.textCursor().selectedText() != words, "the last link"
    press("Return")
    assert (manual.here.page, manual.here.title) == ("user-guide.md", "Finish and send")


def test_links_lead_to_other_pages_and_nothing_leaves_the_manual(manual, rooms):
    assert manual.here.title == "User guide"
    click_link(manual.view, "finish and send")
    assert (manual.here.page, manual.here.title) == ("user-guide.md", "Finish and send")
    manual.go_to(manual._manual.target("auditing.md", ""))
    assert manual.here.page == "auditing.md"
    manual.view.link_wanted.emit("plugins/maps.md#fields")
    assert (manual.here.page, manual.here.title) == ("plugins/maps.md", "Fields")
    manual.view.link_wanted.emit("convert.md#recorded-chats")
    assert manual.here.page == "plugins/convert.md"
    manual.view.link_wanted.emit("../auditing.md")
    assert manual.here.page == "auditing.md"
    for link in ("https://example.org/", "../README.md", "file:///etc/passwd", "user-guide.md#no-such-heading"):
        manual.view.link_wanted.emit(link)
        assert manual.here.page == "auditing.md", link
        assert manual.count.text() == "Not in the manual"
    for page in ("plugins/convert.md", "plugins/maps.md", "auditing.md", "user-guide.md"):
        QTest.keyClick(manual.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert manual.here.page == page
    assert manual.here.title == "Finish and send"


def test_each_section_of_the_manual_is_shown_as_it_is_meant(qtbot):
    """Rendered, with the pictures that it names, and without what only the tests of the pages need."""
    manual = read_manual(ROOT / "docs")
    view = GuidelineView()
    qtbot.addWidget(view)
    paths = [path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "decisions"]
    assert {heading.page for heading in manual.headings} == {str(path.relative_to(ROOT / "docs")) for path in paths}
    for heading in manual.headings:
        assert len(manual.section(heading)) < 100_000, heading
        assert "<!--" not in heading.text
    (first,) = (heading for heading in manual.headings if heading.title == "Getting started")
    text = manual.section(first)
    pictures = manual.pictures(text)
    assert all(data.startswith(b"\x89PNG") for data in pictures.values())
    assert "pictures/first-run.png" in pictures
    view.setWindowTitle("manual")
    view.show()
    view.show_guidelines(text, pictures)
    assert isinstance(view.document(), ReadDocument)
    assert view.is_rendered
    assert "Only in the source" not in view.document().toPlainText()


def test_about_says_what_the_program_is_and_shows_its_licences(rooms, monkeypatch):
    monkeypatch.setattr("desktop_rater.ui.window.manual.program_document", lambda name: rooms.folder / name)
    (rooms.folder / "LICENSE").write_text("Apache License", "utf-8")
    room = rooms.empty()
    dialog = opened(room, "about")
    part(room, "about_copy").click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"Desktop Rater {__version__}\nPython ")
    assert "\nQt " in copied
    dialog.licence.click()
    licence = visible_dialog(room)
    assert licence.details.toPlainText() == "Apache License"
    licence.reject()
    opened(room, "about").notices.click()
    installed = visible_dialog(room)
    assert "runs from its sources" in installed.notice.text()
    assert f"\nclick {version('click')}: BSD-3-Clause\n\nCopyright" in installed.details.toPlainText()
    assert "PySide6" in installed.details.toPlainText()
    installed.reject()
    (rooms.folder / "THIRD-PARTY-NOTICES.txt").write_text("of the package", "utf-8")
    opened(room, "about").notices.click()
    assert visible_dialog(room).details.toPlainText() == "of the package"


def test_a_report_is_saved_with_the_versions_and_the_log(rooms):
    room = rooms.empty()
    log = EventLog(rooms.folder / "store" / "desktop-rater.log", noon)
    log.write("crash: ValueError\n  desktop_rater/ui/here.py:1 in f")
    dialog = opened(room, "show_log")
    assert "ValueError" in dialog.details.toPlainText()
    dialog.reject()
    opened(room, "report_problem")
    rooms.files.saved = rooms.folder / "report.txt"
    part(room, "report_save").click()
    report = rooms.files.saved.read_text("utf-8")
    assert report.startswith("Desktop Rater ")
    assert "2026-11-20" in report
    assert "here.py:1" in report
    assert part(room, "report_notice").text() == "Saved as report.txt."
    rooms.files.saved = rooms.folder / "missing" / "report.txt"
    part(room, "report_save").click()
    assert part(room, "report_notice").text().startswith("Not saved: ")


def test_the_log_never_grows_beyond_its_bound(tmp_path):
    path = tmp_path / "state" / "log"
    log = EventLog(path, noon)
    for number in range(9):
        log.write(f"{number} " + "x" * (MOST_BYTES // 2))
    files = list(path.parent.iterdir())
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 3.5 * MOST_BYTES
    assert " 8 " in read_log(path)
    earlier_log(path).unlink()
    earlier_log(path).mkdir()
    for number in range(20):
        log.write(f"{number} " + "x" * (MOST_BYTES // 2))
    assert path.stat().st_size < 5 * MOST_BYTES
    path.unlink()
    path.mkdir()
    log.write("a folder is in its place")
    assert read_log(path) == ""


def test_a_system_library_that_is_missing_late_is_named_and_called_no_bug(rooms):
    room = rooms.empty()
    room.window.parts["crash"].show(
        ImportError("libxkbcommon.so.0: cannot open shared object file: No such file or directory")
    )
    notice = room.window.banners.text("crash")
    assert notice.startswith("Desktop Rater needs a system library that can't be loaded. libxkbcommon.so.0")
    assert "Install " in notice
    assert "bug" not in notice
