"""A script that is written by docs/commands.md works."""

import json
import re
import shlex
from typing import Any

import click
import pytest

from desktop_rater.cli import output
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.rubric import exported_sha256
from tests.docs import help_text, pages
from tests.format import zips
from tests.operations.bundles import make, rating, task, write_lines

PAGE = pages.text("commands.md")
SECTIONS = pages.sections(PAGE)
COMMANDS = {path: command for path, command, _ in help_text.all_commands()}

# A record of the public format, as small as it can be.
FACTCHECK = {
    "prompt": "What is kelp?",
    "response": "Kelp is an alga.",
    "sentences": {
        "sentence0": {"text": "Kelp is an alga.", "sentence_factuality_label": True},
        "sentence1": {"text": "This stands nowhere in the response.", "sentence_factuality_label": True},
    },
}


@pytest.mark.parametrize("path", [path for path, command in COMMANDS.items() if not isinstance(command, click.Group)])
def test_each_command_is_in_the_table_of_tasks(path):
    rows = pages.table(SECTIONS["All commands"], "to", "commands")
    assert f"`{path.removeprefix(help_text.PROGRAM).strip()}`" in {
        name for row in rows for name in re.findall("`[^`]+`", row[1])
    }


def test_each_section_is_about_a_command():
    named = {title for title in SECTIONS if title.startswith(f"`{help_text.PROGRAM}")}
    assert named <= {f"`{path}`" for path in COMMANDS}
    assert all(SECTIONS[title].strip() for title in named)


def test_each_option_that_it_names_exists():
    options = {option for command in COMMANDS.values() for parameter in command.params for option in parameter.opts}
    named = set(re.findall(r"(?<![-\w])--[a-z][a-z-]+", PAGE))
    assert len(named) > 40
    assert named - options == {"--help"}


def test_the_exit_statuses_are_those_of_the_program():
    rows = pages.table(SECTIONS["What scripts may rely on"], "exit status")
    known = [output.EXIT_OK, output.EXIT_ATTENTION, output.EXIT_REFUSED, output.EXIT_INTERRUPTED]
    assert [int(row[0]) for row in rows] == known


def example() -> list[tuple[str, str]]:
    """(command, what it says) of the example."""
    steps = pages.fence(PAGE, "console").split("$ ")[1:]
    return [(words, said) for words, _, said in (step.partition("\n") for step in steps)]


def test_the_example_goes_as_the_page_says(run, here):
    for info, content in pages.fences(PAGE):
        if info.endswith(".jsonl"):
            (here / info.split()[1]).write_text(content, encoding="utf-8")
    status = 0
    for words, expected in example():
        if words == "echo $?":
            assert expected == f"{status}\n"
            continue
        program, *rest = shlex.split(words)
        assert program == help_text.PROGRAM
        said = run(*rest)
        status = said.status
        assert said.all == expected, words


