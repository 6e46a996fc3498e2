"""Results: what leaves a laptop, read and written so that anybody can check it with nothing else at hand."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.archive import Archive, read_manifest
from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.lines import RatingLine, TaskLine, read_line, read_task
from desktop_rater.bundle.make import manifest_bytes
from desktop_rater.bundle.names import (
    HISTORY,
    MANIFEST,
    RATINGS,
    RESULTS_FILES,
    RUBRIC,
    SIGNATURE,
    TASKS,
    snapshot_name,
)
from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.signing import look_at
from desktop_rater.bundle.sources import Snapshot, Source, Spool, Whole
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.bundle.write import QUICK, TRY_AGAIN, write_zip
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import (
    FORMAT_VERSION,
    RESULTS_FORMAT,
    BundleRef,
    Counts,
    HistoryLine,
    ModelSource,
    ResultsManifest,
)
from desktop_rater.model.progress import Progress
from desktop_rater.model.rating import Rating
from desktop_rater.model.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from desktop_rater.bundle.signing import SigningKey
    from desktop_rater.model.task import Task

_EXPORT_AGAIN = "Ask the rater to export again."


class OpenResults:
    """Results while their file is open; for one thread. Whatever the file holds, only `BundleError` is raised.

    `rubric_toml` is `None` where the rubric is a built-in one. `signature` says what their signature is worth.
    """

    def __init__(self, archive: Archive, manifest: ResultsManifest, manifest_raw: bytes, signature: Signature) -> None:
        self._archive = archive
        self.signature = signature
        self.manifest = manifest
        self.manifest_raw = manifest_raw
        self.rubric_toml = archive.text(RUBRIC)
        self.snapshots = archive.snapshots

    def ratings(self) -> Iterator[RatingLine]:
        """Each rating, one a task; as many complete and skipped ones as the manifest says."""
        counts = dict.fromkeys(("complete", "skipped", "incomplete"), 0)
        seen: dict[str, int] = {}
        with self._archive.door.trouble():
            for number, raw in self._archive.lines(RATINGS):
                rating = read_line(number, raw, RATINGS, Rating)
                if rating.task in seen:
                    raise Fault(f"{RATINGS}, line {number}: line {seen[rating.task]} rates the same task")
                seen[rating.task] = number
                counts[rating.status] += 1
                yield RatingLine(number=number, raw=raw, rating=rating)
            said = self.manifest.counts
            if (counts["complete"], counts["skipped"]) != (said.complete, said.skipped):
                raise Fault(
                    f"{RATINGS} holds {counts['complete']:,} complete and {counts['skipped']:,} skipped ratings, "
                    f"and {MANIFEST} says {said.complete:,} and {said.skipped:,}"
                )

    def tasks(self, known: Mapping[bytes, Task] | None = None) -> Iterator[TaskLine]:
        """The line of each rated task; all of them are good. `known`: line → task, of those that were read before."""
        seen: dict[str, int] = {}
        with self._archive.door.trouble():
            for number, raw in self._archive.lines(TASKS):
                task = known.get(raw) if known else None
                if task is None or task.id in seen:
                    line = read_task(number, raw, TASKS, seen)
                else:
                    seen[task.id] = number
                    line = TaskLine(number=number, raw=raw, task=task, id=task.id)
                if line.trouble:
                    raise Fault(line.trouble)
                yield line

    def history(self) -> Iterator[HistoryLine]:
        """The revisions of the ratings."""
        with self._archive.door.trouble():
            for number, raw in self._archive.lines(HISTORY):
                yield read_line(number, raw, HISTORY, HistoryLine)

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """The bytes of a snapshot in pieces; they can be trusted when the iterator has ended."""
        return self._archive.snapshot(sha256)

    def verify_files(self, progress: Progress | None = None) -> None:
        """Compare every file with its hash. What the lines say has not been read then."""
        progress = progress or Progress()
        for name in (RATINGS, TASKS, HISTORY):
            for _ in self._archive.chunks(name):
                progress(0, 0)
        self.verify_snapshots(progress)

    def verify_snapshots(self, progress: Progress | None = None) -> None:
        """Compare every stored page with its hash. The other files are compared as they are read to their end."""
        self._archive.verify_snapshots(progress)


@contextmanager
def open_results(path: str | Path, limits: Limits = LIMITS) -> Generator[OpenResults]:
    """Open results; their entries, manifest and rubric have been checked. Raises `BundleError`."""
    with Door(path, RESULTS_FILES, limits, _EXPORT_AGAIN) as door:
        with door.trouble():
            if MANIFEST not in door:
                raise Fault(f"It is a zip without {MANIFEST}, so not results")
            raw = door.read(MANIFEST)
            manifest = read_manifest(raw, ResultsManifest, RESULTS_FORMAT)
            archive = Archive(door, manifest.files, limits)
            archive.check_listed((RATINGS, TASKS, HISTORY), may_lack=(), may_be_unlisted=False)
            signed = SIGNATURE in door
            signature = look_at(door.read(SIGNATURE), manifest.rater, raw) if signed else Signature()
            results = OpenResults(archive, manifest, raw, signature)
        yield results


class NewResults(msgspec.Struct, frozen=True, kw_only=True):
    """All of results but their lines. `moment`: the time of the last change; `snapshots`: SHA-256 → file.

    `adjudicated`: no rater's, but what a lead and the raters' majority decided.
    """

    bundle: BundleRef
    rater: str
    rubric: str
    counts: Counts
    moment: str
    partial: bool = False
    practice: bool = False
    adjudicated: bool = False
    supersedes: str | None = None
    model: ModelSource | None = None
    rubric_toml: str | None = None
    snapshots: dict[str, Path] = {}


class ResultLines:
    """The lines of results, in the order in which they shall stand. Its methods raise `OSError`."""

    def __init__(self, spool: Spool) -> None:
        self._ratings = spool.lines()
        self._tasks = spool.lines()
        self._history = spool.lines()

    def add(self, ratings: Sequence[bytes], tasks: Sequence[bytes], history: Iterable[HistoryLine]) -> None:
        r"""Take more of each: canonical leaving forms, and task lines to the byte, both without their "\n"."""
        self._ratings.add(ratings)
        self._tasks.add(tasks)
        self._history.add([canonical(to_plain(line)) for line in history])

    def sources(self) -> dict[str, Source]:
        """The three files."""
        return {
            RATINGS: self._ratings.spooled(),
            TASKS: self._tasks.spooled(),
            HISTORY: self._history.spooled(),
        }


def write_results(
    path: str | Path,
    new: NewResults,
    lines: ResultLines,
    limits: Limits = LIMITS,
    progress: Progress | None = None,
    *,
    key: SigningKey | None = None,
) -> str:
    """Write results; the SHA-256 of the zip. Raises `BundleError`, and then what was there is as it was.

    With `key`, the rater's own, they are signed.
    """
    path = Path(path)
    look = partial(progress or Progress(), new.counts.tasks, new.counts.tasks)
    with named(path, "written", TRY_AGAIN):
        check_place(path)
        sources = lines.sources()
        if new.rubric_toml is not None:
            sources[RUBRIC] = Whole(new.rubric_toml.encode())
        for sha256, snapshot in new.snapshots.items():
            sources[snapshot_name(sha256)] = Snapshot(sha256, snapshot)
        raw = _manifest(new, sources)
        read_manifest(raw, ResultsManifest, RESULTS_FORMAT)
        sources[MANIFEST] = Whole(raw)
        if key is not None:
            sources[SIGNATURE] = Whole(key.sign(new.rater, raw))
        return write_zip(path, sources, new.moment, limits, effort=QUICK, look=look)


def _manifest(new: NewResults, sources: Mapping[str, Source]) -> bytes:
    plain = {
        "format": RESULTS_FORMAT,
        "version": FORMAT_VERSION,
        "bundle": to_plain(new.bundle),
        "rater": new.rater,
        "rubric": new.rubric,
        "counts": to_plain(new.counts),
        "partial": new.partial,
        **({"practice": True} if new.practice else {}),
        **({"adjudicated": True} if new.adjudicated else {}),
        **({"supersedes": new.supersedes} if new.supersedes else {}),
        **({"model": to_plain(new.model)} if new.model is not None else {}),
    }
    return manifest_bytes(plain, sources)
