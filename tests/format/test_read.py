"""What a bundle says about itself must be so, and its tasks come out as they went in."""

import hashlib
import json
import sys
import zipfile

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import SeenIds
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.strict_json import to_plain
from tests.format.zips import (
    CREATED,
    PAGE,
    PAGE_HASH,
    PAGE_NAME,
    bundle,
    bundle_files,
    jsonl,
    listed,
    manifest,
    pack,
    task,
    with_files,
    with_lines,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "b.zip"


def read_all(path):
    with open_bundle(path) as opened:
        lines = list(opened.tasks())
        opened.verify_rest()
    return lines


def refused(path, *words):
    with pytest.raises(BundleError) as caught:
        read_all(path)
    for word in words:
        assert word in caught.value.message, caught.value.message
    return caught.value


def test_each_line_comes_out_to_the_byte(path):
    # A "\r" belongs to its line; U+0085 and U+2028 end none; keys, spaces and escapes are the author's.
    written = [
        b'{"id":"t-1", "prompt":{"text":"\xc2\x85 \xe2\x80\xa8"},"responses":[{"id":"a","text":"x"}]}\r',
        b'  {"responses":[{"text":"\\u00e9","id":"a"}],"prompt":{"text":"?"},"id":"t-2"} ',
        '{"id":"t-3","prompt":{"text":"é"},"responses":[{"id":"a","text":"\\ud83d\\ude00"}],"own":[1e3]}'.encode(),
    ]
    lines = read_all(with_lines(path, b"\n".join(written), 3))
    assert [line.raw for line in lines] == written
    assert [line.task.id for line in lines] == ["t-1", "t-2", "t-3"]
    assert lines[2].task.responses[0].text == "😀"


def test_make_and_open_gives_the_same_tasks_to_the_byte(path):
    written = [json.dumps(task(f"t-{number}", more={"own": number})).encode() + b"\r" for number in range(300)]
    made = make_bundle(path, BundleDraft(id="kelp", created=CREATED, rubric="span-factuality@3"), written)
    with open_bundle(path) as opened:
        assert [line.raw for line in opened.tasks()] == written
        assert opened.manifest == made
        assert made.tasks == 300


def test_a_bom_at_the_start_of_a_file_belongs_to_the_file(path):
    bom = b"\xef\xbb\xbf"
    files = {"tasks.jsonl": bom + jsonl(task()), "guidelines.md": bom + "Grüße".encode()}
    pack(path, {"manifest.json": bom + manifest(files), **files})
    with open_bundle(path) as opened:
        assert [line.raw for line in opened.tasks()] == [jsonl(task()).rstrip(b"\n")]
        assert opened.guidelines == "Grüße"


def test_all_parts_of_a_bundle(path):
    rubric, guidelines = b'id = "own"\r\n', b"# How\r\nto rate  "
    with_files(path, {"rubric.toml": rubric, "guidelines.md": guidelines, PAGE_NAME: PAGE})
    with open_bundle(path) as opened:
        assert opened.rubric_toml == 'id = "own"\r\n'
        assert opened.guidelines == "# How\r\nto rate  "
        assert opened.snapshots == (PAGE_HASH,)
        assert b"".join(opened.snapshot(PAGE_HASH)) == PAGE
        assert opened.manifest.title == "Kelp"
        assert json.loads(opened.manifest_raw)["id"] == "kelp"
        assert list(opened.gold()) == []


def test_a_bundle_without_the_optional_files(path):
    with open_bundle(bundle(path)) as opened:
        assert opened.rubric_toml is None
        assert opened.guidelines is None
        assert opened.snapshots == ()


def test_unknown_keys_of_a_manifest_are_kept(path):
    with open_bundle(bundle(path, team="north")) as opened:
        assert to_plain(opened.manifest)["team"] == "north"


def test_a_newer_bundle_says_which_program_can_open_it(path):
    files = {"tasks.jsonl": b"a format of its own"}
    pack(
        path, {"manifest.json": json.dumps({"format": "desktop-rater/bundle", "version": 2, "x": 1}).encode(), **files}
    )
    error = refused(path, "It uses version 2 of the bundle format; this program supports version 1.")
    assert error.hint == "Update Desktop Rater to a release that supports version 2."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "desktop-rater/results"}, "`format` is 'desktop-rater/results', not 'desktop-rater/bundle'"),
        ({"format": None}, "`format` is None"),
        ({"version": "1"}, "field `version`"),
        ({"version": 0}, "field `version`"),
        ({"version": True}, "field `version`"),
        ({"id": ""}, "field `id`"),
        ({"revision": 0}, "field `revision`"),
        ({"revision": 1.5}, "field `revision`"),
        ({"created": "yesterday"}, "field `created`"),
        ({"created": "2026-02-30T00:00:00Z"}, "`created` is not a time"),
        ({"rubric": 3}, "field `rubric`"),
        ({"tasks": -1}, "field `tasks`"),
        ({"files": []}, "field `files`"),
        ({"files": {"tasks.jsonl": {"sha256": "x", "bytes": 1}}}, "sha256"),
    ],
)
def test_a_bad_manifest_is_refused_by_its_field(path, change, words):
    refused(bundle(path, **change), "manifest.json", words)


