"""Peers are measured in turn with ours, by a client that is a signed-in user; no server outlives its block."""

import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import msgspec
import pytest

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from bench.child import Ran
from bench.figures import Figure, ServerMissing, figure
from bench.peers import __main__ as bench
from bench.peers import page, peer
from bench.peers.client import Client, RefusedRequest
from bench.peers.doccano import Doccano
from bench.peers.label_studio import LabelStudio
from bench.peers.ours import TurnTimes, one_target
from bench.peers.potato import Potato
from bench.process_group import ProcessGroup, group_memory
from bench.workload import Workload, tasks


class Site(BaseHTTPRequestHandler):
    """Signs in by a form, and greets only who is signed in."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(302, b"", {"Set-Cookie": "session=anna; Path=/", "Location": "/task"})

    def do_GET(self):
        signed_in = self.headers["Cookie"] == "session=anna"
        self.answer(200 if signed_in else 403, b'{"task": 1}' if signed_in else b"who are you?", {})

    def answer(self, status, body, headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):  # noqa: A002
        """Be silent."""


def test_a_user_signs_in_by_a_form_and_stays_signed_in():
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = Client(server.server_port)
        with pytest.raises(RefusedRequest, match="403.*who are you") as refused:
            client.get("/task")
        assert refused.value.status == 403
        assert client.submit("/login", {"user": "anna"}).json == {"task": 1}
        answer = client.get("/task")
        assert answer.json == {"task": 1}
        assert answer.seconds > 0
        client.close()
        server.shutdown()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_group_ends_with_all_its_children(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = "import signal, sys; out = open(sys.argv[1], 'w'); out.write('here'); out.flush(); signal.pause()"
    family = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}, sys.argv[1]])"
    command = [sys.executable, "-c", family, str(pipe)]
    with ProcessGroup(command, tmp_path, {}, tmp_path / "log") as group:
        reader = pipe.open()  # waits until the child has opened it
        assert reader.read(4) == "here"
        if sys.platform == "linux":
            assert group_memory(group.process.pid) > group_memory(os.getpid()) / 1_000
    assert reader.read() == "", "the child has ended, and so has its end of the pipe"
    reader.close()
    assert group.process.poll() is not None


def test_a_peer_that_cannot_be_installed_is_skipped(tmp_path, monkeypatch):
    def fail(command, **_options):
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(ServerMissing, match="Potato could not be installed"):
        peer.environment_of(Potato, tmp_path)


@pytest.mark.parametrize("kind", [LabelStudio, Doccano, Potato])
def test_each_peer_is_measured_in_one_version(kind, tmp_path):
    version = kind(tmp_path, tmp_path / "data").version
    assert version.replace(".", "").isdecimal()
    lines = (peer.REQUIREMENTS / f"{kind.name}.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if "==" not in line] == []


class QuickPeer:
    """Offers everything but an import, each in two seconds."""

    megabytes = 200.0

    def __init__(self, calls):
        self.calls = calls

    def __getattr__(self, name):
        answers = {"turn": peer.Turn(1.0, 1.0), "prepare": None, "stop": None, "import_tasks": None}

        def answer(*_words):
            self.calls.append(f"their {name}")
            return answers.get(name, 2.0)

        return answer


class QuickOurs:
    """Does the same, each in one second."""

    labels = (["accurate"] * 3,)

    def __init__(self, calls):
        self.calls = calls

    def __getattr__(self, name):
        def answer(*_words):
            self.calls.append(f"our {name}")
            times = TurnTimes([0.5], [0.5], [1.0])
            return 1.0 if name == "start" else Ran(1.0, 1.0, 100.0, msgspec.to_builtins(times))

        return answer


def test_both_sides_are_measured_in_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "_PAUSE", 0)
    calls: list[str] = []
    theirs: Any = QuickPeer(calls)
    ours: Any = QuickOurs(calls)
    samples = bench.measure(theirs, ours, Workload(tmp_path, 12))
    for name in ("start", "export", "agreement"):
        turns = [call for call in calls if call.endswith(f" {name}")]
        assert turns == [f"their {name}", f"our {name}"] * (len(turns) // 2)
    assert "import" not in samples, "the peer has none"
    ratios = {name: figure(pairs, "median", "ratio").result for name, pairs in samples.items()}
    assert set(ratios) == page.ROWS.keys() - {"import"}
    assert set(ratios.values()) == {2.0}


def test_a_task_that_gets_one_label_has_its_first_sentence_as_target():
    (task,) = tasks(1)
    (target,) = one_target(task)["targets"]
    assert task["responses"][0]["text"][target["start"] : target["end"]] == target["quote"]
    assert target["quote"].endswith(".")


def ratio(result, low, high):
    return Figure(value=result, floor=1.0, result=result, low=low, high=high, samples=7)


def test_the_page_says_what_a_peer_does_better_only_where_the_whole_interval_is_below_one(tmp_path):
    figures = {"start": ratio(4, 3.5, 4.25), "import": ratio(0.5, 0.4, 0.6), "turn": ratio(0.9, 0.7, 1.1)}
    given = page.PeerFigures(title="Other", version="2.1", figures=figures, others=0.05)
    run = page.Comparison(moment="2026-11-23", tasks=10_000, peers=[given])
    performance, readme = tmp_path / "performance.md", tmp_path / "README.md"
    for path in (performance, readme):
        path.write_text("before\n<!-- begin of the peers -->\nold\n<!-- end of the peers -->\nafter\n")
    page.write_pages(run, performance, readme)
    text = performance.read_text("utf-8")
    assert "| start until the first task is there | s | 1.0 | 4.0: 4.00 × (3.50 – 4.25) |" in text
    assert "| search, first page | ms | – | – |" in text
    assert "Other needs less than ours for: the import 0.50 × (0.40 – 0.60).\n" in text
    assert "old" not in text
    row = "| Other 2.1 | 4.00 × (3.50 – 4.25) | 0.90 × (0.70 – 1.10) | – | the import 0.50 × (0.40 – 0.60) |"
    assert row in readme.read_text("utf-8").splitlines()
    with pytest.raises(ValueError, match="needs 10,000"):
        page.write_pages(msgspec.structs.replace(run, tasks=1_000), performance, readme)
    readme.write_text("no markers")
    with pytest.raises(ValueError, match="no place for the peers"):
        page.write_pages(run, performance, readme)
