"""Inspect a bundle without importing it, and compare two bundles."""

import hashlib
import tempfile
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.format.archive import TASKS, OpenBundle, open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.manifests import parse_due
from desktop_rater.format.strict_json import canonical_json, read_json_object, to_plain
from desktop_rater.format.write import LinePool
from desktop_rater.operations.bundles.import_bundle import (
    BundleNotes,
    LeftOut,
    bundle_lines,
    refuse_empty,
    rubric_of_bundle,
)
from desktop_rater.operations.rating.gold import read_bundle_gold

MAX_PATHS = 20


def differing_paths(left: Any, right: Any) -> tuple[str, ...]:
    """Return the first 20 differing paths, such as `prompt.text` or `responses.a.tools` (list items by their id)."""
    return tuple(islice(_paths(left, right, ""), MAX_PATHS))


def _paths(left: Any, right: Any, path: str) -> Iterator[str]:
    left_parts, right_parts = _parts(left), _parts(right)
    if left_parts is None or right_parts is None:
        if canonical_json(left) != canonical_json(right):
            yield path
        return
    common = [key for key in left_parts if key in right_parts]
    if isinstance(left, list) and common != [key for key in right_parts if key in left_parts]:
        yield path
    for key in dict.fromkeys((*left_parts, *right_parts)):
        below = f"{path}.{key}" if path else key
        if key in left_parts and key in right_parts:
            yield from _paths(left_parts[key], right_parts[key], below)
        else:
            yield below


def _parts(value: Any) -> dict[str, Any] | None:
    """Return an object's parts by key, or a list's by id if each part has a unique one."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(part, dict) and isinstance(part.get("id"), str) for part in value):
        parts = {part["id"]: part for part in value}
        return parts if len(parts) == len(value) else None
    return None


_STEP = 200
_COVERED_BY_TASKS = {"files", "tasks"}


class ChangedField(msgspec.Struct, frozen=True, kw_only=True):
    """A manifest key with its two values; `None` if missing."""

    field: str
    a: Any
    b: Any


class ChangedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task in both bundles. Without `fields` only its serialization differs."""

    task: str
    fields: tuple[str, ...]


class BundleDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """Differences of bundles A and B.

    `order`: common tasks are in another order. `files`: files that differ, `tasks.jsonl` only if nothing else explains
    it. `gold`: tasks whose gold differs, for practice only, since other gold is never shown.
    """

    manifest: tuple[ChangedField, ...] = ()
    only_in_a: tuple[str, ...] = ()
    only_in_b: tuple[str, ...] = ()
    changed: tuple[ChangedTask, ...] = ()
    order: bool = False
    files: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        return self == BundleDifferences()


def diff_bundles(path_a: Path, path_b: Path, progress: Progress) -> BundleDifferences:
    """Compare two bundles completely. Raises `RaterError`."""
    with open_bundle(path_a) as a, open_bundle(path_b) as b, LinePool(Path(tempfile.gettempdir())) as pool:
        tasks = _Tasks(pool, progress)
        tasks.read_a(a)
        tasks.read_b(b)
        for bundle in (a, b):
            bundle.verify_rest(progress)
        differences = tasks.differences()
        files = list(_files(a, b))
        same_tasks = a.manifest.files[TASKS].sha256 == b.manifest.files[TASKS].sha256
        if not same_tasks and differences.same:
            files.append(TASKS)
        return msgspec.structs.replace(
            differences, manifest=tuple(_manifest(a, b)), files=tuple(files), gold=tuple(_gold(a, b))
        )


class _Tasks:
    """Tasks of A, compared with those of B while these are read."""

    def __init__(self, pool: LinePool, progress: Progress) -> None:
        self._pool = pool
        self._progress = progress
        self._numbers: dict[str, int] = {}
        self._digests: list[bytes] = []
        self._common: list[int] = []
        self._only_in_b: list[str] = []
        self._changed: list[ChangedTask] = []

    def read_a(self, bundle: OpenBundle) -> None:
        for id_, raw in self._good(bundle):
            self._numbers[id_] = len(self._digests)
            self._digests.append(hashlib.sha256(raw).digest())
            self._pool.add(raw)

    def read_b(self, bundle: OpenBundle) -> None:
        for id_, raw in self._good(bundle):
            number = self._numbers.get(id_)
            if number is None:
                self._only_in_b.append(id_)
                continue
            self._common.append(number)
            if self._digests[number] != hashlib.sha256(raw).digest():
                (before,) = self._pool.lines([number])
                fields = differing_paths(read_json_object(before), read_json_object(raw))
                self._changed.append(ChangedTask(task=id_, fields=fields))

    def differences(self) -> BundleDifferences:
        common = set(self._common)
        return BundleDifferences(
            only_in_a=tuple(id_ for id_, number in self._numbers.items() if number not in common),
            only_in_b=tuple(self._only_in_b),
            changed=tuple(self._changed),
            order=any(after < before for before, after in pairwise(self._common)),
        )

    def _good(self, bundle: OpenBundle) -> Iterator[tuple[str, bytes]]:
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                self._progress(line.number, bundle.manifest.tasks)
            if line.task is not None:
                yield line.task.id, line.raw


