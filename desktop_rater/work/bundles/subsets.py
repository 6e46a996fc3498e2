"""Merge, split and sample bundles."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import TaskLine
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import DERIVED_KEY, BundleManifest
from desktop_rater.model.strict_json import canonical_json
from desktop_rater.stats.bootstrap import draw_positions, proportional_counts
from desktop_rater.work.bundles.import_bundle import LeftOut
from desktop_rater.work.bundles.make import default_id
from desktop_rater.work.bundles.task_pool import SourceBundle, task_pool
from desktop_rater.work.output_files import NOTHING_WRITTEN, refuse_same_file

_MOST_NAMED = 10


class MergedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a merge. `equal`: tasks found in several bundles. `dropped`: manifest keys with conflicting values."""

    manifest: BundleManifest
    equal: int
    dropped: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def merge_bundles(
    out: Path, paths: Sequence[Path], progress: Progress, *, bundle_id: str | None = None, title: str | None = None
) -> MergedBundle:
    """Write the tasks of some bundles, in their order, as one. Raises `RaterError`; nothing is written then.

    A task that occurs identically in two bundles is written once; different tasks with one id are refused.
    """
    refuse_same_file(out, *paths)
    added = _AddedTasks(out)
    sources: list[SourceBundle] = []
    with task_pool(out.parent, [out.name], progress) as (tasks, part_folder):
        for path in paths:
            added.path = path
            sources.append(tasks.read(path, added.add))
            _refuse_other(out, sources[0], sources[-1])
        added.refuse_conflicts()
        id_ = bundle_id or default_id(out)
        unknown, dropped = _additional_keys([source.manifest for source in sources])
        titles = {source.manifest.title for source in sources}
        new = sources[0].new(
            {"tool": "merge", "bundles": [source.reference() for source in sources]},
            id=id_,
            revision=max(source.manifest.revision for source in sources),
            title=title or (titles.pop() if len(titles) == 1 else "") or id_,
            created=max(source.manifest.created or "" for source in sources),
            unknown=unknown,
        )
        manifest = tasks.write(part_folder / out.name, new, range(len(tasks.ids)))
    return MergedBundle(manifest=manifest, equal=added.equal, dropped=dropped, left_out=tuple(tasks.left_out))


class _AddedTasks:
    """Tasks that were added already, with their source."""

    def __init__(self, out: Path) -> None:
        self.equal = 0
        self.path = out
        self._out = out
        self._seen: dict[str, tuple[bytes, Path]] = {}
        self._conflicts: list[str] = []
        self._unnamed = 0

    def add(self, line: TaskLine) -> bool:
        assert line.id is not None
        digest = hashlib.sha256(line.raw).digest()
        before, source = self._seen.setdefault(line.id, (digest, self.path))
        if source is self.path:
            return True
        if before == digest:
            self.equal += 1
        elif len(self._conflicts) < _MOST_NAMED:
            self._conflicts.append(f'"{line.id}" in {source.name} and {self.path.name}')
        else:
            self._unnamed += 1
        return False

    def refuse_conflicts(self) -> None:
        if self._conflicts:
            more = f", and {self._unnamed:,} more" if self._unnamed else ""
            why = f"Different tasks have the same id: {', '.join(self._conflicts)}{more}."
            raise BundleError(
                f"{self._out.name} can't be made", why, f"{NOTHING_WRITTEN} Give one of the two another id."
            )


def _refuse_other(out: Path, first: SourceBundle, other: SourceBundle) -> None:
    a, b = first.manifest, other.manifest
    differences = [
        (a.rubric != b.rubric, f"the rubrics differ, {a.rubric} and {b.rubric}"),
        (first.rubric_toml != other.rubric_toml, f"both have a rubric {a.rubric}, and its rubric.toml differs"),
        (a.language != b.language, f"the languages differ, {a.language!r} and {b.language!r}"),
        (a.practice != b.practice, "one of the two is practice"),
        (first.guidelines != other.guidelines, "their guidelines differ"),
        (first.pictures != other.pictures, "the pictures of their guidelines differ"),
    ]
    for differ, why in differences:
        if differ:
            where = f"{first.path.name} and {other.path.name}"
            raise BundleError(f"{out.name} can't be written", f"{where} can't be merged: {why}.", NOTHING_WRITTEN)


