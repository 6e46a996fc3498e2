"""A password goes where it has to and nowhere else: a whole run is searched for it."""

import gzip
import os
import subprocess
import sys
import zipfile
from base64 import b64encode
from urllib.parse import quote

import pytest

from tests.hub.canaries import Canary, Watch
from tests.hub.servers.fault_proxy import LOGIN_PAGE, Fault, FaultProxy, always
from tests.operations.bundles import make, rating, task, write_lines

CANARY = Canary("lena", "canary/K7x+Q 9z&w=3")
WRONG = Canary("lena", "canary/that is+wrong:8=1")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at by /proc")


def test_a_canary_is_found_wherever_it_is(tmp_path):
    """So that finding none means something."""
    assert CANARY.is_in(f"x{CANARY.text}y")
    assert CANARY.is_in(b64encode(f"{CANARY.user}:{CANARY.text}".encode()))
    assert CANARY.is_in(f"https://host/?token={quote(CANARY.text, safe='')}")
    (tmp_path / "page.gz").write_bytes(gzip.compress(CANARY.text.encode()))
    with zipfile.ZipFile(tmp_path / "some.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("inside", CANARY.text * 40)
    assert len(CANARY.in_files(tmp_path)) == 2
    with Watch() as watch, subprocess.Popen([sys.executable, "-c", "input()", CANARY.text], stdin=-1) as child:
        while child.pid not in watch.lines:
            watch.look()
        child.communicate(b"\n")
    assert CANARY.is_in(watch.lines[child.pid])


class Commands:
    """The program run as a script does, each time as a process; all that it says is kept."""

    def __init__(self, folder, url):
        self.folder, self.url = folder, url
        self.said = []

    def __call__(self, *words, password=CANARY.text, store="store", **more):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "DESKTOP_RATER_TRACEBACK": "1",
            "DESKTOP_RATER_HUB_USER": CANARY.user,
            **({"DESKTOP_RATER_HUB_PASSWORD": password} if password else {}),
        }
        line = [sys.executable, "-m", "desktop_rater", "--store", str(self.folder / store), *map(str, words)]
        done = subprocess.run(line, cwd=self.folder, env=environment, capture_output=True, check=False, **more)
        self.said += [done.stdout, done.stderr]
        return done.returncode


@pytest.fixture(params=["apache", "moto"])
def served(request):
    """A server behind something that notes what it is asked, and what of its own files may be searched."""
    if request.param == "apache":
        apache = request.getfixturevalue("own_apache")(users={CANARY.user: CANARY.text})
        with FaultProxy(apache.port) as proxy:
            yield proxy, f"webdav://127.0.0.1:{proxy.port}/dav/kelp", [apache.files]
    else:
        moto = request.getfixturevalue("moto")
        moto.make_bucket("canary")
        with FaultProxy(moto.process.port) as proxy:
            yield proxy, f"s3://canary/kelp?endpoint=http://127.0.0.1:{proxy.port}&region=eu-central-1", []


def test_a_run_of_commands_leaves_no_password_behind(served, tmp_path):
    """Set up, publish, sync, collect; then a wrong password, a sign-in page and a redirect."""
    proxy, url, files = served
    bundle = make(tmp_path / "kelp.zip", [task("t1")])
    lines = write_lines(tmp_path / "ratings.jsonl", [rating("t1")])
    run = Commands(tmp_path, url)
    loopback = "--allow-loopback"
    with Watch() as watch:
        assert run("hub", "init", url, "--project", "kelp", loopback) == 0
        assert run("hub", "probe", url, loopback) in {0, 1}
        assert run("hub", "publish", url, bundle, "--to", "ana", loopback) == 0
        assert run("sync", url, "--rater", "ana", loopback) == 0
        assert run("rate", "kelp", "--from", lines, "--rater", "ana") == 0
        assert run("sync", "--rater", "ana", "--json", loopback) == 0
        assert run("hub", "collect", url, "--out", "collected", loopback) == 0
        assert run("export", "kelp", "--rater", "ana", "--out", "results.zip") == 0
        trouble = (
            LOGIN_PAGE,
            Fault(status=302, headers=(("Location", "https://elsewhere.example/?a=b"),)),
            Fault(status=401),
        )
        for one in trouble:
            proxy.rule = always(one)
            assert run("sync", "--rater", "ana", loopback, password=WRONG.text) == 2
        proxy.rule = None
        assert run("hub", "sign-in", url, "--user", CANARY.user, password="", input=CANARY.text.encode()) in {0, 2}
        assert run("doctor") == 0
    assert proxy.count() > 30
    for canary in (CANARY, WRONG):
        assert canary.in_requests(proxy.requests, but="authorization") == []
        assert canary.in_files(tmp_path, *files) == []
        assert not any(canary.is_in(said) for said in run.said)
        assert not any(canary.is_in(line) for line in watch.lines.values())
    if url.startswith("s3:"):  # what is signed is not sent: not even in its own header
        assert CANARY.in_requests(proxy.requests, but="") == []
    else:
        assert CANARY.in_requests(proxy.requests, but=""), "else nothing was looked at"
