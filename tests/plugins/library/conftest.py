"""A store for libraries, and the process that reads their documents."""

import time
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.values import utc_now
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
from desktop_rater.plugins.library.sources import kind_of_paths


@pytest.fixture(scope="session")
def web():
    with Web(Guard(), WEB_LIMITS, time.monotonic, utc_now) as web:
        yield web


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


@pytest.fixture
def add(store, web):
    """Add a library of files and folders."""

    def add(name: str, *paths: Path, progress: Progress | None = None, **more: Any) -> Library:
        sources = tuple(map(str, paths))
        library = Library(id="", name=name, kind=kind_of_paths(paths), sources=sources, **more)
        return add_library(store, library, web, progress or Progress())

    return add
