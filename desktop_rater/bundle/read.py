"""Read a bundle strictly: its content is untrusted until `tasks` and `verify_rest` have completed."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from desktop_rater.bundle.archive import (
    BUNDLE_FILES,
    GOLD,
    GUIDELINES,
    MANIFEST,
    PICTURE_FOLDER,
    RUBRIC,
    TASKS,
    Archive,
    check_picture,
    check_picture_list,
    declared_format,
    named_pictures,
    read_manifest,
)
from desktop_rater.bundle.errors import BundleError, BundleFault
from desktop_rater.bundle.jsonl import RatingLine, TaskLine, read_line, read_task
from desktop_rater.bundle.safe_zip import LIMITS, Limits, SafeZip
from desktop_rater.bundle.write import EntrySource
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import BUNDLE_FORMAT, RESULTS_FORMAT, BundleManifest
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import canonical_json, sha256

_RESULTS = "It contains the results of a rater, not tasks."
_HINT_RESULTS = "Nothing was imported. A QA lead opens results: choose this role in the settings, or use `audit open`."


class OpenBundle:
    """Open bundle, for one thread. Raises only `BundleError`; `rubric_toml` and `guidelines` are `None` if missing."""

    def __init__(self, archive: Archive, manifest: BundleManifest, manifest_raw: bytes) -> None:
        self._archive = archive
        self.manifest = manifest
        self.manifest_raw = manifest_raw
        self.rubric_toml = archive.text(RUBRIC)
        self.guidelines = archive.text(GUIDELINES)
        self.identity = bundle_identity(manifest)
        self.snapshots = archive.snapshots
        sizes = {
            name: archive.zip_file.size(name) for name in archive.zip_file.names if name.startswith(PICTURE_FOLDER)
        }
        check_picture_list(named_pictures(self.guidelines or ""), sizes, archive.limits)
        self.picture_names = tuple(sizes)

    def tasks(self) -> Iterator[TaskLine]:
        """Yield every line of tasks.jsonl, valid or not.

        When the iterator is exhausted, the file's hash, size and count match the manifest, and at least one task is
        valid.
        """
        seen: dict[str, int] = {}
        count = 0
        first_error = ""
        with self._archive.zip_file.translate_errors():
            for number, raw in self._archive.lines(TASKS):
                count += 1
                if count > self.manifest.tasks:
                    raise BundleFault(f"{TASKS} holds more than the {self.manifest.tasks:,} tasks that {MANIFEST} says")
                line = read_task(number, raw, TASKS, seen)
                first_error = first_error or line.error
                yield line
            if count < self.manifest.tasks:
                raise BundleFault(f"{TASKS} holds {count:,} tasks and not {self.manifest.tasks:,} as {MANIFEST} says")
            if not seen:
                raise BundleFault(f"It has no valid task{': ' if first_error else ''}{first_error}")

    def pictures(self) -> dict[str, bytes]:
        """Return the pictures of the guidelines by name, each checked."""
        pictures = {}
        with self._archive.zip_file.translate_errors():
            for name in self.picture_names:
                pictures[name] = b"".join(self._archive.chunks(name))
                check_picture(name, pictures[name], self._archive.limits)
        return pictures

    @property
    def has_gold(self) -> bool:
        return self._archive.has(GOLD)

    def sources(self) -> dict[str, EntrySource]:
        """Return every file but the manifest, unchanged, to be written into another zip while this one is open."""
        return self._archive.sources()

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """Yield the bytes of a snapshot in chunks; they can be trusted once the iterator is exhausted."""
        return self._archive.snapshot(sha256)

    def gold(self) -> Iterator[Rating]:
        """Yield the ratings that a QA lead, or a rater in practice, compares with; none without a gold.jsonl."""
        return (line.rating for line in self.gold_lines())

    def gold_lines(self) -> Iterator[RatingLine]:
        with self._archive.zip_file.translate_errors():
            if self._archive.has(GOLD):
                for number, raw in self._archive.lines(GOLD):
                    yield RatingLine(number=number, raw=raw, rating=read_line(number, raw, GOLD, Rating))

    def verify_rest(self, progress: Progress | None = None) -> None:
        """Check everything that `tasks` does not: each snapshot, the pictures and the gold ratings."""
        for _ in self.gold():
            pass
        self.pictures()
        self._archive.verify_snapshots(progress)


@contextmanager
def open_bundle(path: str | Path, limits: Limits = LIMITS) -> Generator[OpenBundle]:
    """Open a bundle after checking its entries, manifest, rubric and guidelines. Raises `BundleError`."""
    with ExitStack() as stack:
        try:
            zip_file = stack.enter_context(SafeZip(path, BUNDLE_FILES, limits))
        except BundleError as error:
            if _is_results(Path(path)):
                raise BundleError(error.title, _RESULTS, _HINT_RESULTS) from error
            raise
        with zip_file.translate_errors():
            if MANIFEST not in zip_file:
                raise BundleFault(f"It is not a bundle: the zip has no {MANIFEST}")
            raw = zip_file.read(MANIFEST)
            manifest = read_manifest(raw, BundleManifest, BUNDLE_FORMAT)
            archive = Archive(zip_file, manifest.files, limits)
            if manifest.practice and not (GOLD in manifest.files and archive.has(GOLD)):
                raise BundleFault(f"Its manifest marks it as practice, but there is no {GOLD}")
            archive.check_listed((TASKS,), may_lack=(GOLD,), may_be_unlisted=True)
            bundle = OpenBundle(archive, manifest, raw)
        yield bundle


def _is_results(path: Path) -> bool:
    try:
        return declared_format(path) == RESULTS_FORMAT
    except BundleError:
        return False


def bundle_identity(manifest: BundleManifest) -> str:
    """Return a SHA-256 that is equal for bundles that are the same to a rater, who sees gold only in practice."""
    files = sorted([name, entry.sha256] for name, entry in manifest.files.items() if name != GOLD or manifest.practice)
    return sha256(canonical_json({"files": files, "rubric": manifest.rubric}))
