"""Draw a sample of a bundle's tasks, by a seed and in proportion to the values of a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.canonical import canonical
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.stats.draw import drawn, shares
from desktop_rater.work.gather_tasks import gathering
from desktop_rater.work.incoming import LeftOut
from desktop_rater.work.make_bundle import default_id, refuse_same_file

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.bundle.lines import TaskLine
    from desktop_rater.model.progress import Progress

MOST_STRATA = 1_000
_META = "meta"
_NOTHING = "Nothing was written."


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """How many tasks, as a count or as a share of all; `by`: the field of `meta` whose values are the strata."""

    count: int | None = None
    share: float | None = None
    seed: int = 0
    by: str = ""


class Stratum(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks of which the field has one value; `None` where they have it not. `taken` of them are in the sample."""

    value: Any
    tasks: int
    taken: int


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    """`of`: how many good tasks the bundle has. `left_out`: lines of it that are none."""

    manifest: BundleManifest
    of: int
    strata: tuple[Stratum, ...]
    left_out: tuple[LeftOut, ...]


def sample_bundle(
    out: Path,
    path: Path,
    draw: Draw,
    progress: Progress,
    *,
    bundle_id: str | None = None,
    title: str | None = None,
) -> Sampled:
    """Write some tasks of a bundle as a bundle, in their order. Raises `RaterError`: then nothing was written."""
    refuse_same_file(out, path)
    with gathering(out.parent, [out.name], progress) as (tasks, beside):
        values = _Values(draw.by)
        source = tasks.read(path, values.take)
        values.refuse_useless(path)
        count = _count(draw, len(tasks.ids), path)
        counts = shares([len(stratum) for stratum in values.strata], count)
        strata = values.told(counts)
        said = {"tool": "sample", "seed": draw.seed, "count": count, "of": len(tasks.ids)}
        if draw.by:
            said |= {"by": values.field, "strata": msgspec.to_builtins(strata)}
        new = source.new(
            said, id=bundle_id or default_id(out), title=title or source.manifest.title or source.manifest.id
        )
        chosen = drawn(draw.seed, tasks.ids, values.strata, counts)
        manifest = tasks.write(beside / out.name, new, chosen)
    return Sampled(manifest=manifest, of=len(tasks.ids), strata=strata, left_out=tuple(tasks.left_out))


class _Values:
    """The strata, by the value that a field of each task has; all tasks are one where no field is named."""

    def __init__(self, by: str) -> None:
        self.field = by if by.startswith(f"{_META}.") or not by else f"{_META}.{by}"
        self._path = self.field.split(".")[1:]
        self._count = 0
        self._fields: set[str] = set()
        self._by_value: dict[bytes, tuple[Any, list[int]]] = {}
        self._too_many = False

    def take(self, line: TaskLine) -> bool:
        """Look at one more task."""
        assert line.task is not None
        value = _at(line.task.meta, self._path) if self._path else None
        if len(self._fields) < MOST_STRATA:
            self._fields.update(line.task.meta)
        key = canonical(value)
        if key in self._by_value or len(self._by_value) < MOST_STRATA:
            self._by_value.setdefault(key, (value, []))[1].append(self._count)
        else:
            self._too_many = True
        self._count += 1
        return True

    def refuse_useless(self, path: Path) -> None:
        """Raise `BundleError` where the field is in no task, or has too many values."""
        title = f"{path.name} can't be sampled by {self.field}"
        if self._path and all(value is None for value, _ in self._by_value.values()):
            there = ", ".join(sorted(f"{_META}.{name}" for name in self._fields)[:20])
            raise BundleError(title, "No task has it.", f"{_NOTHING} There are: {there or 'no fields in meta'}.")
        if self._too_many:
            why = f"It has more than {MOST_STRATA:,} values."
            raise BundleError(title, why, f"{_NOTHING} Take a field that many tasks share.")

    @property
    def strata(self) -> list[list[int]]:
        """The positions of the tasks of each, the strata in the order of their values."""
        return [self._by_value[key][1] for key in sorted(self._by_value)]

    def told(self, counts: list[int]) -> tuple[Stratum, ...]:
        """What becomes of each stratum."""
        values = (self._by_value[key] for key in sorted(self._by_value))
        return tuple(
            Stratum(value=value, tasks=len(positions), taken=count)
            for (value, positions), count in zip(values, counts, strict=True)
        )


def _at(meta: dict[str, Any], path: list[str]) -> Any:
    """The value of a field; a name with full stops in it is looked for as it stands too."""
    whole = ".".join(path)
    if whole in meta:
        return meta[whole]
    value: Any = meta
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _count(draw: Draw, total: int, path: Path) -> int:
    if draw.share is not None:
        if not 0 < draw.share <= 1:
            why = f"A share is more than 0 and at most 1, not {draw.share}."
            raise BundleError(f"{path.name} can't be sampled", why)
        return max(1, int(draw.share * total + 0.5))
    assert draw.count is not None
    if draw.count > total:
        why = f"It has {total:,} tasks, and {draw.count:,} are asked for."
        raise BundleError(f"{path.name} can't be sampled", why, _NOTHING)
    return draw.count
