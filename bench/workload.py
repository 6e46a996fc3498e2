"""The work that everything is measured on: tasks and ratings that a seeded generator makes, and what is built of them.

What is built lies in a folder and is used again, so that a second run is quick.
"""

from __future__ import annotations

import json
import random
import shutil
from datetime import UTC, datetime
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.import_bundle import import_bundle, index_bundles
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store.open_store import open_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.store.store import Store

SEED = 20261120
BUNDLE, FURTHER = "bench", "further"
RATER = "r-1"
SENTENCES = 10
_PROMPT, _SENTENCE, _OUTPUT = 200, 149, 1_500
_WORDS = 20_000
_FURTHER = 20_000  # tasks: long enough to work beside
_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_CREATED = "2026-11-20T08:00:00Z"
# Raise it when what is built changes, or what ratings are checked with: a folder of another number is built anew.
_VERSION = 4

ACCURATE = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
_WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
_NO_FACT = {"factual": "no"}
_SEARCHED = {
    "factual": "yes",
    "common_knowledge": "no",
    "expected_to_be_found": "no",
    "accuracy": "unsupported",
    "comment": "Searched two encyclopedias and the site of the ministry.",
}
_FOUND = {"factual": "yes", "accuracy": "accurate"}


_ONE_LABEL = """\
id = "one-label"
version = 1
title = "One label per task"

[[questions]]
id = "verdict"
per = "task"
ask = "Is the response correct?"
kind = "choice"
choices = [{ id = "correct", label = "Correct" }, { id = "wrong", label = "Wrong" }]
required = true
"""


def noon() -> datetime:
    """A clock that stands."""
    return _NOON


class Workload(msgspec.Struct, frozen=True):
    """`tasks` tasks, and what is built of them below `folder`."""

    folder: Path
    tasks: int

    @property
    def bundle(self) -> Path:
        """The bundle's zip, made when it is first asked for."""
        return self._bundle(BUNDLE, "span-factuality")

    @property
    def ratings(self) -> Path:
        """A `.jsonl` file with a complete rating of each task."""
        return self._written("ratings.jsonl", ratings(self.tasks))

    @property
    def imported(self) -> Path:
        """A store with the tasks. It is shared: whoever writes takes a copy."""
        return self._store("imported", lambda _store: None)

    @property
    def rated(self) -> Path:
        """A store with the tasks, each rated completely. It is shared: whoever writes takes a copy."""
        return self._store("rated", self._rate)

    @property
    def labelled(self) -> Path:
        """A store with the tasks under a rubric of one question, each with its answer; shared as the others."""
        rubric = self._home / "one-label.toml"
        rubric.write_text(_ONE_LABEL, encoding="utf-8")
        return self._store("labelled", self._label, self._bundle("labelled", str(rubric)))

    @property
    def begun(self) -> Path:
        """A store with the tasks, each second one rated completely. It is shared: whoever writes takes a copy."""
        return self._store("begun", self._rate_half)

    @property
    def further(self) -> Path:
        """The zip of a bundle of another id, for an import into a store that has the first one."""
        out = self._home / f"{FURTHER}.zip"
        if not out.exists():
            lines = self._written("further.jsonl", tasks(min(self.tasks, _FURTHER)))
            wanted = BundleOptions(
                rubric="span-factuality", id=FURTHER, title="Further", language="en", created=_CREATED
            )
            build_bundle(out, lines, wanted, Progress())
            lines.unlink()
        return out

    def copy(self, store: Path, to: Path) -> Path:
        """A store of one's own."""
        return shutil.copytree(store, to)

    def _bundle(self, name: str, rubric: str) -> Path:
        out = self._home / f"{name}.zip"
        if not out.exists():
            lines = self._written("tasks.jsonl", tasks(self.tasks))
            wanted = BundleOptions(rubric=rubric, id=BUNDLE, title="Bench", language="en", created=_CREATED)
            build_bundle(out, lines, wanted, Progress())
            lines.unlink()
        return out

    @property
    def _home(self) -> Path:
        home = self.folder / f"{self.tasks}-{_VERSION}"
        home.mkdir(parents=True, exist_ok=True)
        return home

    def _written(self, name: str, objects: Iterator[dict[str, Any]]) -> Path:
        path = self._home / name
        if not path.exists():
            beside = path.with_suffix(".part")
            with beside.open("w", encoding="utf-8") as file:
                file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
            beside.replace(path)
        return path

    def _store(self, name: str, then: Any, bundle: Path | None = None) -> Path:
        folder = self._home / name
        if not folder.exists():
            beside = self._home / f"{name}.part"
            shutil.rmtree(beside, ignore_errors=True)
            with open_writer(beside, command="bench") as store:
                import_bundle(store, bundle or self.bundle, progress=Progress(), now=noon)
                index_bundles(store, progress=Progress())
                then(store)
            beside.rename(folder)
        return folder

    def _rate_half(self, store: Store) -> None:
        half = self._written("half.jsonl", islice(ratings(self.tasks), 1, None, 2))
        rate_from_file(store, BUNDLE, half, RATER, progress=Progress(), now=noon)
        half.unlink()

    def _label(self, store: Store) -> None:
        answers = {"task": {"verdict": "correct"}, "responses": {}, "targets": {}}
        rated = ({"task": f"t-{number:06}", "status": "complete", "answers": answers} for number in range(self.tasks))
        labels = self._written("labels.jsonl", rated)
        rate_from_file(store, BUNDLE, labels, RATER, progress=Progress(), now=noon)
        labels.unlink()

    def _rate(self, store: Store) -> None:
        rate_from_file(store, BUNDLE, self.ratings, RATER, progress=Progress(), now=noon)


