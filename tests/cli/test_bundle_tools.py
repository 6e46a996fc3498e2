"""A project engineer shares a bundle out among raters, draws from it, puts parts together and compares."""

import csv
import json
import zipfile
from collections import Counter

import pytest

from desktop_rater.format.archive import GOLD, GUIDELINES, MANIFEST, TASKS
from desktop_rater.operations.self_test import sample_bundle_path
from tests.format import zips
from tests.format.zips import names_in

TOPICS = ("bread", "kelp", "kelp", "nori", "kelp", "kelp", "nori")
TASKS_OF_MANY = [zips.task(f"t-{number:02}", meta={"topic": TOPICS[number % len(TOPICS)]}) for number in range(1, 71)]


@pytest.fixture
def path(tmp_path):
    """A bundle of 70 tasks with guidelines, and a manifest key that a newer program may know."""
    return zips.with_files(
        tmp_path / "kelp.zip", {GUIDELINES: b"# How\r\n"}, *TASKS_OF_MANY, newer={"x": [1]}, revision=4
    )


def ids(path):
    return [json.loads(line)["id"] for line in content(path, TASKS).splitlines()]


def content(path, name):
    with zipfile.ZipFile(path) as zip_:
        return zip_.read(name)


def manifest(path):
    return json.loads(content(path, MANIFEST))


def test_the_parts_of_a_bundle_come_together_again_to_the_byte(run, path, tmp_path):
    answer = run("bundle", "split", "3", path, "--json", status=0)
    assert [part["tasks"] for part in answer.json["parts"]] == [23, 23, 24]
    parts = [tmp_path / f"kelp-part-{number}.zip" for number in (1, 2, 3)]
    assert [part["out"] for part in answer.json["parts"]] == [*map(str, parts)]
    merged = tmp_path / "merged.zip"
    assert run("bundle", "merge", "--out", merged, *parts).status == 0
    assert content(merged, TASKS) == content(path, TASKS)
    assert content(merged, GUIDELINES) == content(path, GUIDELINES)
    assert manifest(merged)["newer"] == {"x": [1]}


def test_each_part_is_a_bundle_of_its_own(run, path, tmp_path):
    run("bundle", "split", "3", path, "--out", tmp_path / "p{n}.zip")
    first = manifest(tmp_path / "p1.zip")
    assert (first["id"], first["title"], first["revision"]) == ("kelp-part-1", "Kelp (1/3)", 4)
    assert first["newer"] == {"x": [1]}
    assert first["derived"]["tool"] == "split"
    assert first["derived"]["bundles"][0]["sha256"] == manifest(path)["files"][TASKS]["sha256"]
    outcomes = run("import", *(tmp_path / f"p{number}.zip" for number in (1, 2, 3)), "--json").json
    assert [one["tasks"] for one in outcomes] == [23, 23, 24]


def test_the_same_bundle_gives_the_same_bytes(run, path, tmp_path):
    def made():
        run("bundle", "split", "2", path, "--out-dir", tmp_path / "parts")
        run("bundle", "sample", "--count", "9", "--by", "meta.topic", "--out", tmp_path / "parts" / "s.zip", path)
        return {name: (tmp_path / "parts" / name).read_bytes() for name in names_in(tmp_path / "parts")}

    first = made()
    assert sorted(first) == ["kelp-part-1.zip", "kelp-part-2.zip", "s.zip"]
    assert made() == first


def test_a_split_that_can_not_be_leaves_nothing(run, path, tmp_path):
    before = names_in(tmp_path)
    for words in (
        ("71", path),
        ("0", path),
        ("2", path, "--out", tmp_path / "no-number.zip"),
        ("2", path, "--out", tmp_path / "{n}{n}.zip"),
        ("2", path, "--out-dir", tmp_path / "nowhere" / "deeper"),
        ("71", path, "--out-dir", tmp_path / "new"),
        ("2", tmp_path / "missing.zip"),
        ("2", path, "--out", tmp_path / "{n}.zip", "--out-dir", tmp_path),
    ):
        assert run("bundle", "split", *words).status == 2, words
    assert names_in(tmp_path) == before


