"""A bundle whose zip is honest and whose content is not: it is imported or refused in seconds, in little memory.

All are imported one after the other by one process, whose peak is put back before each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile

import pytest

from tests.bundle.zips import PEAK, jsonl, manifest, pack

MOST_KIB = 200 * 1024
MOST_SECONDS = 3  # of the processor: other programs may run beside
IN_ONE_LINE = 12_000_000  # characters: a line may have 16 MiB
SPLIT = 499_000  # of 500,000 that are split into sentences

IMPORT = f"""
import json, sys, tempfile, time
from pathlib import Path
from desktop_rater.model.errors import RaterError
from tests.work.bundles import take_in, writer
{PEAK}
import rapidfuzz, sentencex  # loaded once, and no bundle's doing
with writer(Path(tempfile.mkdtemp()) / "store") as store:
    for number, path in enumerate(sys.argv[1:]):
        with open("/proc/self/clear_refs", "w") as clear:
            clear.write("5")
        before, start = peak(), time.process_time()
        try:
            said = "imported, " + str(take_in(store, Path(path)).left_out[-1:])
        except RaterError as error:
            said = str(error)
        print(json.dumps([said, peak() - before, time.process_time() - start]), flush=True)
"""

RUBRIC = """id = "own"
version = 1
title = "x"
[[questions]]
id = "q"
per = "target"
ask = "?"
kind = "text"
"""
TOML = {
    "a key of 400,000 parts": ("x" + ".a" * 400_000 + " = 1", "a key has too many parts"),
    "a key of quoted parts": ("x" + '." "' * 200_000 + " = 1", "a key has too many parts"),
    "a table of 200,000 parts": ("[" + "a." * 200_000 + "a]", "a key has too many parts"),
    "keys of many parts inside each other": (
        "x = " + ("{" + "a." * 30 + "a = ") * 10_000 + "1" + "}" * 10_000,
        "nested too deep",
    ),
    "lists without end": ("x = " + "[" * 900_000, "nested too deep"),
    "tables without end": ("x = " + "{a = " * 150_000, "nested too deep"),
    "a number of 900,000 digits": ("x = " + "9" * 900_000, "a number in it is too long"),
    "a fraction of 900,000 digits": ("x = " + "9" * 900_000 + ".0", "is not a finite number"),
    "90,000 empty rules": ("[[rules]]\n" * 90_000, "`id`"),
    "100,000 tables": ("".join(f"[a{n}]\n" for n in range(90_000)), "unknown table or key"),
    "escapes": ('x = "' + "\\u0041" * 150_000 + '"', "unknown field"),
}


def words_apart(number):
    """Thirty words in an order of their own."""
    known = ("kelp", "grows", "fast", "water", "brown", "sea", "leaf")
    return " ".join(known[(number * 31 + at * at * (number % 13 + 1)) % 7] for at in range(30))


def many_targets(count, **more):
    return [{"id": f"s{number}", "response": "a", **more} for number in range(count)]


def quoting(count, make):
    """A target that has a place, and so many that have none."""
    there = {"id": "there", "response": "a", "start": 0, "end": 2}
    return [there, *({"id": f"s{number}", "response": "a", "quote": make(number)} for number in range(count))]


LONG = "kelp grows fast " * 62_000
TASKS = {
    "90,000 targets": ("ab " * 1_000, many_targets(90_000, start=0, end=2), "more than 10,000 targets"),
    "targets that are all the whole text": (LONG, many_targets(2_000, start=0, end=900_000), "4,000,000 characters"),
    "quotes that are not there": (LONG, quoting(9_999, lambda n: f"{words_apart(n)} {n}"), "the text is too long"),
    "quotes that nearly end": ("a" * 990_000, quoting(9_999, lambda n: "a" * 60 + f"b{n}"), "the text is too long"),
    "quotes that are nearly there": (LONG[:19_000], quoting(9_999, lambda n: f"{words_apart(n)} {n}"), "nowhere"),
    "one long quote that is nearly there": (LONG[:900_000], quoting(1, lambda _n: LONG[:1_100] + "x"), "nowhere"),
    "a text of brackets in one string": (
        '"[' * 400_000 + "x" * IN_ONE_LINE,
        many_targets(100, start=0, end=1),
        "more than 1,000,000 characters",
    ),
}
VALUES = {
    "lists": b"[" + b"[]," * 990_000 + b"1]",
    "fractions": b"[" + b"1.5," * 2_999_000 + b"1]",
    "texts": b"[" + b'"ab",' * 640_000 + b"1]",
    "keys": b"{" + b",".join(b'"%x":1' % number for number in range(640_000)) + b"}",
}
SPLITS = {
    "opening quotation marks": "\u201c",
    "empty lines": "\n",
    "lines of one letter": "A\n",
    "points": "... ",
    "Chinese sentences of one letter": "A\u3002",
    "list marks": "- ",
    "fences": "```\n",
}


def bundle_of(folder, name, files, **more):
    files = {"tasks.jsonl": files.get("tasks.jsonl", jsonl(task_with("Kelp grows fast."))), **files}
    path = folder / f"{name}.zip"
    said = manifest(files, id=name, **more)
    # Stored: packed, most of them would be refused as what inflates too much.
    return pack(path, {"manifest.json": said, **files}, method=zipfile.ZIP_STORED)


def task_with(text, targets=None, form="plain"):
    plain = {"id": "t-1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": text, "format": form}]}
    return plain if targets is None else {**plain, "targets": targets}


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """What was said of each, how much memory it took, and how many seconds."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the peak is put back in /proc")
    folder, paths = tmp_path_factory.mktemp("bombs"), {}
    for name, (toml, _said) in TOML.items():
        rubric = {"rubric.toml": f"{RUBRIC}{toml}\n".encode()}
        paths[name] = bundle_of(folder, f"toml-{len(paths)}", rubric, rubric="own@1")
    for name, (text, targets, _said) in TASKS.items():
        paths[name] = bundle_of(folder, f"task-{len(paths)}", {"tasks.jsonl": jsonl(task_with(text, targets))})
    for name, value in VALUES.items():
        line = jsonl({**task_with("Kelp."), "meta": {"it": "HERE"}}).replace(b'"HERE"', value)
        paths[name] = bundle_of(folder, f"values-{len(paths)}", {"tasks.jsonl": line})
    for name, part in SPLITS.items():
        lines = jsonl(task_with((part * SPLIT)[:SPLIT], form="plain" if part == "```\n" else "markdown"))
        paths[name] = bundle_of(folder, f"split-{len(paths)}", {"tasks.jsonl": lines})
    command = [sys.executable, "-c", IMPORT, *map(str, paths.values())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


def cheap(found):
    said, kib, seconds = found
    assert kib < MOST_KIB
    assert seconds < MOST_SECONDS
    return said


@pytest.mark.parametrize("name", TOML)
def test_a_rubric_that_is_a_bomb_is_refused(imported, name):
    said = cheap(imported[name])
    assert not said.startswith("imported")
    assert TOML[name][1] in said.lower()


@pytest.mark.parametrize("name", TASKS)
def test_the_places_of_targets_are_not_looked_for_for_ever(imported, name):
    assert TASKS[name][2] in cheap(imported[name])


@pytest.mark.parametrize("name", VALUES)
def test_a_line_with_as_many_values_as_are_let_through_takes_little_memory(imported, name):
    assert cheap(imported[name]) == "imported, ()"


@pytest.mark.parametrize("name", SPLITS)
def test_a_text_of_half_a_million_characters_is_split_or_left_out(imported, name):
    cheap(imported[name])
