"""The child that reads pages: slow, dead, greedy or curious, it harms neither the window nor the next page."""

import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.pages.page_reader import CHILD_READY, PageReader
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.sandbox import MACHINES
from tests.pages.reading_pages import answer, read

pytestmark = pytest.mark.slow

SHUT_IN = Path(__file__).parent / "shut_in_child.py"


READY_FRAME = len(CHILD_READY).to_bytes(4, "big") + CHILD_READY


def child_that(does, *, before="pass"):
    """A reader whose child runs some Python instead of reading pages, and some `before` it says that it is ready."""
    ready = f"sys.stdout.buffer.write({READY_FRAME!r}); sys.stdout.flush()"
    return [sys.executable, "-c", f"import sys, time; {before}; {ready}; {does}"]


def memory_of(process):
    """Bytes, as RLIMIT_AS counts them."""
    said = Path(f"/proc/{process}/status").read_text("utf-8")
    return 1024 * next(int(line.split()[1]) for line in said.splitlines() if line.startswith("VmSize:"))


@pytest.fixture
def own(request):
    """A reader whose child a test may spoil."""
    readers = []

    def made(command=None, **limits):
        readers.append(PageReader(replace(WEB_LIMITS, **limits), command))
        return readers[-1]

    yield made
    for reader in readers:
        reader.close()


def test_a_page_that_takes_too_long_is_given_up_and_its_child_ended(own):
    reader = own(child_that("time.sleep(600)"), parse_seconds=0.3)
    page = read(reader, "<p>Hello")

    assert page.state == "broken"
    assert "0.3 s" in page.why
    assert not reader.child


def test_the_time_that_a_child_takes_to_start_is_none_of_a_page(own):
    starts = "import time; time.sleep(4); from desktop_rater.pages import child; child.main()"
    page = read(own([sys.executable, "-c", starts, str(1 << 30)], parse_seconds=4), "<p>Hello")

    assert page.text == "Hello", page.why


@pytest.mark.parametrize(
    "before", ["time.sleep(600)", "sys.exit(3)", "sys.stdout.buffer.write(bytes([0, 0, 0, 1, 0]))"]
)
def test_a_child_that_does_not_start_ends_in_a_message(own, before):
    page = read(own(child_that("time.sleep(600)", before=before), start_seconds=3), "<p>Hello")

    assert (page.state, "failed" in page.why) == ("broken", True)


def test_cancelling_ends_a_child_that_hangs(own):
    reader = own(child_that("time.sleep(600)"), parse_seconds=600)
    started = threading.Event()
    progress = Progress(lambda _done, _total: started.set())
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(reader.read, answer(b"<p>Hello"), progress=progress)
        assert started.wait(30)
        progress.stop()

        with pytest.raises(Cancelled):
            page.result(30)
    assert not reader.child


def test_cancelling_also_ends_the_wait_behind_another_page(own):
    reader = own(child_that("time.sleep(600)"), parse_seconds=600)
    reading, waiting = threading.Event(), threading.Event()
    first = Progress(lambda _done, _total: reading.set())
    second = Progress(lambda _done, _total: waiting.set())
    with ThreadPoolExecutor(2) as pool:
        pages = [pool.submit(reader.read, answer(b"<p>One"), progress=first)]
        assert reading.wait(30)
        pages.append(pool.submit(reader.read, answer(b"<p>Two"), progress=second))
        assert waiting.wait(30)
        second.stop()
        with pytest.raises(Cancelled):
            pages[1].result(30)

        assert not pages[0].done()
        first.stop()


def test_closing_does_not_wait_for_a_page_that_hangs(own):
    reader = own(child_that("time.sleep(600)"), parse_seconds=600)
    reading = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(reader.read, answer(b"<p>Hello"), progress=Progress(lambda _done, _total: reading.set()))
        assert reading.wait(30)
        reader.close()

        assert page.result(30).state == "broken"


