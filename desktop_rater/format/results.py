"""Read and write results zips, which can be verified without any other files."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.files import check_destination
from desktop_rater.format.archive import (
    HISTORY,
    MANIFEST,
    RATINGS,
    RESULTS_FILES,
    RUBRIC,
    SIGNATURE,
    TASKS,
    Archive,
    read_manifest,
    snapshot_name,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.hub_names import Signature
from desktop_rater.format.jsonl import RatingLine, SeenIds, TaskLine, read_line, read_task
from desktop_rater.format.make import manifest_bytes
from desktop_rater.format.manifests import (
    FORMAT_VERSION,
    RESULTS_FORMAT,
    BundleRef,
    Counts,
    HistoryLine,
    ModelSource,
    ResultsManifest,
)
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS, Limits, SafeZip
from desktop_rater.format.signing import SigningKey, verify_signature
from desktop_rater.format.strict_json import field_of, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import (
    HINT_UNCHANGED,
    QUICK,
    EntrySource,
    MemorySource,
    SnapshotSource,
    Spool,
    write_zip,
)
from desktop_rater.text.untrusted import normalised_name

_EXPORT_AGAIN = "Ask the rater to export again."


class OpenResults:
    """Open results, for one thread. Raises only `BundleError`; `rubric_toml` is `None` for a built-in rubric.

    The rater's name in `manifest` is normalised; `written_rater` is as in the file.
    """

    def __init__(self, archive: Archive, written: ResultsManifest, manifest_raw: bytes, signature: Signature) -> None:
        manifest = msgspec.structs.replace(written, rater=normalised_name(written.rater))
        if not manifest.rater:
            raise BundleFault(f"{MANIFEST}: the rater has no name that can be seen")
        self._archive = archive
        self.signature = signature
        self.manifest = manifest
        self.manifest_raw = manifest_raw
        self.written_rater = written.rater
        self.rubric_toml = archive.text(RUBRIC)
        self.snapshots = archive.snapshots

    def ratings(self) -> Iterator[RatingLine]:
        """Yield each rating, one per task; checks the numbers of complete and skipped ones in the manifest."""
        counts = dict.fromkeys(("complete", "skipped", "incomplete"), 0)
        with self._archive.zip_file.translate_errors(), closing(SeenIds()) as seen:
            for number, raw in self._archive.lines(RATINGS):
                rating = read_line(number, raw, RATINGS, Rating)
                if before := seen.add(rating.task, number):
                    raise BundleFault(f"{RATINGS}, line {number}: line {before} rates the same task")
                counts[rating.status] += 1
                yield RatingLine(number=number, raw=raw, rating=rating)
            expected = self.manifest.counts
            if (counts["complete"], counts["skipped"]) != (expected.complete, expected.skipped):
                raise BundleFault(
                    f"{RATINGS} holds {counts['complete']:,} complete and {counts['skipped']:,} skipped ratings, "
                    f"and {MANIFEST} says {expected.complete:,} and {expected.skipped:,}"
                )

    def metas(self) -> Iterator[dict[str, Any]]:
        """Yield `meta` of each rated task, without reading the rest."""
        with self._archive.zip_file.translate_errors():
            for _, raw in self._archive.lines(TASKS):
                yield field_of(raw, "meta", dict[str, Any], {})

    def tasks(self, known: Mapping[bytes, Task] | None = None) -> Iterator[TaskLine]:
        """Yield the line of each rated task; all of them are valid. `known`: line → task, of lines parsed before."""
        with self._archive.zip_file.translate_errors(), closing(SeenIds()) as seen:
            for number, raw in self._archive.lines(TASKS):
                task = known.get(raw) if known else None
                if task is None or seen.add(task.id, number):
                    line = read_task(number, raw, TASKS, seen)
                else:
                    line = TaskLine(number=number, raw=raw, task=task, id=task.id)
                if line.error:
                    raise BundleFault(line.error)
                yield line

    def history(self) -> Iterator[HistoryLine]:
        with self._archive.zip_file.translate_errors():
            for number, raw in self._archive.lines(HISTORY):
                yield read_line(number, raw, HISTORY, HistoryLine)

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """Yield the bytes of a snapshot in chunks; they can be trusted once the iterator is exhausted."""
        return self._archive.snapshot(sha256)

    def verify_files(self, progress: Progress | None = None) -> None:
        """Compare every file with its hash, without parsing the lines."""
        progress = progress or Progress()
        for name in (RATINGS, TASKS, HISTORY):
            for _ in self._archive.chunks(name):
                progress(0, 0)
        self.verify_snapshots(progress)

    def verify_snapshots(self, progress: Progress | None = None) -> None:
        """Compare every stored page with its hash. The other files are compared while they are read to the end."""
        self._archive.verify_snapshots(progress)


@contextmanager
def open_results(path: str | Path, limits: Limits = LIMITS) -> Generator[OpenResults]:
    """Open results after checking their entries, manifest and rubric. Raises `BundleError`."""
    with SafeZip(path, RESULTS_FILES, limits, _EXPORT_AGAIN) as zip_file:
        with zip_file.translate_errors():
            if MANIFEST not in zip_file:
                raise BundleFault(f"It is not a results file: the zip has no {MANIFEST}")
            raw = zip_file.read(MANIFEST)
            manifest = read_manifest(raw, ResultsManifest, RESULTS_FORMAT)
            archive = Archive(zip_file, manifest.files, limits)
            archive.check_listed((RATINGS, TASKS, HISTORY), may_lack=(), may_be_unlisted=False)
            signed = SIGNATURE in zip_file
            signature = verify_signature(zip_file.read(SIGNATURE), manifest.rater, raw) if signed else Signature()
            results = OpenResults(archive, manifest, raw, signature)
        yield results


class ResultsDraft(msgspec.Struct, frozen=True, kw_only=True):
    """Results except their lines; `moment`: last change, `snapshots`: SHA-256 → file, `adjudicated`: not a rater's.

    `imported_from`: the tool in which the rater worked, if it was another one.
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
    imported_from: str = ""
    rubric_toml: str | None = None
    snapshots: dict[str, Path] = {}


