"""Tables and JSON lines of any shape become tasks, by a map of their columns."""

import json

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.maps.map_source import column_converter, read_column_map
from desktop_rater.plugins.convert.run import convert_files
from tests.format.zips import names_in

QA = "prompt=question,response.a=answer"


@pytest.fixture
def convert(tmp_path):
    """Write a source, convert it, and give the tasks as plain JSON with what the converter said."""

    def convert(source, data, columns=QA, delimiter=None):
        path = tmp_path / f"source.{source}"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        out = tmp_path / "out.zip"
        read, rubric = column_converter(source, [path], columns, delimiter)
        done = convert_files(read, (path,), out, BundleOptions(rubric=rubric), None, Progress(), skip=0)
        with open_bundle(out) as bundle:
            return [json.loads(line.raw) for line in bundle.tasks()], done, bundle.manifest

    return convert


def only(tasks):
    (task,) = tasks
    return task


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(convert, delimiter):
    data = delimiter.join(["question", "answer", "a;b,c" if delimiter == "\t" else "topic"]) + "\r\n"
    tasks, _, _ = convert("csv", data + delimiter.join(["Why?", '"So, or; so | so"', "kelp"]) + "\r\n")
    task = only(tasks)
    assert task["prompt"] == {"text": "Why?"}
    assert task["responses"] == [{"id": "a", "text": "So, or; so | so"}]
    assert task["meta"]["source"] == "csv"
    assert "kelp" in task["meta"].values()


def test_a_delimiter_that_the_file_names_or_the_user_counts(convert):
    assert only(convert("csv", "sep=;\nquestion;answer\na,b;c\n")[0])["prompt"]["text"] == "a,b"
    assert only(convert("csv", "question~answer\na~c\n", delimiter="~")[0])["responses"][0]["text"] == "c"


def test_cells_over_several_lines_keep_their_characters_and_the_row_its_first_line(convert):
    data = '\ufeffquestion,answer\r\n"Two\r\nlines","He said ""no""\u0085\u2028\n"\r\nNext?,Yes\r\n'
    tasks, _, _ = convert("csv", data)
    assert tasks[0]["prompt"]["text"] == "Two\r\nlines"
    assert tasks[0]["responses"][0]["text"] == 'He said "no"\u0085\u2028\n'
    assert [task["meta"]["line"] for task in tasks] == [2, 5]


