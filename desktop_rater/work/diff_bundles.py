"""What is different in two bundles."""

from __future__ import annotations

import hashlib
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.pool import Pool
from desktop_rater.bundle.read import open_bundle
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.strict_json import read_object
from desktop_rater.work.field_paths import paths_that_differ

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.progress import Progress

_STEP = 200
_TOLD_BY_THE_TASKS = {"files", "tasks"}


class ChangedField(msgspec.Struct, frozen=True, kw_only=True):
    """A key of the two manifests; `None` where it is missing."""

    field: str
    a: Any
    b: Any


class ChangedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task that both have. No `fields`: it says the same, and its line is spelt otherwise."""

    task: str
    fields: tuple[str, ...]


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """What is not the same in A and B.

    `order`: their common tasks come in another order. `files`: those that are not the same, `tasks.jsonl` only where
    nothing else tells why. `gold`: the tasks whose gold differs, in practice; else nobody is shown gold.
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
        """Whether there is none."""
        return self == Differences()


def diff_bundles(path_a: Path, path_b: Path, progress: Progress) -> Differences:
    """Read both bundles to their ends. Raises `RaterError`."""
    with open_bundle(path_a) as a, open_bundle(path_b) as b, Pool(Path(tempfile.gettempdir())) as pool:
        tasks = _Tasks(pool, progress)
        tasks.read_a(a)
        tasks.read_b(b)
        for bundle in (a, b):
            bundle.verify_rest(progress)
        told = tasks.differences()
        files = list(_files(a, b))
        same_tasks = a.manifest.files[TASKS].sha256 == b.manifest.files[TASKS].sha256
        if not same_tasks and told.same:
            files.append(TASKS)
        return msgspec.structs.replace(
            told, manifest=tuple(_manifest(a, b)), files=tuple(files), gold=tuple(_gold(a, b))
        )


class _Tasks:
    """The tasks of A while those of B go by."""

    def __init__(self, pool: Pool, progress: Progress) -> None:
        self._pool = pool
        self._progress = progress
        self._numbers: dict[str, int] = {}
        self._digests: list[bytes] = []
        self._met: list[int] = []
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
            self._met.append(number)
            if self._digests[number] != hashlib.sha256(raw).digest():
                (before,) = self._pool.lines([number])
                fields = paths_that_differ(read_object(before), read_object(raw))
                self._changed.append(ChangedTask(task=id_, fields=fields))

    def differences(self) -> Differences:
        met = set(self._met)
        return Differences(
            only_in_a=tuple(id_ for id_, number in self._numbers.items() if number not in met),
            only_in_b=tuple(self._only_in_b),
            changed=tuple(self._changed),
            order=any(after < before for before, after in pairwise(self._met)),
        )

    def _good(self, bundle: OpenBundle) -> Iterator[tuple[str, bytes]]:
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                self._progress(line.number, bundle.manifest.tasks)
            if line.task is not None:
                yield line.task.id, line.raw


def _manifest(a: OpenBundle, b: OpenBundle) -> Iterator[ChangedField]:
    one, two = to_plain(a.manifest), to_plain(b.manifest)
    for key in sorted((one.keys() | two.keys()) - _TOLD_BY_THE_TASKS):
        if canonical(one.get(key)) != canonical(two.get(key)):
            yield ChangedField(field=key, a=one.get(key), b=two.get(key))


def _files(a: OpenBundle, b: OpenBundle) -> Iterator[str]:
    """Of those that raters get, and without the tasks."""
    if a.rubric_toml != b.rubric_toml:
        yield "rubric.toml"
    if a.guidelines != b.guidelines:
        yield "guidelines.md"
    yield from (f"snapshots/{sha256}.warc.gz" for sha256 in sorted(set(a.snapshots) ^ set(b.snapshots)))


def _gold(a: OpenBundle, b: OpenBundle) -> Iterator[str]:
    if a.manifest.practice or b.manifest.practice:
        one, two = ({line.rating.task: line.raw for line in each.gold_lines()} for each in (a, b))
        yield from (task for task in sorted(one.keys() | two.keys()) if one.get(task) != two.get(task))
