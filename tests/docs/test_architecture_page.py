"""The page on the architecture names modules that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import desktop_rater
from tests.docs import pages

CODE = Path(desktop_rater.__file__).parent
PAGE = pages.text("architecture.md")
ROOMS = sorted(path.name for path in CODE.iterdir() if (path / "__init__.py").is_file())
HUB_ROWS = re.findall(r"^\| `(hub|store|work|ui/hub)` \| (`.*?`) \|", PAGE, re.MULTILINE)


def modules(room):
    return {path.stem for path in (CODE / room).glob("*.py")} - {"__init__"}


def test_each_module_that_it_names_is_there():
    named = set(re.findall(rf"`((?:{'|'.join(ROOMS)})\.[a-z_0-9]+)[.`]", PAGE))
    assert len(named) > 100
    there = {one for one in named if (CODE / one.replace(".", "/")).with_suffix(".py").is_file()}
    folders = {one for one in named if (CODE / one.replace(".", "/")).is_dir()}
    assert named - there - folders == {"hub.json", "store.sqlite3"}, "but for these two, which are files"


@pytest.mark.parametrize("room", ["hub", "ui/hub"])
def test_each_module_around_hubs_has_its_row(room):
    listed = [name for place, names in HUB_ROWS if place == room for name in re.findall(r"`(\w+)`", names)]
    assert sorted(listed) == sorted(modules(room))


@pytest.mark.parametrize(("room", "names"), HUB_ROWS)
def test_each_row_tells_of_modules_that_are_there(room, names):
    assert set(re.findall(r"`(\w+)`", names)) <= modules(room)