def test_a_manifest_that_is_missing_or_no_json(path):
    refused(pack(path, {"tasks.jsonl": jsonl(task())}), "the zip has no manifest.json")
    refused(pack(path, {"manifest.json": b"{", "tasks.jsonl": b""}), "manifest.json: not JSON")
    refused(pack(path, {"manifest.json": b"[]", "tasks.jsonl": b""}), "manifest.json: it holds a list")
    without = json.loads(manifest({"tasks.jsonl": jsonl(task())}))
    del without["rubric"]
    refused(pack(path, {"manifest.json": json.dumps(without), "tasks.jsonl": jsonl(task())}), "`rubric` is missing")


def test_tasks_must_be_listed(path):
    refused(pack(path, {"manifest.json": manifest({}, tasks=1), "tasks.jsonl": jsonl(task())}), "does not list tasks.j")


def test_what_is_listed_must_be_there(path):
    files = {"tasks.jsonl": jsonl(task())}
    absent = {**files, "guidelines.md": b"x"}
    refused(pack(path, {"manifest.json": manifest(absent), **files}), "guidelines.md is listed")
    refused(pack(path, {"manifest.json": manifest({**files, "manifest.json": b""}), **files}), "manifest.json is")
    refused(pack(path, {"manifest.json": manifest({**files, "../x": b""}), **files}), "../x is listed")


@pytest.mark.parametrize("name", ["rubric.toml", "guidelines.md"])
def test_what_is_there_must_be_listed(path, name):
    refused(pack(path, {**bundle_files(), name: b"x"}), f"{name} is not listed in manifest.json")


@pytest.mark.parametrize("name", ["tasks.jsonl", "rubric.toml", "guidelines.md", "gold.jsonl"])
def test_a_file_that_was_altered_is_refused(path, name):
    files = {"tasks.jsonl": jsonl(task()), "rubric.toml": b"id", "guidelines.md": b"ab", "gold.jsonl": b'{"task": "1"}'}
    altered = {**files, name: files[name].swapcase()}
    error = refused(pack(path, {"manifest.json": manifest(files), **altered}))
    assert name in error.message


def test_a_file_of_another_length_is_refused_before_it_is_read(path):
    files = {"tasks.jsonl": jsonl(task())}
    pack(path, {"manifest.json": manifest(files), "tasks.jsonl": jsonl(task(), task("t-2"))})
    with pytest.raises(BundleError, match=r"manifest\.json lists"), open_bundle(path):
        pass


def test_snapshots_need_not_be_listed_but_are_what_their_name_says(path):
    assert read_all(pack(path, {**bundle_files(), PAGE_NAME: PAGE}))
    error = refused(pack(path, {**bundle_files(), PAGE_NAME: PAGE + b"!"}), "altered or damaged")
    assert PAGE_HASH in error.message
    wrong = {"tasks.jsonl": jsonl(task()), PAGE_NAME: PAGE + b"!"}
    refused(pack(path, {"manifest.json": manifest(wrong), **wrong}), "in manifest.json differs from that in its name")


def test_a_snapshot_that_is_not_there_is_named(path):
    with open_bundle(bundle(path)) as opened, pytest.raises(BundleError, match="is missing"):
        list(opened.snapshot(PAGE_HASH))


def test_gold_may_be_listed_or_not_and_there_or_not(path):
    gold = jsonl({"task": "t-1", "rater": "gold-1", "answers": {"targets": {"s1": {"factual": "yes"}}}})
    with open_bundle(pack(path, {**bundle_files(), "gold.jsonl": gold})) as opened:
        assert [rating.rater for rating in opened.gold()] == ["gold-1"]
        unlisted = opened.identity
    with open_bundle(with_files(path, {"gold.jsonl": gold})) as opened:
        assert [rating.task for rating in opened.gold()] == ["t-1"]
        assert opened.identity == unlisted
    files = {"tasks.jsonl": jsonl(task())}
    left_out = manifest(files, files=listed({**files, "gold.jsonl": gold}))
    with open_bundle(pack(path, {"manifest.json": left_out, **files})) as opened:
        assert list(opened.gold()) == []
        assert opened.identity == unlisted