def test_every_field_of_a_task_can_come_from_a_column(convert):
    row = {
        "n": 7,
        "data": {"q": "Why?", "kept": True},
        "lang": "en",
        "one": "A **b**",
        "two": "B",
        "how": "Markdown",
        "ref": "R",
        "docs": ["first", {"title": "T", "content": "second", "url": "https://kelp.example/"}],
        "more": "third",
        "before": [{"role": "User", "content": "Hi"}, {"role": "assistant", "text": "Ho"}],
        "subject": "kelp",
        "left": None,
    }
    columns = (
        "id=n, prompt=data.q, lang=lang, response.a=one, response.a.format=how, response.b=two, reference=ref, "
        "context=docs, context.x=more, history=before, meta.topic=subject"
    )
    tasks, _, manifest = convert("jsonl", json.dumps(row), columns)
    assert only(tasks) == {
        "id": "7",
        "prompt": {"text": "Why?", "lang": "en"},
        "responses": [{"id": "a", "text": "A **b**", "format": "markdown"}, {"id": "b", "text": "B"}],
        "reference": "R",
        "context": [
            {"id": "c1", "text": "first"},
            {"id": "c2", "title": "T", "text": "second", "url": "https://kelp.example/"},
            {"id": "x", "text": "third"},
        ],
        "history": [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Ho"}],
        "meta": {"source": "jsonl", "line": 1, "data": {"kept": True}, "left": None, "topic": "kelp"},
    }
    assert manifest.rubric == "side-by-side@2"


def test_a_cell_can_hold_the_json_of_documents(convert):
    data = 'question,answer,docs\nWhy?,So,"[""one"", {""text"": ""two""}]"\n'
    task = only(convert("csv", data, f"{QA},context=docs")[0])
    assert [one["text"] for one in task["context"]] == ["one", "two"]


def test_a_column_without_a_name_is_called_by_its_number(convert):
    task = only(convert("csv", ",question,answer,\n7,Why?,So,\n")[0])
    assert task["meta"] == {"source": "csv", "line": 2, "column 1": "7"}


def test_columns_that_are_called_as_the_fields_are_need_no_map(convert):
    task = only(convert("csv", "id,prompt,response.b,meta.x\nk,Why?,So,1\n", None)[0])
    assert (task["id"], task["responses"][0]["id"], task["meta"]["x"]) == ("k", "b", "1")


def test_a_map_may_stand_in_a_toml_file(convert, tmp_path):
    toml = tmp_path / "map.toml"
    toml.write_text('prompt = "Frage, neu"\n[response]\na = "x=1"\n[meta]\n"big topic" = "t"\n')
    task = only(convert("csv", '"Frage, neu",x=1,t\nWhy?,So,kelp\n', str(toml))[0])
    assert task["prompt"]["text"] == "Why?"
    assert task["meta"]["big topic"] == "kelp"


def test_a_column_can_name_the_system_of_each_response(convert):
    data = "question,answer,other,m1,m2,v.1\nWhy?,So,No,Heron,Kestrel,x\n"
    columns = f"{QA},response.b=other,meta.system.a=m1,meta.system.b=m2,meta.v.1=v.1"
    task = only(convert("csv", data, columns)[0])
    assert task["meta"] == {"source": "csv", "line": 2, "system": {"a": "Heron", "b": "Kestrel"}, "v.1": "x"}


def test_an_empty_answer_of_a_row_is_an_answer_and_counted(convert):
    tasks, done, _ = convert("csv", "question,answer\nWhy?,\n,\n\nHow?,So\n")
    assert [task["responses"][0]["text"] for task in tasks] == ["", "So"]
    assert (done.counts["records"], done.counts["tasks"], done.counts["left_out"]) == (2, 2, 0)
    assert done.counts["empty_responses"] == 1
    assert "1 times: a response is empty, and counts like any other." in done.notes


def test_an_empty_second_answer_stays_in_the_pair_but_null_is_none_and_counted(convert):
    tasks, done, _ = convert("csv", "question,answer,other\nWhy?,So,\n", f"{QA},response.b=other")
    assert [(one["id"], one["text"]) for one in only(tasks)["responses"]] == [("a", "So"), ("b", "")]
    records = '{"question": "Why?", "answer": "So", "other": null}\n{"question": "How?", "answer": null, "other": ""}\n'
    records += '{"question": "Who?", "answer": null, "other": null}\n'
    tasks, done, _ = convert("jsonl", records, f"{QA},response.b=other")
    assert [[one["id"] for one in task["responses"]] for task in tasks] == [["a"], ["b"]]
    assert (done.counts["missing_responses"], done.counts["empty_responses"]) == (2, 1)
    assert done.left_out == ('line 3: it has no response (column "answer", "other")',)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"question,answer\nWhy?,a\nHow?,b,c\n", "line 3: it has 3 cells instead of 2"),
        (b"question,answer\nWhy?\n", "line 2: only 1 cells"),
        (b"question,answer\nWhy?,caf\xe9\n", "line 2: not UTF-8"),
        (b'question,answer\nWhy?,"no end\nhere\n', "line 2: a quotation mark is not closed"),
        (b'question,answer\nWhy?,"a"b\n', "line 2: there is text after the closing quotation mark"),
        (b"question,other\nWhy?,a\n", 'line 1: no column is called "answer"; there are "question", "other"'),
        (b"question,answer,answer\nWhy?,a,b\n", 'line 1: two columns are named "answer"'),
        ("question,answer\nWhy?,a\n".encode("utf-16"), "UTF-16"),
        (b"", "It is empty"),
        (b"question,answer\n", "It contains no records"),
    ],
)
def test_a_table_that_can_not_be_read_is_told_of_by_line(convert, tmp_path, data, why):
    with pytest.raises(BundleError) as refused:
        convert("csv", data)
    assert why in str(refused.value)
    assert names_in(tmp_path) == ["source.csv"]


