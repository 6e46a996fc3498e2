"""A bundle whose zip is honest and whose content is not: it is imported or refused, in little memory.

All are imported one after the other by one process, whose peak is put back before each. The benchmark measures how long
they take.
"""

import json
import subprocess
import sys

import pytest

from tests.format.zips import PEAK
from tests.operations.bombs import SPLITS, TASKS, TOML, VALUES, write_bombs

pytestmark = pytest.mark.slow

MOST_KIB = 200 * 1024

IMPORT = f"""
import json, sys, tempfile
from pathlib import Path
from desktop_rater.format.errors import RaterError
from tests.operations.bundles import take_in, writer
{PEAK}
import rapidfuzz, sentencex  # loaded once, and no bundle's doing
with writer(Path(tempfile.mkdtemp()) / "store") as store:
    for path in sys.argv[1:]:
        with open("/proc/self/clear_refs", "w") as clear:
            clear.write("5")
        before = peak()
        try:
            message = "imported, " + str(take_in(store, Path(path)).left_out[-1:])
        except RaterError as error:
            message = str(error)
        print(json.dumps([message, peak() - before]), flush=True)
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """The message and the memory in KiB of each."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the peak is put back in /proc")
    paths = write_bombs(tmp_path_factory.mktemp("bombs"))
    command = [sys.executable, "-c", IMPORT, *map(str, paths.values())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


def message_of(outcome):
    """The message, once the memory was found small."""
    message, kib = outcome
    assert kib < MOST_KIB
    return message


@pytest.mark.parametrize("name", TOML)
def test_a_rubric_that_is_a_bomb_is_refused(imported, name):
    message = message_of(imported[name])
    assert not message.startswith("imported")
    assert TOML[name][1] in message.lower()


@pytest.mark.parametrize("name", TASKS)
def test_the_places_of_targets_are_not_looked_for_for_ever(imported, name):
    assert TASKS[name][2] in message_of(imported[name])


@pytest.mark.parametrize("name", VALUES)
def test_a_line_with_as_many_values_as_are_let_through_takes_little_memory(imported, name):
    assert message_of(imported[name]) == "imported, ()"


@pytest.mark.parametrize("name", SPLITS)
def test_a_text_of_half_a_million_characters_is_split_or_left_out(imported, name):
    assert message_of(imported[name])
