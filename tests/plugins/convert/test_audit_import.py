"""Annotations made elsewhere come into an audit: tables, and the exports of other tools with all their annotators.

The exports are written in the documented formats: Label Studio's JSON, Argilla's `to_json` and `to_list(flatten=True)`,
doccano's JSONL, Potato's `annotated_instances.jsonl` and `user_state.json`, Prodigy's `db-out`, and INCEpTION's UIMA
CAS JSON 0.4 and WebAnno TSV 3.3. The text has an emoji, because tools count offsets in different units.
"""

import csv
import json
import zipfile
from contextlib import suppress
from functools import reduce

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.plugins.convert.annotations import AnnotationFiles, detect_tool, read_annotations
from desktop_rater.plugins.convert.annotations.placing import TaskPlaces
from desktop_rater.store.received import stream_received
from tests.operations.bundles import make, task, write, write_lines
from tests.readers import reader_of
from tests.rubric.toml_texts import choices, numbers, question, rubric_text
from tools.simulate import SimulationOptions, simulate_results

RUBRIC = rubric_text(
    "checks",
    question("verdict", "required = true", choices(yes="Supported", no="Unsupported"), ask="Is it supported?"),
    question("quality", body=numbers(1, 5), per="response", ask="How good is it?"),
    more='title = "Checks"',
)
MAP = """
format = "desktop-rater/map"
version = 1
[ratings]
answers = { False = { verdict = "no" } }
unmarked = { verdict = "yes" }
"""
SENTENCES = ("Paris 🥳 is the capital of France.", "It lies on the Loire.", "A fine question!")
TEXT = " ".join(SENTENCES)
START = TEXT.index("It lies")
END = START + len(SENTENCES[1])
START_16, END_16 = START + 1, END + 1  # in UTF-16, where the emoji takes two


@pytest.fixture
def bundle(tmp_path):
    rubric = write(tmp_path / "checks.toml", RUBRIC)
    return make(tmp_path / "facts.zip", [task("t1", *SENTENCES), task("t2", "Kelp is an alga.")], rubric=str(rubric))


@pytest.fixture
def answers(tmp_path):
    return write(tmp_path / "answers.toml", MAP)


def received(tmp_path, bundle="facts"):
    with reader_of(tmp_path / "store") as store:
        return list(stream_received(store, bundle))


def values(tmp_path, bundle="facts"):
    """The values of the ratings in the store, by task and rater."""
    return {(given.task, given.rater): given.digest.values for given in received(tmp_path, bundle)}


def rows(path, *lines, delimiter=","):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows(lines)
    return path


# -- tables


def test_a_long_table_comes_in_and_each_row_that_does_not_is_counted_and_named(run, bundle, tmp_path):
    table = rows(
        tmp_path / "crowd.csv",
        ["task", "rater", "place", "question", "value", "time"],
        ["t1", "ada", "s1", "verdict", "Supported", "2026-03-01 10:00"],
        ["t1", "ada", "s2", "verdict", "no", "2026-03-01 10:01"],
        ["t1", "ada", "s3", "verdict", "yes", "2026-03-01T10:02:00+01:00"],
        ["t1", "ada", "a", "quality", "4", "2026-03-01 10:03"],
        ["t2", "bob", "s1", "verdict", "yes", "1772359200"],
        ["t2", "bob", "s9", "verdict", "yes", ""],
        ["t2", "bob", "s1", "mood", "fine", ""],
        ["t2", "bob", "", "quality", "7", "soon"],
        ["t3", "bob", "s1", "verdict", "yes", ""],
        ["t2", "", "s1", "verdict", "yes", ""],
    )
    imported = run("audit", "import", table, "--bundle", bundle, "--json", status=1)
    plain = imported.json
    assert {kind: loss["count"] for kind, loss in plain["losses"].items()} == {
        "no_rater": 1,
        "unknown_task": 1,
        "unknown_question": 1,
        "unknown_place": 1,
        "wrong_value": 1,
        "unreadable_time": 1,
    }
    assert plain["losses"]["wrong_value"]["examples"] == ["crowd.csv, line 9: bob: quality, 7"]
    assert (plain["ratings"], plain["raters"], plain["answers"]) == (2, 2, 5)
    assert plain["broken_rules"] == {}
    ada = {"targets/s1": {"verdict": "yes"}, "targets/s2": {"verdict": "no"}, "targets/s3": {"verdict": "yes"}}
    assert values(tmp_path) == {
        ("t1", "ada"): ada | {"responses/a": {"quality": 4}},
        ("t2", "bob"): {"targets/s1": {"verdict": "yes"}},
    }
    changed = {given.rater: given.digest.changed for given in received(tmp_path)}
    assert changed["ada"] == "2026-03-01T10:03:00Z"