class ResultLines:
    """Lines of results, in file order. Its methods raise `OSError`."""

    def __init__(self, spool: Spool) -> None:
        self._ratings = spool.lines()
        self._tasks = spool.lines()
        self._history = spool.lines()

    def add(self, ratings: Sequence[bytes], tasks: Sequence[bytes], history: Iterable[HistoryLine]) -> None:
        r"""Add lines to each file: canonical exported ratings, and exact task lines, both without their "\n"."""
        self._ratings.add(ratings)
        self._tasks.add(tasks)
        # The same as canonical JSON for texts and whole numbers, in a tenth of the time.
        self._history.add([msgspec.json.encode(to_plain(line), order="sorted") for line in history])

    def sources(self) -> dict[str, EntrySource]:
        """Return the three files."""
        return {RATINGS: self._ratings.spooled(), TASKS: self._tasks.spooled(), HISTORY: self._history.spooled()}


def write_results(
    path: str | Path,
    new: ResultsDraft,
    lines: ResultLines,
    limits: Limits = LIMITS,
    progress: Progress | None = None,
    *,
    key: SigningKey | None = None,
) -> str:
    """Write results, signed with the rater's `key`; return their SHA-256. Raises `BundleError`."""
    path = Path(path)
    check_cancelled = partial(progress or Progress(), new.counts.tasks, new.counts.tasks)
    with bundle_errors(path, "written", HINT_UNCHANGED):
        check_destination(path)
        sources = lines.sources()
        if new.rubric_toml is not None:
            sources[RUBRIC] = MemorySource(new.rubric_toml.encode())
        for sha256, snapshot in new.snapshots.items():
            sources[snapshot_name(sha256)] = SnapshotSource(sha256, snapshot)
        raw = _manifest(new, sources)
        read_manifest(raw, ResultsManifest, RESULTS_FORMAT)
        sources[MANIFEST] = MemorySource(raw)
        if key is not None:
            sources[SIGNATURE] = MemorySource(key.sign(new.rater, raw))
        return write_zip(path, sources, new.moment, limits, effort=QUICK, check_cancelled=check_cancelled)


def _manifest(new: ResultsDraft, sources: Mapping[str, EntrySource]) -> bytes:
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
        **({"imported_from": new.imported_from} if new.imported_from else {}),
    }
    return manifest_bytes(plain, sources)
