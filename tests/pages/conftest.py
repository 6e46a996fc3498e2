"""A server of the test, and a reader that is warm, for all tests of a process: its child takes a second to start."""

import pytest
from msgspec.structs import replace

from desktop_rater.pages.page_reader import PageReader
from desktop_rater.pages.response import WEB_LIMITS
from tests.pages.servers import HostileServer

PATIENCE = 300  # seconds: a busy machine is no failure


@pytest.fixture(scope="session")
def reader():
    reader = PageReader(replace(WEB_LIMITS, parse_seconds=PATIENCE, start_seconds=PATIENCE))
    yield reader
    reader.close()


@pytest.fixture
def server():
    with HostileServer() as server:
        yield server
