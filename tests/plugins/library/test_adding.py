"""A rater adds a library in the window: it is indexed in a process of its own, stopped, continued, and removed."""

import pytest
from PySide6.QtWidgets import QLineEdit

from desktop_rater.plugins.library.catalogue import Library, library_folder, list_libraries, save_library
from tests.operations.bundles import task
from tests.plugins.library.test_claim_search import ARTICLES, BORN, part, press, rows, write
from tests.ui.articles import serve


@pytest.fixture
def room(rooms):
    return rooms.with_tasks(task("t1", BORN))


def add(room, qtbot, path, action="add_library_folder", **texts):
    """Choose files as a library, and say what it is."""
    room.context.files.to_open = path
    part(room, f"action_{action}").trigger()
    qtbot.waitUntil(lambda: room.window.findChild(QLineEdit, "add_library_name") is not None)
    for name, text in texts.items():
        part(room, f"add_library_{name}").setText(text)
    part(room, "add_library_go").click()


def said(room, name="articles"):
    return room.window.banners.text(f"library {name}") or ""


def push(room, key, text):
    banner = room.window.banners.banner(key)
    assert banner is not None, f"no banner {key}"
    next(button for button in banner.buttons if text in button.text()).click()


def test_a_folder_becomes_a_library_that_is_searched_and_removed(room, rooms, qtbot, tmp_path):
    assert not part(room, "action_search_libraries").shortcuts()[0].isEmpty()
    press("Alt+L")
    assert part(room, "library_count").text() == ""
    add(room, qtbot, write(tmp_path / "articles", ARTICLES), date="2026-02-30")
    assert "2026-03-01" in part(room, "add_library_fault").text()
    texts = {"date": "2026-03-01", "licence": "CC BY", "origin": "-"}
    for name, text in texts.items():
        part(room, f"add_library_{name}").setText(text)
    part(room, "add_library_go").click()
    assert "being indexed" in said(room)
    qtbot.waitUntil(lambda: "can be searched" in said(room))
    (library,) = list_libraries(rooms.folder / "store")
    assert {"date": library.date, "licence": library.licence, "origin": library.origin} == texts
    add(room, qtbot, tmp_path / "articles")
    assert "no other library" in part(room, "add_library_fault").text()
    part(room, "add_library_cancel").click()
    room.window.activateWindow()
    qtbot.waitUntil(room.window.isActiveWindow)
    press("Esc", "Alt+L")
    qtbot.waitUntil(lambda: [row.title for row in rows(room)] == ["Andrei Broder", "Donald Knuth"])

    part(room, "action_remove_library").trigger()
    push(room, "remove_library", "articles")
    qtbot.waitUntil(lambda: rows(room) == ())
    assert part(room, "library_line").isHidden()
    assert list_libraries(rooms.folder / "store") == []
    assert (tmp_path / "articles" / "geese.html").exists()


def test_documents_that_cannot_be_indexed_are_named(room, qtbot, tmp_path):
    add(room, qtbot, tmp_path / "missing.zim", "add_library")
    qtbot.waitUntil(lambda: "not indexed" in said(room, "missing"))
    assert "missing.zim" in said(room, "missing")


def test_indexing_stops_at_once_and_goes_on_at_the_next_start(room, rooms, qtbot, tmp_path):
    folder = write(tmp_path / "articles", ARTICLES)
    store = rooms.folder / "store"
    add(room, qtbot, folder)
    assert "next start" in said(room)
    push(room, "library articles", "Stop")
    assert said(room) == ""
    rooms.qtbot.waitUntil(lambda: room.jobs.is_idle("net"))
    rooms.shut(room)
    if not library_folder(store, "articles").exists():  # it was stopped before it began
        save_library(store, Library(id="articles", name="articles", kind="folder", sources=(str(folder),)))
    again = rooms.empty()
    rooms.wait_for_task(again)
    qtbot.waitUntil(lambda: any(library.ready for library in list_libraries(store)))
    qtbot.waitUntil(lambda: "can be searched" in said(again))


def test_with_a_library_and_a_network_the_links_of_the_open_task_are_fetched_without_a_word(
    rooms, qtbot, tmp_path, httpserver
):
    url = serve(httpserver)
    room = rooms.with_tasks(task("t1", f"It is on {url} today."))
    commands = room.window.parts["library"]
    commands.is_online = lambda: True
    add(room, qtbot, write(tmp_path / "articles", ARTICLES))
    qtbot.waitUntil(lambda: bool(httpserver.log))
    qtbot.waitUntil(lambda: not room.window.parts["link_prefetch"].is_running)
    assert room.window.banners.text("links") is None
    assert room.browsing.page is None
