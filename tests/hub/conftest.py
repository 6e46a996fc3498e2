"""A hub on each kind of server, and one behind a proxy that spoils what passes."""

from __future__ import annotations

import hashlib

import pytest

from tests.hub.grounds import BEHIND_PROXY, KINDS, make_ground


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