def test_no_tool_writes_over_what_it_reads(run, path, tmp_path):
    before = path.read_bytes()
    (tmp_path / "kelp-1.zip").write_bytes(before)
    assert run("bundle", "split", "2", tmp_path / "kelp-1.zip", "--out", tmp_path / "kelp-{n}.zip").status == 2
    assert run("bundle", "merge", "--out", path, path).status == 2
    assert run("bundle", "sample", "--count", "3", "--out", path, path).status == 2
    assert path.read_bytes() == (tmp_path / "kelp-1.zip").read_bytes() == before


def test_a_line_that_is_no_good_task_is_left_out_and_named(run, tmp_path):
    lines = zips.jsonl(zips.task("t-1"), {"id": "t-2"}, zips.task("t-3"))
    path = zips.with_lines(tmp_path / "b.zip", lines, 3)
    answer = run("bundle", "split", "2", path, "--json", status=1)
    assert [one["task"] for one in answer.json["left_out"]] == ["t-2"]
    assert "line 2" in answer.err
    assert [ids(tmp_path / f"b-part-{number}.zip") for number in (1, 2)] == [["t-1"], ["t-3"]]


def test_lines_keep_every_byte(run, tmp_path):
    meta = b'"meta": {"x": 1.50, "y": "\\u00e9"},  "prompt":{"text":"\xc2\x85"}'
    odd = b"{" + meta + b',"responses":[{"id":"a","text":"b"}],"id":"t"}\r'
    path = zips.with_lines(tmp_path / "b.zip", odd + b"\n" + zips.jsonl(zips.task("u")), 2)
    assert run("bundle", "sample", "--count", "2", "--out", tmp_path / "s.zip", path).status == 0
    assert content(tmp_path / "s.zip", TASKS) == content(path, TASKS)


