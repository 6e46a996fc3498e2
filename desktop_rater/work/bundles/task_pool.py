"""Read bundles to build others from their tasks, unchanged to the byte and with the pages they need."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.audit.results import PART_TOOLS, original_bundle
from desktop_rater.bundle.archive import TASKS
from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.jsonl import TaskLine
from desktop_rater.bundle.make import BundleDraft, make_bundle
from desktop_rater.bundle.read import OpenBundle, open_bundle
from desktop_rater.bundle.write import HINT_UNCHANGED, LinePool
from desktop_rater.files import replaced_files
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import DERIVED_KEY, RETURN_TOOL, BundleManifest, parse_derivation
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.task import Task
from desktop_rater.rubric.links import task_links
from desktop_rater.text.urls import page_key
from desktop_rater.web.errors import WebError
from desktop_rater.work.bundles.import_bundle import MOST_LEFT_OUT, LeftOut
from desktop_rater.work.output_files import NOTHING_WRITTEN


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
    from desktop_rater.web import warc  # noqa: PLC0415 - only where there are stored pages

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
            "unknown": manifest.unknown,
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