def tasks(count: int) -> Iterator[dict[str, Any]]:
    """Tasks of about 3.7 kB: a prompt, a response of ten sentences with three links, the output of a tool."""
    chance = random.Random(SEED)  # noqa: S311 - a workload, no secret
    words = _vocabulary(chance)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def text(length: int) -> str:
        drawn = " ".join(chance.choices(words, cum_weights=weights, k=length // 4))
        last = chance.choice(words[-1_000:])  # a long one: after a short one a full stop may be that of an abbreviation
        return f"{drawn[: length - len(last) - 2].rstrip()} {last}."

    for number in range(count):
        sentences = [text(_SENTENCE).capitalize() for _ in range(SENTENCES)]
        for position in (2, 5, 8):
            url = f"https://site{chance.randrange(5_000)}.example/{chance.choice(words)}"
            sentences[position] = f"{sentences[position][: _SENTENCE - len(url) - 14]} see {url} therefore."
        yield {
            "id": f"t-{number:06}",
            "prompt": {"text": text(_PROMPT).capitalize(), "lang": "en"},
            "responses": [
                {
                    "id": "a",
                    "text": " ".join(sentences),
                    "format": "plain",
                    "tools": [{"name": "search", "status": "ok", "input": {"q": text(30)}, "output": text(_OUTPUT)}],
                }
            ],
            "meta": {"source": "bench", "number": number},
        }


def ratings(count: int) -> Iterator[dict[str, Any]]:
    """A complete rating of each of those tasks: most of it common knowledge, some of it looked up."""
    chance = random.Random(SEED + 1)  # noqa: S311
    kinds = (ACCURATE, _WRONG, _NO_FACT, _SEARCHED, _FOUND)
    for number in range(count):
        drawn = chance.choices(kinds, weights=(5, 1, 1, 1, 2), k=SENTENCES)
        targets = {f"s{place}": dict(answers) for place, answers in enumerate(drawn, 1)}
        found = [target for target, answers in targets.items() if answers == _FOUND]
        yield {
            "task": f"t-{number:06}",
            "status": "complete",
            "answers": {"task": {}, "responses": {}, "targets": targets},
            "evidence": [
                {
                    "id": f"e{place}",
                    "target": target,
                    "stance": "supporting",
                    "url": f"https://site{chance.randrange(5_000)}.example/page-{number}-{place}",
                    "title": "A page about it",
                    "quote": "It is as the sentence says, and has been so for long.",
                    "opened": "2026-11-20T11:00:00Z",
                }
                for place, target in enumerate(found, 1)
            ],
            "time": {"active_seconds": chance.randrange(60, 900), "idle_seconds": 5, "targets": {"s1": 30}},
            "links_opened": [],
        }


def _vocabulary(chance: random.Random) -> list[str]:
    """Words as common as in a language: few short ones stand for most of a text."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    found: dict[str, None] = {}
    while len(found) < _WORDS:
        length = min(14, 2 + len(found) // 400 + chance.randrange(4))
        found["".join(chance.choices(letters[:20], k=length))] = None
    return list(found)
