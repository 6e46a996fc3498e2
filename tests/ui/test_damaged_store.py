"""A store that can't be opened: the rater sees what is wrong, gets the work back, and nothing is written over."""

import sqlite3
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_rater import app
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store import backups, schema
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged, StoreError, StoreTooNew
from desktop_rater.ui.store.rescue_page import RescuePage
from tests.operations.bundles import RATER, make, noon, rating, take_in, task, write_lines, writer
from tests.readers import reader_of
from tests.ui.rooms import part

GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}


def rate(store, folder, note):
    lines = write_lines(folder / "ratings.jsonl", [rating(f"t{number}", GOOD, note=note) for number in range(4)])
    rate_from_file(store, "kelp", lines, RATER, progress=Progress(), now=noon)


@pytest.fixture
def folder(tmp_path):
    """A store with four tasks: rated once, backed up, rated again."""
    folder = tmp_path / "store"
    with writer(folder) as store:
        take_in(store, make(tmp_path / "kelp.zip", [task(f"t{number}") for number in range(4)]))
        rate(store, tmp_path, "before the backup")
        backups.store_backup(folder, backups.draft_backup(store, Progress()), now=noon())
        rate(store, tmp_path, "after the backup")
    return folder


@pytest.fixture
def damaged(folder):
    """The same with a first page of nothing, which is where SQLite looks first."""
    file = folder / "store.sqlite3"
    content = bytearray(file.read_bytes())
    content[:4096] = bytes(4096)
    file.write_bytes(content)
    return folder


@pytest.fixture
def pages(qtbot):
    """Shows rescue pages, and closes what a test leaves open."""
    shown = []

    def show(folder):
        with pytest.raises(StoreError) as caught:
            app.build_application(folder, rater=RATER, now=noon)
        page = RescuePage(folder, caught.value, noon)
        shown.append(page)
        page.resize(900, 600)
        page.show()
        page.activateWindow()
        qtbot.waitUntil(lambda: "rescue_quit" in names(page) and "rescue_stop" not in names(page))
        return page

    yield show
    for page in shown:
        page.close()
        page.deleteLater()


def press(page, name, qtbot):
    """Press a button of the page, by the keyboard."""
    button = page.findChild(object, name)
    assert button is not None, f"no {name}"
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)


def names(page):
    named = [one for one in page.findChildren(QWidget) if one.objectName().startswith("rescue_")]
    return [one.objectName() for one in named if one.isVisibleTo(page)]


def text(page, name):
    return page.findChild(object, name).text()


def notes_of(folder):
    with reader_of(folder) as reader:
        query = "SELECT json_extract(body, '$.note') FROM ratings ORDER BY key"
        return [note for (note,) in reader.db.execute(query)]


def test_the_page_says_what_is_wrong_and_offers_the_newest_good_backup(damaged, pages):
    page = pages(damaged)
    assert text(page, "rescue_title") == "The store's file is not a database."
    assert str(damaged) in text(page, "rescue_words") + text(page, "rescue_place")
    assert "20 Nov 2026 at 12:00 UTC, 4 revisions" in page.findChild(object, "rescue_restore").label
    assert page.findChild(object, "rescue_salvage") is QApplication.focusWidget()


def test_what_can_be_read_is_saved_and_the_damaged_files_are_kept(damaged, pages, qtbot):
    before = (damaged / "store.sqlite3").read_bytes()
    page = pages(damaged)
    press(page, "rescue_salvage", qtbot)
    qtbot.waitUntil(lambda: "rescue_open" in names(page))
    assert (
        text(page, "rescue_words")
        == "Recovered: 8 revisions, 4 of them from the journal. Tasks: 4, bundles: 1, stored pages: 0."
    )
    press(page, "rescue_open", qtbot)
    assert not page.isVisible()
    assert page.message is not None
    assert notes_of(damaged) == ["before the backup"] * 4 + ["after the backup"] * 4
    assert (damaged / "set-aside" / "2026-11-20T120000Z" / "store.sqlite3").read_bytes() == before
    assert examine_store(damaged).faults == ()


