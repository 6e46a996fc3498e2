"""Tab completes commands, options and file names; no window opens, and nothing slow is loaded."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

# Asks a shell for the completions of the last of the words.
BASH = """
    source completion
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    compopt() { echo "$@"; }
    $(complete -p desktop-rater | sed 's/.*-F \\([^ ]*\\).*/\\1/') desktop-rater
    printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """
    source completion
    complete --do-complete "$argv"
"""
ZSH = """
    autoload -U compinit && compinit -u -d zcompdump
    source completion
    type _desktop_rater_completion
"""


@pytest.fixture
def shell(run, tmp_path):
    """Run a shell that has loaded its completion script, with the program on its path."""
    program = tmp_path / "desktop-rater"
    program.write_text(
        f'#!/bin/sh\nexec {sys.executable} -X importtime -m desktop_rater "$@" 2>> {tmp_path}/imports\n', "utf-8"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def shell(name: str, script: str, *words: str) -> str:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        answer = run("completion", name)
        assert (answer.status, answer.err) == (0, "")
        (tmp_path / "completion").write_text(answer.out, "utf-8")
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(Path.cwd())}
        arguments = (name, "-c", script, *((name, *words) if name == "bash" else (" ".join(words),)))
        done = subprocess.run(
            arguments, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stderr == ""
        return done.stdout

    return shell


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        (("b",), ["bundle", "backup"]),
        (("bundle", "ma"), ["make", "map"]),
        (("bundle", "make", "--gu"), ["--guidelines"]),
        (("schema", "ta"), ["task"]),
        (("--store", "x", "statu"), ["status"]),
        (("check", "r"), ["-o default", ""]),
        (("check", "-"), ["--bundle", "--rubric", "--json", "-h", "--help"]),
        (("check", "it's"), ["-o default", ""]),
        (("no-such-command", "x"), [""]),
    ],
)
def test_bash_completes_the_word_being_typed(shell, tmp_path, words, completions):
    assert shell("bash", BASH, "desktop-rater", *words).splitlines() == completions
    loaded = (tmp_path / "imports").read_text("utf-8")
    assert "desktop_rater.cli.root" in loaded
    assert "PySide6" not in loaded
    assert "desktop_rater.ui" not in loaded


def test_the_first_word_loads_no_command(shell, tmp_path):
    shell("bash", BASH, "desktop-rater", "")
    assert "desktop_rater.cli.bundles" not in (tmp_path / "imports").read_text("utf-8")


def test_fish_completes_the_word_being_typed(shell):
    assert shell("fish", FISH, "desktop-rater", "bundle", "spl").split()[0] == "split"


def test_zsh_knows_its_function(shell):
    assert "function" in shell("zsh", ZSH)


def test_an_input_is_not_read_while_its_command_is_completed(shell):
    assert "--revision" in shell("bash", BASH, "desktop-rater", "bundle", "make", "-", "--rev")


@pytest.mark.parametrize("words", ["", "desktop-rater 'unclosed", "desktop-rater \\"])
def test_odd_words_complete_to_nothing_and_show_no_error(run, monkeypatch, words):
    monkeypatch.setenv("_DESKTOP_RATER_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    for count in ("0", "1", "99", "many"):
        monkeypatch.setenv("COMP_CWORD", count)
        assert run("nothing").err == ""
    monkeypatch.setenv("_DESKTOP_RATER_COMPLETE", "tcsh_complete")
    assert run("nothing").err == ""


def test_another_shell_is_refused(run):
    answer = run("completion", "tcsh")
    assert (answer.status, "'bash', 'zsh', 'fish'" in answer.err) == (2, True)
