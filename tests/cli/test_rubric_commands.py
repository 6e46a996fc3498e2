"""An engineer writes a rubric by command: begins one, is told what is wrong with it, and loses no file on the way."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from desktop_rater.operations.rubrics import builtin_ids, builtin_rubric
from desktop_rater.paths import resources
from desktop_rater.rubric import load_rubric

BAD = 'id = "bad"\n[[questions]]\nid = "q"\nper = "task"\nask = "?"\nkind = "text"\nrelevant = { nobody = 1 }\n'
EMPTY = "no question is required: a task is complete before anything is answered"
SMALL = 'id = "small"\ntitle = "T"\n[[questions]]\nid = "q"\nper = "task"\nask = "Why?"\nkind = "text"\n'
NEVER = f"""{SMALL}[[questions]]
id = "r"
per = "task"
ask = "And?"
kind = "text"
relevant = {{ q = {{ filled = true }} }}
[[rules]]
id = "never"
level = "warn"
per = "task"
when = {{ q = {{ filled = false }}, r = {{ filled = true }} }}
"""


@pytest.mark.parametrize("per", ["target", "response", "task"])
def test_a_new_rubric_loads_and_asks_per_what_was_wanted(run, tmp_path, per):
    path = tmp_path / "My first.toml"
    assert run("rubric", "new", path, "--per", per).status == 0
    rubric = load_rubric(path.read_text("utf-8"))
    assert rubric.ref == "my-first@1"
    assert rubric.file.questions[0].per == per
    assert run("rubric", "lint", path).status == 0


@pytest.mark.parametrize("source", builtin_ids())
def test_a_copy_of_a_built_in_rubric_judges_like_it_and_has_a_name_of_its_own(run, tmp_path, source):
    path = tmp_path / f"{source}.toml"
    assert run("rubric", "new", path, "--from", source, "--json").json == {"out": str(path), "id": f"my-{source}"}
    copied, known = load_rubric(path.read_text("utf-8")).file, builtin_rubric(source).file
    assert (copied.questions, copied.decide, copied.rules) == (known.questions, known.decide, known.rules)
    assert copied.ref == f"my-{source}@1"
    assert run("rubric", "lint", path).out == f"{source}.toml: my-{source}@1, no findings\n"


def test_a_new_rubric_never_takes_the_place_of_a_file(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("a day's work", encoding="utf-8")
    assert run("rubric", "new", path, status=2).err.splitlines()[0] == "mine.toml already exists."
    assert path.read_text("utf-8") == "a day's work"
    assert run("rubric", "new", tmp_path / "nowhere" / "mine.toml").status == 2
    assert run("rubric", "new", tmp_path / "b.toml", "--per", "task", "--from", "side-by-side").status == 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine.toml"]


def test_each_file_is_told_of_and_the_worst_counts(run, tmp_path):
    for name, text in (("bad.toml", BAD), ("never.toml", NEVER), ("small.toml", SMALL)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "torn.toml").write_bytes(b'id = "x"\ntitle = "\xff"\n')
    files = [tmp_path / f"{name}.toml" for name in ("small", "bad", "never", "torn")]
    said = run("rubric", "lint", *files, "side-by-side", status=2)
    assert said.out.splitlines() == [
        f"small.toml, line 1, the rubric: remark: {EMPTY}",
        'bad.toml, line 2, question "q": `relevant`: unknown name `nobody`',
        (
            'never.toml, line 14, rule "never": `when`: can never hold: when its questions are asked, '
            "`q` can't be what it wants"
        ),
        "torn.toml, line 2, the file: not UTF-8 at byte 19",
        "side-by-side.toml: side-by-side@2, no findings",
    ]
    assert run("rubric", "lint", tmp_path / "small.toml").status == 1
    (bad,) = run("rubric", "lint", tmp_path / "bad.toml", "--json").json
    assert bad["rubric"] is None
    assert bad["findings"] == [
        {"level": "fault", "table": 'question "q"', "line": 2, "reason": "`relevant`: unknown name `nobody`"}
    ]


def test_a_file_that_is_not_there_keeps_nobody_from_hearing_of_the_others(run, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL, encoding="utf-8")
    said = run("rubric", "lint", tmp_path / "gone.toml", tmp_path / "small.toml", status=2)
    assert "gone.toml can't be read" in said.out
    assert "small.toml" in said.out
    assert run("rubric", "lint", "no-such-rubric").status == 2


def test_a_rubric_of_a_megabyte_too_much_is_refused_unread(run, tmp_path):
    path = tmp_path / "huge.toml"
    path.write_bytes(SMALL.encode() + b"#" * 20_000_000)
    assert "too large for a rubric" in run("rubric", "lint", path, status=2).out


def test_windows_bytes_are_read_like_others(run, tmp_path):
    path = tmp_path / "crlf.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BAD.replace("\n", "\r\n").encode())
    assert "line 2, question" in run("rubric", "lint", path).out


def test_another_rubric_under_the_name_of_a_built_in_one_is_remarked(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SMALL.replace('"small"', '"side-by-side"'), encoding="utf-8")
    assert "is called 'side-by-side' too" in run("rubric", "lint", path, status=1).out


def test_sections_are_looked_for_in_the_guidelines(run, tmp_path):
    rubric, page = tmp_path / "mine.toml", tmp_path / "mine.md"
    rubric.write_text(SMALL + 'section = "Two words"\nrequired = true\n', encoding="utf-8")
    page.write_text("# Mine\n```\n# Two words\n```\n", encoding="utf-8")
    assert run("rubric", "lint", rubric).status == 0
    assert run("rubric", "lint", rubric, "--guidelines", page).status == 1
    page.write_text("# Mine\n\n## Two  words ##\n", encoding="utf-8")
    assert run("rubric", "lint", rubric, "--guidelines", page).status == 0
    assert run("rubric", "lint", rubric, "--guidelines", tmp_path / "none.md").status == 2


@pytest.mark.parametrize("command", ["lint", "preview"])
def test_a_faulty_rubric_is_refused_before_any_window(run, tmp_path, monkeypatch, command):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    path = tmp_path / "bad.toml"
    path.write_text(BAD, encoding="utf-8")
    said = run("rubric", command, path, status=2)
    assert 'line 2, question "q"' in said.out + said.err


def test_a_preview_needs_a_display_and_tasks_for_its_ratings(run, tmp_path, monkeypatch):
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform.startswith("linux"):
        assert "no display" in run("rubric", "preview", path).err
    assert "--tasks" in run("rubric", "preview", path, "--ratings", path).err


@pytest.mark.posix("Windows has no signals to send to a process")
def test_a_preview_leaves_the_users_store_and_settings_alone(tmp_path):
    """A process of its own, up to the window."""
    temporary, store = tmp_path / "temporary", tmp_path / "store"
    temporary.mkdir()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(temporary)}
    template = resources() / "new_rubric" / "target.toml"
    words = [sys.executable, "-m", "desktop_rater", "--store", str(store), "rubric", "preview", str(template)]
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 60
        while process.returncode is None and not _window_is_open(temporary) and time.monotonic() < until:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.05)
        opened = _window_is_open(temporary)
        try:
            process.send_signal(signal.SIGTERM)
            assert process.stderr is not None
            assert opened, process.stderr.read().decode()
            assert process.wait(timeout=30) in {0, -signal.SIGTERM}, "it may come before the event loop"
        finally:
            process.kill()
    assert not store.exists()


def _window_is_open(temporary: Path) -> bool:
    """The window says in the store that it holds it."""
    return any(b"window" in path.read_bytes() for path in temporary.glob("desktop-rater-*/store/holder.json"))
