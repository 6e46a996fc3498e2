"""Merge bundles of one rubric into one."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.derived import DERIVED
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.work.gather_tasks import Gathered, gathering
from desktop_rater.work.incoming import LeftOut
from desktop_rater.work.make_bundle import default_id, refuse_same_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop_rater.bundle.lines import TaskLine
    from desktop_rater.model.progress import Progress

_MOST_NAMED = 10
_NOTHING = "Nothing was written."


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """`equal` tasks stood in more than one bundle. `dropped`: manifest keys on which the bundles disagree."""

    manifest: BundleManifest
    equal: int
    dropped: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def merge_bundles(
    out: Path, paths: Sequence[Path], progress: Progress, *, bundle_id: str | None = None, title: str | None = None
) -> Merged:
    """Write the tasks of some bundles, in their order, as one. Raises `RaterError`: then nothing was written.

    A task that stands in two of them to the byte comes in once; one id with two lines refuses the merge.
    """
    refuse_same_file(out, *paths)
    taken = _Taken(out)
    sources: list[Gathered] = []
    with gathering(out.parent, [out.name], progress) as (tasks, beside):
        for path in paths:
            taken.path = path
            sources.append(tasks.read(path, taken.take))
            _refuse_other(out, sources[0], sources[-1])
        taken.refuse_conflicts()
        id_ = bundle_id or default_id(out)
        unknown, dropped = _unknown([source.manifest for source in sources])
        new = sources[0].new(
            {"tool": "merge", "bundles": [source.reference() for source in sources]},
            id=id_,
            revision=max(source.manifest.revision for source in sources),
            title=title or _title([source.manifest for source in sources]) or id_,
            created=max(source.manifest.created or "" for source in sources),
            unknown=unknown,
        )
        manifest = tasks.write(beside / out.name, new, range(len(tasks.ids)))
    return Merged(manifest=manifest, equal=taken.equal, dropped=dropped, left_out=tuple(tasks.left_out))


class _Taken:
    """Which tasks came already, and from where."""

    def __init__(self, out: Path) -> None:
        self.equal = 0
        self.path = out
        self._out = out
        self._seen: dict[str, tuple[bytes, Path]] = {}
        self._conflicts: list[str] = []
        self._unnamed = 0

    def take(self, line: TaskLine) -> bool:
        """Whether a task is new."""
        assert line.id is not None
        digest = hashlib.sha256(line.raw).digest()
        before, where = self._seen.setdefault(line.id, (digest, self.path))
        if where is self.path:
            return True
        if before == digest:
            self.equal += 1
        elif len(self._conflicts) < _MOST_NAMED:
            self._conflicts.append(f'"{line.id}" in {where.name} and {self.path.name}')
        else:
            self._unnamed += 1
        return False

    def refuse_conflicts(self) -> None:
        """Raise `BundleError` where two bundles have different tasks of one id."""
        if self._conflicts:
            more = f", and {self._unnamed:,} more" if self._unnamed else ""
            why = f"Different tasks have the same id: {', '.join(self._conflicts)}{more}."
            raise BundleError(f"{self._out.name} can't be made", why, f"{_NOTHING} Give one of the two another id.")


def _refuse_other(out: Path, first: Gathered, other: Gathered) -> None:
    """Raise `BundleError` where two bundles would be rated differently."""
    one, two = first.manifest, other.manifest
    differs = [
        (one.rubric != two.rubric, f"the rubrics differ, {one.rubric} and {two.rubric}"),
        (first.rubric_toml != other.rubric_toml, f"both have a rubric {one.rubric}, and its rubric.toml differs"),
        (one.language != two.language, f"the languages differ, {one.language!r} and {two.language!r}"),
        (one.practice != two.practice, "one of the two is practice"),
        (first.guidelines != other.guidelines, "their guidelines differ"),
    ]
    for differ, why in differs:
        if differ:
            where = f"{first.path.name} and {other.path.name}"
            raise BundleError(f"{out.name} can't be made", f"{where} don't go together: {why}.", _NOTHING)


def _title(manifests: Sequence[BundleManifest]) -> str:
    titles = {manifest.title for manifest in manifests}
    return titles.pop() if len(titles) == 1 else ""


def _unknown(manifests: Sequence[BundleManifest]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The further keys of the manifests, and those on which they disagree."""
    kept: dict[str, Any] = {}
    dropped: dict[str, None] = {}
    for manifest in manifests:
        for key, value in manifest.unknown.items():
            if key != DERIVED and kept.setdefault(key, value) != value:
                dropped[key] = None
    return {key: value for key, value in kept.items() if key not in dropped}, tuple(dropped)
