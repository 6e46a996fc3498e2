"""A reader that is warm, for all tests of a process: its child takes a second to start."""

from __future__ import annotations

import pytest

from desktop_rater.web.read import Reader


@pytest.fixture(scope="session")
def reader():
    reader = Reader()
    yield reader
    reader.close()
