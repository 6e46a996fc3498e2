"""Take a bundle into the store: all of it or nothing."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.change import Change
from desktop_rater.model.limits import format_time
from desktop_rater.store import bundles, gold, snapshots
from desktop_rater.store.trouble import StoreError
from desktop_rater.work.gold_answers import read_gold
from desktop_rater.work.incoming import LeftOut, Remarks, incoming, refuse_empty, rubric_of
from desktop_rater.work.stored_pages import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.task import Task
    from desktop_rater.store.store import Store

# Answers wait behind a chunk, so it has to be short.
_SECONDS_A_CHUNK = 0.02
_SECONDS_READING = 0.1
_FIRST_CHUNK, _LARGEST_CHUNK = 20, 2_000
_TITLE = 200


class Imported(Change, frozen=True, kw_only=True):
    """What became of a bundle. `imported` counts its tasks; `words` says it to a person.

    `ignored`: suggestions, and gold answers for practice, that can't be used, in words.
    """

    outcome: Literal["imported", "unchanged", "older"]
    id: str
    revision: int
    imported: int = 0
    left_out: tuple[LeftOut, ...] = ()
    ignored: tuple[str, ...] = ()
    words: str


def import_bundle(
    store: Store, path: Path, *, progress: Progress, now: Callable[[], datetime], accept_close: bool = False
) -> Imported:
    """Import one bundle. Raises `RaterError`, also for a bundle that is refused, and `Cancelled`: nothing came in then.

    The rows are written in small chunks to a bundle that nobody sees; the last step shows it.
    """
    with open_bundle(path) as bundle:
        known = _known(store, bundle, path)
        if known is not None:
            return known
        _sweep(store, progress)
        key = bundles.begin_import(store, _new_bundle(bundle, path, now))
        try:
            taking = _Taking(store, key, bundle, path, accept_close=accept_close)
            tasks, left_out = taking.take_in(progress)
            bundle.verify_rest(progress)
            gold.put(store, key, taking.gold.good)
            _take_pages(store, bundle, progress)
            bundles.finish_import(store, key)
        except BaseException:
            with suppress(StoreError):  # the next import or start sweeps; what went wrong first is what has to be told
                bundles.drop(store, key)
            raise
        manifest = bundle.manifest
        return Imported(
            bundles=frozenset({manifest.id}),
            outcome="imported",
            id=manifest.id,
            revision=manifest.revision,
            imported=tasks,
            left_out=tuple(left_out),
            ignored=taking.remarks.named,
            words=f"{path.name}: {tasks:,} tasks of {manifest.id} revision {manifest.revision} are in the store.",
        )


def _known(store: Store, bundle: OpenBundle, path: Path) -> Imported | None:
    """What to say where the store has this revision or a later one. Raises `BundleError` where it has another such."""
    manifest = bundle.manifest
    same = bundles.find_revision(store, manifest.id, manifest.revision)
    newest = bundles.find(store, manifest.id)
    name = f"{manifest.id} revision {manifest.revision}"
    if same is not None and same.identity != bundle.identity:
        raise BundleError(
            f"{path.name} is not imported",
            f"The store has {name} with other files.",
            "Whoever made the bundle must give it a higher revision.",
        )
    if newest is not None and newest.revision > manifest.revision:
        words = f"{path.name}: nothing to do, the store has {manifest.id} revision {newest.revision} already."
        return Imported(outcome="older", id=manifest.id, revision=manifest.revision, words=words)
    if same is not None:
        for _ in bundle.tasks():
            pass
        words = f"{path.name}: nothing to do, {name} is in the store."
        return Imported(outcome="unchanged", id=manifest.id, revision=manifest.revision, words=words)
    return None


def _sweep(store: Store, progress: Progress) -> None:
    """Remove what an import left that could not even be taken back, on a full disk for one."""
    for key in bundles.unready(store):
        while bundles.drop_some(store, key):
            progress(0, 0)


def _new_bundle(bundle: OpenBundle, path: Path, now: Callable[[], datetime]) -> bundles.NewBundle:
    manifest = bundle.manifest
    return bundles.NewBundle(
        id=manifest.id,
        revision=manifest.revision,
        title=manifest.title or manifest.id,
        language=manifest.language,
        created=manifest.created,
        rubric=rubric_of(bundle, path).ref,  # one that can't be read refuses the bundle
        rubric_toml=bundle.rubric_toml,
        guidelines=bundle.guidelines or "",
        manifest=bundle.manifest_raw.decode(),
        tasks_sha256=manifest.files["tasks.jsonl"].sha256,
        identity=bundle.identity,
        imported=format_time(now()),
    )


class _Taking:
    """The tasks of one bundle on their way in, and what is found out about them."""

    def __init__(self, store: Store, key: int, bundle: OpenBundle, path: Path, *, accept_close: bool) -> None:
        self._store = store
        self._key = key
        self._path = path
        self._total = bundle.manifest.tasks
        self._rubric = rubric_of(bundle, path)
        self._lines = incoming(bundle.tasks(), self._rubric, lang=bundle.manifest.language, accept_close=accept_close)
        self.gold = read_gold(bundle)
        self.remarks = Remarks()
        self._left_out: list[LeftOut] = []

    def take_in(self, progress: Progress) -> tuple[int, list[LeftOut]]:
        """Store the tasks in chunks: how many came in, and what did not."""
        tasks = seen = 0
        size = _FIRST_CHUNK
        rows = self._rows()
        while chunk := _chunk(rows, size, partial(progress, seen, self._total)):
            started = monotonic()
            tasks = bundles.add_tasks(self._store, self._key, [row for row in chunk if row is not None])
            seen += len(chunk)
            progress(seen, self._total)
            took = max(monotonic() - started, 1e-6)
            size = min(_LARGEST_CHUNK, max(1, min(int(size * _SECONDS_A_CHUNK / took), size * 2)))
        refuse_empty(self._path, tasks, self._left_out)
        self.remarks.add(self.gold.faults())
        return tasks, self._left_out

    def _rows(self) -> Iterator[bundles.TaskRow | None]:
        """A row for each line that comes in, `None` for each that does not."""
        for line in self._lines:
            self._left_out += line.left_out
            self.remarks.add(line.strange)
            if line.task is not None:
                self.gold.judge(self._rubric, line.task)
            yield None if line.task is None else row_of(line.raw, line.task)


def _chunk(
    rows: Iterator[bundles.TaskRow | None], size: int, look_up: Callable[[], None]
) -> list[bundles.TaskRow | None]:
    """At most `size` rows, and fewer where one alone takes long.

    After each row it looks up: for an answer that waits, or whoever cancels.
    """
    until = monotonic() + _SECONDS_READING
    chunk: list[bundles.TaskRow | None] = []
    for row in islice(rows, size):
        look_up()
        chunk.append(row)
        if monotonic() > until:
            break
    return chunk


def _take_pages(store: Store, bundle: OpenBundle, progress: Progress) -> None:
    """Store the pages that came with the bundle, before anybody can look for them."""
    if bundle.snapshots:
        for sha256 in bundle.snapshots:
            snapshots.keep(store.folder, sha256, bundle.snapshot(sha256))
        note(store, bundle.manifest.id, bundle.snapshots, progress)


def row_of(raw: bytes, task: Task) -> bundles.TaskRow:
    """What is stored of a task whose targets are placed; `raw` is its line to the byte."""
    targets = None
    if task.targets is not None:
        targets = msgspec.json.encode(task.targets).decode()
    outputs = [call.output for response in task.responses for call in response.tools]
    return bundles.TaskRow(
        id=task.id,
        title=" ".join(task.prompt.text.split())[:_TITLE],
        line=raw,
        targets=targets,
        prompt=task.prompt.text,
        responses="\n\n".join(response.text for response in task.responses),
        tools="\n\n".join(
            output if isinstance(output, str) else msgspec.json.encode(output).decode() for output in outputs
        ),
    )