def test_the_same_table_changes_nothing_and_a_newer_one_replaces_the_older(run, bundle, tmp_path):
    first = ["task", "rater", "place", "question", "value", "time"]
    one = ["t2", "ada", "s1", "verdict", "yes", "2026-03-01"]
    table = rows(tmp_path / "crowd.csv", first, one)
    assert run("audit", "import", table, "--bundle", bundle).status == 0
    again = run("audit", "import", table, "--bundle", "facts", "--json").json
    assert (again["same"], again["results"]) == (1, [])
    rows(table, first, one, ["t2", "ada", "s1", "verdict", "no", "2026-03-02"])
    run("audit", "import", table, "--bundle", "facts", "--json", status=0)
    status = run("audit", "status", "facts", "--json").json["bundles"][0]
    assert status["ratings"] == 1
    assert not status["forks"]
    revisions = {given.digest.revisions for given in received(tmp_path)}
    assert revisions == {1, 2}  # the answer was changed, and the history says when


def test_a_wide_table_with_its_texts_makes_the_bundle_too(run, tmp_path):
    rubric = write(tmp_path / "checks.toml", "[[questions]]".join(RUBRIC.split("[[questions]]")[::2]))
    table = rows(
        tmp_path / "scores.tsv",
        ["instance_id", "user_id", "text", "quality"],
        *(
            [f"{item}", f"user {rater}", f"Text {item}.", 1 + (item + rater) % 5]
            for item in range(6)
            for rater in range(3)
        ),
        delimiter="\t",
    )
    made = tmp_path / "scores.zip"
    columns = "task=instance_id,rater=user_id,value.quality=quality,response=text"
    imported = run(
        "audit", "import", table, "--columns", columns, "--make", made, "--rubric", rubric, "--json", status=0
    )
    assert (imported.json["made"], imported.json["ratings"], imported.json["losses"]) == (6, 18, {})
    assert values(tmp_path, "scores")["5", "user 2"] == {"responses/a": {"quality": 3}}
    assert run("check", made, "--json").status == 2  # a bundle, no results


def test_spans_by_annotator_become_a_judgement_of_every_word(run, tmp_path):
    rubric = write(tmp_path / "checks.toml", RUBRIC)
    source = write_lines(
        tmp_path / "spans.jsonl",
        [
            {
                "id": "q1",
                "model_input": "Where?",
                "model_output_text": "On the Loire",
                "annotations": {"ada": [[3, 12]], "bob": [], "cy": [[2, 3]]},
            }
        ],
    )
    imported = run(
        "audit",
        "import",
        source,
        "--map",
        "mu-shroom",
        "--marked",
        "verdict=no",
        "--unmarked",
        "verdict=yes",
        "--make",
        tmp_path / "words.zip",
        "--rubric",
        rubric,
        "--json",
    )
    assert {kind: loss["count"] for kind, loss in imported.json["losses"].items()} == {"unknown_place": 1}
    words = {
        rater: [given[f"targets/s{at}"]["verdict"] for at in (1, 2, 3)]
        for (_, rater), given in values(tmp_path, "words").items()
    }
    assert words == {"ada": ["yes", "no", "no"], "bob": ["yes", "yes", "yes"], "cy": ["yes", "yes", "yes"]}


