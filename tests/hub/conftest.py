"""A hub on each kind of server, and one behind a proxy that spoils what passes."""

import hashlib
import os
import shutil

import pytest

from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.interface import SignIn
from tests.hub.dav_servers import open_dav
from tests.hub.folders import hub_in
from tests.hub.grounds import BEHIND_PROXY, KINDS, make_ground
from tests.hub.results import CONTENT
from tests.hub.scripted import Scripted
from tests.hub.servers.apache import PASSWORD, USER


@pytest.fixture(params=[*KINDS, *BEHIND_PROXY])
def ground(request, tmp_path):
    """A place for a hub on each kind of server, with a proxy in between or not."""
    made = make_ground(request.param, request.getfixturevalue, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=BEHIND_PROXY)
def faulty(request, tmp_path):
    """A place for a hub on each kind of server that is reached over a network, behind a proxy."""
    made = make_ground(request.param, request.getfixturevalue, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=["moto-proxy", "rclone-s3-proxy"])
def object_store(request, tmp_path):
    """A place for a hub in an object store, behind a proxy."""
    made = make_ground(request.param, request.getfixturevalue, tmp_path)
    yield made
    made.close()


@pytest.fixture
def on_moto(request, tmp_path):
    """The same on the one that can be told what to answer."""
    made = make_ground("moto-proxy", request.getfixturevalue, tmp_path)
    yield made
    made.close()


@pytest.fixture
def file_of(tmp_path):
    """Makes a file of some bytes: its path and its SHA-256."""
    folder = tmp_path / "sources"
    folder.mkdir()

    def make(content: bytes):
        sha256 = hashlib.sha256(content).hexdigest()
        (folder / sha256).write_bytes(content)
        return folder / sha256, sha256

    return make


@pytest.fixture
def root(tmp_path):
    """The folder of a hub in a folder."""
    folder = tmp_path / "hub"
    folder.mkdir()
    return folder


@pytest.fixture
def hub(root):
    """A hub in a folder."""
    return hub_in(root)


@pytest.fixture
def serving():
    """Starts a scripted server, and opens a hub on it."""
    opened = []

    def start(answer, **given):
        server = Scripted(answer)
        hub = open_dav(f"webdav://127.0.0.1:{server.port}/dav", **given)
        opened.extend((hub, server))
        return server, hub

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def source(tmp_path):
    """The file that is sent."""
    path = tmp_path / "content"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def on_apache(apache, request):
    """A folder of an Apache that is this test's alone, and a way to open a hub there."""
    name = f"webdav-{os.getpid()}-{hashlib.sha256(request.node.name.encode()).hexdigest()[:8]}"
    folder = apache.files / name
    opened = []

    def start(client="client00"):
        opened.append(open_dav(apache.url(name), SignIn(USER, Secret(PASSWORD)), client=client))
        return opened[-1]

    yield folder, start
    for one in opened:
        one.close()
    shutil.rmtree(folder, ignore_errors=True)
