"""A new bundle, made of task lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.archive import read_manifest
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.lines import check_parts, read_task
from desktop_rater.bundle.names import GOLD, GUIDELINES, MANIFEST, RUBRIC, TASKS, snapshot_name
from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.sources import Snapshot, Source, Spool, Whole
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.bundle.write import TRY_AGAIN, write_zip
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import BUNDLE_FORMAT, FORMAT_VERSION, BundleManifest
from desktop_rater.model.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class NewBundle(msgspec.Struct, frozen=True, kw_only=True):
    """All of a bundle but its tasks. `created` is a time of the formats; `snapshots`: SHA-256 → file.

    `practice`: raters see the `gold` after each task.
    """

    id: str
    created: str
    rubric: str
    revision: int = 1
    title: str = ""
    language: str = ""
    rubric_toml: str | None = None
    guidelines: str | None = None
    snapshots: dict[str, Path] = {}
    gold: tuple[Rating, ...] = ()
    practice: bool = False
    unknown: dict[str, Any] = {}
    """Further keys of the manifest."""


def make_bundle(
    out: str | Path,
    new: NewBundle,
    task_lines: Iterable[bytes],
    *,
    called: str = TASKS,
    gold: Iterable[bytes] = (),
    limits: Limits = LIMITS,
) -> BundleManifest:
    r"""Write the bundle; its manifest.

    `task_lines` come without their "\n" and go in to the byte; `called` is the file that messages name for them. `gold`
    are lines too, in the place of `new.gold`, and asked for once every task has been.
    Raises `BundleError`, and then nothing was written: a line that is not a good task is refused, and so is none.
    """
    out = Path(out)
    with named(out, "made", TRY_AGAIN):
        check_place(out)
        with Spool(out.parent) as spool:
            count = _Counted(task_lines, called, limits)
            sources: dict[str, Source] = {TASKS: spool.add_lines(count)}
            if new.rubric_toml is not None:
                sources[RUBRIC] = Whole(new.rubric_toml.encode())
            if new.guidelines is not None:
                sources[GUIDELINES] = Whole(new.guidelines.encode())
            golden = spool.add_lines(gold or (canonical(to_plain(rating)) for rating in new.gold))
            if golden.size:
                sources[GOLD] = golden
            for sha256, path in new.snapshots.items():
                sources[snapshot_name(sha256)] = Snapshot(sha256, path)
            raw = _manifest(new, count.good, sources)
            manifest = read_manifest(raw, BundleManifest, BUNDLE_FORMAT)
            write_zip(out, sources | {MANIFEST: Whole(raw)}, new.created, limits)
            return manifest


def manifest_bytes(plain: Mapping[str, object], sources: Mapping[str, Source]) -> bytes:
    """The manifest as people like to read it, with the files listed."""
    files = {name: {"sha256": source.sha256, "bytes": source.size} for name, source in sources.items()}
    return msgspec.json.format(canonical({**plain, "files": files}), indent=2) + b"\n"


class _Counted:
    """Task lines as they pass, each checked. `good` of them have passed."""

    def __init__(self, lines: Iterable[bytes], called: str, limits: Limits) -> None:
        self.good = 0
        self._lines = lines
        self._called = called
        self._limits = limits

    def __iter__(self) -> Iterator[bytes]:
        seen: dict[str, int] = {}
        for number, raw in enumerate(self._lines, 1):
            if len(raw) > self._limits.line_bytes:
                raise Fault(f"{self._called}, line {number}: it is longer than {self._limits.line_bytes:,} bytes")
            if b"\n" in raw:
                raise Fault(f"{self._called}, line {number}: it is more than one line")
            check_parts(number, raw, self._called, self._limits)
            trouble = read_task(number, raw, self._called, seen).trouble
            if trouble:
                raise Fault(trouble)
            self.good += 1
            yield raw
        if not self.good:
            raise Fault(f"{self._called} holds no task")


def _manifest(new: NewBundle, tasks: int, sources: Mapping[str, Source]) -> bytes:
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