def test_the_backup_is_restored_and_the_damaged_files_are_kept(damaged, pages, qtbot):
    before = (damaged / "store.sqlite3").read_bytes()
    page = pages(damaged)
    press(page, "rescue_restore", qtbot)
    qtbot.waitUntil(lambda: not page.isVisible())
    assert notes_of(damaged) == ["before the backup"] * 4
    (kept,) = (damaged / "replaced").iterdir()
    assert (kept / "store.sqlite3").read_bytes() == before
    assert examine_store(damaged).faults == ()


def test_a_trigger_that_somebody_left_in_the_store_is_named_and_stays_behind(folder, pages, qtbot):
    with closing(sqlite3.connect(folder / "store.sqlite3")) as other:
        other.execute('CREATE TRIGGER "spy\u202e" AFTER INSERT ON ratings BEGIN DELETE FROM state; END')
    page = pages(folder)
    assert text(page, "rescue_title") == "The store was modified by another program."
    assert r"The trigger 'spy\u202e' in " in text(page, "rescue_words")
    press(page, "rescue_salvage", qtbot)
    qtbot.waitUntil(lambda: "rescue_open" in names(page))
    assert notes_of(folder) == ["before the backup"] * 4 + ["after the backup"] * 4
    assert examine_store(folder).faults == ()


def test_whoever_quits_leaves_everything_as_it_was(damaged, pages, qtbot):
    before = {path: path.read_bytes() for path in damaged.rglob("*") if path.is_file()}
    page = pages(damaged)
    press(page, "rescue_quit", qtbot)
    assert not page.isVisible()
    assert page.message is None
    assert {path: path.read_bytes() for path in damaged.rglob("*") if path.is_file()} == before


def test_what_is_lost_is_listed_on_the_page(damaged, pages, qtbot):
    journal = damaged / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"after the backup"', b'"aFter the backup"', 3))
    page = pages(damaged)
    press(page, "rescue_salvage", qtbot)
    qtbot.waitUntil(lambda: "rescue_open" in names(page))
    listed = page.lost.toPlainText().split("\n")
    assert [line.split(" of ")[1] for line in listed] == [
        f"journal.jsonl does not verify: kelp, t{number}, {RATER}, 2." for number in range(3)
    ]
    assert page.lost.isVisible()
    (report,) = damaged.glob("set-aside/*/salvage.txt")
    assert str(report) in text(page, "rescue_hint")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"my holiday photos" * 500),
        lambda file: file.write_bytes(file.read_bytes()[:3000]),
        lambda file: file.unlink(),
    ],
    ids=["empty", "something else", "cut off in its first page", "gone"],
)
def test_where_nothing_can_be_read_the_backup_and_the_journal_have_everything(folder, pages, qtbot, spoil):
    spoil(folder / "store.sqlite3")
    page = pages(folder)
    press(page, "rescue_salvage", qtbot)
    qtbot.waitUntil(lambda: "rescue_open" in names(page))
    assert notes_of(folder) == ["before the backup"] * 4 + ["after the backup"] * 4


def test_a_store_without_its_tables_is_damaged_and_not_a_crash(folder, pages):
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute("DROP TABLE bundles")
    connection.commit()
    connection.close()
    assert "rescue_salvage" in names(pages(folder))


def test_a_store_of_a_newer_version_offers_nothing_and_stays_as_it_is(folder, pages):
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute(f"PRAGMA user_version = {schema.schema_version() + 1}")
    connection.commit()
    connection.close()
    before = (folder / "store.sqlite3").read_bytes()
    page = pages(folder)
    assert {"rescue_salvage", "rescue_restore"}.isdisjoint(names(page))
    assert text(page, "rescue_title") == "The store is from a newer version of this program."
    assert (
        text(page, "rescue_hint")
        == "Use the newer version (`desktop-rater update check` looks for it), or another folder."
    )
    page.close()
    assert (folder / "store.sqlite3").read_bytes() == before


