"""`bundle convert` as a project engineer runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

QA = {"question": "What is kelp?", "answer": "A brown alga.", "gpt_groundedness": 5}
PAIR = (
    "question_text\tans1_text\tans2_text\tans_preference\tfactuality_span\tfactuality_label\n"
    "What is kelp?\tIt is brown.\tAn alga.\tAnswer 2\t['It is brown.', 'It is green.']\t['answer1', 'answer1']\n"
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def lines(path: Path, *records: Any) -> Path:
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize(
    ("name", "source", "rubric"),
    [
        ("azure-qa", json.dumps(QA), "response-quality@2"),
        (
            "azure-conversation",
            json.dumps({"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "x"}]}),
            "response-quality@2",
        ),
        ("haluquestqa", PAIR, "side-by-side@2"),
        ("expertqa", json.dumps({"question": "?", "answers": {"x": {"answer_string": "x"}}}), "span-factuality@3"),
        ("toolbench", json.dumps({"42": {"query": "?", "answer": {"final_answer": "x"}}}), "side-by-side@2"),
    ],
)
def test_each_format_asks_the_rubric_that_suits_it(run, tmp_path, name, source, rubric):
    file = write(tmp_path / "source.txt", source)
    assert run("bundle", "convert", "--from", name, "--out", tmp_path / "b.zip", file).status in (0, 1)
    assert run("bundle", "inspect", tmp_path / "b.zip", "--json").json["rubric"] == rubric


def test_another_rubric_can_be_asked(run, tmp_path):
    file = lines(tmp_path / "s.jsonl", QA)
    arguments = ("bundle", "convert", "--from", "azure-qa", "--rubric", "span-factuality", "--out", tmp_path / "b.zip")
    assert run(*arguments, file).status == 0
    assert run("bundle", "inspect", tmp_path / "b.zip", "--json").json["rubric"] == "span-factuality@3"
    refused = run(*arguments, "--ratings", tmp_path / "r.jsonl", file)
    assert refused.status == 2, "ratings of one rubric are no ratings of another"
    assert "response-quality@2" in refused.err


def test_what_is_left_out_or_finds_no_place_is_named(run, tmp_path):
    file = lines(tmp_path / "s.jsonl", QA, {"question": "And fog?"})
    answer = run("bundle", "convert", "--from", "azure-qa", "--out", tmp_path / "b.zip", file, "--json", status=1)
    why = "line 2: it has neither `answer` nor `response`, so there is nothing to rate"
    assert answer.json["left_out"] == [why]
    assert (answer.json["records"], answer.json["tasks"]) == (2, 1)
    assert f"Left out: {why}" in answer.err
    pair = write(tmp_path / "pair.csv", PAIR)
    answer = run("bundle", "convert", "--from", "haluquestqa", "--out", tmp_path / "p.zip", pair, status=1)
    assert 'line 2, task "hq-0001", mark "factuality-2": it is nowhere in response "a"' in answer.err


def test_a_line_of_one_of_several_files_is_named_with_its_file(run, tmp_path):
    files = lines(tmp_path / "one.jsonl", QA), lines(tmp_path / "two.jsonl", {"question": "And fog?"})
    answer = run("bundle", "convert", "--from", "azure-qa", "--out", tmp_path / "b.zip", *files)
    assert "two.jsonl, line 1: it has neither" in answer.err


def test_where_nothing_can_be_rated_nothing_is_written(run, tmp_path):
    file = lines(tmp_path / "s.jsonl", {"question": "?"}, {"question": "?"})
    out, ratings = tmp_path / "b.zip", tmp_path / "r.jsonl"
    answer = run("bundle", "convert", "--from", "azure-qa", "--out", out, "--ratings", ratings, file, status=2)
    assert "None of its 2 records could be converted to a task" in answer.err
    assert not out.exists()
    assert not ratings.exists()


def test_what_is_converted_is_imported_rated_and_exported(run, tmp_path):
    file = write(tmp_path / "pair.csv", PAIR)
    out, ratings = tmp_path / "p.zip", tmp_path / "r.jsonl"
    run("bundle", "convert", "--from", "haluquestqa", "--out", out, "--ratings", ratings, file)
    assert run("import", out).status == 0
    rated = run("rate", "p", "--from", ratings, "--rater", "r", "--json")
    assert (rated.json["incomplete"], rated.json["unknown"]) == (1, [])
    assert set(rated.json["problems"]) == {
        "required:factuality",
        "required:fulfilment",
        "required:justification",
        "required:punt",
    }, "what the source does not say stays open"


@pytest.mark.parametrize("name", ["azure-qa", "azure-conversation", "expertqa", "haluquestqa", "toolbench"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"\xef\xbb\xbf",
        b"[]",
        b"{}",
        b"[[]]",
        b"null",
        b"7\n8\n",
        b"{",
        b"[{}",
        b'{"a": 1}\n{"a"',
        b"PK\3\4" + bytes(64),
        '{"question": "?"}'.encode("utf-16"),
        b'{"question": "\xff"}\n',
        b"a\tb\r\n1\t2\r\n",
        b'"' * 4097,
        b'{"a": ' + b"[" * 100_000,
        b'{"42": {"query": "?", "answer": {"final_answer": "x", "answer_details": [{"next": 5}]}}, "43": null}',
    ],
)
def test_odd_files_are_refused_in_plain_words(run, tmp_path, name, data):
    file = tmp_path / "odd.json"
    file.write_bytes(data)
    answer = run("bundle", "convert", "--from", name, "--out", tmp_path / "b.zip", file, status=2)
    assert answer.err.startswith(("odd.json can't be", "b.zip can't be"))
    assert not (tmp_path / "b.zip").exists()


def test_what_no_bundle_can_hold_is_left_out_by_the_line_of_its_source(run, tmp_path):
    deep: list[Any] = []
    for _ in range(80):
        deep = [deep]
    file = lines(tmp_path / "s.jsonl", QA, {**QA, "deep": deep}, {**QA, "long": "x" * 16_777_100})
    answer = run("bundle", "convert", "--from", "azure-qa", "--out", tmp_path / "b.zip", file, "--json", status=1)
    assert (answer.json["records"], answer.json["tasks"]) == (3, 1)
    assert answer.json["left_out"][0] == "line 2: it is nested more than 64 levels deep"
    assert answer.json["left_out"][1].startswith("line 3: its task has ")
    assert run("bundle", "inspect", tmp_path / "b.zip").status == 0


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"rows": []}'])
def test_a_file_without_records_is_refused_by_its_own_name(run, tmp_path, data):
    file = tmp_path / "none.json"
    file.write_bytes(data)
    answer = run("bundle", "convert", "--from", "azure-qa", "--out", tmp_path / "b.zip", file, status=2)
    assert "none.json can't be converted.\n  It contains no records." in answer.err


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