def _additional_keys(manifests: Sequence[BundleManifest]) -> tuple[dict[str, Any], tuple[str, ...]]:
    values: dict[str, Any] = {}
    dropped: dict[str, None] = {}
    for manifest in manifests:
        for key, value in manifest.unknown.items():
            if key != DERIVED_KEY and values.setdefault(key, value) != value:
                dropped[key] = None
    return {key: value for key, value in values.items() if key not in dropped}, tuple(dropped)


NUMBER_PLACEHOLDER = "{n}"
MAX_PARTS = 10_000


def split_bundle(
    path: Path, count: int, folder: Path, pattern: str, progress: Progress
) -> tuple[list[tuple[Path, BundleManifest]], list[LeftOut]]:
    """Write the tasks of a bundle, in order, as `count` bundles whose sizes differ by at most one.

    `pattern`: file names in `folder`; its `{n}` is replaced by the part's number. Returns the parts, and the lines that
    are not valid tasks. Raises `RaterError`; nothing is written then.
    """
    if not 1 <= count <= MAX_PARTS:
        raise BundleError(f"{path.name} can't be split", f"It has 1 to {MAX_PARTS:,} parts, not {count:,}.")
    if pattern.count(NUMBER_PLACEHOLDER) != 1:
        why = f"The name {pattern!r} must have {NUMBER_PLACEHOLDER} once, in the place of the part's number."
        raise BundleError(f"{path.name} can't be split", why, f"Write it like kelp-{NUMBER_PLACEHOLDER}.zip.")
    names = [pattern.replace(NUMBER_PLACEHOLDER, str(number)) for number in range(1, count + 1)]
    for name in names:
        refuse_same_file(folder / name, path)
    parts = []
    with task_pool(folder, names, progress, new_folder=True) as (tasks, part_folder):
        source = tasks.read(path)
        total = len(source.tasks)
        if total < count:
            why = f"It has {total:,} tasks, and each of {count:,} parts needs one."
            raise BundleError(f"{path.name} can't be split", why, f"{NOTHING_WRITTEN} Ask for fewer parts.")
        for number, name in enumerate(names):
            chosen = range(number * total // count, (number + 1) * total // count)
            draft = source.new(
                {"tool": "split", "part": number + 1, "parts": count},
                id=f"{source.manifest.id}-part-{number + 1}",
                title=f"{source.manifest.title or source.manifest.id} ({number + 1}/{count})",
            )
            manifest = tasks.write(part_folder / name, draft, chosen)
            parts.append((folder / name, manifest))
    return parts, tasks.left_out


MAX_STRATA = 1_000
_META = "meta"


class BundleSampleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Sample size, as a count or as a share; `by`: the field of `meta` whose values are the strata."""

    count: int | None = None
    share: float | None = None
    seed: int = 0
    by: str = ""


class BundleStratum(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks with one value of the field (`None` if missing). `taken`: number of them in the sample."""

    value: Any
    tasks: int
    taken: int


class SampledBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of sampling. `of`: number of valid tasks in the bundle. `left_out`: its invalid lines."""

    manifest: BundleManifest
    of: int
    strata: tuple[BundleStratum, ...]
    left_out: tuple[LeftOut, ...]


def sample_bundle(
    out: Path,
    path: Path,
    draw: BundleSampleOptions,
    progress: Progress,
    *,
    bundle_id: str | None = None,
    title: str | None = None,
) -> SampledBundle:
    """Write some tasks of a bundle as a bundle, in order. Raises `RaterError`; nothing is written then."""
    refuse_same_file(out, path)
    with task_pool(out.parent, [out.name], progress) as (tasks, part_folder):
        values = _Strata(draw.by)
        source = tasks.read(path, values.add)
        values.refuse_useless(path)
        count = _count(draw, len(tasks.ids), path)
        counts = proportional_counts([len(stratum) for stratum in values.strata], count)
        strata = values.with_counts(counts)
        derived = {"tool": "sample", "seed": draw.seed, "count": count, "of": len(tasks.ids)}
        if draw.by:
            derived |= {"by": values.field, "strata": msgspec.to_builtins(strata)}
        new = source.new(
            derived, id=bundle_id or default_id(out), title=title or source.manifest.title or source.manifest.id
        )
        chosen = draw_positions(draw.seed, tasks.ids, values.strata, counts)
        manifest = tasks.write(part_folder / out.name, new, chosen)
    return SampledBundle(manifest=manifest, of=len(tasks.ids), strata=strata, left_out=tuple(tasks.left_out))


class _Strata:
    """Strata of the tasks, by the value of a field; a single stratum without a field."""

    def __init__(self, by: str) -> None:
        self.field = by if by.startswith(f"{_META}.") or not by else f"{_META}.{by}"
        self._path = self.field.split(".")[1:]
        self._count = 0
        self._fields: set[str] = set()
        self._by_value: dict[bytes, tuple[Any, list[int]]] = {}
        self._too_many = False

    def add(self, line: TaskLine) -> bool:
        assert line.task is not None
        value = _field_value(line.task.meta, self._path) if self._path else None
        if len(self._fields) < MAX_STRATA:
            self._fields.update(line.task.meta)
        key = canonical_json(value)
        if key in self._by_value or len(self._by_value) < MAX_STRATA:
            self._by_value.setdefault(key, (value, []))[1].append(self._count)
        else:
            self._too_many = True
        self._count += 1
        return True

    def refuse_useless(self, path: Path) -> None:
        """Raise `BundleError` if no task has the field, or it has too many values."""
        title = f"{path.name} can't be sampled by {self.field}"
        if self._path and all(value is None for value, _ in self._by_value.values()):
            fields = ", ".join(sorted(f"{_META}.{name}" for name in self._fields)[:20])
            raise BundleError(
                title, "No task has it.", f"{NOTHING_WRITTEN} Available: {fields or 'no fields in meta'}."
            )
        if self._too_many:
            why = f"It has more than {MAX_STRATA:,} values."
            raise BundleError(title, why, f"{NOTHING_WRITTEN} Choose a field with fewer values.")

    @property
    def strata(self) -> list[list[int]]:
        """Return the task positions of each stratum, ordered by value."""
        return [self._by_value[key][1] for key in sorted(self._by_value)]

    def with_counts(self, counts: list[int]) -> tuple[BundleStratum, ...]:
        values = (self._by_value[key] for key in sorted(self._by_value))
        return tuple(
            BundleStratum(value=value, tasks=len(positions), taken=count)
            for (value, positions), count in zip(values, counts, strict=True)
        )


def _field_value(meta: dict[str, Any], path: list[str]) -> Any:
    """Return the value of a field; a name that contains full stops is also looked up literally."""
    value: Any = meta
    path = [".".join(path)] if ".".join(path) in meta else path
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _count(draw: BundleSampleOptions, total: int, path: Path) -> int:
    if draw.share is not None:
        if not 0 < draw.share <= 1:
            why = f"A share is more than 0 and at most 1, not {draw.share}."
            raise BundleError(f"{path.name} can't be sampled", why)
        return max(1, int(draw.share * total + 0.5))
    assert draw.count is not None
    if draw.count > total:
        why = f"It has only {total:,} tasks; {draw.count:,} were requested."
        raise BundleError(f"{path.name} can't be sampled", why, NOTHING_WRITTEN)
    return draw.count