def keys_of(value: Any) -> set[str]:
    """The names of the fields of a result, those inside lists included; ids and rules are no names of fields."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if isinstance(value, dict):
        return set(value).union(*(keys_of(part) for part in value.values() if isinstance(part, list)))
    return set()


def broken_results(path):
    """Results of a rating that is called complete and breaks a rule."""
    plain = {"task": "t-1", "rater": "r", "rubric": "span-factuality@3", "status": "complete", "revision": 1}
    history = {"task": "t-1", "revision": 1, "changed": zips.CREATED, "done": "test"}
    history["sha256"] = exported_sha256(read_struct(dict(plain), Rating))
    files = {
        "history.jsonl": zips.jsonl(history),
        "ratings.jsonl": zips.jsonl(plain),
        "tasks.jsonl": zips.jsonl(task("t-1")),
    }
    manifest = {
        "format": "desktop-rater/results",
        "version": 1,
        "bundle": {"id": "b", "revision": 1, "sha256": 64 * "0"},
        "rater": "r",
        "rubric": "span-factuality@3",
        "counts": {"tasks": 1, "complete": 1, "skipped": 0},
        "partial": False,
        "files": zips.listed(files),
    }
    return zips.pack(path, {"manifest.json": json.dumps(manifest).encode(), **files})


@pytest.fixture
def files(here):
    """Files that give each command something to say."""
    lost = {"id": "s9", "response": "a", "quote": "It stands nowhere."}
    write_lines(here / "tasks.jsonl", [task("t-1"), {**task("t-2"), "targets": [*task("t-2")["targets"], lost]}])
    write_lines(here / "ratings.jsonl", [rating("t-1"), rating("t-2", {"factual": "yes"}), rating("t-9")])
    write_lines(here / "record.jsonl", [FACTCHECK])
    write_lines(here / "task.jsonl", [task("t-1")])
    write_lines(here / "rating.jsonl", [rating("t-1", {"factual": "yes"})])
    make(here / "small.zip", [task("t-1", "Otherwise.")])
    make(here / "made.zip", [task("t-1", meta={"made": "here"})])
    (here / "raters.txt").write_text("r-1\nr-2\n")
    (here / "bad.zip").write_bytes(b"no zip")
    broken_results(here / "broken.zip")
    return here


STEPS = """
    bundle make --out b.zip tasks.jsonl --json
    bundle convert --from factcheck-bench --out c.zip record.jsonl --json
    bundle split 2 b.zip --json
    bundle merge --out m.zip b-part-1.zip b-part-2.zip --json
    bundle sample --count 1 --by made --out s.zip made.zip --json
    bundle assign --raters raters.txt b.zip --json
    bundle diff b.zip small.zip --json
    bundle inspect b.zip --json
    import b.zip small.zip bad.zip --json
    status --json
    rate b --from ratings.jsonl --rater r --json
    export b --rater r --out r.zip --json
    fetch https://kelp.example/ --offline --json
    fetch b --json
    pages search b kelp --json
    pages read --json
    pages take broken.zip --json
    doctor --json
    backup --json
    backup --list --json
    backup --out all.zip --json
    restore --json
    check broken.zip --json
    key --rater r --json
    results convert --to csv --out broken.csv broken.zip --json
    library add Raters raters.txt --json
    library list --json
    library search r-1 --json
    library remove Raters --json
    rubric new mine.toml --json
    rubric lint mine.toml --json
    rubric check span-factuality task.jsonl rating.jsonl
"""


LEFT_OUT = {"task", "target", "why", "reason"}
LIST = '"left_out": [{"task", "target", "why", "reason"}]'  # written once on the page
SILENT = {
    "bundle split 2 b.zip --json": LEFT_OUT,
    "bundle merge --out m.zip b-part-1.zip b-part-2.zip --json": LEFT_OUT,
    "bundle sample --count 1 --by made --out s.zip made.zip --json": LEFT_OUT,
    "bundle assign --raters raters.txt b.zip --json": LEFT_OUT | {"least", "most"},  # not in a list
    "doctor --json": {"check", "text"},  # of a sound store: nothing is said of faults
    "rubric lint mine.toml --json": {"level", "table", "line", "reason"},  # of a sound rubric
    "check broken.zip --json": {"state", "key", "known", "why", "id", "version", "sha256", "source"},  # not in a list
    "library add Raters raters.txt --json": {"place", "reason"},  # nothing is skipped
    "fetch b --json": {"url", "state", "why"},  # of a bundle without links
    "pages search b kelp --json": {
        "snapshot",
        "url",
        "title",
        "fetched",
        "snippet",
        "marks",
        "origin",
    },  # without pages
}
VALUES = {"accuracy", "is", "by"}  # a question, and what is decided


def test_each_key_of_a_result_is_named(run, files):
    for step in map(str.strip, STEPS.strip().splitlines()):
        words = step.split()
        said = run("--store", "store", *words)
        section = SECTIONS[f"`{help_text.PROGRAM} {command_of(words)}`"]
        shapes = re.findall(r"^`([\[{].*?[\]}])`", section, re.MULTILINE | re.DOTALL)
        whole = [shape.replace('"left_out": […]', LIST) for shape in shapes]
        named = [set(re.findall(r'"(\w+)"(?=[,:}])', shape)) - VALUES for shape in whole]
        assert keys_of(json.loads(said.out)) | SILENT.get(step, set()) in named, step


def command_of(words):
    """The words that name the command."""
    return " ".join(words[: 2 if words[0] in {"bundle", "library", "pages", "results", "rubric"} else 1])
