"""A store with a bundle, and pages from a server of the test."""

import time
from datetime import timedelta

import pytest

from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import Web
from tests.pages.servers import HostileServer

from .audited import Desk
from .bundles import NOON, make, take_in, task, writer
from .desk_hubs import folder_hub
from .hubs import Laptop, Team
from .sending_back import TwoLaptops


class Clock:
    """A time that a test sets."""

    def __init__(self):
        self.minutes = 0

    def __call__(self):
        return NOON + timedelta(minutes=self.minutes)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="module")
def shared_web():
    """One process that reads pages, for all tests; `now` is replaced by each."""
    with Web(Guard(allow_loopback=True), WebLimits(), time.monotonic, lambda: NOON) as web:
        yield web


@pytest.fixture
def web(shared_web, clock, monkeypatch):
    monkeypatch.setattr(shared_web, "_now", clock)
    return shared_web


@pytest.fixture
def server():
    server = HostileServer()
    yield server
    server.close()


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
        yield store


@pytest.fixture
def place(tmp_path):
    """Three tasks at a rater's, and a lead who has nothing yet."""
    with writer(tmp_path / "rater") as rater, writer(tmp_path / "lead") as lead:
        take_in(rater, make(tmp_path / "b.zip", [task("t-1"), task("t-2", "Hello.", "Goodbye."), task("t-3")]))
        yield TwoLaptops(tmp_path, rater, lead)


@pytest.fixture
def team(tmp_path):
    """A hub in a folder."""
    return Team.in_folder(tmp_path / "hub")


@pytest.fixture
def laptop(tmp_path, team):
    """A rater's, connected to it."""
    laptop = Laptop(tmp_path / "laptop", "r-17", team)
    yield laptop
    laptop.close()


@pytest.fixture
def desk(tmp_path, results):
    desk = Desk(tmp_path, results)
    with desk.store:
        yield desk


@pytest.fixture
def hub(tmp_path):
    return folder_hub(tmp_path / "hub")
