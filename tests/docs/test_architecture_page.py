"""The page on the architecture names modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import desktop_rater
from tests.docs import pages

CODE = Path(desktop_rater.__file__).parent
PAGE = pages.text("architecture.md")
PACKAGES = sorted(path.name for path in CODE.iterdir() if (path / "__init__.py").is_file())
MOST_WORDS = 2_500


def module_of(name):
    """Return the module or package that a dotted name begins with."""
    parts = name.split(".")
    for count in range(len(parts), 1, -1):
        path = CODE.joinpath(*parts[:count])
        if path.with_suffix(".py").is_file() or path.is_dir():
            return path
    return None


def test_each_module_that_it_names_exists():
    named = set(re.findall(rf"(?<![-\w])((?:{'|'.join(PACKAGES)})\.[a-z_0-9]+(?:\.[a-z_0-9]+)*)", PAGE))
    assert len(named) > 100
    missing = {name for name in named if module_of(name) is None}
    assert missing == {"hub.json", "plugins.md", "store.sqlite3"}, "but for these, which are files"


def test_every_package_is_in_the_table_of_layers():
    rows = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    assert [name for name in PACKAGES if f"`{name}`" not in rows] == []


def test_it_can_be_read_in_one_sitting():
    assert len(PAGE.split()) <= MOST_WORDS
