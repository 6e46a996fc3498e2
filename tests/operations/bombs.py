"""Bundles whose zips are honest and whose contents are not: each asks for as much work as the limits let through."""

import zipfile

from tests.format.zips import jsonl, manifest, pack
from tests.rubric.toml_texts import TEXT, question, rubric_text

IN_ONE_LINE = 12_000_000  # characters: a line may have 16 MiB
SPLIT = 499_000  # of 500,000 that are split into sentences

RUBRIC = rubric_text("own", question("q", body=TEXT, ask="?"), more='version = 1\ntitle = "x"')
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


def write_bombs(folder):
    """Write them all, and return their paths by name."""
    paths = {}
    for name, (toml, _message) in TOML.items():
        rubric = {"rubric.toml": f"{RUBRIC}{toml}\n".encode()}
        paths[name] = bundle_of(folder, f"toml-{len(paths)}", rubric, rubric="own@1")
    for name, (text, targets, _message) in TASKS.items():
        paths[name] = bundle_of(folder, f"task-{len(paths)}", {"tasks.jsonl": jsonl(task_with(text, targets))})
    for name, value in VALUES.items():
        line = jsonl({**task_with("Kelp."), "meta": {"it": "HERE"}}).replace(b'"HERE"', value)
        paths[name] = bundle_of(folder, f"values-{len(paths)}", {"tasks.jsonl": line})
    for name, part in SPLITS.items():
        lines = jsonl(task_with((part * SPLIT)[:SPLIT], form="plain" if part == "```\n" else "markdown"))
        paths[name] = bundle_of(folder, f"split-{len(paths)}", {"tasks.jsonl": lines})
    return paths


def honest_bundle(folder):
    """Write a bundle with an ordinary text of that length, split into sentences, and return its path."""
    sentences = "Kelp grows fast, half a metre in a day, where the water is cold and moves. "
    return bundle_of(folder, "honest", {"tasks.jsonl": jsonl(task_with((sentences * SPLIT)[:SPLIT]))})
