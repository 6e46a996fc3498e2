"""Another program replaces, moves or deletes the files of the store under the open window."""

import shutil

import pytest

from desktop_rater import app
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.restore import moved_stores
from desktop_rater.ui.store.window_loop import run_window
from tests.operations.bundles import RATER, noon, rating, save_ratings, writer
from tests.readers import reader_of
from tests.ui.rooms import banner, loopback_web, part, press, press_until
from tests.ui.test_backups import Sitting

pytestmark = pytest.mark.posix("Windows does not let other programs replace, move or delete open files")


def answers_in(folder, task="t1"):
    with reader_of(folder) as reader:
        return open_task(reader, "bundle", task, RATER).rating.answers.targets


@pytest.fixture
def store(room, rooms):
    """A closed store with an answer, and beside it the same store of another laptop."""
    rooms.press_and_save(room, "N")
    rooms.shut(room)
    shutil.copytree(rooms.folder / "store", rooms.folder / "laptop")
    return rooms.folder / "store"


@pytest.fixture
def window(store, rooms):
    """Runs the real loop on the store: a story yields what it waits for, and gets the windows that were built."""
    opened = []

    def build(settings, updated, frame):
        like = {"files": rooms.files, "settings": settings, "web": loopback_web(), "updated": updated, "window": frame}
        opened.append(app.build_application(store, rater=RATER, now=noon, **like))
        return opened[-1]

    def run(story):
        sitting = Sitting(story(opened))
        assert run_window(store, build, now=noon) == 0
        del sitting
        return opened

    return run


def ready(opened, count=1):
    return lambda: len(opened) == count and opened[-1].session.task is not None and opened[-1].window.isActiveWindow()


def put_in_place(store):
    shutil.copy(store.parent / "laptop" / "store.sqlite3", store / "incoming")
    (store / "incoming").replace(store / "store.sqlite3")


def test_the_window_goes_on_in_a_new_store_and_says_so_in_red(store, window):
    seen = {}

    def story(opened):
        yield ready(opened)
        press("J", "Y")
        yield lambda: not opened[0].saver.unsaved
        put_in_place(store)
        press("J", "N")
        yield ready(opened, 2)
        shown = opened[1].window.banners.banner("place")
        seen.update(kind=shown.kind, text=shown.label.text(), tooltip=shown.label.toolTip())
        seen.update(answers=opened[1].session.rating.answers.targets, folder=opened[1].writer.folder)
        press("K", "N")
        yield lambda: not opened[1].saver.unsaved
        seen.update(last=opened[1].session.rating.answers.targets)
        opened[1].window.close()

    window(story)
    (beside,) = moved_stores(store)
    assert seen["folder"] == beside
    assert seen["kind"] == "block"
    assert seen["text"].endswith(f"Nothing is lost: all your answers are in a new store, in which you go on: {beside}")
    assert "replaced" in seen["tooltip"]
    assert seen["answers"] == {"s1": {"factual": "no"}, "s2": {"factual": "yes"}, "s3": {"factual": "no"}}
    assert answers_in(beside) == seen["last"]
    assert answers_in(store) == {"s1": {"factual": "no"}}
    assert examine_store(beside).faults == ()


def test_it_is_noticed_within_seconds_without_another_answer(store, window):
    def story(opened):
        yield ready(opened)
        press("J", "Y")
        yield lambda: not opened[0].saver.unsaved
        assert 0 < opened[0].place.timer.interval() <= 5_000
        store.rename(store.with_name("renamed"))
        opened[0].place.check()
        yield ready(opened, 2)
        opened[1].window.close()

    opened = window(story)
    assert answers_in(opened[1].writer.folder)["s2"] == {"factual": "yes"}


def test_typed_text_is_kept_while_the_window_follows_the_store(store, window):
    seen = {}

    def story(opened):
        yield ready(opened)
        press("Y", "W")
        for letter in "kelp":
            press(letter)
        put_in_place(store)
        press("s")
        opened[0].session.pause_typing()
        yield ready(opened, 2)
        seen.update(opened[1].session.rating.answers.targets["s1"])
        opened[1].window.close()

    opened = window(story)
    assert seen["comment"] == "kelps"
    assert answers_in(opened[1].writer.folder)["s1"]["comment"] == "kelps"


