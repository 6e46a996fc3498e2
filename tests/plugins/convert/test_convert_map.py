"""Files of any shape become bundles by a map, from the command line."""

import json

import pytest

from desktop_rater.plugins.convert.maps import read_map
from tests.plugins.convert import converting
from tests.system_texts import ODD_NAME

RECORD = {
    "prompt": "What is kelp?",
    "response": "Kelp is an alga. It is a plant.",
    "segmented_response": ["Kelp is an alga.", "It is a plant."],
    "labels": [True, False],
    "comment": [None, "No."],
    "type": [None, "knowledge_error"],
}


@pytest.fixture
def felm(tmp_path):
    """A file of a public data set, with a record that has no response."""
    return converting.lines(tmp_path / "felm.jsonl", RECORD, {**RECORD, "response": None})


def test_a_public_data_set_becomes_a_bundle_by_the_name_of_its_map(run, tmp_path, felm):
    out = tmp_path / "felm.zip"
    answer = run("bundle", "convert", "--map", "felm", "--out", out, felm, "--json")
    assert (answer.status, answer.json["tasks"], answer.json["placed"]) == (1, 1, 2)
    assert answer.json["left_out"] == ['line 2: it has no response (column "response")']
    assert run("import", out, "--json").json[0]["tasks"] == 1


def test_a_label_that_the_map_does_not_know_is_reported(run, tmp_path):
    path = converting.lines(tmp_path / "felm.jsonl", {**RECORD, "labels": [True, "UNK"]})
    answer = run("bundle", "convert", "--map", "felm", "--out", tmp_path / "felm.zip", path, "--json")
    assert (answer.status, answer.json["unknown_labels"], answer.json["gold"]) == (1, 1, 1)
    assert "1 times: a label has no answer in the map." in answer.err


def test_a_dry_run_shows_the_first_task_and_writes_nothing(run, tmp_path, felm):
    before = sorted(tmp_path.iterdir())
    answer = run("bundle", "convert", "--map", "felm", "--dry-run", felm, status=1)
    for line in (
        "What is kelp?",
        "s1 [0-16] Kelp is an alga. → accuracy: accurate",
        "s2 [17-31] It is a plant. → accuracy: inaccurate, factual: yes",
    ):
        assert line in answer.out.splitlines()
    assert "Nothing was written: 2 records, 1 tasks" in answer.out
    assert "Left out: line 2" in answer.err
    plain = run("bundle", "convert", "--map", "felm", "--dry-run", felm, "--json").json
    assert (plain["task"]["id"], plain["rating"]["answers"]["targets"]["s1"]) == ("map-0001", {"accuracy": "accurate"})
    assert sorted(tmp_path.iterdir()) == before


def test_a_map_is_proposed_and_converts_the_file_that_it_was_proposed_for(run, tmp_path, felm):
    answer = run("bundle", "map", felm, "--out", tmp_path / "felm.map.toml", "--json")
    assert (answer.status, answer.json["records"], answer.json["tasks"]) == (1, 2, 1)
    assert read_map((tmp_path / "felm.map.toml").read_text("utf-8")).fields == {
        "prompt": "prompt",
        "response": "response",
        "targets": "segmented_response[*]",
    }
    words = ("--map", tmp_path / "felm.map.toml", "--ratings", tmp_path / "r.jsonl", "--out", tmp_path / "f.zip")
    assert run("bundle", "convert", *words, felm, "--json").json["tasks"] == 1
    rating = json.loads((tmp_path / "r.jsonl").read_text("utf-8"))
    assert rating["answers"]["targets"] == {"s1": {"accuracy": "accurate"}, "s2": {"accuracy": "inaccurate"}}
    assert read_map(run("bundle", "map", felm).out) == read_map((tmp_path / "felm.map.toml").read_text("utf-8"))


QA = {"question": "What is kelp?", "answer": "An alga of cold seas."}
MARKED = {"data": QA, "annotations": [{"completed_by": 1, "result": []}]}