def _manifest(a: OpenBundle, b: OpenBundle) -> Iterator[ChangedField]:
    fields_a, fields_b = to_plain(a.manifest), to_plain(b.manifest)
    for key in sorted((fields_a.keys() | fields_b.keys()) - _COVERED_BY_TASKS):
        if canonical_json(fields_a.get(key)) != canonical_json(fields_b.get(key)):
            yield ChangedField(field=key, a=fields_a.get(key), b=fields_b.get(key))


def _files(a: OpenBundle, b: OpenBundle) -> Iterator[str]:
    """Yield the differing files that raters get, except the tasks."""
    if a.rubric_toml != b.rubric_toml:
        yield "rubric.toml"
    if a.guidelines != b.guidelines:
        yield "guidelines.md"
    pictures_a, pictures_b = a.pictures(), b.pictures()
    for name in sorted(pictures_a.keys() | pictures_b.keys()):
        if pictures_a.get(name) != pictures_b.get(name):
            yield name
    yield from (f"snapshots/{sha256}.warc.gz" for sha256 in sorted(set(a.snapshots) ^ set(b.snapshots)))


def _gold(a: OpenBundle, b: OpenBundle) -> Iterator[str]:
    if a.manifest.practice or b.manifest.practice:
        gold_a, gold_b = ({line.rating.task: line.raw for line in bundle.gold_lines()} for bundle in (a, b))
        yield from (task for task in sorted(gold_a.keys() | gold_b.keys()) if gold_a.get(task) != gold_b.get(task))


PROGRESS_STEP = 200


class BundleInspection(msgspec.Struct, frozen=True, kw_only=True):
    """Preview of an import. `aligned`: number of targets placed elsewhere than their offsets say.

    `ignored`: messages about unusable suggestions and gold answers of practice. `gold`: number of usable ones, of which
    `partial_gold` answer only some questions.
    """

    id: str
    revision: int
    title: str
    rubric: str
    tasks: int
    targets: int
    aligned: int
    snapshots: int
    left_out: tuple[LeftOut, ...]
    practice: bool = False
    gold: int = 0
    partial_gold: int = 0
    ignored: tuple[str, ...] = ()
    due: str = ""
    libraries: tuple[str, ...] = ()


def inspect_bundle(path: Path, progress: Progress, *, accept_close: bool = False) -> BundleInspection:
    """Read the whole bundle as an import would. Raises `RaterError` if it would be refused."""
    tasks = targets = aligned = 0
    left_out: list[LeftOut] = []
    remarks = BundleNotes()
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
        gold = read_bundle_gold(bundle)
        rubric = rubric_of_bundle(bundle, path)
        for line in bundle_lines(bundle.tasks(), rubric, lang=manifest.language, accept_close=accept_close):
            if line.number % PROGRESS_STEP == 0:
                progress(line.number, manifest.tasks)
            left_out += line.left_out
            aligned += len(line.aligned)
            remarks.add(line.strange)
            if line.task is not None:
                tasks += 1
                targets += len(line.task.targets or ())
                gold.judge(rubric, line.task)
        remarks.add(gold.faults())
        refuse_empty(path, tasks, left_out)
        bundle.verify_rest(progress)
        return BundleInspection(
            id=manifest.id,
            revision=manifest.revision,
            title=manifest.title,
            rubric=rubric.ref,
            tasks=tasks,
            targets=targets,
            aligned=aligned,
            snapshots=len(bundle.snapshots),
            left_out=tuple(left_out),
            practice=manifest.practice,
            gold=len(gold.good),
            partial_gold=gold.partial,
            ignored=remarks.named,
            due=parse_due(manifest.unknown),
            libraries=tuple(library.name for library in manifest.libraries),
        )
