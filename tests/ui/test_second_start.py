"""The program is started again, or a file is double-clicked: the window that is open takes it over."""

import base64
import json
import os
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop_rater import __main__, app
from desktop_rater.app import open_desktop_window
from desktop_rater.cli.frame import hand_over
from desktop_rater.cli.root import main
from desktop_rater.format.opened_files import ACCEPTED, MOST_BYTES, REFUSED, request_to_open
from desktop_rater.paths import window_socket
from desktop_rater.ui.window.window_requests import WindowRequests
from tests.operations.bundles import RATER, make, noon, task

POSIX = pytest.mark.posix("sockets and rights of POSIX")


@pytest.fixture(autouse=True)
def runtime_folder(monkeypatch):
    """A folder for the sockets of a test; their paths may not be as long as those of other files of a test."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield


@pytest.fixture
def kelp(tmp_path):
    return make(tmp_path / "kelp.rater", [task("t1"), task("t2")])


@pytest.fixture
def running(rooms, qapp):
    """A window without bundles to which other starts can talk."""
    room = rooms.empty()
    requests = WindowRequests(rooms.folder / "store", qapp)
    assert requests.listen()
    requests.serve(room.window, room.window.open_files)
    yield room
    requests.close()


@pytest.fixture
def elsewhere(qtbot):
    """Run a function as another process would, while the window handles events; return its result."""
    with ThreadPoolExecutor(1) as pool:

        def run(function, *arguments):
            result = pool.submit(function, *arguments)
            qtbot.waitUntil(result.done)
            return result.result()

        yield run


@POSIX
def test_a_second_start_brings_the_window_to_the_front_and_imports_its_files(
    running, rooms, elsewhere, kelp, monkeypatch
):
    running.window.showMinimized()
    monkeypatch.setattr(sys, "argv", ["desktop-rater", "--store", str(rooms.folder / "store"), str(kelp)])
    assert elsewhere(__main__.main) == 0
    rooms.wait_for_task(running, "t1")
    assert running.window.banners.text("transfer").startswith("kelp.rater: imported 2 tasks")
    assert not running.window.isMinimized()
    running.window.showMinimized()
    monkeypatch.setattr(sys, "argv", ["desktop-rater", "--store", str(rooms.folder / "store")])
    assert elsewhere(__main__.main) == 0
    assert not running.window.isMinimized()
    assert not elsewhere(hand_over, rooms.folder / "other"), "another store has a window of its own"


@POSIX
def test_a_file_opened_while_the_window_is_still_starting_reaches_it(rooms, qapp, kelp):
    """The window has the store already, but nobody answers yet when the second program starts."""
    room = rooms.empty()
    store = rooms.folder / "store"
    words = [sys.executable, "-m", "desktop_rater", "--store", str(store), str(kelp)]
    log = store / "desktop-rater.log"
    with subprocess.Popen(words, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}) as second:
        rooms.qtbot.waitUntil(
            lambda: log.is_file() and "the store is read-only" in log.read_text("utf-8"), timeout=60_000
        )
        requests = WindowRequests(store, qapp)
        assert requests.listen()
        requests.serve(room.window, room.window.open_files)
        rooms.wait_for_task(room, "t1")
        rooms.qtbot.waitUntil(lambda: second.poll() is not None, timeout=60_000)
        requests.close()
    assert second.returncode == 0


@POSIX
def test_what_a_crashed_program_left_is_taken_over(rooms, qapp, elsewhere, tmp_path):
    store = tmp_path / "store"
    path = window_socket(store)
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as crashed:
        crashed.bind(str(path))
    assert not hand_over(store)
    requests, second = WindowRequests(store, qapp), WindowRequests(store, qapp)
    assert requests.listen()
    assert not second.listen(), "the first one does"
    second.close()
    assert elsewhere(hand_over, store)
    requests.close()
    assert not path.exists()
    assert not hand_over(store)


@POSIX
def test_a_socket_that_others_can_have_made_is_not_trusted(running, rooms, elsewhere):
    store = rooms.folder / "store"
    folder = window_socket(store).parent
    folder.chmod(0o777)
    assert not elsewhere(hand_over, store)
    folder.chmod(0o700)
    assert elsewhere(hand_over, store)
    if os.geteuid() == 0:
        os.chown(window_socket(store), 65534, 65534)
        assert not elsewhere(hand_over, store)


@POSIX
def test_a_file_with_a_name_that_is_no_text_is_opened_in_the_window(running, rooms, elsewhere, kelp):
    named = Path(os.fsdecode(os.fsencode(kelp).replace(b"kelp.rater", b"bl\xe4tter.rater")))
    kelp.rename(named)
    assert elsewhere(hand_over, rooms.folder / "store", [named])
    rooms.wait_for_task(running, "t1")
    assert "imported 2 tasks" in running.window.banners.text("transfer")


@POSIX
def test_files_wait_for_the_next_window_while_a_store_is_recovered(rooms, qapp, elsewhere, kelp):
    """The window that was closed for it must not come back: its store is closed."""
    room, store = rooms.empty(), rooms.folder / "store"
    requests = WindowRequests(store, qapp)
    assert requests.listen()
    requests.serve(room.window, room.window.open_files)
    room.window.hide()
    assert elsewhere(hand_over, store, [kelp])
    assert not room.window.isVisible()
    assert not room.transfer.is_running
    room.window.show()
    requests.serve(room.window, room.window.open_files)
    rooms.wait_for_task(room, "t1")
    requests.close()


@POSIX
def test_a_second_start_does_not_wait_until_its_files_are_open(running, rooms, qapp, kelp):
    """Else it takes a window that is busy for one that is gone, and opens the file again in its own."""
    answers = []

    def open_slowly(_paths):
        connection.setblocking(False)
        answers.append(connection.recv(64))

    requests = WindowRequests(rooms.folder / "other", qapp)
    assert requests.listen()
    requests.serve(running.window, open_slowly)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(window_socket(rooms.folder / "other")))
        connection.sendall(request_to_open(rooms.folder / "other", [kelp]).encoded())
        rooms.qtbot.waitUntil(lambda: bool(answers))
    requests.close()
    assert answers == [ACCEPTED]


def encoded(path):
    """A path as it is in a message."""
    return base64.b64encode(os.fsencode(path)).decode()


@POSIX
def test_a_message_that_is_none_is_refused(running, rooms, elsewhere, kelp, tmp_path):
    store = encoded(rooms.folder / "store")
    (tmp_path / "notes.txt").write_text("kelp")

    def send(message):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(str(window_socket(rooms.folder / "store")))
            try:
                connection.sendall(message)
                return connection.recv(64)
            except (BrokenPipeError, ConnectionResetError):
                return b""

    assert elsewhere(send, json.dumps({"store": store}).encode() + b"\n") == ACCEPTED
    for wrong in (
        {"store": encoded("/elsewhere"), "files": [encoded(kelp)]},
        {"store": store, "files": [encoded(tmp_path / "notes.txt")]},
        {"store": store, "files": [encoded("kelp.rater")]},
        {"store": store, "files": [encoded("/kelp\0.rater")]},
        {"store": store, "files": [encoded(kelp)], "command": "import"},
        {"store": store, "files": encoded(kelp)},
        {"store": store, "files": [str(kelp)]},
        [store],
    ):
        assert elsewhere(send, json.dumps(wrong).encode() + b"\n") == REFUSED, wrong
    assert elsewhere(send, b"not JSON\n") == REFUSED
    assert elsewhere(send, b"x" * (MOST_BYTES + 2)) == b"", "no line is that long"
    assert not running.transfer.is_running
    assert running.window.is_empty


def test_files_that_the_desktop_opens_wait_for_the_window(rooms, qapp, kelp):
    """macOS sends them to the application, also before there is a window."""
    QCoreApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(kelp))))
    requests = WindowRequests(rooms.folder / "store", qapp)
    qapp.open_files_by(requests.open_files)
    room = rooms.empty()
    requests.serve(room.window, room.window.open_files)
    rooms.wait_for_task(room, "t1")
    other = make(rooms.folder / "other.zip", [task("t9")])
    QCoreApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(other))))
    rooms.wait_for_task(room, "t9")
    qapp.open_files_by(lambda _paths: None)


def test_the_window_as_the_desktop_starts_it_has_files_an_icon_and_a_log(rooms, qapp, kelp, tmp_path, monkeypatch):
    """`open_desktop_window` with the event loop of the test."""
    built = []
    build = app.build_application

    def remembered(*args, **named):
        built.append(build(*args, **named | {"rater": RATER}))  # ty: ignore[invalid-argument-type]
        return built[-1]

    def exec_(_app=None):
        (room,) = built
        rooms.wait_for_task(room, "t1")
        rooms.qtbot.waitUntil(window_socket(tmp_path / "store").exists)
        sizes = {size.width() for size in QApplication.windowIcon().availableSizes()}
        assert {16, 24, 48, 256} <= sizes
        room.transfer.import_bundle(tmp_path / "missing-Ada.rater")
        rooms.qtbot.waitUntil(lambda: room.window.banners.text("trouble") is not None)
        room.perform.crashed.emit(ValueError("Paris is the capital of France."))
        room.window.close()
        rooms.qtbot.waitUntil(lambda: not room.window.isVisible())
        return 0

    monkeypatch.setattr(app, "build_application", remembered)
    monkeypatch.setattr(type(qapp), "exec", exec_)
    assert open_desktop_window(tmp_path / "store", [kelp], now=noon) == 0
    assert not window_socket(tmp_path / "store").exists()
    log = tmp_path / "store" / "desktop-rater.log"
    text = log.read_text("utf-8")
    events = [line.split(" ", 1)[1] for line in text.splitlines() if not line.startswith(" ")]
    assert [event.partition(": ")[0] for event in events] == ["start", "import", "error", "crash", "end"]
    assert events[1] == "import: bundle imported, 2 tasks, 0 left out"
    assert "BundleError" in events[2]
    assert events[3] == "crash: ValueError"
    assert not [word for word in ("kelp", "Ada", "Paris", RATER, str(tmp_path)) if word in text]
    if sys.platform != "win32":
        assert log.stat().st_mode & 0o077 == 0


def test_what_is_neither_a_command_nor_a_file_to_open_is_refused(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("kelp")
    for word, why in (
        ("statsu", "No such command 'statsu', and no such file."),
        ("kelp.rater", "No such command 'kelp.rater', and no such file."),
        (f"{'k' * 300}.rater", "and no such file."),
        (f"{'k' * 300}/kelp.rater", "and no such file."),
        (str(tmp_path / "notes.txt"), "notes.txt can't be opened."),
    ):
        assert main(["--store", str(tmp_path / "store"), word]) == 2
        assert why in capsys.readouterr().err


def test_a_word_that_names_no_file_is_explained_before_the_commands_are_loaded(tmp_path):
    """In a process of its own: what is read first decides whether the window's frame is painted."""
    for words in ([f"{'k' * 300}.rater"], ["--", f"{'k' * 300}.rater"], ["--", "--kelp"]):
        command = [sys.executable, "-m", "desktop_rater", "--store", str(tmp_path / "store"), *words]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
        assert ended.returncode == 2, ended.stderr
        assert "and no such file." in ended.stderr


@POSIX
def test_after_two_hyphens_a_file_may_be_called_like_an_option(running, rooms, elsewhere, kelp, monkeypatch):
    kelp.rename(rooms.folder / "-kelp.rater")
    monkeypatch.chdir(rooms.folder)
    monkeypatch.setattr(sys, "argv", ["desktop-rater", "--store", str(rooms.folder / "store"), "--", "-kelp.rater"])
    assert elsewhere(__main__.main) == 0
    rooms.wait_for_task(running, "t1")
