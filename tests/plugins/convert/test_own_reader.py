"""A project engineer converts a log of her own by a function in a Python file."""

import pytest

CODE = """
RUBRIC = "span-factuality"


def records(path):
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        asked, said = line.split("|")
        yield {"id": f"{path.stem}-{number}", "prompt": {"text": asked}, "responses": [{"id": "a", "text": said}]}
"""
LOG = "What is kelp?|An alga.\nIs it green?|It is brown.\n"


@pytest.fixture
def convert(run, tmp_path, monkeypatch):
    """Convert two logs by code; the answer of the command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "north.log").write_text(LOG, "utf-8")
    (tmp_path / "south.log").write_text(LOG, "utf-8")

    def convert(code, *words):
        (tmp_path / "mine.py").write_text(code, "utf-8")
        return run("bundle", "convert", "--from", "./mine.py", "--out", "b.zip", *words, "north.log", "south.log")

    return convert


def test_its_tasks_become_a_bundle_with_the_rubric_that_it_names(convert, run):
    answer = convert(CODE)
    assert (answer.status, answer.err) == (0, "")
    assert "4 records, 4 tasks" in answer.out
    listed = run("bundle", "inspect", "b.zip", "--json").json
    assert (listed["rubric"], listed["tasks"]) == ("span-factuality@3", 4)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            CODE.replace("asked, said =", "asked, said = number == 2 and 1 / 0 or"),
            "mine.py failed. north.log, record 2: mine.py, line 7: ZeroDivisionError: division by zero.",
        ),
        ("def records(path):\n    return None\n", "north.log, record 1: "),
        ("import json\nraise RuntimeError('no kelp')\n", "mine.py, line 2: RuntimeError: no kelp."),
        ("def records(path)\n", "mine.py, line 1: SyntaxError: expected ':'"),
        ("def read(path): ...\n", "mine.py has no function `records`"),
        ("def records(path):\n    yield {}\n", "north.log, record 1: `id` is missing."),
        ("def records(path):\n    yield None\n", "north.log, record 1: it holds null where an object was expected."),
        ("def records(path):\n    yield {'id': {1, 2}}\n", "record 1: Object of type set is not JSON serializable."),
    ],
)
def test_what_is_wrong_with_the_code_is_told_with_its_line_and_the_record(convert, tmp_path, code, told):
    answer = convert(code, "--rubric", "span-factuality")
    assert answer.status == 2
    assert told in answer.err.replace("\n  ", " ")
    assert not (tmp_path / "b.zip").exists()


def test_it_needs_a_rubric_and_holds_no_ratings(convert, run):
    assert "mine.py names none" in convert(CODE.replace("RUBRIC", "OTHER")).err
    assert "holds none" in convert(CODE, "--ratings", "r.jsonl").err
    assert "can't be read" in run("bundle", "convert", "--from", "no.py", "--out", "b.zip", "north.log").err
