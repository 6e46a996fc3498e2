"""Results as tasks with annotations that Label Studio imports, one annotation a rater.

What several raters say of the same task comes together there: it waits in a file beside, and where it stands is all
that is kept in memory.
"""

from __future__ import annotations

import json
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec.structs import replace

from desktop_rater.bundle.results_out.label_studio_config import Shown, configuration
from desktop_rater.bundle.results_out.label_studio_names import response_name
from desktop_rater.bundle.results_out.label_studio_result import results_of, suggested
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.rating import Rating
from desktop_rater.rubric.suggestions import usable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_rater.bundle.results_out.rated import Rated
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric

_GAP = "\n\n"


def write_label_studio(path: Path, rated: Iterable[Rated], rubric: Rubric) -> bytes:
    """Write the list of tasks; the labelling configuration that their project needs."""
    with TemporaryFile(dir=path.parent) as file:
        waiting = _Waiting(file)
        for one in rated:
            waiting.add(one)
        with path.open("xb") as out:
            for number, task in enumerate(waiting.tasks()):
                out.write((b",\n" if number else b"[\n") + _json(task))
            out.write(b"\n]\n" if waiting.any else b"[]\n")
        return configuration(rubric, waiting.shown)


class _Waiting:
    """Tasks in the order of their coming, each with the annotations that came for it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._responses = 1
        self._texts: set[str] = set()
        self._places: dict[str, list[tuple[int, int]]] = {}

    @property
    def any(self) -> bool:
        return bool(self._places)

    @property
    def shown(self) -> Shown:
        return Shown(responses=self._responses, texts=frozenset(self._texts))

    def add(self, rated: Rated) -> None:
        data = _data(rated.task)
        self._responses = max(self._responses, len(rated.task.responses))
        self._texts |= {name for name in ("prompt", "history", "context", "reference") if name in data}
        key = sha256(canonical([rated.task.id, data]))
        if key not in self._places:
            meta = {"bundle": rated.bundle, "rubric": rated.rubric.ref, "task": rated.task.id}
            task = {"data": data, "predictions": _predictions(rated), "meta": meta}
            self._places[key] = [self._keep(task)]
        self._places[key].append(self._keep(_annotation(rated)))

    def tasks(self) -> Iterator[dict[str, Any]]:
        """Each task, with all the keys that the configuration names."""
        empty = {response_name(number): "" for number in range(1, self._responses + 1)}
        empty |= dict.fromkeys(sorted(self._texts), "")
        for first, *others in self._places.values():
            task = self._taken(first)
            yield {**task, "data": {**empty, **task["data"]}, "annotations": [self._taken(one) for one in others]}

    def _keep(self, plain: dict[str, Any]) -> tuple[int, int]:
        raw = _json(plain)
        at = self._file.seek(0, 2)
        self._file.write(raw)
        return at, len(raw)

    def _taken(self, place: tuple[int, int]) -> dict[str, Any]:
        at, size = place
        self._file.seek(at)
        return json.loads(self._file.read(size))


def _data(task: Task) -> dict[str, Any]:
    data: dict[str, Any] = {"task": task.id}
    if task.history:
        data["history"] = _GAP.join(f"{turn.role}: {turn.text}" for turn in task.history)
    data["prompt"] = task.prompt.text
    for number, response in enumerate(task.responses, 1):
        data[response_name(number)] = response.text
    if task.context:
        parts = ((one.title, one.url, one.text) for one in task.context)
        data["context"] = _GAP.join("\n".join(filter(None, part)) for part in parts)
    if task.reference is not None:
        data["reference"] = task.reference
    return data


def _annotation(rated: Rated) -> dict[str, Any]:
    rating = rated.rating
    return {
        "result": results_of(rated),
        "was_cancelled": rating.status == "skipped",
        "ground_truth": False,
        "lead_time": rating.time.active_seconds,
    }


def _predictions(rated: Rated) -> list[dict[str, Any]]:
    """What the bundle suggested and the rubric offers."""
    given: dict[str, dict[str, dict[str, Any]]] = {"task": {}, "responses": {}, "targets": {}}
    task: dict[str, Any] = {}
    for one in usable(rated.rubric, rated.task):
        if one.place.target is not None:
            given["targets"].setdefault(one.place.target, {})[one.question] = one.value
        elif one.place.response is not None:
            given["responses"].setdefault(one.place.response, {})[one.question] = one.value
        else:
            task[one.question] = one.value
    answers = replace(Rating(task="t").answers, task=task, responses=given["responses"], targets=given["targets"])
    results = suggested(replace(rated, rating=Rating(task=rated.task.id, answers=answers)))
    return [{"model_version": "suggestions", "result": results}] if results else []


def _json(plain: Any) -> bytes:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
