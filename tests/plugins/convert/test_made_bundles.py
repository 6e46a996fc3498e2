"""Bundles that are made of what people answered elsewhere: each answer is there, nothing of a rater is."""

import json
import zipfile

from tests.operations.bundles import write, write_lines
from tests.plugins.convert.test_audit_import import RUBRIC, rows, values
from tests.rubric.toml_texts import numbers, question, rubric_text

PAIR_RUBRIC = rubric_text(
    "pairs", question("preference", body=numbers(-1, 1), per="task", ask="Which is better?"), more='title = "Pairs"'
)


def made_tasks(path):
    with zipfile.ZipFile(path) as bundle:
        return [json.loads(line) for line in bundle.read("tasks.jsonl").splitlines()]


def test_an_empty_answer_stays_in_its_pair_and_one_without_a_value_is_named(run, tmp_path):
    rubric = write(tmp_path / "pairs.toml", PAIR_RUBRIC)
    records = [
        {
            "task": f"t{number}",
            "rater": rater,
            "pref": 1,
            "prompt": "Hi",
            "x": x,
            "y": y,
            "system": {"a": "o", "b": "p"},
        }
        for number, (x, y) in enumerate([("", "Hello"), ("Hi", "Hello"), ("Hi", None)], 1)
        for rater in ("ada", "bob")
    ]
    source, made = write_lines(tmp_path / "pairs.jsonl", records), tmp_path / "pairs.zip"
    columns = "task=task,rater=rater,value.preference=pref,prompt=prompt,response.a=x,response.b=y"
    imported = run("audit", "import", source, "--columns", columns, "--make", made, "--rubric", rubric, "--json")
    assert imported.json["losses"]["response"] == {
        "count": 1,
        "why": "responses without a value, which the new bundle does not have",
        "examples": ["pairs.jsonl, line 5: response.b"],
    }
    assert [[part["text"] for part in task["responses"]] for task in made_tasks(made)] == [
        ["", "Hello"],
        ["Hi", "Hello"],
        ["Hi"],
    ]
    (preferences,) = run("audit", "systems", "pairs", "--json").json["preferences"]
    assert preferences["base"]["tasks"] == 2


def test_what_differs_between_the_raters_of_a_task_is_in_no_task(run, tmp_path):
    """Gender, age, the answer itself: also of a task whose raters are alike, or that one rater has rated."""
    rubric = write(tmp_path / "checks.toml", "[[questions]]".join(RUBRIC.split("[[questions]]")[::2]))
    table = rows(
        tmp_path / "scores.csv",
        ["item", "who", "text", "quality", "gender", "topic", "seen"],
        ["1", "ada", "Kelp.", "4", "w", "sea", "yes"],
        ["1", "bob", "", "2", "m", "", "yes"],  # the text and the topic stand in the first row
        ["2", "ada", "Moss.", "4", "w", "land", "yes"],
        ["2", "bob", "Moss.", "1", "m", "land", "no"],
        ["3", "ada", "Fern.", "5", "w", "land", "yes"],
    )
    made = tmp_path / "scores.zip"
    columns = "task=item,rater=who,value.quality=quality,response=text"
    imported = run(
        "audit", "import", table, "--columns", columns, "--make", made, "--rubric", rubric, "--json", status=0
    )
    assert [task["meta"] for task in made_tasks(made)] == [
        {"source": "table", "topic": topic} for topic in ("sea", "land", "land")
    ]
    assert imported.json["losses"]["column"]["examples"] == ["gender", "seen"]
    assert imported.json["ratings"] == 5


def test_the_answers_of_all_raters_in_one_record_are_not_in_its_task(run, tmp_path):
    rubric = write(tmp_path / "checks.toml", "[[questions]]".join(RUBRIC.split("[[questions]]")[::2]))
    record_map = tmp_path / "nested.toml"
    record_map.write_text(
        'format = "desktop-rater/map"\nversion = 1\nid = "id"\nprompt = "=Rate."\nresponse = "parts[0].text"\n'
        '[ratings]\nrater = "parts[*].by[*].worker"\nvalues = { quality = "parts[*].by[*].score" }\n',
        "utf-8",
    )
    by = [{"worker": worker, "score": 3, "sure": sure} for worker, sure in (("ada", "very"), ("bob", "not"))]
    source = write_lines(
        tmp_path / "nested.jsonl", [{"id": "t1", "topic": "sea", "parts": [{"text": "Kelp.", "by": by}]}]
    )
    made = tmp_path / "nested.zip"
    imported = run("audit", "import", source, "--map", record_map, "--make", made, "--rubric", rubric, "--json")
    assert (imported.json["raters"], imported.json["answers"]) == (2, 2)
    assert made_tasks(made)[0]["meta"] == {"source": "table", "topic": "sea"}


def test_another_text_under_the_id_of_a_task_is_counted_and_its_answers_are_not_those_of_the_task(run, tmp_path):
    rubric = write(tmp_path / "checks.toml", "[[questions]]".join(RUBRIC.split("[[questions]]")[::2]))
    table = rows(
        tmp_path / "scores.csv",
        ["task", "rater", "text", "quality"],
        ["1", "ada", "Kelp.", "4"],
        ["1", "bob", "Moss.", "2"],
    )
    columns = "task=task,rater=rater,value.quality=quality,response=text"
    command = ("audit", "import", table, "--columns", columns, "--make", tmp_path / "scores.zip", "--rubric", rubric)
    imported = run(*command, "--json")
    assert imported.json["losses"]["record"]["examples"] == ["scores.csv, line 3: another text has the id 1"]
    assert list(values(tmp_path, "scores")) == [("1", "ada")]
