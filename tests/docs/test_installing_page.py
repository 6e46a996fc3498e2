"""Who installs the program by docs/installing.md finds the files, folders, commands and settings that it names."""

import json
import re
import shlex
import subprocess
import sys
from importlib import import_module

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from desktop_rater.paths import default_store, log_file, settings_file
from desktop_rater.settings import parse_settings
from tests.docs import pages
from tests.plugins.updates.releases import KEY, OTHER_KEY, PROGRAM, lay

sys.path.insert(0, str(pages.ROOT / "packaging"))

PAGES = {name: pages.text(name) for name in ("installing.md", "windows.md")}
PAGES |= {name: (pages.ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md")}
PAGE = PAGES["installing.md"]


def test_each_target_of_make_that_a_reader_is_told_of_exists():
    makefile = (pages.ROOT / "Makefile").read_text("utf-8")
    for name, page in PAGES.items():
        for target in re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", page, re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), (name, target)


def test_the_files_to_install_are_those_that_a_release_may_have():
    suffixes = {suffix for suffix, _ in import_module("release").SYSTEMS}
    for row in pages.tables(PAGE.partition("\n## ")[0])[0][1:]:
        assert f".{pages.code(row[1]).lower().rpartition('.')[2]}" in suffixes, row


def test_the_commands_are_understood(run):
    commands = re.findall(r"(?:^|`)desktop-rater (?!FILE)([a-z][^`\n]*)", PAGE, re.MULTILINE)
    assert len(commands) >= 3
    for words in map(shlex.split, commands):
        names = [word for word in words if word.islower() and word.replace("-", "").isalpha()]
        assert run(*names, "--help").status == 0, words


def test_the_folders_are_those_that_are_written(monkeypatch):
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    rows = pages.tables(pages.sections(PAGE)["What is written where"])[0][1:4]
    for row, kind in zip(rows, ("data", "config", "state"), strict=True):
        for cell, system in ((row[1], Unix), (row[3], MacOS)):
            folder = getattr(system("desktop-rater", appauthor=False), f"user_{kind}_path")
            same = "`" not in cell and system is MacOS and folder == MacOS("desktop-rater").user_data_path
            assert same or folder == type(folder)(pages.code(cell)).expanduser(), row
    store = default_store()
    assert [store.name, settings_file(store).name, log_file(store).name] == [
        "store",
        "settings.json",
        "desktop-rater.log",
    ]


def test_settings_that_are_put_in_place_are_accepted():
    given = json.loads(pages.fence(PAGE, "json"))
    settings, wrong = parse_settings(given)
    assert wrong == ()
    assert {name: getattr(settings, name) for name in given} == given


@pytest.mark.parametrize("key", [KEY, OTHER_KEY], ids=["the releaser's key", "another key"])
def test_the_list_of_a_release_is_verified_without_the_program(tmp_path, key):
    folder = lay(tmp_path / "stick")
    script = pages.fence(PAGE, "python").replace("the public key: 64 hexadecimal digits", key.public)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert (f"  {PROGRAM}\n" in done.stdout) is (key is KEY)
    assert ("InvalidSignature" in done.stderr) is (key is OTHER_KEY)