def test_gold_that_is_no_rating_is_refused(path):
    refused(with_files(path, {"gold.jsonl": b'{"rater": "x"}\n'}), "gold.jsonl, line 1: `task` is missing")
    refused(
        with_files(path, {"gold.jsonl": b'{"task": "t-1", "status": "fine"}\n'}),
        'gold.jsonl, line 1, task "t-1": field `status`',
    )


@pytest.mark.parametrize("name", ["rubric.toml", "guidelines.md"])
def test_texts_are_strict_utf8_without_nul(path, name):
    refused(with_files(path, {name: b"ab\xff"}), f"{name} is not UTF-8 at byte 3")
    refused(with_files(path, {name: "x".encode("utf-16")}), f"{name} is not UTF-8 at byte 1")
    refused(with_files(path, {name: b"a\0b"}), f"{name} holds U+0000")


def test_a_count_that_is_not_the_manifests_is_refused(path):
    refused(bundle(path, task("t-1"), task("t-2"), tasks=3), "holds 2 tasks and not 3")
    refused(bundle(path, task("t-1"), task("t-2"), tasks=1), "more than the 1 tasks")


def test_white_lines_at_the_end_are_no_tasks(path):
    assert len(read_all(with_lines(path, jsonl(task()) + b"\n \r\n", 1))) == 1
    refused(with_lines(path, b"\n" + jsonl(task()), 1), "tasks.jsonl, line 1: it is empty")


def test_an_object_that_is_no_good_task_is_left_out_by_name(path):
    bad = [
        task("t-2", prompt={"text": 5}),
        {"id": "t-3"},
        {"id": 4, "prompt": {"text": ""}},
        task("t-5", responses=[]),
        task("t-6", responses=[{"id": "a", "text": ""}, {"id": "a", "text": ""}]),
        task("t-1"),
        task("t-8", targets=[{"id": "s1"}]),
        task(""),
    ]
    first, *others = read_all(bundle(path, task("t-1"), *bad))
    assert first.task.id == "t-1"
    assert not first.error
    assert all(line.task is None for line in others)
    assert [line.id for line in others] == ["t-2", "t-3", None, "t-5", "t-6", "t-1", "t-8", None]
    assert [line.error for line in others] == [
        'tasks.jsonl, line 2, task "t-2": field `prompt.text`: expected `str`, got `int`',
        'tasks.jsonl, line 3, task "t-3": `prompt` is missing',
        "tasks.jsonl, line 4: field `id`: expected `str`, got `int`",
        'tasks.jsonl, line 5, task "t-5": field `responses`: expected `array` of length >= 1',
        "tasks.jsonl, line 6, task \"t-6\": two responses have the id 'a'",
        'tasks.jsonl, line 7, task "t-1": line 1 holds a task with this id already',
        'tasks.jsonl, line 8, task "t-8": field `targets[0]`: `response` is missing',
        "tasks.jsonl, line 9: field `id`: expected `str` of length >= 1",
    ]


def test_the_ids_of_many_lines_take_no_memory():
    before, seen = sys.getallocatedblocks(), SeenIds()
    assert not any(seen.add(f"t-{number}", number) for number in range(1, 20_001))
    assert sys.getallocatedblocks() - before < 1_000
    assert seen.add("t-7", 20_001) == 7


def test_a_bad_task_does_not_take_its_id_from_a_good_one(path):
    bad, good = read_all(bundle(path, {"id": "t-1"}, task("t-1")))
    assert bad.task is None
    assert good.task.id == "t-1"


def test_a_bundle_without_one_good_task_is_refused(path):
    refused(bundle(path, {"id": "t-1"}), 'no valid task: tasks.jsonl, line 1, task "t-1": `prompt` is missing')
    refused(with_lines(path, b"", 0), "no valid task")


@pytest.mark.parametrize("line", [b"[]", b'"t-1"', b"7", b"null", b"true", b"{} {}", b"{}{}", b"{", b"kelp"])
def test_a_line_that_is_not_one_object_refuses_the_bundle(path, line):
    refused(with_lines(path, jsonl(task()) + line + b"\n", 2), "tasks.jsonl, line 2: ")


def test_the_identity_is_that_of_files_and_rubric(path):
    def identity(*tasks, **more):
        with open_bundle(with_files(path, more.pop("extra", {}), *tasks, **more)) as opened:
            return opened.identity

    same = identity()
    assert identity(title="Another title", created=None) == same
    assert identity(task("t-9")) != same
    assert identity(rubric="own@1") != same
    assert identity(extra={"guidelines.md": b"x"}) != same