@pytest.mark.parametrize(
    ("plain", "status", "records", "hint"),
    [
        ({"version": 3, "report": {"results": [QA, QA], "stats": [{"n": 1}]}}, 0, "report.results[*]", ""),
        ({"stats": [{"n": 1}], "items": [{"row": QA}]}, 0, "items[*].row", ""),
        ([QA, {**QA, "answer": 5}, QA], 1, "", 'column "answer" is a number, not a text'),
        ([MARKED], 0, "", "`audit import --from label-studio` reads the annotations"),
        ([{"contents": [{"parts": [{"text": "?"}]}], "candidates": [{"content": {"parts": [{"text": "It is."}]}}]}],
         1, "", "`bundle convert --from chat` reads this file."),
        ([{"doc_id": 0, "target": "4", "arguments": {"gen_args_0": {"arg_0": "2+2?"}}, "resps": [["It is 4."]]}],
         1, "", "`bundle convert --map lm-eval` reads this file."),
    ],
)  # fmt: skip
def test_nested_records_are_found_and_a_reader_that_fits_better_is_named(run, tmp_path, plain, status, records, hint):
    source, map_file = tmp_path / "log.json", tmp_path / "log.map.toml"
    source.write_text(json.dumps(plain), "utf-8")
    answer = run("bundle", "map", source, "--out", map_file)
    assert (answer.status, hint in answer.err) == (status, True)
    if not status:
        assert read_map(map_file.read_text("utf-8")).records == records
        made = run("bundle", "convert", "--map", map_file, "--dry-run", "--json", source).json
        assert made["task"]["responses"][0]["text"] == QA["answer"]


def test_a_file_of_pairs_without_known_names_is_told_what_to_write(run, tmp_path):
    source = tmp_path / "pairs.jsonl"
    source.write_text('{"question": "What is kelp?", "gpt4o": "An alga of cold seas.", "slm": "A plant of the land."}')
    answer = run("bundle", "convert", "--from", "jsonl", "--out", tmp_path / "b.zip", source, status=2)
    assert "`bundle map` proposes" in answer.err
    assert run("bundle", "map", source, "--out", tmp_path / "pairs.map.toml").status == 0
    words = ("--map", tmp_path / "pairs.map.toml", "--out", tmp_path / "b.zip")
    assert run("bundle", "convert", *words, source, "--json").json["tasks"] == 1
    source.write_text(
        '{"question": "Kelp?", "x": "An alga of the seas.", "y": "A plant of land.", "z": "It is a fish."}'
    )
    answer = run("bundle", "map", source)
    assert (answer.status, 'a = "KEY"' in answer.err, "x, y, z" in answer.err) == (1, True, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--map", "nothing"), "There is no map 'nothing'"),
        (("--map", "gone.toml"), "gone.toml"),
        (("--map", "felm", "--from", "csv"), "Give either --from or --map"),
        ((), "Give either --from or --map"),
        (("--map", "felm", "--columns", "prompt=a,response=b"), "--columns goes with"),
        (("--map", "felm", "--delimiter", "ab"), "'ab' is not a single character"),
    ],
)
def test_a_map_that_is_not_there_or_means_nothing_is_refused(run, tmp_path, felm, words, why):
    assert why in run("bundle", "convert", *words, "--out", tmp_path / "s.zip", felm, status=2).err
    assert not (tmp_path / "s.zip").exists()


def test_a_bundle_needs_a_place_unless_nothing_is_written(run, felm):
    answer = run("bundle", "convert", "--map", "felm", felm)
    assert (answer.status, "--out" in answer.err) == (2, True)


GOOD = json.dumps(RECORD).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "It is empty"),
        (b"\n\n", "It is empty"),
        (b"[]", "It contains no records"),
        (b"{}", "It contains no records"),
        (b"null", "line 1: not an object"),
        (GOOD[:40], "line 1"),
        (GOOD + b"\n" + GOOD[:40], "line 2"),
        (b"[" + GOOD + b",", "not JSON"),
        (GOOD + b"\n" + b"\xff\xfe", "line 2: not UTF-8 at byte 1"),
        (GOOD.decode().encode("utf-16"), "It is UTF-16"),
        (b'{"prompt": "' + b"x" * (17 * 1024 * 1024) + b'"}\n{}', "line 1: it is longer than 16,777,216 bytes"),
        (b'{"a": ' * 2000 + b"1" + b"}" * 2000, "line 1: nested too deeply"),
        (b'{"prompt": {}, "response": "x"}', 'line 1, column "prompt" is an object, not a text'),
        (b'{"prompt": "p", "response": "x", "segmented_response": [5]}', "holds a number"),
        (b'{"prompt": 1e999, "response": "x"}', "its prompt is missing"),
        (b'{"prompt": "p", "prompt": "q"}', "`prompt` occurs twice"),
        (b"prompt,response\n1,2,3\n", "line 1"),
        (b"%PDF-1.4", "It is a PDF"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_can_not_be_read_is_refused_by_name(run, tmp_path, data, why):
    path = tmp_path / f"{ODD_NAME}.jsonl"
    path.write_bytes(data)
    answer = run("bundle", "convert", "--map", "felm", "--out", tmp_path / "s.zip", path, "--skip", "0", status=2)
    assert why in answer.err
    assert "odd" in answer.err
    assert "\x1b" not in answer.err
    assert not (tmp_path / "s.zip").exists()
    assert "Traceback" not in run("bundle", "map", path).err


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