def test_equal_tasks_come_in_once(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"), zips.task("t-2"))
    two = zips.bundle(tmp_path / "two.zip", zips.task("t-2"), zips.task("t-3"), id="other", title="Other")
    answer = run("bundle", "merge", "--out", tmp_path / "both.zip", one, two, "--json")
    assert (answer.status, answer.json["equal"]) == (0, 1)
    assert ids(tmp_path / "both.zip") == ["t-1", "t-2", "t-3"]
    assert (manifest(tmp_path / "both.zip")["id"], manifest(tmp_path / "both.zip")["title"]) == ("both", "both")


def test_one_id_with_two_tasks_refuses_the_merge_by_name(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"), zips.task("t-2"))
    two = zips.bundle(tmp_path / "two.zip", zips.task("t-2", text="Otherwise."))
    answer = run("bundle", "merge", "--out", tmp_path / "both.zip", one, two, status=2)
    assert '"t-2" in one.zip and two.zip' in answer.err
    assert names_in(tmp_path) == ["one.zip", "two.zip"]


@pytest.mark.parametrize(
    ("more", "why"),
    [({"rubric": "side-by-side@2"}, "the rubrics differ"), ({"language": "de"}, "the languages differ")],
)
def test_bundles_that_would_be_rated_differently_do_not_merge(run, tmp_path, more, why):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"))
    two = zips.bundle(tmp_path / "two.zip", zips.task("t-2"), **more)
    assert why in run("bundle", "merge", "--out", tmp_path / "both.zip", one, two, status=2).err


def test_manifest_keys_on_which_bundles_disagree_are_named(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"), owner="a", same=1)
    two = zips.bundle(tmp_path / "two.zip", zips.task("t-2"), owner="b", same=1)
    answer = run("bundle", "merge", "--out", tmp_path / "both.zip", one, two, "--json")
    assert (answer.status, answer.json["dropped"]) == (1, ["owner"])
    assert manifest(tmp_path / "both.zip")["same"] == 1


def test_a_sample_has_of_each_stratum_its_share(run, path, tmp_path):
    out = tmp_path / "s.zip"
    answer = run(
        "bundle", "sample", "--share", "0.1", "--seed", "5", "--by", "topic", "--out", out, path, "--json", status=0
    )
    assert answer.json["strata"] == [
        {"value": "bread", "tasks": 10, "taken": 1},
        {"value": "kelp", "tasks": 40, "taken": 4},
        {"value": "nori", "tasks": 20, "taken": 2},
    ]
    taken = [json.loads(line)["meta"]["topic"] for line in content(out, TASKS).splitlines()]
    assert Counter(taken) == {"bread": 1, "kelp": 4, "nori": 2}
    assert ids(out) == sorted(ids(out))
    derived = manifest(out)["derived"]
    assert (derived["seed"], derived["by"], derived["count"], derived["of"]) == (5, "meta.topic", 7, 70)
    assert derived["strata"] == answer.json["strata"]


@pytest.mark.parametrize(
    "words",
    [
        ("--count", "71"),
        ("--count", "0"),
        ("--share", "0"),
        ("--share", "1.5"),
        ("--share", "nan"),
        ("--count", "3", "--share", "0.5"),
        (),
        ("--count", "3", "--by", "meta.nothing"),
    ],
)
def test_a_sample_that_can_not_be_is_refused(run, path, tmp_path, words):
    assert run("bundle", "sample", *words, "--out", tmp_path / "s.zip", path).status == 2
    assert not (tmp_path / "s.zip").exists()


def test_a_field_that_no_task_has_is_answered_with_those_there_are(run, path, tmp_path):
    answer = run("bundle", "sample", "--count", "3", "--by", "meta.topics", "--out", tmp_path / "s.zip", path)
    assert "Available: meta.topic." in answer.err


def test_every_rater_gets_as_much_and_the_table_says_who_rates_what(run, path, tmp_path):
    (tmp_path / "raters.txt").write_text("\ufeffAnna Ä.\r\nben\r\n\r\n../ben\r\n=1+1\r\n", encoding="utf-8")
    out = tmp_path / "out"
    words = ("--raters", tmp_path / "raters.txt", "--overlap", "2", "--seed", "3", "--out-dir", out)
    answer = run("bundle", "assign", *words, path, "--json", status=0)
    parts = answer.json["raters"]
    assert [part["rater"] for part in parts] == ["Anna Ä.", "ben", "../ben", "=1+1"]
    assert {part["tasks"] for part in parts} == {35}
    assert answer.json["met"] == {"least": 11, "most": 12}
    assert names_in(out) == sorted(
        ["kelp-=1+1.zip", "kelp-Anna-Ä.zip", "kelp-assignment.csv", "kelp-ben-2.zip", "kelp-ben.zip"]
    )
    by_rater = {part["rater"]: ids(out / part["out"]) for part in parts}
    assert set(Counter(task for tasks in by_rater.values() for task in tasks).values()) == {2}
    with (out / "kelp-assignment.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = {rater: [row["task"] for row in rows if row["rater"].removeprefix("'") == rater] for rater in by_rater}
    assert told == by_rater
    assert all(row["rater"] != "=1+1" for row in rows), "a spreadsheet would run it"
    assert manifest(out / "kelp-ben.zip")["derived"]["rater"] == "ben"


def test_another_seed_shares_out_otherwise(run, path, tmp_path):
    (tmp_path / "raters.txt").write_text("a\nb\n")
    parts = {}
    for seed in ("1", "1", "2"):
        run("bundle", "assign", "--raters", tmp_path / "raters.txt", "--seed", seed, path)
        parts.setdefault(seed, []).append(ids(tmp_path / "kelp-a.zip"))
    assert parts["1"][0] == parts["1"][1] != parts["2"][0]


@pytest.mark.parametrize(
    ("raters", "words", "why"),
    [
        ("a\nb\na\n", (), "line 3: 'a' is already in line 1"),
        ("\n \n", (), "It contains no names"),
        ("a\nb\n", ("--overlap", "3"), "lists 2"),
        ("a\x07\n", (), "line 1"),
        ("\n".join(f"r{number}" for number in range(71)), (), "would get none"),
    ],
)
def test_raters_that_can_not_be_assigned_to_are_refused(run, path, tmp_path, raters, words, why):
    (tmp_path / "raters.txt").write_text(raters, "utf-8")
    answer = run(
        "bundle", "assign", "--raters", tmp_path / "raters.txt", *words, "--out-dir", tmp_path / "out", path, status=2
    )
    assert why in answer.err
    assert not (tmp_path / "out").exists()


def test_gold_never_reaches_raters(run, tmp_path):
    path = zips.with_files(tmp_path / "b.zip", {GOLD: zips.jsonl({"task": "t-1"})}, zips.task("t-1"), zips.task("t-2"))
    (tmp_path / "raters.txt").write_text("a\nb\n")
    run("bundle", "split", "2", path)
    run("bundle", "assign", "--raters", tmp_path / "raters.txt", path)
    run("bundle", "sample", "--count", "1", "--out", tmp_path / "s.zip", path)
    run("bundle", "merge", "--out", tmp_path / "m.zip", path)
    made = [name for name in names_in(tmp_path) if name.endswith(".zip") and name != "b.zip"]
    assert len(made) == 6
    for name in made:
        with zipfile.ZipFile(tmp_path / name) as zip_:
            assert GOLD not in zip_.namelist()


def test_in_practice_gold_goes_with_its_tasks(run, tmp_path):
    gold = zips.jsonl({"task": "t-1", "rater": "gold"})
    path = zips.with_files(tmp_path / "b.zip", {GOLD: gold}, zips.task("t-1"), zips.task("t-2"), practice=True)
    assert run("bundle", "split", "2", path).status == 0
    first, second = (tmp_path / f"b-part-{number}.zip" for number in (1, 2))
    assert content(first, GOLD) == gold
    assert manifest(first)["practice"]
    assert "practice" not in manifest(second), "there is nothing to practise with"
    assert run("bundle", "inspect", second).status == 0


def test_stored_pages_go_with_the_tasks_that_link_to_them(run, tmp_path):
    run("bundle", "split", "12", sample_bundle_path(), "--out", tmp_path / "p{n}.zip")
    run("bundle", "merge", "--out", tmp_path / "m.zip", *(tmp_path / f"p{number}.zip" for number in range(1, 13)))

    def pages(path):
        with zipfile.ZipFile(path) as zip_:
            return {name for name in zip_.namelist() if name.startswith("snapshots/")}

    everywhere = set.intersection(*(pages(tmp_path / f"p{number}.zip") for number in range(1, 13)))
    assert pages(tmp_path / "m.zip") == pages(sample_bundle_path())
    assert everywhere < pages(sample_bundle_path())


def test_bundles_that_are_none_are_refused(run, tmp_path):
    (tmp_path / "no.zip").write_bytes(b"no zip")
    one = zips.bundle(tmp_path / "one.zip")
    assert run("bundle", "diff", one, tmp_path / "no.zip").status == 2
    assert run("bundle", "merge", "--out", tmp_path / "m.zip", one, tmp_path / "no.zip").status == 2
    assert names_in(tmp_path) == ["no.zip", "one.zip"]


@pytest.mark.parametrize("words", [("--seed", str(2**53 + 1)), ("--by", "")])
def test_what_a_draw_can_not_be_told_by_is_refused_as_usage(run, path, tmp_path, words):
    """A seed that JSON can't hold; and an empty field, which a script gives by mistake, is not no field."""
    answer = run("bundle", "sample", "--count", "5", *words, "--out", tmp_path / "some.zip", path)
    assert (answer.status, answer.out) == (2, "")
    assert f"Invalid value for '{words[0]}'" in answer.err
    assert not (tmp_path / "some.zip").exists()


def test_raters_with_endless_names_get_files_with_short_ones(run, path, tmp_path):
    (tmp_path / "raters.txt").write_text(f"{'x' * 300}\n{'x' * 301}\n", "utf-8")
    answer = run("bundle", "assign", "--raters", tmp_path / "raters.txt", path, "--json", status=0)
    assert [len(one["rater"]) for one in answer.json["raters"]] == [300, 301]
    assert len({one["out"] for one in answer.json["raters"]}) == 2


def test_what_stands_in_the_way_of_one_part_is_named(run, path, tmp_path):
    (tmp_path / "kelp-part-2.zip").mkdir()
    assert "kelp-part-2.zip: It is a folder" in run("bundle", "split", "2", path, status=2).err
    assert not (tmp_path / "kelp-part-1.zip").exists()


def test_a_name_too_long_for_a_file_is_said_of_that_file(run, path, tmp_path):
    assert "yyy.zip can't be" in run("bundle", "merge", "--out", tmp_path / f"{'y' * 300}.zip", path, status=2).err


@pytest.mark.posix("Windows has no named pipes and devices among its files")
def test_a_file_without_an_end_is_refused_before_it_fills_the_memory(run, path):
    for words in (("bundle", "assign", "--raters", "/dev/zero", path), ("stats", "score", "/dev/zero"),
                  ("rubric", "lint", "span-factuality", "--guidelines", "/dev/zero")):  # fmt: skip
        answer = run(*words, status=2)
        assert "It is larger than" in answer.err


def test_two_bundles_are_compared_by_what_raters_get(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"), zips.task("t-2"), zips.task("t-3"))
    two = zips.bundle(
        tmp_path / "two.zip", zips.task("t-3"), zips.task("t-2", text="Otherwise."), zips.task("t-4"), revision=2
    )
    answer = run("bundle", "diff", one, two, "--json", status=1)
    assert answer.json == {
        "same": False,
        "manifest": [{"field": "revision", "a": 1, "b": 2}],
        "only_in_a": ["t-1"],
        "only_in_b": ["t-4"],
        "changed": [{"task": "t-2", "fields": ["responses.a.text"]}],
        "order": True,
        "files": [],
        "gold": [],
    }
    words = run("bundle", "diff", one, two).out
    assert "changed: t-2: responses.a.text" in words
    assert "revision: 1 became 2" in words


def test_a_bundle_is_the_same_as_itself_and_as_one_with_other_gold(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"))
    lead = zips.pack(tmp_path / "lead.zip", {**zips.bundle_files(zips.task("t-1")), GOLD: b'{"task": "t-1"}\n'})
    assert run("bundle", "diff", one, one, "--json").json["same"]
    answer = run("bundle", "diff", one, lead)
    assert (answer.status, answer.out) == (0, "The bundles are identical.\n")


def test_a_task_that_is_only_spelt_otherwise_is_a_changed_one(run, tmp_path):
    plain = zips.task("t-1")
    one = zips.with_lines(tmp_path / "one.zip", json.dumps(plain).encode() + b"\n", 1)
    two = zips.with_lines(
        tmp_path / "two.zip", json.dumps(plain, indent=None, separators=(",", ":")).encode() + b"\n", 1
    )
    assert "changed: t-1: only the formatting" in run("bundle", "diff", one, two, status=1).out


def test_other_files_of_raters_are_compared_too(run, tmp_path):
    one = zips.with_files(tmp_path / "one.zip", {GUIDELINES: b"# A\n"}, zips.task("t-1"))
    two = zips.with_files(tmp_path / "two.zip", {GUIDELINES: b"# B\n", zips.PAGE_NAME: zips.PAGE}, zips.task("t-1"))
    assert run("bundle", "diff", one, two, "--json").json["files"] == [GUIDELINES, zips.PAGE_NAME]