@pytest.mark.parametrize(
    ("record", "columns", "why"),
    [
        ({"question": "Why?", "answer": 5}, QA, 'line 2, column "answer" is a number, not a text'),
        ({"question": ["Why?"], "answer": "a"}, QA, 'column "question" is a list'),
        ({"question": "Why?", "answer": "a", "id": True}, f"{QA},id=id", 'column "id" is true or false'),
        ({"question": "Why?", "answer": "a", "id": "k"}, f"{QA},id=id", 'the id "k" is used in line 1 of'),
        ({"question": "Why?", "answer": "a", "d": 5}, f"{QA},context=d", 'column "d" is a number'),
        ({"question": "Why?", "answer": "a", "d": [{}]}, f"{QA},context=d", "a document has no `text`"),
        ({"question": "Why?", "answer": "a", "h": "x"}, f"{QA},history=h", "not a list of messages"),
        ({"question": "Why?", "answer": "a", "f": "html"}, f"{QA},response.a.format=f", "neither plain nor markdown"),
    ],
)
def test_a_value_that_can_not_be_what_it_is_called_is_told_of_by_line(convert, record, columns, why):
    good = {"question": "Why?", "answer": "a", "id": "k"}
    with pytest.raises(BundleError) as refused:
        convert("jsonl", "\n".join(map(json.dumps, (good, record))), columns)
    assert why in str(refused.value)


def test_a_key_that_no_object_has_is_named_with_those_there_are(convert):
    with pytest.raises(BundleError, match=r'No key is called "data.q"; there are "question", "answer"'):
        convert("jsonl", '{"question": "Why?", "answer": "a"}', "prompt=data.q,response=answer")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "is not a pair of field and column"),
        ("question", "is not a pair of field and column"),
        ("prompt=q", "which column is the response"),
        ("response=a", "which column is the prompt"),
        ("prompt=q,respons=a", "no field 'respons'"),
        ("promt=q,response=a", "no field 'promt'"),
        ("prompt=q,prompt=r,response=a", "prompt is named twice"),
        ("prompt=q,response=a,response.a=b", "response.a is named twice"),
        ("prompt=q,response.a=a,response=b", "are the same response"),
        ("prompt=,response=a", "is not a pair of field and column"),
        ("nowhere.toml", "can't be read"),
    ],
)
def test_a_map_that_means_nothing_is_refused(given, why):
    with pytest.raises(BundleError) as refused:
        read_column_map(given)
    assert why in str(refused.value)


def test_a_column_may_have_commas_in_its_name():
    assert read_column_map("prompt=Question, in full,response=Answer").fields == {
        "prompt": "Question, in full",
        "response": "Answer",
    }


MARKDOWN = {
    "a table": "Here:\r\n\r\n| a | b |\r\n|---|:-:|\r\n| 1 | 2 |\r\n",
    "a fence": "So:\n```python\nx = 1\n```",
    "a heading": "## Kelp\nIt grows.",
    "bold words": "It **grows** there.",
    "a link": "See [kelp](https://kelp.example/a).",
}
PLAIN = ["It costs 2 * 3 ** 4 | 5.", "- one\n- two", "#1 of 3", "[1](2)", "a --- b | c"]


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN.keys())
def test_an_answer_with_marks_of_markdown_is_markdown_unless_the_map_says_otherwise(convert, text):
    line = json.dumps({"question": "Why?", "answer": text})
    assert only(convert("jsonl", line)[0])["responses"] == [{"id": "a", "text": text, "format": "markdown"}]
    tasks, _, _ = convert("jsonl", line, columns=f"{QA},response.a.format==plain")
    assert only(tasks)["responses"] == [{"id": "a", "text": text, "format": "plain"}]


@pytest.mark.parametrize("text", PLAIN)
def test_any_other_answer_is_plain(convert, text):
    tasks, _, _ = convert("jsonl", json.dumps({"question": "Why?", "answer": text}))
    assert only(tasks)["responses"] == [{"id": "a", "text": text}]
