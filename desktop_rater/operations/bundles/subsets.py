"""Merge, split and sample bundles: the pool of their tasks, and bundles of some of them."""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.audit.results import PART_TOOLS, original_bundle
from desktop_rater.files import replaced_files
from desktop_rater.format.archive import TASKS, OpenBundle, open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import DERIVED_KEY, RETURN_TOOL, BundleManifest, parse_derivation
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import HINT_UNCHANGED, NOTHING_WRITTEN, LinePool, refuse_same_file
from desktop_rater.operations.bundles.import_bundle import MOST_LEFT_OUT, LeftOut
from desktop_rater.operations.bundles.make import default_id
from desktop_rater.pages.response import WebError
from desktop_rater.rubric.links import task_links
from desktop_rater.stats.bootstrap import draw_positions, proportional_counts
from desktop_rater.text.urls import page_key


class TaskPages:
    """Stored pages, extracted to a folder under their SHA-256, and the tasks that link to them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}
        self._by_page: dict[str, list[str]] = {}
        self._needs: dict[int, tuple[str, ...]] = {}
        self._claimed: set[str] = set()

    def extract(self, bundle: OpenBundle) -> None:
        """Extract the pages of a bundle, before its tasks are added. Raises `BundleError`."""
        for sha256 in bundle.snapshots:
            if sha256 in self._files:
                continue
            path = self._folder / f"{sha256}.warc.gz"
            with bundle_errors(path, "written", HINT_UNCHANGED), path.open("xb") as file:
                file.writelines(bundle.snapshot(sha256))
            self._files[sha256] = path
            for page in _pages_in(path):
                self._by_page.setdefault(page, []).append(sha256)

    def add_task(self, number: int, task: Task) -> None:
        if not self._by_page:
            return
        urls = [*(link.page for link in task_links(task, ())), *(page_key(document.url) for document in task.context)]
        needed = dict.fromkeys(sha256 for url in urls if url for sha256 in self._by_page.get(url, ()))
        if needed:
            self._needs[number] = tuple(needed)
            self._claimed.update(needed)

    def needed(self, numbers: Iterable[int]) -> dict[str, Path]:
        """Return the pages of these tasks. Pages that no task links to are always included."""
        wanted = self._files.keys() - self._claimed
        for number in numbers:
            wanted |= set(self._needs.get(number, ()))
        return {sha256: self._files[sha256] for sha256 in sorted(wanted)}


def _pages_in(path: Path) -> set[str]:
    """Return the page addresses that a stored page covers; empty if it can't be read."""
    from desktop_rater.pages import warc  # noqa: PLC0415 - only where there are stored pages

    try:
        outline = warc.read_snapshot_outline(path)
    except WebError:
        return set()
    return {page for url in (outline.url, outline.final_url) if (page := page_key(url))}


_STEP = 200
_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest time a zip can store, for bundles without a time


class SourceBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was read. `tasks`: the numbers of its valid tasks."""

    path: Path
    manifest: BundleManifest
    rubric_toml: str | None
    guidelines: str | None
    pictures: dict[str, bytes]
    tasks: range

    def reference(self) -> dict[str, Any]:
        """Return the entry for this bundle in the `derived` key of bundles made from it."""
        manifest = self.manifest
        return {"id": manifest.id, "revision": manifest.revision, "sha256": manifest.files[TASKS].sha256}

    def _whole(self, tool: str) -> dict[str, Any]:
        """Return the origin to record: for a part of a part, the whole bundle."""
        own = parse_derivation(self.manifest.unknown)
        whole = original_bundle(own) if tool in PART_TOOLS else None
        return self.reference() if whole is None else to_plain(whole)

    def new(self, derived: dict[str, Any], **changed: Any) -> BundleDraft:
        """Return a bundle like this one, without tasks.

        `derived`: how it is made; `changed`: fields that differ.
        """
        manifest = self.manifest
        fields: dict[str, Any] = {
            "created": manifest.created,
            "revision": manifest.revision,
            "title": manifest.title,
            "unknown": manifest.further_keys,
            **changed,
        }
        return BundleDraft(
            id=fields["id"],
            created=fields["created"] or _NO_TIME,
            revision=fields["revision"],
            title=fields["title"],
            language=manifest.language,
            rubric=manifest.rubric,
            rubric_toml=self.rubric_toml,
            guidelines=self.guidelines,
            pictures=self.pictures,
            practice=manifest.practice,
            unknown={**fields["unknown"], DERIVED_KEY: {"bundles": [self._whole(derived["tool"])], **derived}},
        )


class TaskPool:
    """Task pool of several bundles, numbered from 0 in reading order."""

    def __init__(self, pool: LinePool, folder: Path, progress: Progress) -> None:
        self.ids: list[str] = []
        self.left_out: list[LeftOut] = []
        self._pool = pool
        self._pages = TaskPages(folder)
        self._gold: dict[str, list[bytes]] = {}
        self._progress = progress

    def read(self, path: Path, take: Callable[[TaskLine], bool] = lambda _: True) -> SourceBundle:
        """Read a bundle completely; `take` decides for each valid task whether it is added.

        Raises `BundleError`.
        """
        first = len(self.ids)
        with open_bundle(path) as bundle:
            _refuse_sent_back(path, bundle)
            self._pages.extract(bundle)
            for line in self._good(bundle, path):
                assert line.task is not None
                if take(line):
                    self._pages.add_task(len(self.ids), line.task)
                    self.ids.append(line.task.id)
                    self._pool.add(line.raw)
            self._take_gold(bundle)
            return SourceBundle(
                path=path,
                manifest=bundle.manifest,
                rubric_toml=bundle.rubric_toml,
                guidelines=bundle.guidelines,
                pictures=bundle.pictures(),
                tasks=range(first, len(self.ids)),
            )

    def write(
        self, out: Path, new: BundleDraft, numbers: Sequence[int], changed: Callable[[int, bytes], bytes] | None = None
    ) -> BundleManifest:
        """Write a bundle of these tasks, with their pages and gold, if for practice; `changed`: the line to write."""
        gold = [line for number in numbers for line in self._gold.get(self.ids[number], ())]
        # A practice bundle without gold would be refused.
        whole = msgspec.structs.replace(
            new, snapshots=self._pages.needed(numbers), practice=new.practice and bool(gold)
        )
        lines = self._pool.lines(numbers)
        lines = lines if changed is None else map(changed, numbers, lines)
        return make_bundle(out, whole, self._watched(lines, len(numbers)), gold=gold)

    def _good(self, bundle: OpenBundle, path: Path) -> Iterator[TaskLine]:
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                self._progress(line.number, bundle.manifest.tasks)
            if line.task is not None:
                yield line
                continue
            self.left_out.append(LeftOut(task=line.id, why=f"{path.name}: {line.error}"))
            if len(self.left_out) > MOST_LEFT_OUT:
                why = f"More than {MOST_LEFT_OUT:,} of its lines are not valid tasks, the last: {line.error}."
                raise BundleError(f"{path.name} is refused", why, NOTHING_WRITTEN)

    def _take_gold(self, bundle: OpenBundle) -> None:
        """Add the gold of a practice bundle. Other gold is read only to detect damage."""
        by_task: dict[str, list[bytes]] = {}
        for line in bundle.gold_lines():
            if bundle.manifest.practice:
                by_task.setdefault(line.rating.task, []).append(line.raw)
        for task, lines in by_task.items():
            if self._gold.setdefault(task, lines) != lines:
                why = f'Another bundle has different gold for the task "{task}".'
                raise BundleError(f"{bundle.manifest.id} can't be used", why, NOTHING_WRITTEN)

    def _watched(self, lines: Iterable[bytes], total: int) -> Iterator[bytes]:
        for count, line in enumerate(lines):
            if count % _STEP == 0:
                self._progress(count, total)
            yield line


def _refuse_sent_back(path: Path, bundle: OpenBundle) -> None:
    derived = parse_derivation(bundle.manifest.unknown)
    if derived is not None and derived.tool == RETURN_TOOL:
        rater = repr(derived.rater) if derived.rater else "one rater"
        why = f"It is returned work for {rater}; only results of the complete bundle replace the earlier ones."
        raise BundleError(f"{path.name} is refused", why, "Give it to that rater unchanged.")


@contextmanager
def task_pool(
    folder: Path, names: Sequence[str], progress: Progress, *, new_folder: bool = False
) -> Generator[tuple[TaskPool, Path]]:
    """Yield the task pool, and the folder to write files of these names to.

    The files are moved to `folder` on success, all or none. `new_folder`: create it if missing. Raises `BundleError`.
    """
    named_path = folder / names[0] if len(names) == 1 and not new_folder else folder
    with (
        bundle_errors(named_path, "written", HINT_UNCHANGED),
        _folder_created(folder, new=new_folder),
        replaced_files(folder, names, filled=new_folder) as part_folder,
        LinePool(part_folder) as pool,
    ):
        yield TaskPool(pool, part_folder, progress), part_folder


@contextmanager
def _folder_created(folder: Path, *, new: bool) -> Generator[None]:
    made = new and not folder.exists()
    if made:
        folder.mkdir()
    try:
        yield
    except BaseException:
        if made:
            folder.rmdir()
        raise


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
        for key, value in manifest.further_keys.items():
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


class SampledBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of sampling. `of`: number of valid tasks in the bundle. `left_out`: its invalid lines.

    `strata`: each `value` of the field (`None` if missing), its number of `tasks`, and of those `taken`.
    """

    manifest: BundleManifest
    of: int
    strata: list[dict[str, Any]]
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
        derived: dict[str, Any] = {"tool": "sample", "seed": draw.seed, "count": count, "of": len(tasks.ids)}
        if draw.by:
            derived |= {"by": values.field, "strata": strata}
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

    def with_counts(self, counts: list[int]) -> list[dict[str, Any]]:
        values = (self._by_value[key] for key in sorted(self._by_value))
        return [
            {"value": value, "tasks": len(positions), "taken": count}
            for (value, positions), count in zip(values, counts, strict=True)
        ]


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
