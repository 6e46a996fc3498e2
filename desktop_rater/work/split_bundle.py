"""Split a bundle into parts of which each is a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.work.gather_tasks import Gathered, gathering
from desktop_rater.work.incoming import LeftOut
from desktop_rater.work.make_bundle import refuse_same_file

if TYPE_CHECKING:
    from desktop_rater.bundle.make import NewBundle
    from desktop_rater.model.progress import Progress

PLACE = "{n}"
MOST_PARTS = 10_000


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was written."""

    out: Path
    manifest: BundleManifest


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """The parts in order. `left_out`: lines of the bundle that are no good task."""

    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]


def split_bundle(path: Path, count: int, folder: Path, pattern: str, progress: Progress) -> Split:
    """Write the tasks of a bundle, in their order, as `count` bundles whose sizes differ by one at most.

    `pattern` names the files in `folder`; its `{n}` becomes the part's number. Raises `RaterError`: then nothing was
    written.
    """
    if not 1 <= count <= MOST_PARTS:
        raise BundleError(f"{path.name} can't be split", f"It has 1 to {MOST_PARTS:,} parts, not {count:,}.")
    if pattern.count(PLACE) != 1:
        why = f"The name {pattern!r} must have {PLACE} once, in the place of the part's number."
        raise BundleError(f"{path.name} can't be split", why, f"Write it like kelp-{PLACE}.zip.")
    names = [pattern.replace(PLACE, str(number)) for number in range(1, count + 1)]
    for name in names:
        refuse_same_file(folder / name, path)
    parts = []
    with gathering(folder, names, progress, new_folder=True) as (tasks, beside):
        source = tasks.read(path)
        total = len(source.tasks)
        if total < count:
            why = f"It has {total:,} tasks, and each of {count:,} parts needs one."
            raise BundleError(f"{path.name} can't be split", why, "Nothing was written. Ask for fewer parts.")
        for number, name in enumerate(names):
            chosen = range(number * total // count, (number + 1) * total // count)
            manifest = tasks.write(beside / name, _part(source, number + 1, count), chosen)
            parts.append(Part(out=folder / name, manifest=manifest))
    return Split(parts=tuple(parts), left_out=tuple(tasks.left_out))


def _part(source: Gathered, number: int, count: int) -> NewBundle:
    manifest = source.manifest
    return source.new(
        {"tool": "split", "part": number, "parts": count},
        id=f"{manifest.id}-part-{number}",
        title=f"{manifest.title or manifest.id} ({number}/{count})",
    )
