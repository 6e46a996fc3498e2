"""`man desktop-rater-check` shows the help that the command prints."""

import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.docs import help_text

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

man_pages = import_module("man_pages")  # a script of packaging/

COMMANDS = {path.replace(" ", "-"): command for path, command, _ in help_text.all_commands()}
PAGES = man_pages.pages()


def plain(text: str) -> str:
    """A text without white space and the marks of pages and helps."""
    return "".join(text.replace("`", "").split())


def test_each_command_has_a_page_that_names_it_and_its_options():
    assert set(PAGES) == {f"{name}.1" for name in COMMANDS}
    for name, command in COMMANDS.items():
        lines = PAGES[f"{name}.1"].replace("\\-", "-").splitlines()
        assert lines[lines.index(".SH NAME") + 1].startswith(f"{name} - ")
        named = {word for line in lines if line.startswith("\\fB") for word in line[3:].replace(",", "").split()}
        options = [option for option in command.params if isinstance(option, click.Option) and not option.hidden]
        assert {"-h", "--help"}.union(*(option.opts for option in options)) <= {
            word.removesuffix("\\fR") for word in named
        }


@pytest.mark.skipif(shutil.which("man") is None or shutil.which("groff") is None, reason="man is not installed")
@pytest.mark.parametrize("name", ["desktop-rater", "desktop-rater-bundle-convert", "desktop-rater-completion"])
def test_man_shows_a_page_without_a_warning(tmp_path, name):
    page = tmp_path / f"{name}.1"
    page.write_text(PAGES[page.name], encoding="utf-8")
    shown = subprocess.run(
        ["man", "--warnings=w", "--local-file", page],
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "C.UTF-8"},
    )
    assert shown.stderr == ""
    for paragraph in (COMMANDS[name].help or "").split("\n\n"):
        assert plain(paragraph) in plain(shown.stdout)


def test_the_wheel_brings_the_pages_and_the_notices(tmp_path, monkeypatch):
    wheel_builder = pytest.importorskip("hatchling.builders.wheel")
    project = tmp_path / "project"
    project.mkdir()
    files = ("pyproject.toml", "README.md", "LICENSE")
    for name in (*files, "desktop_rater/__init__.py", "packaging/hatch_build.py"):
        (project / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, project / name)
    for folder in ("resources", "docs"):
        (project / folder).mkdir()
    monkeypatch.setattr(man_pages, "OUT", project / "build" / "man")
    man_pages.main()
    (project / "build" / "THIRD-PARTY-NOTICES.txt").write_text("click: BSD-3-Clause", "utf-8")
    built = wheel_builder.WheelBuilder(str(project)).build(directory=str(tmp_path), versions=["standard"])
    (wheel,) = map(zipfile.ZipFile, built)
    assert {Path(name).name for name in wheel.namelist() if "share/man/man1/" in name} == set(PAGES)
    assert wheel.read("desktop_rater/resources/THIRD-PARTY-NOTICES.txt") == b"click: BSD-3-Clause"