def test_where_no_store_can_be_written_beside_it_nothing_is_called_saved(room, rooms):
    rooms.wait_until_saved(room)
    rooms.press_and_save(room, "N")
    parent = rooms.folder
    parent.rename(parent.with_name(f"{parent.name} renamed"))
    parent.write_text("a file in the place of the folder")
    room.place.check()
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("place") is not None)
    assert room.window.banners.banner("place").kind == "block"
    assert "do not close it" in room.window.banners.text("place")
    assert part(room, "status_saved").text() == "Not saved. Retrying …"
    press_until(rooms.qtbot, lambda: (banner(room, "saving") or "").endswith("beside the store writable."), "J", "Y")
    room.window.close()
    assert room.window.isVisible(), "it is asked first"
    parent.unlink()
    room.saver.try_now()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert answers_in(room.writer.folder) == {"s1": {"factual": "no"}, "s2": {"factual": "yes"}}
    room.place.check()
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("place") is None)


def test_the_stores_are_joined_from_the_banner(store, window):
    seen = {}

    def story(opened):
        yield ready(opened)
        press("J", "Y")
        yield lambda: not opened[0].saver.unsaved
        put_in_place(store)
        press("J", "N")
        yield ready(opened, 2)
        opened[1].window.banners.banner("place").buttons[0].click()
        yield ready(opened, 3)
        yield lambda: opened[2].window.banners.banner("trouble") is not None
        opened[2].window.banners.banner("trouble").buttons[0].click()
        yield lambda: "Added" in (opened[2].window.banners.text("trouble") or "")
        yield lambda: len(opened[2].session.rating.answers.targets) == 3
        seen.update(text=opened[2].window.banners.text("trouble"), folder=opened[2].writer.folder)
        seen.update(answers=opened[2].session.rating.answers.targets)
        opened[2].window.close()

    window(story)
    assert seen["text"] == "The stores are joined. Added: 2 revisions."
    assert seen["folder"] == store
    assert seen["answers"] == {"s1": {"factual": "no"}, "s2": {"factual": "yes"}, "s3": {"factual": "no"}}
    assert answers_in(store) == seen["answers"]
    assert moved_stores(store) == []
    assert examine_store(store).faults == ()


def test_a_store_that_was_moved_in_an_earlier_session_is_offered_at_the_start(store, window):
    moved = shutil.copytree(store, store.with_name("store, moved 2026-11-20 12-00"))
    with writer(moved) as other:
        rate_t2(other, store.parent)
    seen = {}

    def story(opened):
        yield ready(opened)
        yield lambda: opened[0].window.banners.text("trouble") is not None
        seen.update(offer=opened[0].window.banners.text("trouble"))
        opened[0].window.banners.banner("trouble").buttons[0].click()
        yield lambda: "Added" in (opened[0].window.banners.text("trouble") or "")
        seen.update(text=opened[0].window.banners.text("trouble"))
        opened[0].window.close()

    window(story)
    assert seen["offer"].endswith(f"in another store, which was moved out of it: {moved}")
    assert seen["text"] == "The stores are joined. Added: 1 revision."
    assert answers_in(store, "t2") == {"s1": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}}


def rate_t2(store, place):
    save_ratings(store, "bundle", place / "ratings.jsonl", [rating("t2")])


def test_a_folder_that_is_synchronised_is_said_once_with_the_way_out(rooms):
    rooms.folder = rooms.folder / "Dropbox"
    rooms.folder.mkdir()
    room = rooms.with_tasks()
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("place") is not None)
    assert room.window.banners.text("place").startswith("The store is in a folder of Dropbox, which may replace")
    with rooms.qtbot.waitSignal(room.window.hub_wanted):
        room.window.banners.banner("place").buttons[0].click()
    rooms.wait_until_saved(room)
    again = rooms.reopened(room)
    again.place.check()
    rooms.qtbot.waitUntil(lambda: again.jobs.is_idle("net") and again.jobs.is_idle("read"))
    rooms.qtbot.waitUntil(lambda: again.jobs.is_idle("store"))
    assert again.window.banners.text("place") is None