def test_the_same_files_packed_differently_are_the_same_bundle(path, tmp_path):
    one = pack(path, bundle_files())
    two = pack(tmp_path / "c.zip", dict(reversed(bundle_files().items())), method=zipfile.ZIP_STORED)
    assert hashlib.sha256(one.read_bytes()).digest() != hashlib.sha256(two.read_bytes()).digest()
    with open_bundle(one) as first, open_bundle(two) as second:
        assert first.identity == second.identity


def test_what_the_reader_does_with_the_tasks_is_not_called_the_bundles_fault(path):
    def store(_):
        raise OSError("the store")

    with open_bundle(bundle(path)) as opened, pytest.raises(OSError, match="the store"):
        list(map(store, opened.tasks()))


def test_reading_twice_and_at_once_is_possible(path):
    with open_bundle(with_files(path, {PAGE_NAME: PAGE}, task("t-1"), task("t-2"))) as opened:
        first, second = opened.tasks(), opened.tasks()
        assert next(first) == next(second)
        assert b"".join(opened.snapshot(PAGE_HASH)) == PAGE
        assert [line.id for line in (*first, *second)] == ["t-2", "t-2"]


def test_checking_snapshots_reports_and_can_be_stopped(path):
    told = []
    with open_bundle(pack(path, {**bundle_files(), PAGE_NAME: PAGE})) as opened:
        opened.verify_rest(Progress(lambda done, total: told.append((done, total))))
        assert told == [(1, 1)]
        progress = Progress()
        progress.stop()
        with pytest.raises(Cancelled):
            opened.verify_rest(progress)


def line_with(value):
    """A good task but for `value`, raw JSON, in its meta."""
    return jsonl(task("t-2", meta={"it": "HERE"})).replace(b'"HERE"', value)


def message(path, line):
    """What is said about `line`, the second of two."""
    with_lines(path, jsonl(task()) + line, 2)
    with pytest.raises(BundleError) as caught, open_bundle(path) as opened:
        list(opened.tasks())
    assert caught.value.message.startswith("tasks.jsonl, line 2: ")
    return caught.value.message.removeprefix("tasks.jsonl, line 2: ")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"NaN", "NaN is not a JSON number"),
        (b"-Infinity", "-Infinity is not a JSON number"),
        (b"1e999", "the number 1e999 is too large"),
        (b"9" * 5000, "is beyond 2^53"),
        (b"9223372036854775808", "the integer 9223372036854775808 is beyond 2^53"),
        (b"9007199254740993", "is beyond 2^53"),
        (b'{"a": 1, "a": 2}', "the key 'a' occurs twice in one object"),
        (b'"\\ud800"', "half a surrogate pair, U+D800"),
        (b'"\\udc00x"', "half a surrogate pair, U+DC00"),
        (b'{"\\ud83d": 1}', "half a surrogate pair, U+D83D"),
        (b'"\\u0000"', "a text holds U+0000"),
        (b'"a\0b"', "a raw line break or control character inside a string"),
        (b"[" * 100_000, "nested more than 64 levels deep"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested more than 64 levels deep"),
        (b"'x'", "not JSON"),
        (b"1,", "not JSON"),
        (b'"\xff"', "not UTF-8 at byte "),
        (b'"\xed\xa0\x80"', "not UTF-8 at byte "),
    ],
)
def test_a_line_that_breaks_a_limit_says_which(path, value, said):
    assert said in message(path, line_with(value))


def test_a_raw_line_break_inside_a_string_is_said_to_be_one(path):
    said = message(path, b'{"id": "t-2", "prompt": {"text": "Tell me\nabout kelp."}}\n')
    assert "a string begins at column 34 and does not end (a raw line break inside a string?)" in said


def test_two_objects_on_a_line_are_refused(path):
    assert "more than one JSON value: the second begins at column 5" in message(path, b"{}  {}\n")


def test_utf16_is_refused_with_the_byte(path):
    assert "not UTF-8 at byte 1" in message(path, json.dumps(task()).encode("utf-16"))


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (b"9007199254740992", 2**53),
        (b"-9007199254740992", -(2**53)),
        (b'"\\ud83d\\ude00"', "😀"),
        ('"\u2028\u0085\u00a0\ufeff\u202e"'.encode(), "\u2028\u0085\u00a0\ufeff\u202e"),
        (b"[" * 62 + b"]" * 62, None),
        (b'"[[[[' + b"[" * 100 + b'"', "[[[[" + "[" * 100),
        (b"1e-999", 0.0),
    ],
)
def test_what_is_within_the_limits_comes_through(path, value, read):
    with_lines(path, line_with(value), 1)
    with open_bundle(path) as opened:
        (line,) = opened.tasks()
    assert line.error == ""
    if read is not None:
        assert line.task
        assert line.task.meta["it"] == read
