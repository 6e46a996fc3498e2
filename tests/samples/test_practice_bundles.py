"""Each way to rate has a sample and a bundle for practice, made from what stands in the folders."""

import json
import zipfile

import pytest

from desktop_rater.operations.rubrics import builtin_guidelines
from desktop_rater.paths import SAMPLE_BUNDLES, resources

SAMPLES = resources() / "samples"
BUNDLES = sorted(SAMPLES.glob("*.zip"))
EACH_BUNDLE = pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
RATED = {"span-factuality", "side-by-side", "response-quality"}


def opened(path):
    """The manifest of a bundle, and the text of each of its files."""
    with zipfile.ZipFile(path) as bundle:
        names = [name for name in bundle.namelist() if name.endswith((".md", ".jsonl"))]
        return json.loads(bundle.read("manifest.json")), {name: bundle.read(name).decode() for name in names}


def lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


@EACH_BUNDLE
def test_a_bundle_holds_the_tasks_and_the_guideline_as_they_are(path):
    manifest, files = opened(path)
    folder = SAMPLES / path.stem.removesuffix("-sample")
    assert files["guidelines.md"] == builtin_guidelines(manifest["rubric"])
    tasks = lines((folder / "tasks.jsonl").read_text(encoding="utf-8"))
    assert [(one["id"], one["prompt"]) for one in lines(files["tasks.jsonl"])] == [
        (one["id"], one["prompt"]) for one in tasks
    ]
    if manifest.get("practice"):
        written = lines((folder / "gold.jsonl").read_text(encoding="utf-8"))
        assert [one["task"] for one in lines(files["gold.jsonl"])] == [one["task"] for one in written]
        for made, one in zip(lines(files["gold.jsonl"]), written, strict=True):
            assert made["answers"] == {"task": {}, "responses": {}, "targets": {}} | one["answers"]
            assert made["note"] == one.get("note", "")


def test_each_way_to_rate_has_a_sample_and_all_but_sentences_of_documents_a_practice():
    made = [opened(path)[0] for path in BUNDLES]
    for practice in (True, False):
        rubrics = [one["rubric"].partition("@")[0] for one in made if bool(one.get("practice")) is practice]
        assert sorted(rubrics) == sorted(RATED if practice else RATED | {"groundedness"})
    assert {one["id"] for one in made} == SAMPLE_BUNDLES, "none of them is ever sent to a hub"


@EACH_BUNDLE
def test_gold_says_why(path):
    _, files = opened(path)
    for gold in lines(files.get("gold.jsonl", "")):
        words = [gold.get("note"), *(answers.get("comment") for answers in gold["answers"].get("targets", {}).values())]
        assert any(words), gold["task"]