def test_hostile_words_in_the_trouble_stay_words(tmp_path, qtbot):
    trouble = StoreDamaged(
        "<b>bold</b><img src=/etc/hostname>", "<a href='file:///etc/passwd'>here</a>", "&lt;hint&gt;"
    )
    page = RescuePage(tmp_path / "<i>folder</i>", trouble, noon)
    qtbot.addWidget(page)
    page.show()
    assert text(page, "rescue_title") == trouble.title
    labels = page.findChildren(QLabel)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


# -- as a user starts it


@pytest.fixture
def started(monkeypatch, rooms, qapp):
    """`open_window`, its event loop in the hands of a test: each turn is one window or page."""

    def start(folder, *turns):
        built = []
        waiting = list(turns)
        build = app.build_application

        def remembered(*args, **named):
            named["rater"] = RATER
            built.append(build(*args, **named))
            return built[-1]

        def exec_(_app=None):
            shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, RescuePage) and one.isVisible()]
            waiting.pop(0)(shown[0] if shown else built[-1])
            return 0

        monkeypatch.setattr(app, "build_application", remembered)
        monkeypatch.setattr(type(qapp), "exec", exec_)
        try:
            return app.open_window(folder, now=noon)
        finally:
            assert waiting == []

    return start


def test_after_the_rescue_the_window_opens_and_says_what_came_of_it(damaged, started, rooms, qtbot):
    said = []

    def rescue(page):
        qtbot.waitUntil(lambda: "rescue_salvage" in names(page))
        press(page, "rescue_salvage", qtbot)
        qtbot.waitUntil(lambda: "rescue_open" in names(page))
        press(page, "rescue_open", qtbot)

    def rate_on(room):
        room.window.activateWindow()
        rooms.wait_for_task(room)
        said.append(room.window.banners.text("restore"))
        room.window.close()

    assert started(damaged, rescue, rate_on) == 0
    assert said[0].startswith("Recovered: 8 revisions, 4 of them from the journal.")


def test_whoever_quits_is_told_again_where_there_is_a_terminal(damaged, started, qtbot):
    with pytest.raises(StoreDamaged, match="not a database"):
        started(damaged, lambda page: page.close())


def test_a_newer_store_is_said_in_a_window_and_on_the_terminal(folder, started):
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute(f"PRAGMA user_version = {schema.schema_version() + 1}")
    connection.commit()
    connection.close()
    with pytest.raises(StoreTooNew):
        started(folder, lambda page: page.close())


def test_damage_that_is_met_while_rating_leads_to_the_rescue(folder, started, rooms, qtbot, tmp_path):
    """The store opens; one task of it can't be read."""
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute("UPDATE tasks SET line = x'00' WHERE id = 't2'")
    connection.commit()
    connection.close()

    def meet(room):
        room.window.activateWindow()
        rooms.wait_for_task(room)
        room.desk.open_task("t2")
        qtbot.waitUntil(lambda: room.window.banners.banner("trouble") is not None)
        banner = room.window.banners.banner("trouble")
        assert banner.buttons[0].text() == "Check the store"
        QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: part(room, "check_salvage").isVisible())
        assert part(room, "check_title").text() == "1 fault in the store"
        QTest.mouseClick(part(room, "check_salvage"), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not room.window.isVisible())

    def rescue(page):
        qtbot.waitUntil(lambda: "rescue_salvage" in names(page))
        press(page, "rescue_salvage", qtbot)
        qtbot.waitUntil(lambda: "rescue_open" in names(page))
        assert "No known losses." in text(page, "rescue_hint"), "the backup has the task"
        press(page, "rescue_open", qtbot)

    def read(room):
        room.window.activateWindow()
        rooms.wait_for_task(room)
        rooms.open_task(room, "t2")
        room.window.close()

    assert started(folder, meet, rescue, read) == 0
    assert examine_store(folder).faults == ()


def test_a_log_that_went_away_is_said_in_the_window(folder, rooms):
    (folder / "holder.json").write_text(
        '{"pid": 7, "host": "laptop", "command": "the window", "since": "2026-11-20T08:00:00Z", "log": true}',
        encoding="utf-8",
    )
    room = app.build_application(folder, rater=RATER, now=noon)
    rooms.open_now.append(room)
    assert "The latest answers may be missing" in (room.window.banners.text("log") or "")