# -- tools


def label_studio(folder):
    def annotation(user, *spans):
        results = [
            {
                "id": f"r{start}",
                "from_name": "label",
                "to_name": "text",
                "type": "labels",
                "value": {"start": start, "end": end, "text": TEXT[start:end], "labels": ["False"]},
            }
            for start, end in spans
        ]
        about = {"id": user, "email": f"{user}"}
        return {"result": results, "completed_by": about, "lead_time": 9.5, "updated_at": "2026-03-01T10:00:00.5Z"}

    record = {
        "id": 41,
        "data": {"task": "t1", "text": TEXT},
        "annotations": [annotation("ada", (START, END)), annotation("bob")],
        "predictions": [{"result": []}],
    }
    return write(folder / "project-1.json", json.dumps([record]))


def argilla(folder):
    span = {"start": START, "end": END, "label": "False"}
    given = [
        {"value": [span], "user_id": "ada", "status": "submitted"},
        {"value": [], "user_id": "bob", "status": "submitted"},
    ]
    record = {"id": "t1", "fields": {"text": TEXT}, "responses": {"marks": given}}
    return write(folder / "records.json", json.dumps([record]))


def argilla_flat(folder):
    span = {"start": START, "end": END, "label": "False"}
    record = {
        "id": "t1",
        "text": TEXT,
        "marks.responses": [[span], []],
        "marks.responses.users": ["ada", "bob"],
        "marks.responses.status": ["submitted", "submitted"],
    }
    return write_lines(folder / "records.jsonl", [record])


def doccano(folder):
    """All annotators: a file for each in a zip."""
    path = folder / "doccano.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, labels in (("ada", [[START, END, "False"]]), ("bob", [])):
            archive.writestr(
                f"{name}.jsonl", json.dumps({"id": 7, "text": TEXT, "label": labels, "Comments": []}) + "\n"
            )
    return path


def prodigy(folder):
    def line(name, *spans):
        about = {"_input_hash": 11, "_task_hash": 12, "_annotator_id": name, "_timestamp": 1772359200}
        marks = [{"start": start, "end": end, "label": "False"} for start, end in spans]
        return {"text": TEXT, "meta": {"id": "t1"}, "spans": marks, "answer": "accept", **about}

    return write_lines(folder / "db.jsonl", [line("ada", (START, END)), line("bob")])


def potato(folder):
    def line(name, *spans):
        marks = [{"schema": "marks", "name": "False", "start": start, "end": end} for start, end in spans]
        return {"user_id": name, "instance_id": "t1", "label_annotations": {}, "span_annotations": marks}

    return write_lines(folder / "annotated_instances.jsonl", [line("ada", (START, END)), line("bob")])


def potato_states(folder):
    """A folder for each annotator, with the state of their work."""
    for name, spans in (
        ("ada", [[{"schema": "marks", "name": "False", "start": START, "end": END}, True]]),
        ("bob", []),
    ):
        (folder / "annotation_output" / name).mkdir(parents=True)
        state = {"user_id": name, "instance_id_to_label_to_value": {}, "instance_id_to_span_to_value": {"t1": spans}}
        (folder / "annotation_output" / name / "user_state.json").write_text(json.dumps(state), "utf-8")
    return folder / "annotation_output"


