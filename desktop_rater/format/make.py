"""Create a bundle from task lines, or a copy for raters without its gold."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.files import check_destination
from desktop_rater.format.archive import (
    CASES,
    GOLD,
    GUIDELINES,
    MANIFEST,
    RUBRIC,
    TASKS,
    OpenBundle,
    check_pictures,
    open_bundle,
    read_manifest,
    snapshot_name,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.jsonl import SeenIds, check_parts, read_task
from desktop_rater.format.manifests import BUNDLE_FORMAT, FORMAT_VERSION, BundleManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS, Limits
from desktop_rater.format.strict_json import canonical_json, read_json_file, to_plain
from desktop_rater.format.write import HINT_UNCHANGED, EntrySource, MemorySource, SnapshotSource, Spool, write_zip


class BundleDraft(msgspec.Struct, frozen=True, kw_only=True):
    """Bundle except its tasks.

    `pictures`: those of the guidelines by name, `snapshots`: SHA-256 → file, `practice`: raters see the `gold` after
    each task.
    """

    id: str
    created: str
    rubric: str
    revision: int = 1
    title: str = ""
    language: str = ""
    rubric_toml: str | None = None
    guidelines: str | None = None
    cases: str | None = None
    pictures: dict[str, bytes] = {}
    snapshots: dict[str, Path] = {}
    gold: tuple[Rating, ...] = ()
    practice: bool = False
    unknown: dict[str, Any] = {}
    """Further keys of the manifest."""


def make_bundle(
    out: str | Path,
    new: BundleDraft,
    task_lines: Iterable[bytes],
    *,
    called: str = TASKS,
    gold: Iterable[bytes] = (),
    limits: Limits = LIMITS,
) -> BundleManifest:
    r"""Write the bundle and return its manifest.

    `task_lines` come without their "\n" and are stored unchanged; `called` is their file name in messages. `gold` lines
    replace `new.gold`, and are consumed after all tasks. Raises `BundleError` for an invalid task or if there are no
    tasks, and then nothing is written.
    """
    out = Path(out)
    with bundle_errors(out, "made", HINT_UNCHANGED), Spool(check_destination(out)) as spool:
        count = _CheckedTaskLines(task_lines, called, limits)
        sources: dict[str, EntrySource] = {TASKS: spool.add_lines(count)}
        if new.rubric_toml is not None:
            sources[RUBRIC] = MemorySource(new.rubric_toml.encode())
        if new.guidelines is not None:
            sources[GUIDELINES] = MemorySource(new.guidelines.encode())
        if new.cases is not None:
            sources[CASES] = MemorySource(new.cases.encode())
        check_pictures(new.guidelines, new.pictures, limits)
        sources.update((name, MemorySource(data)) for name, data in new.pictures.items())
        golden = spool.add_lines(gold or (canonical_json(to_plain(rating)) for rating in new.gold))
        if golden.size:
            sources[GOLD] = golden
        for sha256, path in new.snapshots.items():
            sources[snapshot_name(sha256)] = SnapshotSource(sha256, path)
        raw = _manifest(new, count.good, sources)
        manifest = read_manifest(raw, BundleManifest, BUNDLE_FORMAT)
        write_zip(out, sources | {MANIFEST: MemorySource(raw)}, new.created, limits)
        return manifest


def manifest_bytes(plain: Mapping[str, object], sources: Mapping[str, EntrySource]) -> bytes:
    """Return the manifest as indented JSON, with the list of files."""
    files = {name: {"sha256": source.sha256, "bytes": source.size} for name, source in sources.items()}
    return msgspec.json.format(canonical_json({**plain, "files": files}), indent=2) + b"\n"


class _CheckedTaskLines:
    """Iterator that checks task lines; `good` is the number of valid ones."""

    def __init__(self, lines: Iterable[bytes], called: str, limits: Limits) -> None:
        self.good = 0
        self._lines = lines
        self._called = called
        self._limits = limits

    def __iter__(self) -> Iterator[bytes]:
        with closing(SeenIds()) as seen:
            for number, raw in enumerate(self._lines, 1):
                where = f"{self._called}, line {number}"
                if len(raw) > self._limits.line_bytes:
                    raise BundleFault(f"{where}: it is longer than {self._limits.line_bytes:,} bytes")
                if b"\n" in raw:
                    raise BundleFault(f"{where}: it is more than one line")
                check_parts(number, raw, self._called, self._limits)
                error = read_task(number, raw, self._called, seen).error
                if error:
                    raise BundleFault(error)
                self.good += 1
                yield raw
        if not self.good:
            raise BundleFault(f"{self._called} holds no task")


def _manifest(new: BundleDraft, tasks: int, sources: Mapping[str, EntrySource]) -> bytes:
    plain = {
        **new.unknown,
        "format": BUNDLE_FORMAT,
        "version": FORMAT_VERSION,
        "id": new.id,
        "revision": new.revision,
        "title": new.title,
        "created": new.created,
        "language": new.language,
        "rubric": new.rubric,
        "tasks": tasks,
        **({"practice": True} if new.practice else {}),
    }
    return manifest_bytes(plain, sources)


_NO_TIME = "1980-01-01T00:00:00Z"  # earliest time of a zip, for a bundle without creation time


def has_hidden_gold(bundle: OpenBundle) -> bool:
    """Return whether the bundle contains gold that raters must not see."""
    return not bundle.manifest.practice and bundle.has_gold


def write_without_gold(path: Path, out: Path, progress: Progress) -> None:
    """Write the bundle without its gold: to a rater the same bundle. Raises `BundleError`."""
    with open_bundle(path) as bundle, bundle_errors(out, "written", HINT_UNCHANGED):
        sources: dict[str, EntrySource] = {name: source for name, source in bundle.sources().items() if name != GOLD}
        plain = read_json_file(bundle.manifest_raw)
        files = {name: entry for name, entry in plain["files"].items() if name != GOLD}
        raw = msgspec.json.format(canonical_json({**plain, "files": files}), indent=2) + b"\n"
        moment = bundle.manifest.created or _NO_TIME
        write_zip(out, sources | {MANIFEST: MemorySource(raw)}, moment, check_cancelled=lambda: progress(0, 0))
