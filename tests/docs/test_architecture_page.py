"""The page on the architecture names modules that exist."""

import re
from pathlib import Path

import pytest

import desktop_rater
from tests.docs import pages

CODE = Path(desktop_rater.__file__).parent
PAGE = pages.text("architecture.md")
PACKAGES = sorted(path.name for path in CODE.iterdir() if (path / "__init__.py").is_file())
MOST_WORDS = 1_500


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
    assert len(named) > 60
    missing = {name for name in named if module_of(name) is None}
    assert missing == {"plugins.md", "store.sqlite3"}, "but for these, which are files"


def test_every_package_is_in_the_table_of_layers():
    rows = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    assert [name for name in PACKAGES if f"`{name}`" not in rows] == []


@pytest.mark.parametrize("new", ["question kind", "reader of logs", "figure", "pane", "kind of hub", "plug-in"])
def test_the_first_table_says_where_to_add(new):
    """Before anything else, with a module or package that a stranger can open."""
    (first, *_) = pages.tables(PAGE)
    (place,) = (row[1] for row in first if row[0].startswith(new))
    assert any(module_of(name) for name in re.findall(r"`([a-z_.0-9]+)`", place)) or "`plugins`" in place


def test_it_can_be_read_in_one_sitting():
    assert len(PAGE.split()) <= MOST_WORDS