@pytest.mark.parametrize(
    "does",
    [
        "sys.exit(3)",
        "sys.stdin.buffer.read(4); sys.exit(3)",
        "sys.stdout.buffer.write(b'junk'); sys.exit()",
        "sys.stdout.buffer.write(bytes([0, 0, 0, 4]) + b'junk')",
        "sys.stdout.buffer.write(bytes([255, 255, 255, 255]))",
        "sys.stdout.buffer.write(bytes([0, 0, 0, 9]) + b'abc')",
        "sys.stdout.buffer.write(bytes([0, 0, 0, 1]) + bytes([0x80]))",
    ],
)
def test_a_child_that_dies_or_talks_nonsense_ends_in_a_message(own, does):
    page = read(own(child_that(does)), "<p>Hello" + "x" * 300_000)

    assert page.state == "broken"
    assert page.why


@pytest.mark.posix("Windows has no signals to send to a process")
def test_after_a_child_was_killed_the_next_page_has_another(own):
    reader = own()
    assert read(reader, "<p>One").text == "One"
    before = reader.child
    os.kill(before, signal.SIGKILL)

    assert {read(reader, "<p>Two").text, read(reader, "<p>Three").text} - {""} >= {"Three"}
    assert reader.child != before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_a_page_that_takes_too_much_memory_ends_in_a_message_and_the_next_is_read(own):
    warm = own()
    assert read(warm, "<p>Warm").shows
    reader = own(child_bytes=memory_of(warm.child) + (16 << 20))
    assert read(reader, "<p>Before").text == "Before"

    page = read(reader, "".join(f"<p><b><a href=/{number}>{number}</a></b>" for number in range(6_600)))

    assert (page.state, page.text) == ("broken", "")
    assert "memory" in page.why
    assert read(reader, "<p>After").text == "After"


def test_four_threads_each_get_their_own_page(reader):
    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(lambda number: read(reader, f"<p>Page {number}"), range(24)))

    assert [page.text for page in pages] == [f"Page {number}" for number in range(24)]


def test_a_closed_reader_has_no_child_and_reads_again_when_asked(own):
    reader = own()
    reader.warm_up()
    assert reader.child
    reader.close()
    assert not reader.child

    assert read(reader, "<p>Again").text == "Again"


@pytest.mark.posix("Windows has no resource limits")
def test_the_child_opens_no_file_no_connection_and_no_program(tmp_path):
    file = tmp_path / "secret.xml"
    file.write_text("<secret/>", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        arguments = [sys.executable, str(SHUT_IN), str(file), str(listening.getsockname()[1])]
        free, shut_in, limited = (
            subprocess.run([*arguments, how], capture_output=True, text=True, check=True, timeout=120).stdout
            for how in ("free", "shut in", "limits only")
        )

    ways = set(free.splitlines())
    assert ways >= {"open", "descriptor", "lxml", "libc", "write", "socket", "program", "import", "thread", "kill"}
    assert ways >= {"close and open", "close and connect", "close and duplicate", "fork and exec"}
    # Threads and signals need a filter of system calls, which only Linux has, and not on every machine.
    assert set(shut_in.splitlines()) <= set(limited.splitlines()) <= {"thread", "kill", "ptrace"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux filters system calls")
def test_the_child_filters_system_calls_and_then_reads_pages_of_every_kind(own, tmp_path):
    reader = own()
    assert read(reader, "<p>Hello").text == "Hello"
    status = Path(f"/proc/{reader.child}/status").read_text("utf-8")
    if os.uname().machine not in MACHINES:
        pytest.skip("no table of system calls for this machine")
    if "Seccomp:" not in status:
        pytest.skip("this kernel has no filter of system calls")
    assert "Seccomp:\t2" in status
    assert "NoNewPrivs:\t1" in status
    done = subprocess.run(
        [sys.executable, str(SHUT_IN), str(tmp_path), "9", "shut in"], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


def test_neither_the_parent_nor_the_window_loads_what_parses_pages():
    script = """
import sys
import desktop_rater.app, desktop_rater.ui.pages.preview_pane, desktop_rater.pages.web_client
from desktop_rater.pages.page_reader import PageReader
from tests.pages.reading_pages import read
reader = PageReader()
assert read(reader, "<p>Hello").text == "Hello"
reader.close()
print({"lxml", "bs4", "trafilatura", "nh3", "pypdf", "justext"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )

    assert done.stdout.strip() == "set()"


def test_the_packaged_program_starts_itself_as_the_child(own):
    program = [sys.executable, "-m", "desktop_rater", "read-pages", str(1 << 30)]

    assert read(own(program), "<p>Hello").text == "Hello"
