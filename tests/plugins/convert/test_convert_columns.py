"""A table of any shape becomes a bundle from the command line."""

import pytest


def test_a_table_becomes_a_bundle_that_can_be_imported(run, tmp_path):
    (tmp_path / "qa.csv").write_text("question;answer\nWhy?;So it is.\nHow?;\n")
    words = ("--from", "csv", "--columns", "prompt=question,response=answer", "--language", "en")
    answer = run("bundle", "convert", *words, "--out", tmp_path / "qa.zip", tmp_path / "qa.csv", "--json")
    assert (answer.status, answer.json["tasks"], answer.json["empty_responses"]) == (0, 2, 1)
    assert run("import", tmp_path / "qa.zip", "--json").json[0]["tasks"] == 2


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("csv", "question,answer\nWhy?,So it is.\n"),
        ("csv", "input,output,answer\nWhy?,no,So it is.\n"),
        ("jsonl", '{"query": "Why?", "completion": "So it is."}\n'),
        ("csv", "prompt,question,response\nWhy?,no,So it is.\n"),
    ],
)
def test_common_names_of_the_two_texts_need_no_map(run, tmp_path, source, text):
    (tmp_path / "qa.txt").write_text(text)
    task = run("bundle", "convert", "--from", source, "--dry-run", tmp_path / "qa.txt", "--json").json["task"]
    assert (task["prompt"]["text"], task["responses"][0]["text"]) == ("Why?", "So it is.")


@pytest.mark.parametrize(
    "words",
    [
        ("--from", "factcheck-bench", "--columns", "prompt=a,response=b"),
        ("--from", "jsonl", "--delimiter", ";"),
        ("--from", "csv", "--ratings", "r.jsonl"),
        ("--from", "csv", "--delimiter", "ab"),
    ],
)
def test_options_that_mean_nothing_there_are_refused(run, tmp_path, words):
    (tmp_path / "s.csv").write_text("prompt,response\na,b\n")
    assert run("bundle", "convert", *words, "--out", tmp_path / "s.zip", tmp_path / "s.csv").status == 2
    assert not (tmp_path / "s.zip").exists()
