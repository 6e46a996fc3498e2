"""A reader that is warm, for all tests of a process: its child takes a second to start."""

from __future__ import annotations

import pytest

from desktop_rater.web.page_reader import PageReader


@pytest.fixture(scope="session")
def reader():
    reader = PageReader()
    yield reader
    reader.close()