def inception_cas(folder):
    """A project: a folder for each document, a zip for each annotator with the CAS in it."""
    path = folder / "project.zip"
    with zipfile.ZipFile(path, "w") as project:
        project.writestr("exportedproject.json", "{}")
        for name, spans in (("ada", [(START_16, END_16)]), ("bob", [])):
            sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": TEXT}
            whole = {"%ID": 2, "%TYPE": "uima.tcas.DocumentAnnotation", "@sofa": 1, "begin": 0, "end": len(TEXT) + 1}
            parts = [
                {"%ID": 3, "%TYPE": "custom.Span", "@sofa": 1, "begin": start, "end": end, "label": "False"}
                for start, end in spans
            ]
            cas = {"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, whole, *parts], "%VIEWS": {}}
            inner = folder / f"{name}.zip"
            with zipfile.ZipFile(inner, "w") as archive:
                archive.writestr(f"{name}.json", json.dumps(cas))
            project.write(inner, f"annotation/t1.txt/{name}.zip")
    return path


def webanno_tsv(folder):
    """A folder for each document, a file for each annotator; several tokens of one span share a number."""
    for name in ("ada", "bob"):
        lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=custom.Span|label", ""]
        offset = 0
        for number, sentence in enumerate(SENTENCES, 1):
            lines += ["", f"#Text={sentence}"]
            for token, word in enumerate(sentence.split(), 1):
                size = len(word.encode("utf-16-le")) // 2
                label = "False[1]" if (name, number) == ("ada", 2) else "_"
                lines.append(f"{number}-{token}\t{offset}-{offset + size}\t{word}\t{label}\t")
                offset += size + 1
        (folder / "export" / "t1.txt").mkdir(parents=True, exist_ok=True)
        (folder / "export" / "t1.txt" / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "export"


def brat(folder):
    """A folder for each annotator, zipped: spans in code points, in a text with line ends that they count as one."""
    path = folder / "brat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("ada", "bob"):
            span = f"T1\tFalse {START} {END}\t{SENTENCES[1]}\n" if name == "ada" else ""
            archive.writestr(f"{name}/t1.ann", span)
            archive.writestr(f"{name}/t1.txt", TEXT)
    return path


def conll(folder):
    """A file for each annotator, of tokens: the bundle's text is found and counted without white space."""
    for name in ("ada", "bob"):
        rows = ["-DOCSTART- -X- O O", ""]
        for number, sentence in enumerate(SENTENCES):
            for token, word in enumerate(sentence.replace(".", " .").replace("?", " ?").split()):
                label = f"{'I' if token else 'B'}-False" if (name, number) == ("ada", 1) else "O"
                rows.append(f"{word} NN {label}")
            rows.append("")
        (folder / "conll").mkdir(exist_ok=True)
        (folder / "conll" / f"{name}.conll").write_text("\n".join(rows), "utf-8")
    return folder / "conll"


@pytest.mark.parametrize(
    "export",
    [
        brat,
        conll,
        label_studio,
        argilla,
        argilla_flat,
        doccano,
        prodigy,
        potato,
        potato_states,
        inception_cas,
        webanno_tsv,
    ],
)
def test_the_marks_of_all_annotators_come_in_from_every_tool(run, bundle, answers, tmp_path, export):
    imported = run("audit", "import", export(tmp_path), "--bundle", bundle, "--map", answers, "--json")
    assert set(imported.json["losses"]) <= {"prediction"}
    assert imported.status == 0
    said = {"yes": {"verdict": "yes"}, "no": {"verdict": "no"}}
    assert values(tmp_path) == {
        ("t1", "ada"): {"targets/s1": said["yes"], "targets/s2": said["no"], "targets/s3": said["yes"]},
        ("t1", "bob"): {f"targets/s{at}": said["yes"] for at in (1, 2, 3)},
    }


def test_ratings_that_leave_for_label_studio_come_back_with_the_same_figures(run, tmp_path):
    rubric = write(tmp_path / "checks.toml", RUBRIC)
    bundle = make(tmp_path / "facts.zip", [task(f"t{at}", *SENTENCES) for at in (1, 2, 3)], rubric=str(rubric))
    options = SimulationOptions(raters=6, seed=3, noise=0.3)
    simulate_results(bundle, None, tmp_path / "raters", options, Progress())
    zips = sorted(path for path in (tmp_path / "raters").iterdir() if "before" not in path.name)
    assert run("results", "convert", "--to", "label-studio", "--out", tmp_path / "ls.json", *zips).status == 0
    imported = run("audit", "import", tmp_path / "ls.json", "--bundle", bundle, "--json").json
    assert (imported["raters"], imported["ratings"], imported["losses"]) == (6, 18, {})
    back = run("audit", "report", "facts", "--json").json
    assert main(["--store", str(tmp_path / "other"), "audit", "open", str(bundle), *map(str, zips), "-q"]) == 0
    own = run("--store", tmp_path / "other", "audit", "report", "facts", "--json").json
    assert back["agreement"] == own["agreement"]
    for rater in (*back["raters"], *own["raters"]):
        rater.pop("revisions")  # Label Studio has no history
    assert back["raters"] == own["raters"]
    gathered = run("bundle", "convert", "--from", "label-studio", "--out", tmp_path / "b.zip", "--ratings",
                   tmp_path / "r.jsonl", "--rubric", rubric, tmp_path / "ls.json")  # fmt: skip
    assert gathered.status == 0
    written = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    assert len({(one["task"], one["rater"]) for one in written}) == 18


def test_files_without_a_single_rating_say_what_they_hold_instead(run, bundle, tmp_path):
    table = rows(tmp_path / "crowd.csv", ["task", "rater", "verdict"], ["t9", "ada", "yes"])
    refused = run("audit", "import", table, "--bundle", bundle, status=2)
    assert "1 annotations of tasks that the bundle does not have" in refused.err
    unnamed = rows(tmp_path / "odd.csv", ["item", "mood"], ["t1", "fine"])
    assert "No column is called rater" in run("audit", "import", unnamed, "--bundle", bundle).err
    assert run("audit", "import", table).status == 2


ODD = (None, True, -1, 1e300, "", "[1]", [], [[]], {}, {"start": "2", "end": []}, [{"start": 1}], 10**15, ["a", None])


def places_in(value, path=()):
    """The paths of all values in a JSON value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places_in(part, (*path, key))


def with_value(value, path, new):
    if not path:
        return new
    copy = json.loads(json.dumps(value))
    parent = reduce(lambda part, key: part[key], path[:-1], copy)
    parent[path[-1]] = new
    return copy


@pytest.mark.parametrize("export", [label_studio, argilla, argilla_flat, prodigy, potato, potato_states])
def test_an_export_with_any_value_anywhere_is_read_or_refused(tmp_path, export):
    path = export(tmp_path)
    path = path if path.is_file() else next(path.rglob("*.json"))
    tool = detect_tool(path)
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    for number, at in enumerate(places_in(first)):
        changed = with_value(first, at, ODD[number % len(ODD)])
        path.write_text(json.dumps(changed) + "\n", "utf-8")
        with suppress(BundleError):
            source = read_annotations(AnnotationFiles(paths=(path,), tool=tool), ())
            assert all(annotation.rater for annotation in source.annotations)


TABLE_HEAD = "task,rater,place,question,value,time\n"
TSV = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n#Text=Hi\n1-1\t{}\tHi\tFalse\t\n"
REFUSED = {
    "empty.csv": ("", "It is empty"),
    "mac.csv": (f"{TABLE_HEAD}t1,ada,s1,verdict,yes,\n".replace("\n", "\r"), "line 1: unexpected carriage return"),
    "twice.csv": ("task,rater,rater,verdict\nt1,a,b,yes\n", 'line 1: two columns are named "rater"'),
    "short.csv": ("task,verdict\nt1,yes\n", "No column is called rater"),
    "quote.csv": (f'{TABLE_HEAD}t1,"ada,s1\n', "line 2: a quotation mark is not closed"),
    "latin.csv": (TABLE_HEAD.encode() + b"t1,\xe4da,s1,verdict,yes,\n", "line 2: not UTF-8 at byte 4"),
    "wide.csv": (TABLE_HEAD.encode("utf-16"), "It is UTF-16"),
    "deep.jsonl": ('{"task":' + "[" * 9999 + "]" * 9999 + "}\n{}\n", "line 1: nested too deeply"),
    "latin.tsv": (TSV.format("0-2").encode() + b"\xe4", "line 6: not UTF-8"),
    "far.tsv": (TSV.format("999999999999-1000000000001"), "too far from the text"),
    "gaps.tsv": (TSV.format("900000-900002") + "\n#Text=Ho\n2-1\t1800000-1800002\tHo\t_\n", "too far from the text"),
    "digits.tsv": (TSV.format(f"{'9' * 5000}-3"), "It has no tokens"),
    "cut.zip": (b"PK\3\4aaaa", "It is not a zip"),
    "no.csv": (None, "No such file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_is_named_with_the_place_and_the_reason(tmp_path, name):
    content, why = REFUSED[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(BundleError) as refused:
        read_annotations(AnnotationFiles(paths=(path,)), ("verdict",))
    assert name in refused.value.title
    assert why in refused.value.message


def test_a_file_in_a_zip_or_a_folder_is_named_and_a_bomb_is_refused(tmp_path):
    path = tmp_path / "export.zip"
    for name, content, named, why in (
        ("team/ada.csv", "task,rater\nt1\n", "ada.csv", "line 2: only 1 cells instead of 2"),
        ("zeros.csv", "0" * 9_000_000, "export.zip", "a zip bomb?"),
    ):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content)
        with pytest.raises(BundleError) as refused:
            read_annotations(AnnotationFiles(paths=(path,)), ("verdict",))
        assert named in refused.value.title
        assert why in refused.value.message
    (tmp_path / "folder").mkdir()
    with pytest.raises(BundleError, match="folder holds no annotations"):
        read_annotations(AnnotationFiles(paths=(tmp_path / "folder",)), ())


def test_files_of_a_folder_that_hold_no_records_are_named(run, bundle, tmp_path):
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "a.csv").write_text(f"{TABLE_HEAD}t2,a,s1,verdict,yes,2026-03-01", encoding="utf-8")
    for name in ("answers.txt", "notes.docx", ".DS_Store", "Thumbs.db"):
        (folder / name).touch()
    imported = run("audit", "import", folder, "--bundle", bundle, "--json")
    assert imported.json["losses"]["file"]["examples"] == ["answers.txt", "notes.docx"]
    assert "Not taken: 2 files of a folder that hold no records." in imported.err


def test_a_parquet_file_may_nest_values_but_names_each_column_once(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "crowd.parquet"
    columns = [arrow.array(["t1"]), arrow.array(["ada"]), arrow.array([{"a": [1]}])]
    parquet.write_table(arrow.Table.from_arrays(columns, names=["task", "rater", "verdict"]), path)
    (annotation,) = read_annotations(AnnotationFiles(paths=(path,)), ("verdict",)).annotations
    assert [answer.value for answer in annotation.answers] == [{"a": [1]}]
    parquet.write_table(arrow.Table.from_arrays(columns, names=["task", "rater", "rater"]), path)
    with pytest.raises(BundleError, match=r"crowd\.parquet can't be read") as refused:
        read_annotations(AnnotationFiles(paths=(path,)), ("verdict",))
    assert refused.value.message == 'Two columns are named "rater".'


def test_odd_values_are_read_or_counted(run, bundle, answers, tmp_path):
    table = tmp_path / "odd.csv"
    lines = ["t2,a,s1,verdict,yes,2026-03-01", f"t2,b,{'9' * 5000},quality,{'9' * 5000},{'9' * 5000}"]
    lines += ["t2,c,\u0130,quality,nan,9999-12-31T23:59-14:00", "t2,d,1,quality,1e999,", "t2,e,A,quality,4,"]
    table.write_text("\ufeff" + TABLE_HEAD + "\r\n".join(lines), encoding="utf-8")
    imported = run("audit", "import", table, "--bundle", bundle, "--json").json
    assert {kind: loss["count"] for kind, loss in imported["losses"].items()} == {
        "wrong_value": 3,
        "unreadable_time": 2,
        "empty": 3,
    }
    assert values(tmp_path)["t2", "e"] == {"responses/a": {"quality": 4}}
    marks = write_lines(
        tmp_path / "marks.jsonl",
        [{"t": "t2", "r": "a", "m": ["x", {"start": "9" * 5000, "label": "False"}]}, {"t": "t2", "r": "b", "m": []}],
    )
    with marks.open("a") as file:
        file.write(json.dumps({"t": "t2", "r": "c", "m": [[0, 4, "False"]], "n": float("nan")}) + "\n")
        file.write('{"t": "t1", "r": "c", "m": [], "n": ' + "9" * 5000 + "}\n")
    columns = "task=t,rater=r,marks=m"
    imported = run("audit", "import", marks, "--bundle", "facts", "--map", answers, "--columns", columns, "--json").json
    assert {kind: loss["count"] for kind, loss in imported["losses"].items()} == {
        "unknown_label": 1,
        "unknown_place": 1,
        "number": 2,
    }
    assert values(tmp_path)["t2", "c"] == {"targets/s1": {"verdict": "no"}}


# -- a lead's first steps


def test_nothing_is_missing_of_a_crowd_whose_tasks_nobody_has_assigned(run, bundle, tmp_path):
    table = rows(tmp_path / "crowd.csv", ["task", "rater", "place", "verdict"],
                 ["t2", "ada", "s1", "yes"], ["t2", "bob", "s1", "yes"], ["t1", "bob", "s1", "yes"])  # fmt: skip
    run("audit", "import", table, "--bundle", bundle, "--lead", "Quinn")
    assert json.loads((tmp_path / "store" / "settings.json").read_text("utf-8"))["role"] == "lead"
    told = run("audit", "status", "facts")
    assert (told.status, "missing" in told.out, "partial" in told.out) == (0, False, False)
    assert "  ada: 1 complete\n  bob: 2 complete\n" in told.out
    assigned = rows(tmp_path / "assigned.csv", ["task", "rater"], ["t1", "ada"], ["t2", "ada"], ["t1", "bob"])
    short = run("audit", "status", "facts", "--assigned", assigned).out
    assert "ada: 1 complete of 2, 1 missing\n" in short
    assert "t1" not in short
    assert "ada still to rate it" in run("audit", "status", "facts", "--assigned", assigned, "--all").out


def test_a_nested_record_names_its_places_by_their_texts(run, bundle, tmp_path):
    """A sentence that stands twice in its task is no place."""
    said = [{"text": text, "by": [{"who": who, "is": "yes"} for who in ("ada", "bob")]} for text in SENTENCES]
    path = write_lines(tmp_path / "nested.jsonl", [{"id": "t1", "said": said}])
    columns = "task=id,rater=said[*].by[*].who,value.verdict=said[*].by[*].is"
    refused = run("audit", "import", path, "--bundle", bundle, "--columns", columns)
    why = "nested.jsonl, line 1: ada: verdict, no `place` is given, and the task has 3 targets"
    assert (refused.status, why in refused.err) == (1, True)
    assert run("audit", "import", path, "--bundle", bundle, "--columns", f"{columns},place=said[*].text").status == 0
    every = {f"targets/s{n}": {"verdict": "yes"} for n in (1, 2, 3)}
    assert values(tmp_path) == {("t1", "ada"): every, ("t1", "bob"): every}
    places = TaskPlaces(read_struct(task("t", "So it is.", "So it is.", "No."), Task))
    assert [getattr(places.target_of(text), "id", None) for text in ("No.", "So it is.", "s2", "no.")] == [
        "s3", None, "s2", None
    ]  # fmt: skip
