"""A bundle, read strictly: nothing of it can be trusted before `tasks` and `verify_rest` have ended."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_rater.bundle.archive import Archive, read_manifest
from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.lines import RatingLine, TaskLine, read_line, read_task
from desktop_rater.bundle.names import BUNDLE_FILES, GOLD, GUIDELINES, MANIFEST, RUBRIC, TASKS
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.manifests import BUNDLE_FORMAT, BundleManifest
from desktop_rater.model.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from desktop_rater.bundle.sources import Source
    from desktop_rater.model.progress import Progress


class OpenBundle:
    """A bundle while its file is open; for one thread. Whatever the file holds, only `BundleError` is raised.

    `manifest_raw` is the manifest to the byte; `rubric_toml` and `guidelines` are `None` where there are none.
    """

    def __init__(self, archive: Archive, manifest: BundleManifest, manifest_raw: bytes) -> None:
        self._archive = archive
        self.manifest = manifest
        self.manifest_raw = manifest_raw
        self.rubric_toml = archive.text(RUBRIC)
        self.guidelines = archive.text(GUIDELINES)
        self.identity = identity(manifest)
        self.snapshots = archive.snapshots

    def tasks(self) -> Iterator[TaskLine]:
        """Every line of tasks.jsonl, good or not.

        When the iterator has ended, the file's hash, size and count are as the manifest says, and a task is good.
        """
        seen: dict[str, int] = {}
        count = 0
        first_trouble = ""
        with self._archive.door.trouble():
            for number, raw in self._archive.lines(TASKS):
                count += 1
                if count > self.manifest.tasks:
                    raise Fault(f"{TASKS} holds more than the {self.manifest.tasks:,} tasks that {MANIFEST} says")
                line = read_task(number, raw, TASKS, seen)
                first_trouble = first_trouble or line.trouble
                yield line
            if count < self.manifest.tasks:
                raise Fault(f"{TASKS} holds {count:,} tasks and not {self.manifest.tasks:,} as {MANIFEST} says")
            if not seen:
                raise Fault(f"It holds no good task{': ' if first_trouble else ''}{first_trouble}")

    @property
    def has_gold(self) -> bool:
        """Whether there is a gold.jsonl."""
        return self._archive.has(GOLD)

    def sources(self) -> dict[str, Source]:
        """Every file but the manifest, as it stands, to be written into another zip while this one is open."""
        return self._archive.sources()

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """The bytes of a snapshot in pieces; they can be trusted when the iterator has ended."""
        return self._archive.snapshot(sha256)

    def gold(self) -> Iterator[Rating]:
        """The ratings that a QA lead, or in practice a rater, compares with; none where there is no gold.jsonl."""
        return (line.rating for line in self.gold_lines())

    def gold_lines(self) -> Iterator[RatingLine]:
        """The same, each with its line."""
        with self._archive.door.trouble():
            if self._archive.has(GOLD):
                for number, raw in self._archive.lines(GOLD):
                    yield RatingLine(number=number, raw=raw, rating=read_line(number, raw, GOLD, Rating))

    def verify_rest(self, progress: Progress | None = None) -> None:
        """Check all that `tasks` does not: each snapshot and the gold ratings."""
        for _ in self.gold():
            pass
        self._archive.verify_snapshots(progress)


@contextmanager
def open_bundle(path: str | Path, limits: Limits = LIMITS) -> Generator[OpenBundle]:
    """Open a bundle; its entries, manifest, rubric and guidelines have been checked. Raises `BundleError`."""
    with Door(path, BUNDLE_FILES, limits) as door:
        with door.trouble():
            if MANIFEST not in door:
                raise Fault(f"It is a zip without {MANIFEST}, so not a bundle")
            raw = door.read(MANIFEST)
            manifest = read_manifest(raw, BundleManifest, BUNDLE_FORMAT)
            archive = Archive(door, manifest.files, limits)
            if manifest.practice and not (GOLD in manifest.files and archive.has(GOLD)):
                raise Fault(f"Its manifest calls it practice, and there is no {GOLD}")
            archive.check_listed((TASKS,), may_lack=(GOLD,), may_be_unlisted=True)
            bundle = OpenBundle(archive, manifest, raw)
        yield bundle


def identity(manifest: BundleManifest) -> str:
    """SHA-256 over the bundle's files and rubric: equal for what is the same bundle to a rater.

    Gold counts only in practice, where raters see it.
    """
    files = sorted([name, entry.sha256] for name, entry in manifest.files.items() if name != GOLD or manifest.practice)
    return sha256(canonical({"files": files, "rubric": manifest.rubric}))
