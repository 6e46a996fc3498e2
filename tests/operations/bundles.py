"""Small bundles, made by the program itself from tasks that a test writes down."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.import_bundle import ImportedBundle, import_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.rating.save import RatedFromFile, rate_from_file
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import Store

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
RATER = "r-17"


def noon() -> datetime:
    """A clock that stands."""
    return NOON


def task(name: str, *sentences: str, **more: Any) -> dict[str, Any]:
    """A task whose response is the sentences, each a target: s1, s2, …"""
    sentences = sentences or ("Paris is the capital of France.",)
    text = " ".join(sentences)
    targets = []
    start = 0
    for number, sentence in enumerate(sentences, 1):
        end = start + len(sentence)
        targets.append({"id": f"s{number}", "response": "a", "start": start, "end": end, "quote": sentence})
        start = end + 1
    plain = {
        "id": name,
        "prompt": {"text": f"What about {name}?"},
        "responses": [{"id": "a", "text": text}],
        "targets": targets,
    }
    return {**plain, **more}


def rating(name: str, *answers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A rating that answers s1, s2, … so; right common knowledge where nothing is said."""
    answers = answers or ({"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},)
    targets = {f"s{number}": given for number, given in enumerate(answers, 1)}
    return {"task": name, "answers": {"targets": targets}, **more}


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def write_lines(path: Path, plain: Iterable[dict[str, Any]]) -> Path:
    """A `.jsonl` file of those objects."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in plain), encoding="utf-8")
    return path


def make(path: Path, tasks: Iterable[dict[str, Any]], **more: Any) -> Path:
    """A bundle of those tasks at `path`; its id is the file's name."""
    lines = write_lines(path.with_suffix(".tasks.jsonl"), tasks)
    said: dict[str, Any] = {"rubric": "span-factuality", "created": "2026-11-20T08:00:00Z", **more}
    wanted = BundleOptions(**said)
    build_bundle(path, lines, wanted, Progress())
    return path


def writer(folder: Path) -> Store:
    """The store in a folder, to write."""
    return open_writer(folder, command="test")


def take_in(store: Store, path: Path, **more: Any) -> ImportedBundle:
    """Import a bundle."""
    return import_bundle(store, path, progress=Progress(), now=noon, **more)


def save_ratings(
    store: Store, bundle: str, path: Path, ratings: Iterable[dict[str, Any]], rater: str = RATER
) -> RatedFromFile:
    """Save ratings as those of a file, which is written at `path`."""
    return rate_from_file(store, bundle, write_lines(path, ratings), rater, progress=Progress(), now=noon)
